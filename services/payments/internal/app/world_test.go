package app_test

import (
	"context"
	"encoding/json"
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
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/migrations"
	sandbox "talkoot.fi/sandbox/stripe"
)

const (
	secretKey      = "sk_test_payments12345"
	publishableKey = "pk_test_payments12345"
	webhookSecret  = "whsec_payments_test"
	serviceSecret  = "a secret of at least thirty-two bytes"
	publicURL      = "https://talkoot.example"
)

// world is the whole service with its neighbours: a real PostgreSQL, a Redis, the provider's stand-in and a stand-in of
// the content service's internal calls. All share one clock, which tests move.
type world struct {
	t        *testing.T
	app      *app.App
	db       *dbtest.DB
	redis    *miniredis.Miniredis
	content  *contentStandIn
	api      *httptest.Server
	provider *httptest.Server
	sandbox  *sandbox.Sandbox
	ahead    atomic.Int64 // how far the clock is moved
}

// now is the world's clock.
func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

func (w *world) pass(d time.Duration) { w.ahead.Add(int64(d)) }

type option func(*app.Config)

func newWorld(t *testing.T, options ...option) *world {
	t.Helper()
	w := &world{t: t, db: dbtest.New(t, migrations.FS), redis: miniredis.RunT(t)}
	w.content = newContentStandIn(t, w.now)

	var handler atomic.Value
	w.api = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		handler.Load().(http.Handler).ServeHTTP(rw, r)
	}))
	t.Cleanup(w.api.Close)
	w.startSandbox()

	config := app.Config{
		DatabaseURL: conf.Secret(w.db.URL), RedisURL: conf.Secret("redis://" + w.redis.Addr()), PublicURL: mustURL(t, publicURL),
		ContentURL: mustURL(t, w.content.server.URL), StripeSecretKey: secretKey, StripePublishableKey: publishableKey,
		StripeAPIURL: w.provider.URL, StripeWebhookSecret: webhookSecret, ServiceSecret: serviceSecret,
		SetupPerMinute: 10_000, SetupPerPledgeMinute: 10_000, DatabaseConns: 16, WorkConcurrency: 4, SweepEvery: 50 * time.Millisecond,
	}
	for _, o := range options {
		o(&config)
	}
	if err := config.Validate(); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.app, err = app.New(t.Context(), config, w.now, testLog(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.app.Close(); err != nil {
			t.Error(err)
		}
	})
	h, err := w.app.Handler()
	if err != nil {
		t.Fatal(err)
	}
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	handler.Store(contracttest.NewRecorder(t, spec).Handler(h))
	return w
}

func (w *world) startSandbox() {
	w.t.Helper()
	w.provider = httptest.NewUnstartedServer(nil)
	var err error
	w.sandbox, err = sandbox.New(sandbox.Options{
		Now: w.now, WebhookURL: w.api.URL + "/api/webhooks/stripe", WebhookSecret: webhookSecret,
		PublicURL: "http://" + w.provider.Listener.Addr().String(), RetryAfter: []time.Duration{time.Second, time.Second},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.provider.Config.Handler = w.sandbox.Handler()
	w.provider.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	w.provider.Start()
	w.t.Cleanup(func() {
		w.provider.Close()
		if err := w.sandbox.Close(); err != nil {
			w.t.Error(err)
		}
	})
}

func mustURL(t *testing.T, text string) url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return *u
}

// testLog shows what went wrong inside, only when the test fails or with -v.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// control tells the provider's stand-in to misbehave.
func (w *world) control(path, body string) {
	w.t.Helper()
	status, answer := w.send(http.MethodPost, w.provider.URL+"/_control/"+path, "application/json", strings.NewReader(body), nil)
	if status != http.StatusOK {
		w.t.Fatalf("control %s: %d %s", path, status, answer)
	}
}

func (w *world) loseWebhooks() { w.control("webhooks", `{"drop":1000000}`) }

func (w *world) send(method, target, contentType string, body io.Reader, header map[string]string) (int, []byte) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, target, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, answer
}

// settle lets everything happen that is due: deliveries of webhooks, their processing, refunds, ends, events.
func (w *world) settle() {
	w.t.Helper()
	ctx := w.t.Context()
	for range 50 {
		w.awaitWebhooks()
		if err := w.app.Webhooks.Drain(ctx); err != nil {
			w.t.Fatal(err)
		}
		if err := w.app.Pledges.Tidy(ctx); err != nil {
			w.t.Fatal(err)
		}
		if _, err := w.app.Relay.RunOnce(ctx, 1000); err != nil {
			w.t.Fatal(err)
		}
		var due int
		w.scan(&due, `SELECT (SELECT count(*) FROM webhook_events WHERE status = 'received' AND next_attempt_at <= @now)
			+ (SELECT count(*) FROM attempts WHERE next_check_at <= @now) + (SELECT count(*) FROM refunds WHERE next_check_at <= @now)
			+ (SELECT count(*) FROM disputes WHERE next_check_at <= @now)
			+ (SELECT count(*) FROM outbox o WHERE done_at IS NULL AND next_attempt_at <= @now AND NOT EXISTS (
				SELECT 1 FROM outbox earlier WHERE earlier.stream = o.stream AND earlier.id < o.id AND earlier.done_at IS NULL))`, map[string]any{"now": w.now()})
		if due == 0 && w.pendingWebhooks() == 0 {
			return
		}
	}
	w.t.Fatal("the world does not settle")
}

func (w *world) pendingWebhooks() int {
	w.t.Helper()
	_, body := w.send(http.MethodGet, w.provider.URL+"/_control/state", "", nil, nil)
	var state struct {
		Pending int `json:"pending_deliveries"`
	}
	if err := json.Unmarshal(body, &state); err != nil {
		w.t.Fatal(err)
	}
	return state.Pending
}

func (w *world) awaitWebhooks() {
	w.t.Helper()
	w.eventually("the provider's deliveries", func() bool { return w.pendingWebhooks() == 0 })
}

// eventually waits for something that another goroutine does; it fails after ten seconds.
func (w *world) eventually(what string, ok func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			w.t.Fatalf("still waiting for %s", what)
		case <-tick.C:
		}
	}
}

func (w *world) scan(into any, query string, args ...any) {
	w.t.Helper()
	if err := w.db.Gorm.WithContext(w.t.Context()).Raw(query, args...).Scan(into).Error; err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) count(query string, args ...any) int {
	w.t.Helper()
	n := 0
	w.scan(&n, "SELECT count(*) FROM "+query, args...)
	return n
}

// audit checks what must be true at the end of every story.
func (w *world) audit() {
	w.t.Helper()
	for rule, query := range map[string]string{
		"the book balances":                       `(SELECT transaction_id FROM ledger_entries GROUP BY 1 HAVING sum(amount_minor) <> 0) x`,
		"one counted success per paid payment":    `payments p WHERE (p.status IN ('succeeded', 'refunded', 'partly_refunded', 'disputed')) <> (p.paid_attempt_id IS NOT NULL)`,
		"each success has its charge in the book": `attempts a WHERE a.status = 'succeeded' AND NOT EXISTS (SELECT 1 FROM ledger_transactions l WHERE l.kind = 'charge' AND l.reference = a.charge_id)`,
		"events are numbered without gaps":        `payments p WHERE p.event_sequence <> (SELECT count(*) FROM outbox WHERE payload ->> 'payment_id' = p.id)`,
		"every other success is on its way back":  `attempts a JOIN payments p ON p.id = a.payment_id WHERE a.status = 'succeeded' AND a.id <> p.paid_attempt_id AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.attempt_id = a.id AND r.reason = 'duplicate')`,
		"refunds add up":                          `payments p WHERE p.amount_refunded_minor <> (SELECT coalesce(sum(r.amount_minor), 0) FROM refunds r WHERE r.attempt_id = p.paid_attempt_id AND r.status = 'succeeded') AND p.alert = ''`,
		"disputes add up in the book": `disputes d WHERE (d.withdrawn_minor, d.fee_minor) <> (SELECT
			coalesce(sum(-e.amount_minor) FILTER (WHERE t.kind IN ('dispute', 'dispute_reversal')), 0),
			coalesce(sum(-e.amount_minor) FILTER (WHERE t.kind IN ('dispute_fee', 'dispute_fee_reversal')), 0)
			FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
			WHERE t.payment_id = d.payment_id AND a.name = 'provider_clearing:stripe')
			AND (SELECT count(*) FROM disputes x WHERE x.payment_id = d.payment_id) = 1`,
		"disputed is who has a dispute that takes the money": `payments p WHERE p.status <> 'refunded' AND (p.status = 'disputed') <> EXISTS (
			SELECT 1 FROM disputes d WHERE d.attempt_id = p.paid_attempt_id AND d.status IN ('open', 'lost'))`,
		"no live attempt of a payment that is over": `attempts a JOIN payments p ON p.id = a.payment_id WHERE a.status IN ('creating', 'open') AND p.status NOT IN ('created', 'requires_action', 'processing')`,
		"a transition ends where the payment is":    `payments p WHERE p.status <> (SELECT to_status FROM payment_transitions t WHERE t.payment_id = p.id ORDER BY t.id DESC LIMIT 1)`,
	} {
		if n := w.count(query); n > 0 {
			w.t.Errorf("audit: %s: %d times not", rule, n)
		}
	}
	from := w.now().Add(-48 * time.Hour)
	if n, err := w.app.Reconcile.Ledger(w.t.Context(), from, w.now().Add(time.Hour)); err != nil || n > 0 {
		var detail []string
		w.scan(&detail, `SELECT reference || ' ' || detail FROM anomalies WHERE kind = 'ledger_difference'`)
		w.t.Errorf("audit: the book differs from the provider's balance %d times (%v): %v", n, err, detail)
	}
}
