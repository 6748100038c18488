package app_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/metricstest"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/reconcile"
)

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// scrape is empty while nobody answers.
func scrape(address string) string {
	res, err := http.Get(address + "/metrics")
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return ""
	}
	return string(body)
}

func TestWorkerMetrics_TellWhatWaits(t *testing.T) {
	t.Parallel()
	addr := freeAddr(t)
	w := paymentstest.New(t, func(c *app.Config) { c.WorkAddr, c.SweepEvery = addr, time.Hour })
	w.Subscribed(paymentstest.Visa)
	w.Exec(`UPDATE subscription_periods SET next_try_at = now() - interval '2 hours'`)
	w.MustSetup(w.Pledge())
	w.Settle()
	w.Exec(`UPDATE subscriptions SET step_at = now() - interval '2 hours'`)
	w.MustSetup(w.Pledge())
	w.Content.SetDown(true)
	w.Exec(`INSERT INTO webhook_events (event_key, provider, type, about, api_version, livemode, object_ref, money_ref, body, status, received_at, next_attempt_at)
		SELECT n::text, 'stripe', 't', 'payment', 'v', false, 'o', '', '', 'received', now() - interval '90 seconds', now() + interval '1 hour' FROM generate_series(1, 3) n`)
	w.Exec(`INSERT INTO anomalies (kind, provider, reference, detail, found_at, seen_at, resolved_at, resolved_by)
		VALUES ('unknown_charge', 'stripe', 'a', '{}', now(), now(), NULL, ''), ('unknown_charge', 'stripe', 'b', '{}', now(), now(), now(), 'aino')`)
	w.Exec(`INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency, told_at) VALUES (7, 'reached', 'creator', now(), 0, 0, 'EUR', now())`)
	w.Exec(`INSERT INTO settlement_runs (id, campaign_id, provider, number, state, currency, proposed_by, created_at, updated_at) VALUES ('r', 7, 'stripe', 1, 'counting', 'EUR', 'aino', now(), now())`)
	w.Exec(`INSERT INTO settlement_steps (run_id, event, from_state, to_state, at) VALUES ('r', 'begun', '', 'counting', now() - interval '950 seconds'), ('r', 'waits', 'counting', 'counting', now())`)
	w.Exec(`INSERT INTO transfer_reversals (id, run_id, provider, payee_id, payee_ref, transfer_ref, amount_minor, currency, is_ours, state, at, next_at, ended_at)
		SELECT state, 'r', 'stripe', 3, state, 'tr', 100, 'EUR', true, state, now() - age * interval '1 second', CASE state WHEN 'open' THEN now() + interval '1 day' END,
			CASE state WHEN 'refused' THEN now() END FROM (VALUES ('open', 3650), ('refused', 9999)) v (state, age)`)
	// No worker takes the subscription up.
	held := w.DB.Gorm.Begin()
	if err := held.Exec(`SELECT FROM subscriptions FOR UPDATE`).Error; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Rollback() })
	w.Work()
	var text string
	w.Eventually("the metrics", func() bool { text = scrape("http://" + addr); return text != "" })
	for _, want := range []string{
		"talkoot_payments_webhook_events_waiting 3", "talkoot_payments_webhook_events_oldest_age_seconds 9",
		"talkoot_payments_settlements_oldest_age_seconds 9", "talkoot_payments_reversals_oldest_age_seconds 36",
		"talkoot_payments_outbox_waiting 1",
		"talkoot_payments_outbox_oldest_age_seconds", "talkoot_payments_payments_open 2", "talkoot_payments_refunds_open 0",
		"talkoot_payments_disputes_open 0", "talkoot_payments_warnings_oldest_age_seconds 0", "talkoot_payments_charges_due 1", "talkoot_payments_charges_overdue 2",
		"talkoot_payments_anomalies_open 1", `talkoot_provider_breaker_open{provider="stripe"} 0`,
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	// A comparison and a dispute show the rest.
	w.Exec(`INSERT INTO reconcile_runs (provider, name, slot, started_at) VALUES ('stripe', ?, 'a', now())`, reconcile.Ledger().Name())
	w.Exec(`INSERT INTO disputes (payment_id, attempt_id, provider, provider_ref, status, reason, amount_minor, currency, respond_by, next_check_at,
		opened_at, created_at, updated_at) SELECT payment_id, id, 'stripe', 'dp', 'open', 'fraudulent', 1, 'EUR', now() + interval '1 day',
		now() + interval '1 hour', now(), now(), now() FROM attempts ORDER BY id LIMIT 1`)
	w.Eventually("all metrics", func() bool {
		text = scrape("http://" + addr)
		return strings.Contains(text, "\ntalkoot_payments_reconciliation_age_seconds") && strings.Contains(text, "\ntalkoot_payments_disputes_respond_by_seconds")
	})
	metricstest.Hold(t, "payments work", text)
	// What a bank has an answer to is not due, until it asks for more, at either provider.
	isDue := func() bool {
		return strings.Contains(scrape("http://"+addr), "\ntalkoot_payments_disputes_respond_by_seconds")
	}
	w.Exec(`UPDATE disputes SET provider = 'mangopay'`)
	w.Exec(`INSERT INTO dispute_evidence (id, dispute_id, state, evidence, actor, note, at, answered_at) SELECT repeat('a', 26), id, 'taken', '{}', 'aino', 'sent', now(), now() FROM disputes`)
	w.Eventually("the answered dispute is not due", func() bool { return !isDue() })
	w.Exec(`UPDATE disputes SET round = 1`)
	w.Eventually("the dispute is due again", isDue)
	metricstest.Hold(t, "payments serve", scrape(w.API.URL))
}
