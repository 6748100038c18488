package subscriptions_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// line carries calls until it breaks.
type line struct{ isBroken atomic.Bool }

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.isBroken.Load() {
		return nil, errors.New("nobody answers")
	}
	return http.DefaultTransport.RoundTrip(r)
}

// Nothing that is read by more people than its holder has the id of a subscription.
func TestFaults_TellNobodyTheIDOfASubscription(t *testing.T) {
	t.Parallel()
	content := &line{}
	w, b := paymentstest.NewBetween(t, func(c *app.Config) { c.ContentTransport = content })
	id := renewingIn(w, "")
	unpaid := w.Subscription()
	var log bytes.Buffer
	w.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	a := w.Another(w.Now)
	h, err := a.Handler()
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, path, body string) {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w.Identify(r)
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	everything := func() {
		for _, of := range []string{id, unpaid} {
			call(http.MethodGet, "/api/subscriptions/"+of, "")
			call(http.MethodPost, "/api/subscriptions/"+of+"/setup", "{}")
			call(http.MethodPost, "/api/subscriptions/"+of+"/card", "{}")
			call(http.MethodPost, "/api/subscriptions/"+of+"/notices", `{"before_charge":true}`)
			call(http.MethodPost, "/api/subscriptions/"+of+"/modify-level", `{"amount":30}`)
		}
		for range 2 { // begins the month, then tries the card
			if err := a.Subscriptions.Steps(t.Context()); err != nil {
				t.Error(err)
			}
			w.Pass(time.Hour)
		}
		if _, err := a.Deliver(t.Context(), 100); err != nil {
			t.Error(err)
		}
	}
	// The provider refuses, then the content service is away, then the database takes nothing of subscriptions, then the provider fails.
	b.Set(func(rw http.ResponseWriter, _ *http.Request) bool {
		return paymentstest.Refuse(rw, http.StatusBadRequest, `{"type":"invalid_request_error"}`)
	}, nil)
	everything()
	b.Set(nil, nil)
	content.isBroken.Store(true)
	everything()
	w.Exec(`ALTER TABLE subscription_transitions ADD CONSTRAINT nothing CHECK (false) NOT VALID`)
	w.Exec(`ALTER TABLE subscription_tries ADD CONSTRAINT nothing CHECK (false) NOT VALID`)
	everything()
	call(http.MethodPost, "/api/subscriptions/"+id+"/skip", `{"period":3}`)
	b.Set(func(rw http.ResponseWriter, _ *http.Request) bool {
		return paymentstest.Refuse(rw, http.StatusInternalServerError, `{"type":"api_error"}`)
	}, nil)
	everything()

	text := log.String()
	for _, want := range []string{"subscription waits", "the provider refuses", "nobody answers", "outbox message not delivered"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	if w.Count(`outbox WHERE last_error IS NOT NULL`) == 0 {
		t.Error("no event has failed")
	}
	for _, of := range []string{id, unpaid} {
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, of) {
				t.Errorf("the log holds the id: %s", line)
			}
		}
		if n := w.Count(`outbox WHERE last_error LIKE '%' || ? || '%'`, of) + w.Count(`anomalies WHERE detail::text LIKE '%' || ? || '%'`, of); n > 0 {
			t.Errorf("%d messages have failed with the id", n)
		}
	}
}
