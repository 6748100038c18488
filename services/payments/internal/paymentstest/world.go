// Package paymentstest is a world for tests of the payment service: the whole service as it is wired, with a database
// of its own that it uses by its role, a Redis, the provider's stand-in and a stand-in of the content service's
// internal calls. Every answer is checked against its contract. All parts share one clock, which tests move. Only tests
// may import it.
package paymentstest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/payments/migrations"
	sandbox "talkoot.fi/sandbox/stripe"
)

// Keys and secrets of the world, and the address of its web app.
const (
	SecretKey      = "sk_test_payments12345"
	PublishableKey = "pk_test_payments12345"
	WebhookSecret  = "whsec_payments_test"
	ServiceSecret  = "a secret of at least thirty-two bytes"
	PublicURL      = "https://talkoot.example"
)

// Role is the service's in its database; it owns no table.
const Role = "talkoot_payments"

// World is the whole service with its neighbours.
type World struct {
	T        *testing.T
	App      *app.App
	DB       *dbtest.DB // the owner's, for looking and for what nobody else may do
	Redis    *miniredis.Miniredis
	Content  *Content
	API      *httptest.Server
	Provider *httptest.Server
	Sandbox  *sandbox.Sandbox
	// Log is of processes that Another makes; nil shows it with the test.
	Log    *slog.Logger
	config app.Config
	keys   keys
	ahead  atomic.Int64 // how far the clock is moved
}

// Now is the world's clock.
func (w *World) Now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// Pass moves it.
func (w *World) Pass(d time.Duration) { w.ahead.Add(int64(d)) }

// Option changes the service's settings.
type Option func(*app.Config)

// WithPageWait is for worlds whose worker makes hosted pages: callers wait for it also on a busy machine.
func WithPageWait(c *app.Config) { c.PageWait, c.CallWait = 30*time.Second, 40*time.Second }

// New makes a world, which ends with the test.
func New(t *testing.T, options ...Option) *World {
	t.Helper()
	w := &World{T: t, DB: dbtest.New(t, migrations.FS), Redis: miniredis.RunT(t)}
	w.Content = newContent(t, w.Now)

	var handler atomic.Value
	w.API = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		handler.Load().(http.Handler).ServeHTTP(rw, r)
	}))
	t.Cleanup(w.API.Close)
	w.startSandbox()

	w.config = app.Config{
		DatabaseURL: conf.Secret(w.DB.As(Role)), KeepSessions: w.DB.Keep, RedisURL: conf.Secret("redis://" + w.Redis.Addr()),
		PublicURL:  mustURL(t, PublicURL),
		ContentURL: mustURL(t, w.Content.server.URL), StripeSecretKey: SecretKey, StripePublishableKey: PublishableKey,
		StripeAPIURL: w.Provider.URL, StripeWebhookSecret: WebhookSecret, ServiceSecret: ServiceSecret,
		SetupPerMinute: 10_000, SetupPerPledgeMinute: 10_000, DatabaseConns: 16, WorkConcurrency: 4,
		SweepEvery: 50 * time.Millisecond,
		PageWait:   20 * time.Millisecond, // most worlds have no worker that could make one meanwhile
	}
	for _, o := range options {
		o(&w.config)
	}
	w.App = w.Another(w.Now)
	handler.Store(w.checked(w.App))
	return w
}

// Another is a further process of the service on the same database, with a clock of its own.
func (w *World) Another(now func() time.Time, options ...Option) *app.App {
	w.T.Helper()
	config := w.config
	for _, o := range options {
		o(&config)
	}
	if err := config.Validate(); err != nil {
		w.T.Fatal(err)
	}
	log := w.Log
	if log == nil {
		log = testLog(w.T)
	}
	a, err := app.New(w.T.Context(), config, now, log)
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() {
		if err := a.Close(); err != nil {
			w.T.Error(err)
		}
	})
	_ = a.CheckAccounts(w.T.Context()) // as at its start; a test that is about it looks itself
	return a
}

// checked is the API, whose answers are held to the contracts.
func (w *World) checked(a *app.App) http.Handler {
	w.T.Helper()
	h, err := a.Handler()
	if err != nil {
		w.T.Fatal(err)
	}
	public, err := api.GetSpecJSON()
	if err != nil {
		w.T.Fatal(err)
	}
	internal, err := internalapi.GetSpecJSON()
	if err != nil {
		w.T.Fatal(err)
	}
	toAll, toContent := contracttest.NewRecorder(w.T, public).Handler(h), contracttest.NewRecorder(w.T,
		internal).Handler(h)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/internal/") {
			toContent.ServeHTTP(rw, r)
			return
		}
		toAll.ServeHTTP(rw, r)
	})
}

func (w *World) startSandbox() {
	w.T.Helper()
	w.Provider = httptest.NewUnstartedServer(nil)
	var err error
	w.Sandbox, err = sandbox.New(sandbox.Options{
		Now: w.Now, WebhookURL: w.API.URL + "/api/webhooks/stripe", WebhookSecret: WebhookSecret, InMemory: true,
		PublicURL: "http://" + w.Provider.Listener.Addr().String(), RetryAfter: []time.Duration{time.Second, time.Second},
	})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Provider.Config.Handler = w.keys.watch(w.Sandbox.Handler())
	w.Provider.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	w.Provider.Start()
	w.T.Cleanup(func() {
		w.Provider.Close()
		if err := w.Sandbox.Close(); err != nil {
			w.T.Error(err)
		}
		if twice := w.keys.withTwoBodies(); len(twice) > 0 {
			w.T.Errorf("idempotency keys that carried two bodies: %v", twice)
		}
	})
}

// Stripe is the service's provider A.
func (w *World) Stripe() provider.Provider { return w.App.Providers[stripe.Name] }

func mustURL(t testing.TB, text string) url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return *u
}

// testLog shows what went wrong inside, only when the test fails or with -v.
func testLog(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Control tells the provider's stand-in to misbehave.
func (w *World) Control(path, body string) {
	w.T.Helper()
	status, answer := w.Send(http.MethodPost, w.Provider.URL+"/_control/"+path, "application/json",
		strings.NewReader(body), nil)
	if status != http.StatusOK {
		w.T.Fatalf("control %s: %d %s", path, status, answer)
	}
}

// Fault fails the next calls that match; an empty method is every one.
func (w *World) Fault(kind string, times int, method, path string) {
	w.T.Helper()
	if err := w.Sandbox.AddFault(sandbox.FaultRule{Kind: kind, Times: times, Method: method, Path: path}); err != nil {
		w.T.Fatal(err)
	}
}

// LoseWebhooks has nothing delivered any more.
func (w *World) LoseWebhooks() { w.Control("webhooks", `{"drop":1000000}`) }

// Send makes a call without following where it leads.
func (w *World) Send(method, target, contentType string, body io.Reader, header map[string]string) (int, []byte) {
	w.T.Helper()
	req, err := http.NewRequestWithContext(w.T.Context(), method, target, body)
	if err != nil {
		w.T.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	if strings.HasPrefix(target, w.API.URL) {
		w.Identify(req)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		w.T.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return res.StatusCode, answer
}

// SendJSON posts to the API.
func (w *World) SendJSON(path, body string) (int, []byte) {
	w.T.Helper()
	return w.Send(http.MethodPost, w.API.URL+path, "application/json", strings.NewReader(body), nil)
}

// Settle lets everything happen that is due: deliveries of webhooks, their processing, refunds, ends, events.
func (w *World) Settle() {
	w.T.Helper()
	ctx := w.T.Context()
	var due string
	for range 50 {
		w.AwaitWebhooks()
		if err := w.App.Webhooks.Drain(ctx); err != nil {
			w.T.Fatal(err)
		}
		if err := w.App.Payments.Tidy(ctx); err != nil {
			w.T.Fatal(err)
		}
		if err := jobs.UntilNone(w.App.Endings.Sweep)(ctx); err != nil {
			w.T.Fatal(err)
		}
		if err := jobs.UntilNone(w.App.Settlements.Sweep)(ctx); err != nil {
			w.T.Fatal(err)
		}
		if err := w.App.Subscriptions.Steps(ctx); err != nil {
			w.T.Fatal(err)
		}
		if _, err := w.App.Deliver(ctx, 1000); err != nil {
			w.T.Fatal(err)
		}
		if due = w.due(); due == "" && w.pendingWebhooks() == 0 {
			return
		}
	}
	w.T.Fatalf("the world does not settle: %s, %d webhooks", due, w.pendingWebhooks())
}

// due names what the worker has to do now.
func (w *World) due() (names string) {
	w.T.Helper()
	w.Scan(&names, `SELECT coalesce(string_agg(what, ', ' ORDER BY what), '') FROM (
		SELECT 'event ' || event_key AS what FROM webhook_events WHERE status = 'received' AND next_attempt_at <= @now
		UNION ALL SELECT 'attempt ' || id FROM attempts WHERE next_check_at <= @now
		UNION ALL SELECT 'refund ' || id FROM refunds WHERE next_check_at <= @now
		UNION ALL SELECT 'dispute ' || id FROM disputes WHERE next_check_at <= @now
		UNION ALL SELECT 'repayment ' || id FROM disputes WHERE repay_at <= @now
		UNION ALL SELECT 'refunds of campaign ' || campaign_id FROM refund_runs WHERE next_at <= @now
		UNION ALL SELECT 'settlement ' || id FROM settlement_runs WHERE next_at <= @now
		UNION ALL SELECT 'subscription ' || id FROM subscriptions WHERE step_at <= @now
		UNION ALL SELECT 'message ' || o.id || ' ' || o.kind FROM outbox o WHERE done_at IS NULL AND next_attempt_at <= @now AND NOT EXISTS (
			SELECT 1 FROM outbox earlier WHERE earlier.stream = o.stream AND earlier.id < o.id AND earlier.done_at IS NULL)) AS things`,
		map[string]any{"now": w.Now()})
	return names
}

func (w *World) pendingWebhooks() int {
	w.T.Helper()
	n, err := w.Sandbox.Pending()
	if err != nil {
		w.T.Fatal(err)
	}
	return n
}

// AwaitWebhooks waits until every webhook was delivered or lost.
func (w *World) AwaitWebhooks() {
	w.T.Helper()
	w.Eventually("the provider's deliveries", func() bool { return w.pendingWebhooks() == 0 })
}

// Eventually waits for something that another goroutine does; it fails after ten seconds.
func (w *World) Eventually(what string, ok func() bool) {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			w.T.Fatalf("still waiting for %s", what)
		case <-tick.C:
		}
	}
}

// Scan reads a row or rows with the owner's rights.
func (w *World) Scan(into any, query string, args ...any) {
	w.T.Helper()
	if err := w.DB.Gorm.WithContext(w.T.Context()).Raw(query, args...).Scan(into).Error; err != nil {
		w.T.Fatal(err)
	}
}

// Exec changes what only the owner may.
func (w *World) Exec(query string, args ...any) {
	w.T.Helper()
	if err := w.DB.Gorm.WithContext(w.T.Context()).Exec(query, args...).Error; err != nil {
		w.T.Fatal(err)
	}
}

// Count counts the rows that "FROM query" gives.
func (w *World) Count(query string, args ...any) int {
	w.T.Helper()
	n := 0
	w.Scan(&n, "SELECT count(*) FROM "+query, args...)
	return n
}

// Work runs the worker until the test ends.
func (w *World) Work() {
	w.T.Helper()
	ctx, stop := context.WithCancel(w.T.Context())
	done := make(chan error, 1)
	go func() { done <- w.App.Work(ctx) }()
	w.T.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			w.T.Errorf("worker: %v", err)
		}
	})
}

// Drain processes the stored events.
func (w *World) Drain() {
	w.T.Helper()
	if err := w.App.Webhooks.Drain(w.T.Context()); err != nil {
		w.T.Error(err)
	}
}

// Tidy does what is due to attempts, refunds and disputes.
func (w *World) Tidy() {
	w.T.Helper()
	if err := w.App.Payments.Tidy(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// CloseLapsed closes payments whose time is over.
func (w *World) CloseLapsed() {
	w.T.Helper()
	if err := w.App.Payments.CloseLapsed(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// CheckOpen asks about open payments that are due.
func (w *World) CheckOpen() {
	w.T.Helper()
	if err := w.App.Payments.CheckOpen(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}
