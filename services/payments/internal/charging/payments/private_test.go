package payments_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// ask calls the service itself, as a caller at an address.
func ask(t *testing.T, world *paymentstest.World, h http.Handler, method, path, from string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	r.RemoteAddr = from
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	world.Identify(r)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func handler(t *testing.T, a *app.App) http.Handler {
	t.Helper()
	h, err := a.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAnswers_AreKeptByNobodyAndSafe(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	h := handler(t, w.App)
	for _, c := range []struct{ method, path string }{
		{"POST", "/api/pledges/" + pledge + "/setup"}, {"GET", "/api/pledges/" + pledge + "/payment"},
		{"POST", "/api/pledges/" + pledge + "/payment-page/stripe"},
		{"POST", "/api/pledges/" + pledge + "/payment-page/bank"},
		{"GET", "/api/pledges/x/payment"}, {"POST", "/api/webhooks/stripe"}, {"GET", "/nowhere"}, {"GET", "/healthz"},
	} {
		answer := ask(t, w, h, c.method, c.path, "203.0.113.9:1")
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Cross-Origin-Opener-Policy": "same-origin-allow-popups",
			"Strict-Transport-Security": map[bool]string{true: "max-age=31536000"}[strings.HasPrefix(paymentstest.PublicURL,
				"https:")],
		} {
			if got := answer.Header().Get(name); got != want {
				t.Errorf("%s %s (%d): %s is %q, want %q", c.method, c.path, answer.Code, name, got, want)
			}
		}
		if !strings.Contains(answer.Header().Get("Permissions-Policy"), "camera=()") {
			t.Errorf("%s %s: no Permissions-Policy", c.method, c.path)
		}
	}
}

func TestSetup_AnIdempotencyKeyIsItsCallersOwn(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	one, other := w.Pledge(), w.Pledge()
	h := handler(t, w.App)
	for i, c := range []struct {
		pledge, from string
		want         int
	}{
		{one, "203.0.113.9:1", 200}, {one, "203.0.113.9:2", 200}, {other, "203.0.113.9:1", 409},
		{other, "203.0.113.10:1", 200}, {one, "203.0.113.10:1", 409}, {other, "[2001:db8::1]:1", 200},
		{one, "[2001:db8::2]:1", 409},
	} {
		if answer := ask(t, w, h, "POST", "/api/pledges/"+c.pledge+"/setup", c.from, "Idempotency-Key",
			"a-key-that-is-guessed"); answer.Code != c.want {
			t.Errorf("%d from %s: %d, want %d: %s", i, c.from, answer.Code, c.want, answer.Body)
		}
	}
}

func TestSetup_WithoutASecret_IsAFaultAndLeavesItsKeyFree(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	one, other := w.Pledge(), w.Pledge()
	h := handler(t, w.App)
	secret := regexp.MustCompile(`"client_secret":\s*"[^"]*"`)
	b.Set(nil, func(_ *http.Request, body []byte) []byte {
		return secret.ReplaceAll(body, []byte(`"client_secret":null`))
	})
	setUp := func(pledge string) int {
		return ask(t, w, h, "POST", "/api/pledges/"+pledge+"/setup", "203.0.113.9:1", "Idempotency-Key", "a-key-of-the-browser").Code
	}
	if code := setUp(one); code != http.StatusInternalServerError && code != http.StatusServiceUnavailable {
		t.Errorf("without a secret: %d", code)
	}
	b.Set(nil, nil)
	if code := setUp(other); code != http.StatusOK {
		t.Errorf("its key for another pledge: %d", code)
	}
}

func TestAddressLimits_CountByNetworkAndWhatIsWrongToo(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) { c.SetupPerMinute = 2 })
	h := handler(t, w.App)
	for i, c := range []struct {
		path, from string
		want       int
	}{
		{"/api/pledges/x/setup", "[2001:db8:1:2::1]:1", 404}, {"/api/pledges/x/payment-page/stripe", "[2001:db8:1:2::2]:1",
			404},
		{"/api/pledges/x/setup", "[2001:db8:1:2::3]:1", 429}, {"/api/pledges/x/setup", "[2001:db8:1:3::1]:1", 404},
	} {
		if answer := ask(t, w, h, "POST", c.path, c.from); answer.Code != c.want {
			t.Errorf("%d %s from %s: %d, want %d", i, c.path, c.from, answer.Code, c.want)
		}
	}
}

// broken carries no call.
type broken struct{}

func (broken) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nobody answers")
}

func TestLogs_HoldNoPledgeIDs(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) { c.ContentTransport = broken{} })
	var log bytes.Buffer
	w.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h := handler(t, w.Another(w.Now))
	pledge := w.Pledge()
	for _, c := range []struct{ method, path string }{
		{"POST", "/api/pledges/" + pledge + "/setup"}, {"POST", "/api/pledges/" + pledge + "/payment-page/stripe"},
		{"GET", "/api/pledges/" + pledge + "/payment"}, {"GET", "/api/pledges/" + pledge},
		{"GET", "/internal/orders/" + pledge},
	} {
		ask(t, w, h, c.method, c.path, "203.0.113.9:1")
	}
	if text := log.String(); strings.Contains(text, pledge) || !strings.Contains(text, "nobody answers") ||
		!strings.Contains(text, "route=/api/pledges/:pledge_id/setup") {
		t.Errorf("the log holds the id of a pledge, or nothing: %s", text)
	}
}

func TestSlowReads_AreEnded(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) { c.StatementTimeout = 200 * time.Millisecond })
	pledge := w.Pledge()
	holding := w.DB.Gorm.Begin()
	if err := holding.Exec(`LOCK TABLE payments`).Error; err != nil {
		t.Fatal(err)
	}
	defer holding.Rollback()
	began := time.Now()
	answer := ask(t, w, handler(t, w.App), "GET", "/api/pledges/"+pledge+"/payment", "203.0.113.9:1")
	if took := time.Since(began); answer.Code != http.StatusServiceUnavailable ||
		answer.Header().Get("Retry-After") == "" || took > 5*time.Second {
		t.Errorf("%d after %v: %s", answer.Code, took, answer.Body)
	}
}
