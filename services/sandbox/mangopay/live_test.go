package mangopay_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

// live is a sandbox that serves and delivers by itself.
func live(t *testing.T, hookURL string) (base string) {
	t.Helper()
	s, err := mangopay.New(mangopay.Options{ClientID: clientID, APIKey: apiKey, InMemory: true, HookURL: hookURL, RetryAfter: []time.Duration{time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL + "/v2.01/" + clientID
}

func makeOwner(t *testing.T, base, key string) (status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/sca/users/natural",
		strings.NewReader(`{"FirstName":"A","LastName":"B","Email":"a@example.com","UserCategory":"OWNER","Birthday":1,"Nationality":"FI","CountryOfResidence":"FI","TermsAndConditionsAccepted":true}`))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(clientID, apiKey)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}

func TestLive_ManyCallsOfOneKeyAtOnceHaveOneEffect(t *testing.T) {
	base := live(t, "")
	var done sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]int{}
	for range 20 {
		done.Go(func() {
			status := makeOwner(t, base, "the-same-0123456789")
			mu.Lock()
			defer mu.Unlock()
			seen[status]++
		})
	}
	done.Wait()
	if seen[http.StatusOK] != 1 || seen[http.StatusConflict] != 19 {
		t.Errorf("%v", seen)
	}
}

func TestLive_HooksAreRetriedUntilTheyAreTaken(t *testing.T) {
	got := make(chan string, 10)
	var once sync.Once
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refused := false
		once.Do(func() { refused = true })
		if refused {
			w.WriteHeader(http.StatusInternalServerError)
		}
		got <- r.Method + " " + r.URL.Query().Get("EventType")
	}))
	t.Cleanup(receiver.Close)
	base := live(t, receiver.URL)
	if status := makeOwner(t, base, "hooked-0123456789"); status != http.StatusOK {
		t.Fatal(status)
	}
	for range 2 {
		select {
		case what := <-got:
			if what != "GET USER_ACCOUNT_VALIDATION_ASKED" {
				t.Error(what)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("no hook came")
		}
	}
}
