package paymentstest

import (
	"time"

	"talkoot.fi/payments/internal/watching/reconcile"
)

// WantLedger wants these accounts to have these balances, and all others none.
func (w *World) WantLedger(want map[string]int64) {
	w.T.Helper()
	var rows []struct {
		Name    string
		Balance int64
	}
	w.Scan(&rows, `SELECT a.name, sum(e.amount_minor)::bigint AS balance FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id GROUP BY 1`)
	for _, r := range rows {
		if r.Balance != want[r.Name] {
			w.T.Errorf("account %s has %d, want %d", r.Name, r.Balance, want[r.Name])
		}
		delete(want, r.Name)
	}
	for name, balance := range want {
		if balance != 0 {
			w.T.Errorf("account %s is missing, want %d", name, balance)
		}
	}
}

// Anomalies counts the open ones of a kind; "" is any.
func (w *World) Anomalies(kind string) int {
	w.T.Helper()
	return w.Count(`anomalies WHERE resolved_at IS NULL AND ? IN ('', kind)`, kind)
}

// Reconcile takes up what was made in the last days and stands differently at the provider.
func (w *World) Reconcile() reconcile.Found {
	w.T.Helper()
	found, err := w.App.Reconcile.Since(w.T.Context(), w.Stripe(), w.Now().Add(-48*time.Hour))
	if err != nil {
		w.T.Fatal(err)
	}
	return found
}

// Compare is the daily comparison with the provider's balance, as a slot of its own.
func (w *World) Compare() {
	w.T.Helper()
	pass := reconcile.Pass{Provider: "stripe", Slot: w.Now().UTC().Format(time.RFC3339Nano), To: w.Now().UTC()}
	w.Exec(`INSERT INTO reconcile_runs (provider, name, slot, started_at) VALUES (?, ?, ?, ?)`, pass.Provider, reconcile.Ledger().Name(), pass.Slot, pass.To)
	if err := w.App.Reconcile.RunLedger(w.T.Context(), pass); err != nil {
		w.T.Fatal(err)
	}
}

// Audit checks what must be true at the end of every story.
func (w *World) Audit() {
	w.T.Helper()
	for rule, query := range map[string]string{
		"the book balances": `(SELECT transaction_id FROM ledger_entries GROUP BY 1 HAVING sum(amount_minor) <> 0) x`,
		"no guarded account is overdrawn, nor a charge's part of it": `(SELECT 1 FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
			JOIN ledger_transactions t ON t.id = e.transaction_id WHERE a.guarded GROUP BY GROUPING SETS ((a.id, a.type, a.class), (a.id, a.type, a.class, t.provider, t.charge_ref))
			HAVING (grouping(t.charge_ref) = 1 OR a.class NOT IN ('creator_payable', 'reserve')) AND CASE a.type WHEN 'asset' THEN sum(e.amount_minor) ELSE -sum(e.amount_minor) END < 0) x`,
		"what is owed of a charge is what its refunds say": `attempts t WHERE charge_ref <> '' AND ` + owed + ` <>
			(SELECT coalesce(sum(amount_minor), 0) FROM refunds r WHERE r.attempt_id = t.id AND r.owed)`,
		"nobody's money is owed":        `ledger_transactions l WHERE charge_ref <> '' AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.provider = l.provider AND a.charge_ref = l.charge_ref)`,
		"an ended refund owes nothing":  `refunds WHERE owed AND status IN ('succeeded', 'repeated', 'canceled', 'by_hand')`,
		"on hold is what banks have":    `attempts t WHERE charge_ref <> '' AND ` + onHold + ` <> (SELECT coalesce(sum(withdrawn_minor), 0) FROM disputes d WHERE d.attempt_id = t.id AND d.status NOT IN ('lost', 'returned'))`,
		"held is what waits for people": `attempts t WHERE charge_ref <> '' AND status <> 'held' AND ` + held + ` <> 0`,
		"one counted success per paid payment": `payments p WHERE (p.status IN ('succeeded', 'refunded', 'partly_refunded', 'disputed')) <> (p.paid_attempt_id IS NOT NULL)
			OR p.paid_attempt_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.id = p.paid_attempt_id AND a.payment_id = p.id AND a.status = 'succeeded')`,
		"each success has its charge in the book": `attempts a WHERE a.status IN ('succeeded', 'held') AND NOT EXISTS (
			SELECT 1 FROM ledger_transactions l WHERE l.provider = a.provider AND l.kind = 'charge' AND l.reference = a.charge_ref AND l.amount_minor = a.amount_minor)`,
		"events are numbered without gaps": `payments p WHERE p.event_sequence <> (SELECT count(*) FROM outbox WHERE payload ->> 'payment_id' = p.id)
			OR p.event_sequence <> (SELECT coalesce(max((payload ->> 'sequence')::bigint), 0) FROM outbox WHERE payload ->> 'payment_id' = p.id)`,
		"every other success is on its way back": `attempts a JOIN payments p ON p.id = a.payment_id WHERE a.status = 'succeeded' AND a.id IS DISTINCT FROM p.paid_attempt_id
			AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.attempt_id = a.id) AND NOT EXISTS (SELECT 1 FROM disputes d WHERE d.attempt_id = a.id AND d.status IN ('lost', 'returned'))`,
		"support has changed when a step of its says so": `subscriptions s WHERE updated_at < (SELECT max(at) FROM subscription_transitions x WHERE x.subscription_id = s.id)`,
		"refunds add up": `payments p WHERE p.amount_refunded_minor < (SELECT coalesce(sum(r.amount_minor), 0) FROM refunds r
			WHERE r.attempt_id = p.paid_attempt_id AND r.status IN ('succeeded', 'by_hand')) OR p.amount_refunded_minor > (SELECT coalesce(sum(r.amount_minor), 0)
			FROM refunds r WHERE r.attempt_id = p.paid_attempt_id AND r.settled_at IS NOT NULL)`,
		"disputes add up in the book": `disputes d WHERE (d.withdrawn_minor, d.fee_minor) <> (SELECT
			coalesce(sum(-e.amount_minor) FILTER (WHERE t.kind IN ('dispute_opened', 'dispute_won', 'debit_returned')), 0),
			coalesce(sum(-e.amount_minor) FILTER (WHERE t.kind IN ('dispute_fee', 'dispute_fee_returned')), 0)
			FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
			WHERE t.payment_id = d.payment_id AND a.class = 'provider_clearing')
			AND (SELECT count(*) FROM disputes x WHERE x.payment_id = d.payment_id) = 1`,
		"disputed is who has a dispute that takes the money": `payments p WHERE p.status <> 'refunded' AND (p.status = 'disputed') <> EXISTS (
			SELECT 1 FROM disputes d WHERE d.attempt_id = p.paid_attempt_id AND d.status IN ('open', 'lost', 'returned'))`,
		"every live attempt of a payment that is over is to be ended": `attempts a JOIN payments p ON p.id = a.payment_id WHERE a.status IN ('creating', 'open') AND a.next_check_at IS NULL
			AND (p.status NOT IN ('created', 'requires_action', 'processing') OR p.closing_at IS NOT NULL)`,
		"no live attempt of a payment that has ended": `attempts a JOIN payments p ON p.id = a.payment_id WHERE a.status IN ('creating', 'open') AND p.status NOT IN ('created', 'requires_action', 'processing')`,
		"a month is paid when its payment is, or the money goes back": `subscription_periods m JOIN payments p ON p.id = m.payment_id
			WHERE (m.status = 'paid') <> (p.paid_attempt_id IS NOT NULL)
			AND NOT (m.status <> 'paid' AND p.refused AND EXISTS (SELECT FROM refunds r WHERE r.attempt_id = p.paid_attempt_id))`,
		"a payment of a subscription is a month's": `payments p WHERE subject_kind = 'subscription' AND NOT EXISTS (
			SELECT FROM subscription_periods m WHERE m.payment_id = p.id AND m.subscription_id = p.subject_id AND m.period = p.period)`,
		"the last month paid is known": `subscriptions s WHERE paid_period <> (SELECT coalesce(max(period), 0) FROM subscription_periods m
			WHERE m.subscription_id = s.id AND m.status = 'paid')`,
		"the next month has not begun": `subscriptions s WHERE status IN ('active', 'paused') AND next_period <> coalesce((SELECT max(period)
			FROM subscription_periods m WHERE m.subscription_id = s.id AND m.status = 'open'), next_period)
			OR status IN ('active', 'paused') AND EXISTS (SELECT FROM subscription_periods m WHERE m.subscription_id = s.id
				AND m.period >= s.next_period AND m.status <> 'open')`,
		"a month that is held is the next one, and has not begun": `subscriptions s WHERE held_period <> 0 AND (held_period <> next_period
			OR status NOT IN ('active', 'paused') OR ends_on IS NOT NULL OR EXISTS (SELECT FROM subscription_periods m
				WHERE m.subscription_id = s.id AND m.period >= s.held_period))`,
		"a subscription that goes on has a next step": `subscriptions s WHERE status IN ('active', 'past_due', 'paused') AND step_at IS NULL
			AND NOT EXISTS (SELECT FROM subscription_periods m JOIN payments p ON p.id = m.payment_id WHERE m.subscription_id = s.id
				AND m.status = 'open' AND p.status = 'processing')`,
		"one that is over has nothing to pay": `subscriptions s JOIN subscription_periods m ON m.subscription_id = s.id
			WHERE s.status IN ('canceled', 'expired') AND m.status = 'open'`,
		"a month that is not wanted is not payable": `subscription_periods m JOIN payments p ON p.id = m.payment_id
			WHERE m.status IN ('skipped', 'closed') AND NOT m.is_ending AND p.closing_at IS NULL AND p.status IN ('created', 'requires_action', 'processing')`,
		"a subscription's events are numbered without gaps": `subscriptions s WHERE event_sequence <> (SELECT count(*) FROM outbox
			WHERE kind = 'subscription_event' AND payload ->> 'subscription_id' = s.id) OR event_sequence <> (SELECT coalesce(max((payload ->> 'sequence')::bigint), 0)
			FROM outbox WHERE kind = 'subscription_event' AND payload ->> 'subscription_id' = s.id)`,
		"a transition ends where the subscription is": `subscriptions s WHERE status <> (SELECT to_status FROM subscription_transitions t
			WHERE t.subscription_id = s.id ORDER BY t.id DESC LIMIT 1)`,
		"a transition ends where the payment is": `payments p WHERE p.subject_kind <> 'unclaimed' AND p.status <> (SELECT to_status FROM payment_transitions t WHERE t.payment_id = p.id ORDER BY t.id DESC LIMIT 1)`,
	} {
		if n := w.Count(query); n > 0 {
			w.T.Errorf("audit: %s: %d times not", rule, n)
		}
	}
	w.auditWithProvider()
}

// Positions of a charge, of attempts t.
const (
	position = `(SELECT coalesce(sum(e.amount_minor), 0) FROM ledger_transactions l JOIN ledger_entries e ON e.transaction_id = l.id
		JOIN ledger_accounts a ON a.id = e.account_id WHERE l.provider = t.provider AND l.charge_ref = t.charge_ref AND a.class = `
	owed   = `-` + position + `'owed_to_backers')`
	held   = position + `'held_funds')`
	onHold = position + `'dispute_hold')`
)

// auditWithProvider compares every movement since the world began. The comparison books what it misses, so it must not
// have had anything to book.
func (w *World) auditWithProvider() {
	w.T.Helper()
	const backers = `ledger_transactions WHERE payment_id IS NOT NULL`
	before := w.Count(backers)
	found, err := w.App.Reconcile.Lines(w.T.Context(), w.Stripe(), time.Now().Add(-time.Hour), w.Now().Add(time.Hour))
	if err != nil || found.Differ > 0 {
		var detail []string
		w.Scan(&detail, `SELECT reference || ' ' || detail::text FROM anomalies WHERE kind = 'ledger_difference' AND resolved_at IS NULL`)
		w.T.Errorf("audit: the book differs from the provider's balance %d times (%v): %v", found.Differ, err, detail)
	}
	if after := w.Count(backers); after != before {
		w.T.Errorf("audit: %d movements were not in the book", after-before)
	}
}
