package simulate

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// state lists the content of both databases and of the provider, for the trace of a run with findings.
func (sim *simulation) state(ctx context.Context) (string, error) {
	var b strings.Builder
	for _, s := range []struct {
		conn *pgx.Conn
		sql  string
	}{
		{sim.runner.content, `SELECT format('pledge %s %s of %s, reward %s ×%s, refunded %s%s', id, status, amount_minor, reward_id, quantity, amount_refunded_minor,
			CASE WHEN released_at IS NOT NULL THEN ', released' ELSE '' END) FROM pledges ORDER BY created_at`},
		{sim.runner.payments, `SELECT format('payment %s %s of %s %s, %s %s, paid by %s, refunded %s, closing %s', id, subject_kind, subject_id, status, amount_minor,
			currency, paid_attempt_id, amount_refunded_minor, closing_at) FROM payments ORDER BY created_at`},
		{sim.runner.payments, `SELECT format('attempt %s of %s: %s %s %s, %s %s, charge %s of %s', id, payment_id, method, number, status, object_ref, money_ref, charge_ref, amount_minor)
			FROM attempts ORDER BY id`},
		{sim.runner.payments, `SELECT format('refund %s of attempt %s: %s %s %s, owed %s, bookings %s, try %s, failures %s, %s %s, repeats %s', id, attempt_id, amount_minor, reason,
			status, owed, bookings, try, failures, provider_ref, failure_code, repeats) FROM refunds ORDER BY created_at`},
		{sim.runner.payments, `SELECT format('dispute %s of attempt %s: %s of %s, taken %s, fee %s', provider_ref, attempt_id, status, amount_minor, withdrawn_minor, fee_minor)
			FROM disputes ORDER BY id`},
		{sim.runner.payments, `SELECT format('ledger %s %s %s of %s: %s', t.id, t.kind, t.reference, t.charge_ref,
			(SELECT string_agg(a.class || ' ' || e.amount_minor, ', ' ORDER BY e.id) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE e.transaction_id = t.id))
			FROM ledger_transactions t ORDER BY t.id`},
		{sim.runner.payments, `SELECT format('anomaly %s %s %s, %s by %s: %s', id, kind, reference, resolved_at, resolved_by, detail) FROM anomalies ORDER BY id`},
		{sim.runner.payments, `SELECT format('transition of %s: %s → %s by %s at %s', payment_id, from_status, to_status, cause, at) FROM payment_transitions ORDER BY id`},
		{sim.runner.payments, `SELECT format('event %s %s %s', id, payload ->> 'type', payload ->> 'payment_id') FROM outbox ORDER BY id`},
		{sim.runner.content, `SELECT format('support %s of campaign %s: %s of %s, next %s, until %s, closed %s because "%s"', id, campaign_id, status, amount_minor, next_amount_minor,
			paid_until, closed_at, ended_because) FROM subscriptions ORDER BY created_at`},
		{sim.runner.payments, `SELECT format('subscription %s %s of %s, card %s %s%s, anchor %s, month %s is next, %s paid, ends %s, step %s, faults %s', id, status,
			level ->> 'amount_minor', card_ref, card_label, CASE WHEN card_refused THEN ' refused' ELSE '' END, anchor_day, next_period, paid_period, ends_on, step_at, faults)
			FROM subscriptions ORDER BY created_at`},
		{sim.runner.payments, `SELECT format('month %s of %s on %s: %s, payment %s, waits for "%s" (%s), next try %s, settled %s', period, subscription_id, day, status, payment_id,
			waits_for, failure_code, next_try_at, settled_at) FROM subscription_periods ORDER BY begun_at`},
		{sim.runner.payments, `SELECT format('try %s of month %s of %s with %s: %s %s, %s to %s', number, period, subscription_id, card_ref, outcome, failure_code, begun_at,
			answered_at) FROM subscription_tries ORDER BY begun_at`},
		{sim.runner.payments, `SELECT format('step of %s: %s → %s by %s, month %s, %s at %s', subscription_id, from_status, to_status, cause, period, detail, at)
			FROM subscription_transitions ORDER BY id`},
	} {
		lines, err := query[string](ctx, s.conn, s.sql)
		if err != nil {
			return "", err
		}
		for _, line := range lines {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	for _, t := range sim.takers() {
		for _, line := range t.state() {
			fmt.Fprintf(&b, "  at %s %s\n", t.name, line)
		}
	}
	return b.String(), nil
}
