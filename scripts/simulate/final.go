package simulate

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	content "talkoot.fi/content/inproc"
	"talkoot.fi/scripts/audit"
)

// finalPaymentRules hold in the payment service's database when nothing is pending at the end of a run.
var finalPaymentRules = []rule{
	{"at rest no payment is open", `SELECT format('payment %s is %s', id, status) FROM payments WHERE status IN ('created', 'requires_action', 'processing')`},
	{"at rest no attempt is live or held", `SELECT format('attempt %s is %s', id, status) FROM attempts WHERE status IN ('creating', 'open', 'held')`},
	{"at rest no refund is under way or failed", `SELECT format('refund %s (%s) is %s: %s', id, reason, status, failure_code) FROM refunds WHERE status IN ('creating', 'pending', 'failed')`},
	{"at rest no dispute is open", `SELECT format('dispute %s is %s', provider_ref, status) FROM disputes WHERE status IN ('inquiry', 'open')`},
	{"at rest nothing is owed, held, contested or on hold", `
		SELECT format('charge %s: %s at %s', t.charge_ref, a.name, sum(e.amount_minor))
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.class IN ('owed_to_backers', 'held_funds', 'disputed_funds', 'dispute_hold', 'suspense')
		GROUP BY t.charge_ref, a.name HAVING sum(e.amount_minor) <> 0`},
	{"at rest nothing is being taken back", `SELECT format('reversal %s of run %s', id, run_id) FROM transfer_reversals WHERE state = 'open'`},
	{"at rest no webhook waits", `SELECT format('%s after %s tries: %s', type, attempts, last_error) FROM webhook_events WHERE status = 'received'`},
	{"at rest every event is delivered", `SELECT format('%s %s after %s tries: %s', id, kind, attempts, last_error) FROM outbox WHERE done_at IS NULL`},
	{"at rest no anomaly is open", `SELECT format('%s %s: %s', kind, reference, detail) FROM anomalies WHERE resolved_at IS NULL`},
	{"every fee is known", `SELECT format('attempt %s', id) FROM attempts WHERE charge_ref <> '' AND fee_minor IS NULL`},
}

var finalContentRules = []rule{
	{"at rest every pledge is decided", `SELECT format('pledge %s is %s', id, status) FROM pledges WHERE status IN ('created', 'awaiting_payment', 'processing')`},
	{"at rest every change is decided", `SELECT format('raise %s is %s', id, status) FROM pledge_raises WHERE status IN ('created', 'awaiting_payment', 'processing')`},
	{"at rest every message is delivered", `SELECT format('%s %s after %s tries: %s', id, kind, attempts, last_error) FROM outbox WHERE done_at IS NULL`},
	{"at rest every campaign has ended whose last day is over", `SELECT format('campaign %s', id) FROM campaigns WHERE stage = 2 AND hold = '' AND funding_deadline < created_at + interval '3 days'`},
}

// checkEnd checks what must hold when nothing is pending at the end of a run.
func (sim *simulation) checkEnd(ctx context.Context) error {
	if err := sim.check(ctx, sim.runner.payments, finalPaymentRules); err != nil {
		return err
	}
	if err := sim.check(ctx, sim.runner.content, finalContentRules); err != nil {
		return err
	}
	if sim.theme.span > 0 {
		if err := sim.checkSupport(ctx); err != nil {
			return err
		}
	}
	if err := sim.countStates(ctx); err != nil {
		return err
	}
	all := truth{net: map[string]int64{}, taken: map[string]string{}}
	for _, t := range sim.takers() {
		its := t.truth()
		if err := errors.Join(sim.checkClearing(ctx, t.name, its), sim.checkCreators(ctx, t.name, its)); err != nil {
			return err
		}
		maps.Copy(all.net, its.net)
		maps.Copy(all.taken, its.taken)
	}
	if err := sim.checkBackers(ctx, all); err != nil {
		return err
	}
	var drift []content.Drift
	var stale []content.Stale
	err := sim.content.do(func(p *process) (err error) {
		if drift, err = p.content.Recompute(ctx); err == nil {
			stale, err = p.content.Stale(ctx)
		}
		return err
	})
	for _, row := range stale {
		sim.find("lists and pages are what their sources make of them", "%+v", row)
	}
	for _, d := range drift {
		sim.find("totals are what pledges add up to", "%+v", d)
	}
	if err != nil {
		return err
	}
	return sim.audit(ctx)
}

// audit runs package audit, which checks most of these rules independently.
func (sim *simulation) audit(ctx context.Context) error {
	sources := audit.Sources{
		ContentURL: sim.runner.databases.ContentURL, PaymentsURL: sim.runner.databases.PaymentsURL, Provider: "http://stripe.example",
		Key: stripeKey, Transport: sim.sandbox.Transport(), Shared: true, Now: sim.clock.peek,
	}
	if sim.theme.takesB {
		sources.Mangopay = audit.Mangopay{URL: "http://mangopay.example", ClientID: "talkoot", Key: mangopayKey,
			Transport: sim.mangopay.Transport(), Sleep: sim.waitForReport}
	}
	report, err := audit.Run(ctx, sources)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	for _, f := range report.Findings {
		sim.find("the audit finds nothing: "+f.Check, "%s", f.Detail)
	}
	return nil
}

// checkClearing compares our balance at a provider in the ledger with the provider's own.
func (sim *simulation) checkClearing(ctx context.Context, name string, its truth) error {
	sum, err := query[int64](ctx, sim.runner.payments, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e
		JOIN ledger_accounts a ON a.id = e.account_id JOIN ledger_transactions t ON t.id = e.transaction_id
		WHERE a.class = 'provider_clearing' AND t.provider = $1`, name)
	if err != nil {
		return err
	}
	if sum[0] != its.balance {
		sim.find("the ledger's balance is the provider's", "at %s: ours %d, theirs %d", name, sum[0], its.balance)
	}
	return nil
}

// checkCreators compares what creators owe with what the provider has of it: what is left of backers' money there is theirs to have, but for our fee and what was
// never settled; so what they have had beyond that, and what is still to come to them, is their debt.
func (sim *simulation) checkCreators(ctx context.Context, name string, its truth) error {
	left := int64(0)
	for _, net := range its.net {
		left += net
	}
	var debt, payable, reserve, others, byHand int64
	err := sim.runner.payments.QueryRow(ctx, `SELECT coalesce(sum(e.amount_minor) FILTER (WHERE a.class = 'creator_debt'), 0)::bigint,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'creator_payable'), 0)::bigint, coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'reserve'), 0)::bigint,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class IN ('backer_funds', 'platform_revenue', 'vat', 'loss')), 0)::bigint,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'bank' AND t.kind = 'refund_by_hand'), 0)::bigint
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id WHERE t.provider = $1`, name).
		Scan(&debt, &payable, &reserve, &others, &byHand)
	if err != nil {
		return fmt.Errorf("add up what creators owe: %w", err)
	}
	if is := its.sent + payable + reserve + others + byHand - left; debt != is {
		sim.find("what creators owe is what they have had beyond what is theirs", "at %s: they owe %d, have had %d, are to have %d and %d; %d are others', %d were sent by hand, of what backers paid %d is left", name, debt, its.sent, payable, reserve, others, byHand, left)
	}
	return nil
}

// chargeRow is the money of one charge in our ledger, in minor units.
type chargeRow struct {
	Charge, Payment, Status, Kind, Subject string
	Funds, Loss, ByHand                    int64
	GivenUp                                int64 // of a creator's debt: the backer has it, and nobody keeps it
}

// checkBackers checks each backer's money: what they paid at the provider, less what was returned by refunds, disputes
// or by hand, is what their pledge keeps.
func (sim *simulation) checkBackers(ctx context.Context, all truth) error {
	rows, err := sim.runner.payments.Query(ctx, `SELECT a.charge_ref, p.id, p.status, p.subject_kind,
			CASE WHEN p.further_of IS NULL OR p.refused THEN p.subject_id ELSE p.further_of END,
			coalesce(-sum(e.amount_minor) FILTER (WHERE c.class IN ('backer_funds', 'creator_payable', 'reserve', 'creator_debt', 'platform_revenue', 'vat')), 0)::bigint,
			coalesce(sum(e.amount_minor) FILTER (WHERE c.class = 'loss'), 0)::bigint,
			coalesce(-sum(e.amount_minor) FILTER (WHERE c.class = 'bank'), 0)::bigint,
			greatest(coalesce(sum(e.amount_minor) FILTER (WHERE c.class = 'loss' AND t.kind = 'write_off'), 0)
				+ least(coalesce(sum(e.amount_minor) FILTER (WHERE c.class = 'loss' AND e.amount_minor < 0), 0), 0), 0)::bigint
		FROM attempts a JOIN payments p ON p.id = a.payment_id
		LEFT JOIN ledger_transactions t ON t.charge_ref = a.charge_ref LEFT JOIN ledger_entries e ON e.transaction_id = t.id
		LEFT JOIN ledger_accounts c ON c.id = e.account_id WHERE a.charge_ref <> '' GROUP BY a.id, p.id ORDER BY a.id`)
	if err != nil {
		return fmt.Errorf("read the charges: %w", err)
	}
	charges, err := pgx.CollectRows(rows, pgx.RowToStructByPos[chargeRow])
	if err != nil {
		return fmt.Errorf("read the charges: %w", err)
	}
	kept, disputed := map[string]int64{}, map[string]bool{}
	for _, c := range charges {
		if want := all.net[c.Charge]; c.Funds+c.ByHand-c.Loss != want {
			sim.find("a charge's money is where the provider says",
				"charge %s: %d kept, %d by hand, %d lost, the provider has %d of it", c.Charge, c.Funds, c.ByHand, c.Loss, want)
		}
		delete(all.taken, c.Charge)
		kept[c.Subject] += c.Funds - c.GivenUp
		disputed[c.Subject] = disputed[c.Subject] || c.Status == "disputed"
	}
	for id, payment := range all.taken {
		sim.find("every charge with our tag is known", "charge %s of payment %s", id, payment)
	}
	return sim.checkPledges(ctx, kept, disputed)
}

// pledgeRow is a pledge, with its amounts in minor units.
type pledgeRow struct {
	ID, Status       string
	Amount, Refunded int64
}

// checkPledges compares the amounts of pledges with what the ledger has for them. A pledge with a lost dispute counts
// nothing in its campaign's total.
func (sim *simulation) checkPledges(ctx context.Context, kept map[string]int64, disputed map[string]bool) error {
	rows, err := sim.runner.content.Query(ctx, `SELECT id, status, amount_minor, amount_refunded_minor FROM pledges ORDER BY created_at`)
	if err != nil {
		return fmt.Errorf("read the pledges: %w", err)
	}
	pledges, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pledgeRow])
	if err != nil {
		return fmt.Errorf("read the pledges: %w", err)
	}
	for _, p := range pledges {
		want := int64(0)
		switch p.Status {
		case "paid", "partly_refunded":
			want = p.Amount - p.Refunded
		case "disputed":
			if !disputed[p.ID] {
				sim.find("both services know a dispute", "pledge %s is disputed, its payment is not", p.ID)
			}
			want = min(kept[p.ID], p.Amount) // of a dispute of a part the rest is kept
		}
		if kept[p.ID] != want {
			sim.find("a pledge keeps what its backer has paid", "pledge %s is %s of %d, refunded %d: the ledger keeps %d", p.ID,
				p.Status, p.Amount, p.Refunded, kept[p.ID])
		}
		// A pledge whose money was refused is not touched by a dispute of that money.
		if disputed[p.ID] && (p.Status == "paid" || p.Status == "partly_refunded") {
			sim.find("both services know a dispute", "pledge %s is %s, its payment is disputed", p.ID, p.Status)
		}
	}
	return nil
}
