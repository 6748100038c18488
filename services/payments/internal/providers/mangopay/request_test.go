package mangopay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// server answers calls in their order, each by the next of its answers; the last one goes on.
type server struct {
	t       *testing.T
	mu      sync.Mutex
	clock   time.Time
	answers []func(w http.ResponseWriter, r *http.Request)
	calls   []string // method, path, key
	tokens  int
	bodies  []string
}

func (s *server) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock
}

func (s *server) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = s.clock.Add(d)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/v2.01/oauth/token" {
		id, key, _ := r.BasicAuth()
		if id != "client" || key != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"invalid_client"}`)
			return
		}
		s.tokens++
		_, _ = fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"Bearer","expires_in":3600}`, s.tokens)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.bodies = append(s.bodies, string(body))
	s.calls = append(s.calls, strings.TrimSpace(r.Method+" "+strings.TrimPrefix(r.URL.Path, "/v2.01/client")+" "+r.Header.Get("Idempotency-Key")))
	if want := fmt.Sprintf("Bearer token-%d", s.tokens); r.Header.Get("Authorization") != want {
		s.t.Errorf("authorized by %q, not %q", r.Header.Get("Authorization"), want)
	}
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	answer(w, r)
}

func says(status int, body string, header ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// hangsUp takes effect, as far as we know, and does not answer.
func hangsUp(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

func newServer(t *testing.T, answers ...func(http.ResponseWriter, *http.Request)) (*server, *Client) {
	t.Helper()
	s := &server{t: t, clock: time.Now(), answers: answers}
	at := httptest.NewServer(s)
	t.Cleanup(at.Close)
	return s, New(Config{ClientID: "client", APIKey: "secret", URL: at.URL, Pause: time.Millisecond, Now: s.now, Log: slog.New(slog.DiscardHandler)})
}

const made = `{"Id":"payin_1","Status":"CREATED"}`

// A key that is known and has no answer yet is of a call that is still on its way: nobody has refused it, so no other key may be made of it.
func TestPost_WhoseFirstCallIsStillOnItsWay_IsNotKnown(t *testing.T) {
	t.Parallel()
	_, c := newServer(t, says(409, `{"Type":"idempotent_creation_conflict"}`), says(404, `{"Type":"ressource_not_found"}`))
	out, err := c.Transfer(t.Context(), provider.TransferOrder{Key: "settle:r:transfer:1", Payee: "user_1", From: "wlt_1", To: "wlt_2", Amount: eur(100), Fee: eur(0)})
	for _, refusal := range []error{provider.ErrNotFound, provider.ErrRefused, provider.ErrState, provider.ErrBurned} {
		if errors.Is(err, refusal) {
			t.Errorf("it is told as %v", refusal)
		}
	}
	if !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
		t.Errorf("%+v, %v", out, err)
	}
}

// One token serves all calls until it is about to end; one that is refused is fetched anew, once.
func TestToken_IsFetchedOnce_AndAgainBeforeItsEnd(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(200, made))
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := c.get(t.Context(), "read", "/payins/1", nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if s.tokens != 1 {
		t.Errorf("%d tokens for twenty calls", s.tokens)
	}
	s.pass(59*time.Minute + time.Second)
	if err := c.get(t.Context(), "read", "/payins/1", nil); err != nil || s.tokens != 2 {
		t.Errorf("%d tokens, %v", s.tokens, err)
	}
}

func TestToken_Refused_IsFetchedOnceMore(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(401, `{}`), says(200, made), says(401, `{}`))
	if err := c.get(t.Context(), "read", "/payins/1", nil); err != nil || s.tokens != 2 {
		t.Errorf("%d tokens, %v", s.tokens, err)
	}
	if err := c.get(t.Context(), "read", "/payins/1", nil); !errors.Is(err, apperr.New(apperr.ConfigurationError)) || s.tokens != 3 {
		t.Errorf("%d tokens, %v", s.tokens, err)
	}
	c.config.APIKey = "another"
	c.token.drop(c.token.text)
	if err := c.get(t.Context(), "read", "/payins/1", nil); !errors.Is(err, apperr.New(apperr.ConfigurationError)) {
		t.Errorf("with a wrong key: %v", err)
	}
}

// A creation whose answer is lost is repeated with the same key; the 409 leads to what was answered first.
func TestPost_TheAnswerIsLost_TheKeyBringsIt(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, hangsUp, says(409, `{"Type":"idempotent_creation_conflict"}`),
		says(200, `{"StatusCode":"200","Date":1524259784.0,"Resource":`+made+`}`))
	var got object
	before, err := c.post(t.Context(), "pay", "/payins/card/direct", "payment:1:card:1", struct{}{}, &got)
	if err != nil || !before || got.Id != "payin_1" {
		t.Fatalf("before %t, %+v, %v", before, got, err)
	}
	key := keyOf("payment:1:card:1")
	want := []string{"POST /payins/card/direct " + key, "POST /payins/card/direct " + key, "GET /responses/" + key}
	if !slices.Equal(s.calls, want) {
		t.Errorf("called %q", s.calls)
	}
}

// What a key was answered first may have been a refusal or a failure: it comes again.
func TestPost_TheKeyKeepsARefusal(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]error{
		`{"StatusCode":"400","Resource":{"Type":"param_error","errors":{"CardId":"is wrong"}}}`: provider.ErrFinal,
		`{"StatusCode":500,"Resource":{}}`: provider.ErrBurned,
	} {
		_, c := newServer(t, says(409, `{}`), says(200, stored))
		if _, err := c.post(t.Context(), "pay", "/payins/card/direct", "key", struct{}{}, &object{}); !errors.Is(err, want) {
			t.Errorf("%s: %v", stored, err)
		}
	}
}

func TestErrors_AreTheCores_AndSayNothingOfPeople(t *testing.T) {
	t.Parallel()
	secret := "Aino Aalto FI2112345600000785"
	for status, want := range map[int]error{
		400: provider.ErrFinal, 403: provider.ErrRefused, 404: provider.ErrNotFound, 409: apperr.New(apperr.ProviderUnavailable),
		429: apperr.New(apperr.ProviderUnavailable), 500: apperr.New(apperr.ProviderUnavailable), 503: apperr.New(apperr.ProviderUnavailable),
	} {
		_, c := newServer(t, says(status, `{"Message":"`+secret+`","Type":"param_error","Id":"a#1","Date":1524259784.0,"errors":{"IBAN":"`+secret+`"}}`))
		err := c.get(t.Context(), "read", "/users/"+url.PathEscape(secret), &object{})
		if !errors.Is(err, want) {
			t.Errorf("%d: %v", status, err)
		}
		if strings.Contains(fmt.Sprint(err), "Aino") {
			t.Errorf("%d tells %v", status, err)
		}
	}
	for _, body := range []string{secret, `{"Status":` + secret, `{"Status":["` + secret + `"]}`} {
		_, c := newServer(t, says(200, body))
		err := c.get(t.Context(), "read", "/users/1", &object{})
		if !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) || strings.Contains(fmt.Sprint(err), "Aino") {
			t.Errorf("%s: %v", body, err)
		}
	}
	c := New(Config{URL: "http://127.0.0.1:1", Pause: time.Millisecond, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err := c.get(t.Context(), "read", "/users/Aino", nil); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) || strings.Contains(fmt.Sprint(err), "Aino") {
		t.Errorf("nobody answers: %v", err)
	}
}

// A read and a change are tried again after an outage, a refusal is not.
func TestCall_IsRepeatedAfterAnOutageOnly(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(500, `{}`), hangsUp, says(200, made))
	if err := c.put(t.Context(), "end", "/cards/1", struct{ Active bool }{}, nil); err != nil || len(s.calls) != 3 {
		t.Errorf("%d calls, %v", len(s.calls), err)
	}
	s, c = newServer(t, says(400, `{}`))
	if err := c.put(t.Context(), "end", "/cards/1", nil, nil); err == nil || len(s.calls) != 1 {
		t.Errorf("%d calls, %v", len(s.calls), err)
	}
}

// When no call is left, or one was refused for that, none is made until the window ends: people are told when.
func TestRate_NothingIsLeft_NoCallIsMade(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(200, made))
	end := s.now().Add(10 * time.Minute).Unix()
	full := fmt.Sprintf("%d,%d,%d,%d", end, end+900, end+3600, end+90000)
	s.answers = []func(http.ResponseWriter, *http.Request){
		says(200, made, "X-RateLimit", "2300,2300,2300,2300", "X-RateLimit-Remaining", "0,2200,6500,102700", "X-RateLimit-Reset", full), says(200, made)}
	for range 3 {
		_ = c.get(t.Context(), "read", "/payins/1", nil)
	}
	err := c.get(t.Context(), "read", "/payins/1", nil)
	var told *apperr.Error
	if len(s.calls) != 1 || !errors.As(err, &told) || told.Retry < 9*time.Minute {
		t.Errorf("%d calls, %v", len(s.calls), err)
	}
	if c.Health() != 0 {
		t.Error("that is no outage")
	}
	s.pass(11 * time.Minute)
	if err := c.get(t.Context(), "read", "/payins/1", nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	_, c = newServer(t, says(429, `{"Type":"rate_limit"}`))
	for range 3 {
		_ = c.get(t.Context(), "read", "/payins/1", nil)
	}
	if c.rate.closed.IsZero() {
		t.Error("a 429 closes nothing")
	}
}

// Few that are left are spread over the rest of the window; an older answer has one value in place of four.
func TestRate_FewAreLeft_CallsAreSpread(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var r rate
	for _, c := range []struct {
		used, left string
		in         time.Duration
		want       time.Duration
	}{
		{"100", "2200", 10 * time.Minute, 0},
		{"2200", "100", 10 * time.Second, 100 * time.Millisecond},
		{"2200,100", "100,8700", 10 * time.Second, 100 * time.Millisecond},
		{"2290", "10", 15 * time.Minute, longestSlow},
		{"2290", "10", -time.Second, 0},
		{"nonsense", "", time.Minute, 0},
	} {
		reset := fmt.Sprint(now.Add(c.in).Unix())
		reset = strings.TrimSuffix(strings.Repeat(reset+",", strings.Count(c.used, ",")+1), ",")
		r = rate{}
		r.see(http.Header{"X-Ratelimit": {c.used}, "X-Ratelimit-Remaining": {c.left}, "X-Ratelimit-Reset": {reset}}, 200, now)
		if off := r.pause - c.want; off < -20*time.Millisecond || off > 20*time.Millisecond {
			t.Errorf("%s used, %s left, %s to go: %s between calls", c.used, c.left, c.in, r.pause)
		}
	}
}

func TestList_IsWalkedToItsEnd(t *testing.T) {
	t.Parallel()
	page := func(n int) string {
		list := make([]object, n)
		out, _ := json.Marshal(list)
		return string(out)
	}
	s, c := newServer(t, says(200, page(100)), says(200, page(100)), says(200, page(7)))
	n := 0
	err := each(t.Context(), c, "list", "/events", url.Values{}, func(object) error { n++; return nil })
	if err != nil || n != 207 || len(s.calls) != 3 {
		t.Errorf("%d objects of %d pages, %v", n, len(s.calls), err)
	}
	stop := errors.New("enough")
	s, c = newServer(t, says(200, page(100)))
	if err := each(t.Context(), c, "list", "/events", url.Values{}, func(object) error { return stop }); !errors.Is(err, stop) || len(s.calls) != 1 {
		t.Errorf("%d pages, %v", len(s.calls), err)
	}
}

func TestCall_EndsWithItsCaller(t *testing.T) {
	t.Parallel()
	s, c := newServer(t, says(500, `{}`))
	c.calls = New(Config{Pause: time.Hour, Now: s.now, Log: slog.New(slog.DiscardHandler)}).calls
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := c.get(ctx, "read", "/payins/1", nil); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
		t.Error(err)
	}
}

func wallet7(context.Context, string) (provider.Wallet, error) {
	return provider.Wallet{ID: "w7", Owner: "u7"}, nil
}

// A token that is over for many calls at once is fetched once more, and not by each of them.
func TestToken_OverForManyCallsAtOnce_IsFetchedOnce(t *testing.T) {
	t.Parallel()
	const atOnce = 8
	var refused sync.WaitGroup
	refused.Add(atOnce)
	tokens := 0
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/oauth/token"): // one at a time, by the client's lock
			tokens++
			_, _ = fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"Bearer","expires_in":3600}`, tokens)
		case r.Header.Get("Authorization") == "Bearer token-1":
			refused.Done()
			refused.Wait()
			w.WriteHeader(http.StatusUnauthorized)
		default:
			_, _ = io.WriteString(w, `{}`)
		}
	}))
	t.Cleanup(at.Close)
	c := New(Config{ClientID: "client", APIKey: "secret", URL: at.URL, Pause: time.Millisecond, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			if err := c.get(t.Context(), "read", "/users/1", nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if tokens != 2 {
		t.Errorf("%d tokens were fetched", tokens)
	}
}
