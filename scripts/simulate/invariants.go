package simulate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// rule is a query that lists what breaks the rule: it must return nothing.
type rule struct{ name, sql string }

// paymentRules hold in the payment service's database after every operation.
var paymentRules = []rule{
	{"ledger transactions balance", `
		SELECT format('transaction %s (%s) is off by %s', t.id, t.kind, sum(e.amount_minor))
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id GROUP BY t.id HAVING sum(e.amount_minor) <> 0`},
	{"each closing of an account is the sum of its entries up to there", `
		SELECT format('account %s up to entry %s: %s, closed at %s', c.account_id, c.up_to, sum(e.amount_minor), c.balance_minor)
		FROM ledger_closings c JOIN ledger_entries e ON e.account_id = c.account_id AND e.id <= c.up_to
		GROUP BY c.account_id, c.up_to HAVING sum(e.amount_minor) <> c.balance_minor`},
	{"no charge has a balance on the wrong side of a guarded account", `
		SELECT format('charge %s: %s at %s', t.charge_ref, a.name, sum(e.amount_minor))
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.guarded AND a.class NOT IN ('creator_payable', 'reserve') GROUP BY t.charge_ref, a.name, a.type
		HAVING CASE a.type WHEN 'asset' THEN sum(e.amount_minor) < 0 ELSE sum(e.amount_minor) > 0 END`},
	{"nothing more is payable or kept back than there is", `
		SELECT format('%s at %s', a.name, sum(e.amount_minor)) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.class IN ('creator_payable', 'reserve') GROUP BY a.name HAVING sum(e.amount_minor) > 0`},
	{"what creators have at a provider is what we keep for them there", `
		SELECT format('%s differs by %s', split_part(a.name, ':', 2), sum(e.amount_minor)) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.class IN ('at_creator', 'creator_held') GROUP BY split_part(a.name, ':', 2), split_part(a.name, ':', 3) HAVING sum(e.amount_minor) <> 0`},
	{"nobody is paid more than was sent to them", `
		SELECT format('run %s: %s sent, %s taken back, %s paid out or on their way', m.run_id, m.amount_minor, v.minor, p.minor) FROM settlement_moves m
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor FROM transfer_reversals WHERE run_id = m.run_id AND state = 'done' AND is_ours) v
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor - returned_minor), 0) AS minor FROM settlement_moves WHERE run_id = m.run_id AND kind = 'payout'
			AND state IN ('open', 'done', 'returned')) p
		WHERE m.kind = 'transfer' AND m.state = 'done' AND v.minor + p.minor > m.amount_minor`},
	{"a payment has one success that counts", `
		SELECT format('payment %s: %s charges were taken for the campaign', t.payment_id, count(DISTINCT t.charge_ref))
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.kind IN ('charge', 'held_accepted') AND a.class = 'backer_funds' GROUP BY t.payment_id HAVING count(DISTINCT t.charge_ref) > 1`},
	{"on hold is what undecided disputes have taken", `
		SELECT format('charge %s: on hold %s, taken %s', coalesce(d.charge_ref, h.charge_ref), coalesce(h.held, 0), coalesce(d.taken, 0))
		FROM (SELECT a.charge_ref, sum(d.withdrawn_minor) AS taken FROM disputes d JOIN attempts a ON a.id = d.attempt_id
			WHERE d.status NOT IN ('lost', 'returned') GROUP BY 1) d
		FULL JOIN (SELECT t.charge_ref, sum(e.amount_minor) AS held FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
			JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'dispute_hold' GROUP BY 1) h ON h.charge_ref = d.charge_ref
		WHERE coalesce(h.held, 0) <> coalesce(d.taken, 0)`},
	{"a live attempt of a payment that is over has a next check", `
		SELECT format('attempt %s of payment %s', a.id, p.id) FROM attempts a JOIN payments p ON p.id = a.payment_id
		WHERE a.status IN ('creating', 'open') AND a.next_check_at IS NULL
			AND (p.closing_at IS NOT NULL OR p.status NOT IN ('created', 'requires_action', 'processing'))`},
}

// person tells whose a row of content's subscriptions is: the account's, else the mail address's. What the erased gave to a campaign has
// its first pledge or support in common.
const person = `coalesce(user_id::text, nullif(lower(email), ''), erased_with, id)`

// contentRules hold in the content service's database after every operation.
var contentRules = []rule{
	{"stock is not oversold", `
		SELECT format('reward %s: %s of %s', r.id, coalesce(sum(p.quantity), 0), r.stock)
		FROM rewards r LEFT JOIN (SELECT reward_id, quantity FROM pledges WHERE status NOT IN ('failed', 'expired', 'refunded', 'withdrawn')
			UNION ALL SELECT reward_id, held_quantity FROM pledge_raises WHERE status IN ('created', 'awaiting_payment', 'processing')) p ON p.reward_id = r.id
		WHERE r.stock > 0 GROUP BY r.id HAVING coalesce(sum(p.quantity), 0) > r.stock OR r.stock_reserved <> coalesce(sum(p.quantity), 0)`},
	{"a campaign's monthly sum is that of who is active", `
		SELECT format('campaign %s: %s of %s, active are %s of %s', t.campaign_id, t.subscriptions, t.subscriptions_amount_minor, count(DISTINCT s.person), coalesce(sum(s.amount_minor), 0))
		FROM campaign_totals t
		LEFT JOIN (SELECT *, ` + person + ` AS person FROM subscriptions) s
			ON s.campaign_id = t.campaign_id AND s.status = 'active'
		GROUP BY t.campaign_id HAVING (t.subscriptions, t.subscriptions_amount_minor) <> (count(DISTINCT s.person), coalesce(sum(s.amount_minor), 0))`},
	{"what no bank has of a pledge is of what it came to", `
		SELECT format('pledge %s is %s of %s, %s back: no bank has %s', id, status, amount_minor, amount_refunded_minor, uncontested_minor) FROM pledges
		WHERE uncontested_minor <> 0 AND (status <> 'disputed' OR uncontested_minor + amount_refunded_minor > amount_minor)`},
	{"receipts and backers have numbers of their own", `
		SELECT format('backer %s of campaign %s, %s times', backer_number, campaign_id, count(*)) FROM pledges
		WHERE backer_number IS NOT NULL GROUP BY campaign_id, backer_number HAVING count(*) > 1
		UNION ALL
		SELECT format('receipt %s, %s times', receipt_number, count(*)) FROM pledges WHERE receipt_number IS NOT NULL GROUP BY receipt_number HAVING count(*) > 1`},
}

// checkStep checks the invariants that are cheap enough for every operation.
func (sim *simulation) checkStep(ctx context.Context) error {
	return errors.Join(sim.check(ctx, sim.runner.payments, paymentRules), sim.check(ctx, sim.runner.content, contentRules))
}

func (sim *simulation) check(ctx context.Context, conn *pgx.Conn, rules []rule) error {
	batch := &pgx.Batch{}
	for _, r := range rules {
		batch.Queue(r.sql)
	}
	results := conn.SendBatch(ctx, batch)
	for _, r := range rules {
		rows, err := results.Query()
		if err == nil {
			var faults []string
			faults, err = pgx.CollectRows(rows, pgx.RowTo[string])
			for _, f := range faults {
				sim.find(r.name, "%s", f)
			}
		}
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", r.name, err), results.Close())
		}
	}
	return results.Close()
}

// countStates notes what a run went through.
func (sim *simulation) countStates(ctx context.Context) error {
	for _, s := range []struct {
		conn *pgx.Conn
		sql  string
	}{
		{sim.runner.payments, `SELECT 'payment: ' || to_status FROM payment_transitions`},
		{sim.runner.payments, `SELECT 'attempt: ' || provider || ' ' || method || ' ' || status FROM attempts`},
		{sim.runner.payments, `SELECT 'refund: ' || a.provider || ' ' || r.reason || ' ' || r.status FROM refunds r JOIN attempts a ON a.id = r.attempt_id`},
		{sim.runner.payments, `SELECT 'dispute: ' || a.provider || ' ' || d.status FROM disputes d JOIN attempts a ON a.id = d.attempt_id`},
		{sim.runner.payments, `SELECT 'anomaly: ' || kind FROM anomalies`},
		{sim.runner.payments, `SELECT 'ledger: ' || kind FROM ledger_transactions`},
		{sim.runner.payments, `SELECT 'reversal: ' || provider || ' ' || state || CASE WHEN is_ours THEN ' by us' ELSE ' by others' END FROM transfer_reversals
			UNION ALL SELECT 'reversal: ' || provider || ' in another campaign''s place' FROM transfer_reversals WHERE campaign_id IS NOT NULL
			UNION ALL SELECT 'reversal: paid ' || CASE paid_minor WHEN 0 THEN 'nothing' WHEN amount_minor THEN 'all' ELSE 'a part' END FROM transfer_reversals WHERE state = 'done'`},
		{sim.runner.content, `SELECT 'ending: ' || outcome || ' to ' || goes_to FROM campaign_endings`},
		{sim.runner.content, `SELECT 'pledge: ' || to_status || ' by ' || cause FROM pledge_transitions`},
		{sim.runner.content, `SELECT 'pledge: ' || from_status || ' to ' || to_status FROM pledge_transitions WHERE from_status = 'disputed'`},
		{sim.runner.content, `SELECT 'raise: ' || status FROM pledge_raises`},
		{sim.runner.payments, `SELECT 'subscription: ' || from_status || ' to ' || to_status || ' by ' || cause FROM subscription_transitions`},
		{sim.runner.payments, `SELECT 'try: ' || outcome || ' ' || failure_code FROM subscription_tries`},
		{sim.runner.content, `SELECT 'support event: ' || type || ' ' || outcome FROM subscription_events`},
		{sim.runner.content, `SELECT 'event: ' || type || ' ' || outcome FROM payment_events`},
	} {
		names, err := query[string](ctx, s.conn, s.sql)
		if err != nil {
			return err
		}
		for _, n := range names {
			sim.reached[n]++
		}
	}
	if sim.theme.takesB {
		for _, t := range sim.mangopay.Snapshot().Transactions {
			sim.count("at B", strings.Join(strings.Fields(fmt.Sprint(t.Type, " ", t.Nature, " ", t.PayIn.PaymentType, " ", t.PayIn.ExecutionType, " ", t.Status, " ",
				t.ResultCode)), " "))
		}
	}
	return nil
}
