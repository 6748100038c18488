package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestWithoutKey_ProviderIsOff(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) {
		c.StripeSecretKey, c.StripeWebhookSecret, c.StripePublishableKey = "", "", ""
	})
	pledge := w.Pledge()
	if a := w.Setup(pledge); a.Status != http.StatusServiceUnavailable || a.Code != "configuration_error/provider_off" {
		t.Errorf("setup answered %+v", a)
	}
	if status, code, _ := w.Page(pledge, "stripe"); status != http.StatusServiceUnavailable ||
		code != "configuration_error/provider_off" {
		t.Errorf("page answered %d %s", status, code)
	}
	if status, code := w.Hook("{}", paymentstest.Signed("{}", "", w.Now())); status != http.StatusServiceUnavailable ||
		code != "configuration_error/provider_off" {
		t.Errorf("webhook answered %d %s", status, code)
	}
}

func TestConfig_KeyWithoutWebhookSecret_RefusesToStart(t *testing.T) {
	t.Parallel()
	for _, secret := range []conf.Secret{"", " , "} {
		c := app.Config{ServiceSecret: paymentstest.ServiceSecret, StripeSecretKey: paymentstest.SecretKey,
			StripePublishableKey: paymentstest.PublishableKey, StripeWebhookSecret: secret}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "STRIPE_WEBHOOK_SECRET") {
			t.Errorf("secret %q: %v", secret.Reveal(), err)
		}
	}
}

// The number of statements of the hot calls; more of them means a query crept into a loop.
func TestHotCalls_StatementCount(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	h, err := w.App.Handler()
	if err != nil {
		t.Fatal(err)
	}
	pledge := w.Pledge()
	for _, c := range []struct {
		name, method, path string
		want               int
	}{
		{"first setup", http.MethodPost, "/setup", 15},
		{"setup again", http.MethodPost, "/setup", 3},
		{"how it stands", http.MethodGet, "/payment", 3},
	} {
		ctx, statements := dbx.CountStatements(context.WithoutCancel(t.Context()))
		answer := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(ctx, c.method, "/api/pledges/"+pledge+c.path, nil)
		w.Identify(r)
		h.ServeHTTP(answer, r)
		if answer.Code != http.StatusOK || statements.Count() > c.want {
			t.Errorf("%s: %d, %d statements, want at most %d:\n%s", c.name, answer.Code, statements.Count(), c.want,
				strings.Join(statements.List(), "\n"))
		}
	}
}

// What the sweepers ask must be answered by an index, however many rows there are.
func TestSweepers_UseTheirIndexes(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for _, statement := range []string{
		`INSERT INTO payments (id, subject_kind, subject_id, provider, status, amount_minor, currency, language, payable_until, closes_at, next_check_at, created_at, updated_at)
			SELECT lpad(n::text, 26, '0'), 'pledge', lpad(n::text, 26, '0'), 'stripe', CASE WHEN n > 19990 THEN 'created' ELSE 'canceled' END, 5000, 'EUR', 'fi',
				now(), now(), now(), now(), now() FROM generate_series(1, 20000) n`,
		`INSERT INTO attempts (payment_id, provider, method, number, idempotency_key, status, object_ref, money_ref, charge_ref, currency, next_check_at, created_at, updated_at)
			SELECT id, 'stripe', 'card', 1, id, 'canceled', id, id, id, 'EUR', CASE WHEN status = 'created' THEN now() END, now(), now() FROM payments`,
		`INSERT INTO refunds (id, payment_id, attempt_id, provider, amount_minor, currency, reason, status, next_check_at, created_at, updated_at)
			SELECT payment_id, payment_id, id, 'stripe', 1, 'EUR', 'requested', 'failed', next_check_at, now(), now() FROM attempts`,
		`INSERT INTO disputes (payment_id, attempt_id, provider, provider_ref, status, reason, amount_minor, currency, next_check_at, repay_at, opened_at, created_at, updated_at)
			SELECT payment_id, id, 'stripe', payment_id, 'won', '', 1, 'EUR', next_check_at, next_check_at, now(), now(), now() FROM attempts`,
		`INSERT INTO fraud_warnings (payment_id, attempt_id, provider, provider_ref, status, reason, opened_at, ended_at, created_at)
			SELECT payment_id, id, 'stripe', payment_id, CASE WHEN id < 10 THEN 'open' ELSE 'lapsed' END, '', now(), CASE WHEN id >= 10 THEN now() END, now() FROM attempts`,
		`INSERT INTO webhook_events (event_key, provider, type, about, api_version, livemode, object_ref, money_ref, body, status, received_at, next_attempt_at)
			SELECT n::text, 'stripe', 't', 'payment', 'v', false, 'o', '', '', CASE WHEN n < 10 THEN 'received' ELSE 'processed' END, now(), now() FROM generate_series(1, 20000) n`,
		`ALTER TABLE ledger_transactions DISABLE TRIGGER USER`,
		`INSERT INTO ledger_transactions (provider, kind, reference, payment_id, charge_ref, amount_minor, currency, legs, happened_at, booked_at)
			SELECT 'stripe', 'charge', id, id, id, 1, 'EUR', 2, now() - n * interval '1 minute', now() FROM (SELECT id, row_number() OVER () AS n FROM payments) p`,
		`INSERT INTO subscriptions (id, provider, status, campaign_id, backer_user_id, description, title, language, level, customer_ref, card_ref, step_at, created_at, updated_at)
			SELECT id, 'stripe', 'created', 7, row_number() OVER (), '', '', 'fi', '{}', id, id, CASE WHEN status = 'created' THEN now() - interval '1 day' ELSE now() + interval '1 day' END,
				now(), now() FROM payments`,
		`INSERT INTO subscription_periods (subscription_id, period, payment_id, status, next_try_at, begun_at)
			SELECT id, 1, id, 'open', CASE WHEN status = 'created' THEN now() END, now() FROM payments`,
		`UPDATE payments SET backer_user_id = id::bigint`,
		`INSERT INTO outbox (kind, payload) SELECT CASE WHEN n > 19990 THEN 'payment_event' ELSE 'provider.forget' END, '{}' FROM generate_series(1, 20000) n`,
		`ANALYZE`,
	} {
		if err := w.DB.Gorm.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	for index, query := range map[string]string{
		"payments_to_check": `SELECT id FROM payments WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at <= now() ORDER BY next_check_at, id LIMIT 20`,
		"payments_to_close": `SELECT closes_at, id FROM payments WHERE status IN ('created', 'requires_action') AND closing_at IS NULL
			AND closes_at <= now() AND (closes_at, id) > ('epoch', '') ORDER BY closes_at, id LIMIT 20`,
		"attempts_due":              `SELECT id FROM attempts WHERE next_check_at <= now() ORDER BY next_check_at, id LIMIT 20`,
		"refunds_next_check":        `SELECT id FROM refunds WHERE next_check_at <= now() ORDER BY next_check_at, id LIMIT 20`,
		"refunds_attempt":           `SELECT id FROM refunds WHERE attempt_id = 7 ORDER BY created_at, id`,
		"refunds_repeats":           `SELECT id FROM refunds WHERE repeats = '00000000000000000000000007'`,
		"disputes_attempt":          `SELECT id FROM disputes WHERE attempt_id = 7 ORDER BY id`,
		"disputes_to_repay":         `SELECT id FROM disputes WHERE repay_at <= now() ORDER BY repay_at, id LIMIT 20`,
		"fraud_warnings_of_attempt": `SELECT id FROM fraud_warnings WHERE attempt_id = 7 ORDER BY id`,
		"fraud_warnings_of_payment": `SELECT id FROM fraud_warnings WHERE payment_id = '00000000000000000000000007'`,
		"fraud_warnings_open":       `SELECT id FROM fraud_warnings WHERE status = 'open' ORDER BY opened_at, id LIMIT 20`,
		"disputes_due":              `SELECT id FROM disputes WHERE next_check_at <= now() ORDER BY next_check_at, id LIMIT 20`,
		"subscriptions_due":         `SELECT id FROM subscriptions WHERE step_at <= now() ORDER BY step_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED`,
		"subscriptions_customer":    `SELECT FROM subscriptions WHERE provider = 'stripe' AND customer_ref = '00000000000000000000000007' AND status NOT IN ('canceled', 'expired')`,
		"subscriptions_card":        `SELECT FROM subscriptions WHERE provider = 'stripe' AND card_ref = '00000000000000000000000007' AND status NOT IN ('canceled', 'expired')`,
		"subscriptions_backer":      `SELECT id FROM subscriptions WHERE backer_user_id = 7 AND status IN ('active', 'paused') ORDER BY id FOR UPDATE`,
		"payments_backer_paid": `SELECT p.subject_id FROM payments p LEFT JOIN subscription_periods m ON m.payment_id = p.id
			WHERE p.backer_user_id = 7 AND p.currency = 'EUR' AND (p.paid_on >= '2027-01-01' OR p.paid_on IS NULL)`,
		"outbox_undone_kind": `SELECT own.id FROM unnest(CAST('{payment_event,subscription_event}' AS text[])) AS handled(kind) CROSS JOIN LATERAL (
			SELECT o.id FROM outbox o WHERE o.kind = handled.kind AND o.done_at IS NULL AND o.next_attempt_at <= now() ORDER BY o.id LIMIT 8 FOR UPDATE OF o SKIP LOCKED) own
			ORDER BY own.id LIMIT 8`,
		"subscription_periods_tries": `SELECT 1 FROM subscription_periods WHERE next_try_at < now() LIMIT 10000`,
		"webhook_events_waiting":     `SELECT event_key FROM webhook_events WHERE status = 'received' AND next_attempt_at <= now() ORDER BY next_attempt_at, event_key LIMIT 16`,
		"attempts_object":            `SELECT payment_id FROM attempts WHERE provider = 'stripe' AND object_ref IN ('pi_1', 'pi_2')`,
		"attempts_money":             `SELECT payment_id FROM attempts WHERE provider = 'stripe' AND money_ref IN ('pi_1', 'pi_2')`,
		"attempts_charge":            `SELECT id FROM attempts WHERE provider = 'stripe' AND charge_ref = 'ch_1'`,
		"payments_subject":           `SELECT id FROM payments WHERE subject_kind = 'pledge' AND subject_id = 'x' AND period = 0`,
		"ledger_transactions_charge": `SELECT id FROM ledger_transactions WHERE provider = 'stripe' AND charge_ref = 'ch_1'`,
		"ledger_transactions_charge ": `SELECT t.id FROM ledger_transactions first JOIN ledger_transactions t ON t.provider = first.provider AND t.charge_ref = first.charge_ref AND t.charge_ref <> ''
			WHERE first.id = 7 AND first.id IN (t.id, t.reverses)`, // what one dispute has moved
		"ledger_transactions_happened": `SELECT id FROM ledger_transactions WHERE happened_at >= now() - interval '1 hour' AND happened_at < now()`,
	} {
		var plan []string
		w.Scan(&plan, "EXPLAIN "+query)
		if text := strings.Join(plan, "\n"); !strings.Contains(text, index) || strings.Contains(text, "Seq Scan") {
			t.Errorf("%s does not serve its query:\n%s", index, text)
		}
	}
}

// However long the content service was away, its events are tried again within minutes of its return.
func TestContentDownForLong_EventsComeSoonAfterItsReturn(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.MustSetup(w.Pledge())
	w.Content.SetDown(true)
	w.Exec(`UPDATE outbox SET attempts = 30`)
	if _, err := w.App.Relay.RunOnce(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	var next time.Time
	w.Scan(&next, `SELECT next_attempt_at FROM outbox`)
	if pause := next.Sub(w.Now()); pause > 7*time.Minute {
		t.Errorf("the next try is in %s", pause)
	}
}
