package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/app"
)

func TestSetup_ProviderStumbles_OneIntentAllTheSame(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"409", "429", "lock", "500", "500_stored", "503", "cut_before", "cut_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.control("faults", `{"kind":"`+kind+`","times":1,"method":"POST","path":"/v1/payment_intents"}`)
			pledge := w.pledge()
			a := w.mustSetup(pledge)
			if again := w.mustSetup(pledge); again.Stripe != a.Stripe || w.held("payment_intents") != 1 {
				t.Errorf("%d intents", w.held("payment_intents"))
			}
			w.mustPay(a)
			w.settle()
			w.wantStatus(pledge, "succeeded")
			w.audit()
		})
	}
}

// The provider makes the intent but none of its answers arrives: the next setup finds that same intent by its key.
func TestSetup_CrashBetweenCallAndSave_OneIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	w.control("faults", `{"kind":"cut_after","times":9,"method":"POST","path":"/v1/payment_intents"}`)
	if a := w.setup(pledge); a.Status != http.StatusServiceUnavailable || a.Code != "provider_unavailable" {
		t.Fatalf("setup answered %+v", a)
	}
	w.control("calm", `{}`)
	w.mustPay(w.mustSetup(pledge))
	w.settle()
	if n := w.held("payment_intents"); n != 1 || w.count("attempts") != 1 {
		t.Errorf("%d intents, %d attempts", n, w.count("attempts"))
	}
	w.wantStatus(pledge, "succeeded")
	w.audit()
}

// Nobody comes back for that intent: when its time is over it is found and ended.
func TestSetup_CrashAndNobodyReturns_IntentIsEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	w.control("faults", `{"kind":"cut_after","times":3,"method":"POST","path":"/v1/payment_intents"}`)
	if a := w.setup(pledge); a.Status != http.StatusServiceUnavailable {
		t.Fatalf("setup answered %+v", a)
	}
	w.control("calm", `{}`)
	w.pass(36 * time.Minute)
	w.closeLapsed()
	w.settle()
	w.wantStatus(pledge, "canceled")
	var list struct{ Data []struct{ Status string } }
	w.at("/v1/payment_intents", &list)
	if len(list.Data) != 1 || list.Data[0].Status != "canceled" {
		t.Errorf("the provider has %+v", list.Data)
	}
	w.audit()
}

func TestProviderDown_NothingIsLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, fresh := w.pledge(), w.pledge()
	w.mustPay(w.mustSetup(paid))
	w.control("faults", `{"kind":"503","times":1000}`)
	if a := w.setup(fresh); a.Status != http.StatusServiceUnavailable || a.Code != "provider_unavailable" {
		t.Errorf("setup answered %+v", a)
	}
	if p := w.payment(paid); p.Status != "created" { // what we knew
		t.Errorf("payment is %+v", p)
	}
	w.control("calm", `{}`)
	w.eventually("the breaker to close", func() bool { return w.setup(fresh).Status == http.StatusOK })
	w.pass(time.Minute)
	w.settle()
	w.wantStatus(paid, "succeeded")
	if n := w.held("payment_intents"); n != 2 {
		t.Errorf("%d intents for two pledges", n)
	}
	w.audit()
}

func TestContentDown_KnownOrdersGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known, unknown := w.pledge(), w.pledge()
	w.mustSetup(known)
	w.content.setDown(true)
	w.mustPay(w.mustSetup(known))
	if a := w.setup(unknown); a.Status != http.StatusServiceUnavailable || a.Code != "unavailable" {
		t.Errorf("setup of an unknown order answered %+v", a)
	}
}

func TestWithoutKey_ProviderIsOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *app.Config) { c.StripeSecretKey, c.StripeWebhookSecret, c.StripePublishableKey = "", "", "" })
	pledge := w.pledge()
	if a := w.setup(pledge); a.Status != http.StatusServiceUnavailable || a.Code != "configuration_error/provider_off" {
		t.Errorf("setup answered %+v", a)
	}
	if status, code, _ := w.page(pledge, "stripe"); status != http.StatusServiceUnavailable || code != "configuration_error/provider_off" {
		t.Errorf("page answered %d %s", status, code)
	}
	if status, code := w.hook("{}", signed("{}", "", w.now())); status != http.StatusServiceUnavailable || code != "configuration_error/provider_off" {
		t.Errorf("webhook answered %d %s", status, code)
	}
}

func TestConfig_KeyWithoutWebhookSecret_RefusesToStart(t *testing.T) {
	t.Parallel()
	for _, secret := range []conf.Secret{"", " , "} {
		c := app.Config{ServiceSecret: serviceSecret, StripeSecretKey: secretKey, StripePublishableKey: publishableKey, StripeWebhookSecret: secret}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "STRIPE_WEBHOOK_SECRET") {
			t.Errorf("secret %q: %v", secret.Reveal(), err)
		}
	}
}

func TestRateLimit_BoundsCardCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *app.Config) { c.SetupPerPledgeMinute = 2 })
	pledge := w.pledge()
	w.mustSetup(pledge)
	w.mustSetup(pledge)
	if a := w.setup(pledge); a.Status != http.StatusTooManyRequests || a.Code != "too_many_requests" {
		t.Errorf("the third setup in a minute answered %+v", a)
	}
	w.mustSetup(w.pledge()) // another pledge is not held up
}

// The number of statements of the hot calls; more of them means a query crept into a loop.
func TestHotCalls_StatementCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h, err := w.app.Handler()
	if err != nil {
		t.Fatal(err)
	}
	pledge := w.pledge()
	for _, c := range []struct {
		name, method, path string
		want               int
	}{
		{"first setup", http.MethodPost, "/setup", 13},
		{"setup again", http.MethodPost, "/setup", 2},
		{"how it stands", http.MethodGet, "/payment", 3},
	} {
		ctx, statements := dbx.CountStatements(context.WithoutCancel(t.Context()))
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, c.method, "/api/pledges/"+pledge+c.path, nil))
		if answer.Code != http.StatusOK || statements.Count() > c.want {
			t.Errorf("%s: %d, %d statements, want at most %d:\n%s", c.name, answer.Code, statements.Count(), c.want, strings.Join(statements.List(), "\n"))
		}
	}
}

// What the sweepers ask must be answered by an index, however many rows there are.
func TestSweepers_UseTheirIndexes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, statement := range []string{
		`INSERT INTO orders (pledge_id, amount_minor, currency, description, language, campaign_id, campaign_slug, campaign_title, reserved_until, fetched_at)
			SELECT lpad(n::text, 26, '0'), 5000, 'EUR', '', 'fi', 7, '', '', now(), now() FROM generate_series(1, 20000) n`,
		`INSERT INTO payments (id, pledge_id, provider, status, amount_minor, currency, closes_at, next_check_at, created_at, updated_at)
			SELECT pledge_id, pledge_id, 'stripe', CASE WHEN pledge_id > lpad('19990', 26, '0') THEN 'created' ELSE 'canceled' END, 5000, 'EUR', now(), now(), now(), now() FROM orders`,
		`INSERT INTO attempts (payment_id, kind, number, idempotency_key, status, next_check_at, created_at, updated_at)
			SELECT id, 'intent', 1, id, 'canceled', CASE WHEN status = 'created' THEN now() END, now(), now() FROM payments`,
		`INSERT INTO refunds (id, payment_id, attempt_id, amount_minor, currency, reason, status, next_check_at, created_at, updated_at)
			SELECT payment_id, payment_id, id, 1, 'EUR', 'requested', 'failed', next_check_at, now(), now() FROM attempts`,
		`INSERT INTO webhook_events (event_id, provider, type, api_version, livemode, object_id, intent_id, body, status, received_at, next_attempt_at)
			SELECT n::text, 'stripe', 't', 'v', false, 'o', '', '', CASE WHEN n < 10 THEN 'received' ELSE 'processed' END, now(), now() FROM generate_series(1, 20000) n`,
		`ANALYZE`,
	} {
		if err := w.db.Gorm.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	for index, query := range map[string]string{
		"payments_to_check":      `SELECT id FROM payments WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at <= now() ORDER BY next_check_at LIMIT 20`,
		"payments_to_close":      `SELECT id FROM payments WHERE status IN ('created', 'requires_action') AND closing_at IS NULL AND closes_at <= now() AND alert = '' ORDER BY closes_at LIMIT 20`,
		"attempts_due":           `SELECT id FROM attempts WHERE next_check_at <= now() ORDER BY next_check_at LIMIT 20`,
		"refunds_due":            `SELECT id FROM refunds WHERE next_check_at <= now() ORDER BY next_check_at LIMIT 20`,
		"webhook_events_waiting": `SELECT event_id FROM webhook_events WHERE status = 'received' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT 16`,
		"attempts_provider_id":   `SELECT payment_id FROM attempts WHERE provider_id IN ('pi_1', 'pi_2')`,
		"attempts_intent_id":     `SELECT payment_id FROM attempts WHERE intent_id = 'pi_1'`,
		"payments_pledge":        `SELECT id FROM payments WHERE pledge_id = 'x'`,
	} {
		var plan []string
		w.scan(&plan, "EXPLAIN "+query)
		if text := strings.Join(plan, "\n"); !strings.Contains(text, index) || strings.Contains(text, "Seq Scan") {
			t.Errorf("%s does not serve its query:\n%s", index, text)
		}
	}
}

// form posts to the provider with the secret key, as somebody does in its own pages.
func (w *world) byHand(path string, form url.Values) int {
	w.t.Helper()
	status, _ := w.send(http.MethodPost, w.provider.URL+path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()),
		map[string]string{"Authorization": "Bearer " + secretKey})
	return status
}

func TestMoneyThatDoesNotFit_IsHeldForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	if status := w.byHand("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID, url.Values{"amount": {"1000"}}); status != http.StatusOK {
		t.Fatalf("changing the intent answered %d", status)
	}
	w.mustPay(a)
	w.settle()
	w.wantStatus(pledge, "created")
	w.wantHeard(pledge, "started")
	if n := w.count("anomalies WHERE kind = 'amount_mismatch' AND reference = ?", a.Stripe.PaymentIntent.ID); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	if again := w.setup(pledge); again.Code != "pledge_not_payable" {
		t.Errorf("setup answered %+v", again)
	}
	heldFee := int64(40)
	w.wantLedger(map[string]int64{"provider_clearing:stripe": 1000 - heldFee, "provider_fees:stripe": heldFee, "unallocated_funds": -1000})
	w.pass(time.Hour)
	w.closeLapsed()
	w.wantStatus(pledge, "created") // nobody but a person ends it
	w.audit()
}

func TestReconciliation_KeepsMoneyThatIsNobodys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if status := w.byHand("/v1/payment_intents", url.Values{"amount": {"700"}, "currency": {"eur"}, "payment_method_types[0]": {"card"},
		"payment_method": {"pm_card_visa"}, "confirm": {"true"}}); status != http.StatusOK {
		t.Fatalf("making an intent by hand answered %d", status)
	}
	for range 2 {
		if _, err := w.app.Reconcile.Intents(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.count("anomalies WHERE kind = 'unknown_charge'"); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	n, err := w.app.Reconcile.Ledger(t.Context(), w.now().Add(-time.Hour), w.now().Add(time.Hour))
	if err != nil || n != 2 { // the charge and its fee
		t.Errorf("the comparison found %d differences (%v)", n, err)
	}
}

func (w *world) paid() (pledge, paymentID string, intent string) {
	w.t.Helper()
	pledge = w.pledge()
	a := w.mustSetup(pledge)
	w.mustPay(a)
	w.settle()
	return pledge, a.Payment.ID, a.Stripe.PaymentIntent.ID
}
