//go:build unix

package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	content "talkoot.fi/content/inproc"
	contentmigrations "talkoot.fi/content/migrations"
	"talkoot.fi/kit/dbtest"
	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/stripe"
	"talkoot.fi/scripts/audit"
)

const (
	serviceSecret = "a secret of the audit's tests that is long enough"
	webhookSecret = "whsec_audit"
	stripeKey     = "sk_test_audit000000000000000"

	goodCard    = "4242424242424242"
	pendingCard = "4000000000007726" // refunds stay at the bank for a while
)

// world is the platform in one process: both services, the stand-ins for the providers, and a clock that is moved by hand.
type world struct {
	t                       *testing.T
	micros                  atomic.Int64
	contentURL, paymentsURL string
	content                 *content.Service
	payments                *payments.Service
	sandbox                 *stripe.Sandbox
	providerB               *mangopay.Sandbox // nil in a world without it
	db, pay                 *pgx.Conn         // content's and payments' databases
	campaign                content.Campaign
	names                   pgx.NamedArgs     // ids by the names that the SQL of corruptions uses
	session                 string            // of who makes the next calls; empty for a guest
	orders                  map[string]string // order tokens that guests were given, by the id of their order
}

// handler carries calls to a service within the process.
type handler func() http.Handler

func (h handler) RoundTrip(r *http.Request) (*http.Response, error) {
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	answer := httptest.NewRecorder()
	h().ServeHTTP(answer, served)
	return answer.Result(), nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return makeWorld(t, func(*world, *payments.Config) {})
}

// makeWorld makes a world whose payment service has the given changes to its settings.
func makeWorld(t *testing.T, change func(*world, *payments.Config)) *world {
	t.Helper()
	w := &world{t: t, names: pgx.NamedArgs{}, orders: map[string]string{}}
	w.micros.Store(time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC).UnixMicro())
	// Which row is changed follows from where it lies.
	w.contentURL, w.paymentsURL = dbtest.NewFiles(t, contentmigrations.FS).URL, dbtest.NewFiles(t, payments.Migrations).URL
	w.db, w.pay = w.connect(w.contentURL), w.connect(w.paymentsURL)
	toContent, toPayments := handler(func() http.Handler { return w.content.Handler() }), handler(
		func() http.Handler { return w.payments.Handler() })
	var err error
	w.sandbox, err = stripe.New(stripe.Options{InMemory: true, ManualDelivery: true, Now: w.peek,
		Random:     rand.NewPCG(1, 1),
		WebhookURL: "http://payments.example/api/webhooks/stripe", WebhookSecret: webhookSecret,
		WebhookTransport: toPayments})
	w.must(err)
	t.Cleanup(func() { w.must(w.sandbox.Close()) })
	w.content, err = content.New(t.Context(), content.Config{DatabaseURL: w.contentURL, ServiceSecret: serviceSecret,
		Payments: toPayments, Now: w.now})
	w.must(err)
	t.Cleanup(func() { w.must(w.content.Close()) })
	config := payments.Config{DatabaseURL: w.paymentsURL, RedisURL: "redis://127.0.0.1:1", ServiceSecret: serviceSecret,
		WebhookSecret: webhookSecret, StripeKey: stripeKey, Stripe: w.sandbox.Transport(), Content: toContent, Now: w.now,
		Log: slog.New(slog.DiscardHandler)}
	change(w, &config)
	w.payments, err = payments.New(t.Context(), config)
	w.must(err)
	t.Cleanup(func() { w.must(w.payments.Close()) })
	return w
}

// now advances the clock by a microsecond, so that no two rows have the same time; peek only reads it.
func (w *world) now() time.Time         { return time.UnixMicro(w.micros.Add(1)).UTC() }
func (w *world) peek() time.Time        { return time.UnixMicro(w.micros.Load()).UTC() }
func (w *world) pass(d time.Duration)   { w.micros.Add(d.Microseconds()) }
func (w *world) must(err error)         { w.t.Helper(); w.want(err == nil, "%v", err) }
func (w *world) ctx() context.Context   { return w.t.Context() }
func (w *world) sources() audit.Sources { return w.sourcesVia(w.sandbox.Transport()) }

func (w *world) want(is bool, format string, args ...any) {
	w.t.Helper()
	if !is {
		w.t.Fatalf(format, args...)
	}
}

func (w *world) sourcesVia(t http.RoundTripper) audit.Sources {
	return audit.Sources{ContentURL: w.contentURL, PaymentsURL: w.paymentsURL, Provider: "http://stripe.example",
		Key: stripeKey, Transport: t, Now: w.peek}
}

func (w *world) connect(url string) *pgx.Conn {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), url)
	w.must(err)
	w.t.Cleanup(func() { conn.Close(context.Background()) }) // nothing is open on it
	return conn
}

// call sends a request to a service and requires a status.
func (w *world) call(to http.Handler, method, path string, body any, want int, into any) {
	w.t.Helper()
	var raw []byte
	if body != nil {
		var err error
		raw, err = json.Marshal(body)
		w.must(err)
	}
	r := httptest.NewRequestWithContext(w.ctx(), method, path, bytes.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	if w.session != "" {
		r.Header.Set("Authorization", "Bearer "+w.session)
	}
	for id, token := range w.orders {
		if strings.Contains(path, "/"+id) || bytes.Contains(raw, []byte(id)) {
			r.Header.Set("Order-Token", token)
		}
	}
	answer := httptest.NewRecorder()
	to.ServeHTTP(answer, r)
	w.want(answer.Code == want, "%s %s: %d %s", method, path, answer.Code, answer.Body)
	if into != nil {
		w.must(json.Unmarshal(answer.Body.Bytes(), into))
	}
}

// text reads one value.
func (w *world) text(db *pgx.Conn, sql string, args ...any) (value string) {
	w.t.Helper()
	err := db.QueryRow(w.ctx(), sql, args...).Scan(&value)
	w.want(err == nil, "%s %v: %v", sql, args, err)
	return value
}

// rest does all due work of the provider and both services, in enough rounds that none is left.
func (w *world) rest() {
	w.t.Helper()
	for range 4 {
		w.pass(time.Minute)
		_, err := w.sandbox.RunDue(w.ctx())
		w.must(err)
		for _, d := range w.sandbox.Deliveries() {
			w.must(w.sandbox.Deliver(w.ctx(), d.ID))
		}
		w.restB()
		w.must(w.payments.Drain(w.ctx()))
		w.must(w.payments.Steps(w.ctx()))
		w.must(w.payments.Tidy(w.ctx()))
		w.must(w.payments.Sweep(w.ctx()))
		for n := 1; n > 0; {
			var err error
			n, err = w.payments.RunSettlements(w.ctx())
			w.must(err)
		}
		for n := 1; n > 0; {
			var err error
			n, err = w.payments.RunReserves(w.ctx())
			w.must(err)
		}
		_, err = w.content.Lapse(w.ctx())
		w.must(err)
		_, err = w.payments.Relay(w.ctx(), 100)
		w.must(err)
		_, err = w.content.RelayOnce(w.ctx())
		w.must(err)
	}
}

// days lets n days pass; every six hours the due work is done and the reconciliation runs.
func (w *world) days(n int) {
	w.t.Helper()
	for range n * 4 {
		w.pass(6 * time.Hour)
		w.rest()
		w.must(w.payments.Reconcile(w.ctx()))
	}
}

// pledge makes a pledge for the campaign's first reward, with its added cost and free support.
func (w *world) pledge(name string, euros int) string {
	w.t.Helper()
	var made struct {
		Pledge struct {
			ID string `json:"pledge_id"`
		}
		Token string `json:"order_token"`
	}
	w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/pledges/", w.campaign.ID),
		map[string]any{"amount": euros,
			"reward_id": w.campaign.RewardIDs[0], "pledge_meta": map[string]any{"email": name + "@posti.example",
				"first_name": "Aino", "last_name": "K",
				"added_cost": 0}}, http.StatusCreated, &made)
	w.names[name], w.orders[made.Pledge.ID] = made.Pledge.ID, made.Token
	return made.Pledge.ID
}

// setUp opens the card form of a pledge and returns the id of its payment intent.
func (w *world) setUp(name string) string {
	w.t.Helper()
	var answer struct {
		Stripe struct {
			PaymentIntent struct{ ID string } `json:"payment_intent"`
		}
	}
	w.call(w.payments.Handler(), "POST", fmt.Sprintf("/api/pledges/%s/setup", w.names[name]), nil, http.StatusOK, &answer)
	return answer.Stripe.PaymentIntent.ID
}

// paid makes a pledge and pays it.
func (w *world) paid(name string, euros int, card string) {
	w.t.Helper()
	w.pledge(name, euros)
	_, err := w.sandbox.ConfirmIntent(w.setUp(name), card)
	w.must(err)
	w.rest()
	w.learn(name)
}

// learn keeps the ids of a paid pledge's payment, charge and intent in names.
func (w *world) learn(name string) {
	w.t.Helper()
	id := w.names[name]
	payment := w.text(w.pay, `SELECT id FROM payments WHERE subject_id = $1`, id)
	w.names[name+"_payment"] = payment
	w.names[name+"_charge"] = w.text(w.pay, `SELECT a.charge_ref FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id WHERE p.id = $1`, payment)
	w.names[name+"_intent"] = w.text(w.pay, `SELECT a.money_ref FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id WHERE p.id = $1`, payment)
}

func (w *world) charge(name string) string {
	return w.names[name+"_charge"].(string) //nolint:forcetypeassert // learn keeps texts
}

func (w *world) payment(name string) string {
	return w.names[name+"_payment"].(string) //nolint:forcetypeassert // learn keeps texts
}

var operator = payments.Operator{Actor: "anna", Note: "the backer asked for it"}

// refund has an operator refund a pledge; 0 is all of it.
func (w *world) refund(name string, minor int64) {
	w.t.Helper()
	w.must(w.payments.Refund(w.ctx(), w.payment(name), minor, "refund-"+name, operator))
	w.rest()
}

// refundFails has a pledge's refund fail after it had succeeded, and returns our id of it; 0 refunds all that is left.
func (w *world) refundFails(name string, minor int64) string {
	w.t.Helper()
	w.refund(name, minor)
	_, err := w.sandbox.FailRefund(stripe.RefundFailure{Refund: w.text(w.pay, `SELECT provider_ref FROM refunds WHERE payment_id = $1`, w.payment(name))})
	w.must(err)
	w.rest()
	return w.text(w.pay, `SELECT id FROM refunds WHERE payment_id = $1 AND status = 'failed'`, w.payment(name))
}

func (w *world) dispute(name string, decision string) {
	w.t.Helper()
	d, err := w.sandbox.OpenDispute(stripe.DisputeOrder{Charge: w.charge(name)})
	w.must(err)
	w.names[name+"_dispute"] = d.ID
	w.rest()
	if decision == "" {
		return
	}
	_, err = w.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: decision})
	w.must(err)
	w.rest()
}

// warn has the holder of a pledge's card report it as fraud.
func (w *world) warn(name string) {
	w.t.Helper()
	told, err := w.sandbox.Warn(stripe.WarningOrder{Charge: w.charge(name)})
	w.must(err)
	w.names[name+"_warning"] = told.ID
	w.rest()
}

// warning is our id of what was reported of a pledge.
func (w *world) warning(name string) (id int64) {
	w.t.Helper()
	w.must(w.pay.QueryRow(w.ctx(), `SELECT id FROM fraud_warnings WHERE payment_id = $1`, w.payment(name)).Scan(&id))
	return id
}

// outside makes a charge at the provider that we did not ask for and whose metadata names a payment. It returns its
// id.
func (w *world) outside(name, payment string, minor int64) string {
	w.t.Helper()
	made, err := w.sandbox.MakePayment(stripe.OutsidePayment{Amount: minor,
		Metadata: map[string]string{"payment_id": payment}})
	w.must(err)
	w.names[name+"_charge"], w.names[name+"_intent"] = made.LatestCharge, made.ID
	w.rest()
	return made.LatestCharge
}

// topUp sends money from our bank to the provider.
func (w *world) topUp(minor int) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.ctx(), http.MethodPost, "http://stripe.example/v1/topups",
		bytes.NewBufferString(fmt.Sprintf("amount=%d&currency=eur", minor)))
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+stripeKey)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := w.sandbox.Transport().RoundTrip(r)
	w.must(err)
	text, err := io.ReadAll(answer.Body)
	w.must(err)
	w.want(answer.StatusCode == http.StatusOK, "top up: %d %s", answer.StatusCode, text)
}
