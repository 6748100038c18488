package stripe_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// standIn answers each call by the next of its answers, the last one for ever, and keeps the keys.
type standIn struct {
	mu      sync.Mutex
	answers []func(w http.ResponseWriter, r *http.Request)
	keys    []string
}

func (p *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.keys = append(p.keys, r.Header.Get("Idempotency-Key"))
	answer := p.answers[0]
	if len(p.answers) > 1 {
		p.answers = p.answers[1:]
	}
	p.mu.Unlock()
	answer(w, r)
}

func (p *standIn) calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.keys)
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

const intentBody = `{"id":"pi_1","object":"payment_intent","amount":500,"currency":"eur","status":"requires_payment_method","client_secret":"pi_1_secret_x","metadata":{}}`

func start(t *testing.T, change func(*stripe.Config), answers ...func(http.ResponseWriter, *http.Request)) (
	*stripe.Client, *standIn) {
	t.Helper()
	p := &standIn{answers: answers}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	c := stripe.Config{Key: "sk_test_client1234567", URL: server.URL, Pause: time.Millisecond,
		Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&c)
	}
	return stripe.New(c), p
}

func create(t *testing.T, c *stripe.Client) (provider.Snapshot, error) {
	return c.Begin(t.Context(), provider.Order{Key: "payment:1:form:1", Method: provider.MethodCard,
		Amount: money.New(500, money.EUR)})
}

func TestCall_RepeatsWithTheSameKeyWhatIsSafe(t *testing.T) {
	t.Parallel()
	c, p := start(t, nil, says(500, `{"error":{"type":"api_error"}}`), says(409, `{"error":{"type":"idempotency_error"}}`), says(200, intentBody))
	in, err := create(t, c)
	if err != nil || in.Ref.Object != "pi_1" || in.State != provider.Open {
		t.Fatalf("%+v, %v", in, err)
	}
	for _, key := range p.keys {
		if key != "payment:1:form:1" {
			t.Errorf("a try had the key %q", key)
		}
	}
	if len(p.keys) != 3 {
		t.Errorf("%d tries, want 3", len(p.keys))
	}
}

func TestCall_ErrorsAreNamedAndKeepNoSecret(t *testing.T) {
	t.Parallel()
	const object = `"message":"secret words","payment_intent":{"id":"pi_1","client_secret":"pi_1_secret_x"}`
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		want   error
		calls  int
	}{
		"wrong state":   {says(400, `{"error":{"type":"invalid_request_error","code":"payment_intent_unexpected_state",`+object+`}}`), provider.ErrState, 1},
		"bad parameter": {says(400, `{"error":{"type":"invalid_request_error","code":"amount_too_small",`+object+`}}`), provider.ErrRefused, 1},
		"not there":     {says(404, `{"error":{"type":"invalid_request_error","code":"resource_missing",`+object+`}}`), provider.ErrNotFound, 1},
		"bad key":       {says(401, `{"error":{"type":"invalid_request_error",`+object+`}}`), apperr.New(apperr.ConfigurationError).WithCode("provider_rejected_credentials"), 1},
		"kept failure":  {says(500, `{"error":{"type":"api_error",`+object+`}}`, "Idempotent-Replayed", "true"), provider.ErrBurned, 1},
		"failing":       {says(500, `{"error":{"type":"api_error",`+object+`}}`), apperr.New(apperr.ProviderUnavailable), 3},
		"told to stop":  {says(503, `{"error":{"type":"api_error",`+object+`}}`, "Stripe-Should-Retry", "false"), apperr.New(apperr.ProviderUnavailable), 1},
		"not Stripe":    {says(502, `<html>`), apperr.New(apperr.ProviderUnavailable), 3},
	} {
		client, p := start(t, nil, c.answer)
		_, err := create(t, client)
		if !errors.Is(err, c.want) || p.calls() != c.calls {
			t.Errorf("%s: %v after %d calls, want %v after %d", name, err, p.calls(), c.want, c.calls)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error tells too much: %v", name, err)
		}
	}
}

func TestCall_ProviderHangs_EndsByItsDeadline(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release) // before the server is closed, which waits for its answers
	c, p := start(t, func(c *stripe.Config) { c.Timeout, c.Tries = 30*time.Millisecond, 2 },
		func(http.ResponseWriter, *http.Request) { <-release })
	if _, err := create(t, c); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
		t.Errorf("got %v", err)
	}
	if p.calls() != 2 {
		t.Errorf("%d calls", p.calls())
	}
}

func TestBreaker_LeavesAFailingProviderAlone(t *testing.T) {
	t.Parallel()
	c, p := start(t, func(c *stripe.Config) { c.Tries, c.BreakAfter, c.BreakFor = 1, 3, time.Hour }, says(503, `{"error":{"type":"api_error"}}`))
	for range 10 {
		if _, err := create(t, c); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
			t.Fatalf("got %v", err)
		}
	}
	if p.calls() != 3 {
		t.Errorf("%d calls reached it, want 3", p.calls())
	}
}

func TestBreaker_RefusalsDoNotCount(t *testing.T) {
	t.Parallel()
	c, p := start(t, func(c *stripe.Config) { c.BreakAfter = 3 }, says(400, `{"error":{"type":"invalid_request_error"}}`))
	for range 5 {
		_, _ = create(t, c)
	}
	if p.calls() != 5 {
		t.Errorf("%d calls reached it, want 5", p.calls())
	}
}

func TestBegin_Replayed_IsReadAgain(t *testing.T) {
	t.Parallel()
	now := strings.Replace(intentBody, "requires_payment_method", "canceled", 1)
	c, _ := start(t, nil, says(200, intentBody, "Idempotent-Replayed", "true"), says(200, now))
	if in, err := create(t, c); err != nil || in.State != provider.Ended {
		t.Errorf("%+v, %v; want what it is now, not what it was", in, err)
	}
}
