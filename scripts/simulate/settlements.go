package simulate

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	payments "talkoot.fi/payments/inproc"
)

// keptDays is how long what was paid by card is kept back in a run, so that it is released in its days.
const keptDays = 2

// second approves what operator has proposed.
var second = payments.Operator{Actor: "second", Note: "the simulation approves"}

// keepRates has the rates by which campaigns are settled: those of the platform, but for how long is kept back what cards have brought.
func (sim *simulation) keepRates(ctx context.Context) error {
	_, err := sim.runner.payments.Exec(ctx, `INSERT INTO settlement_rates (from_day, fee_points, vat_points, vat_country, reserve_points, actor, note, at, reserve_days)
		VALUES ('2020-01-02', 500, 2550, 'FI', 500, 'migration', 'of the simulation', now(), $1) ON CONFLICT DO NOTHING`, keptDays)
	if err != nil {
		return fmt.Errorf("keep the rates: %w", err)
	}
	return nil
}

// giveBank has the creator give a bank account at provider B, and confirm it there.
func (sim *simulation) giveBank(ctx context.Context) error {
	status := 0
	sim.as(ctx, creator, func(ctx context.Context) {
		sim.ask(ctx, sim.content, http.MethodPost, "/users/me/confirmations/", map[string]any{"password": membersPassword}, nil)
		status = sim.ask(ctx, sim.payments, http.MethodPost, "/api/users/mangopay/payout-banks", map[string]any{"IBAN": "FI2112345600000785", "first_name": "Maija",
			"last_name": "Meri", "address": map[string]any{"AddressLine1": "Opintie 14", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"},
			"return_url": site + "/profile/me/payouts/?back=1"}, nil)
	})
	refs, err := query[string](ctx, sim.runner.payments, `SELECT ref FROM payee_banks`)
	if err != nil || len(refs) != 1 {
		return fmt.Errorf("give a bank account: %d, %v, %w", status, refs, err)
	}
	if err := sim.mangopay.AnswerRecipient(refs[0], true); err != nil {
		return fmt.Errorf("confirm a bank account: %w", err)
	}
	sim.everyStep(ctx)
	return nil
}

// unsettled are the campaigns whose money is their creator's, and that have some at a provider which no run has.
const unsettled = `SELECT DISTINCT e.campaign_id::text FROM campaign_endings e JOIN campaign_accounts y USING (campaign_id) WHERE e.goes_to = 'creator' AND NOT EXISTS (SELECT FROM settlement_runs r
		WHERE r.campaign_id = e.campaign_id AND r.provider = y.provider AND r.state IN ('counting', 'proposed', 'approved'))
	AND (EXISTS (SELECT FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id WHERE r.campaign_id = e.campaign_id AND r.provider = y.provider AND k.released_minor > 0 AND k.sent_by IS NULL)
		OR EXISTS (SELECT FROM transfer_reversals v JOIN settlement_runs r ON r.id = v.run_id JOIN ledger_transactions t ON (t.provider, t.kind, t.reference) = (v.provider, 'transfer_reversed', v.ref)
			WHERE v.provider = y.provider AND coalesce(v.campaign_id, r.campaign_id) = e.campaign_id AND v.state = 'done' AND v.paid_minor < v.amount_minor
				AND NOT EXISTS (SELECT FROM settlement_restored s WHERE s.transaction_id = t.id))
		OR EXISTS (SELECT FROM payments p JOIN ledger_transactions t ON t.payment_id = p.id AND t.kind IN ('refund_withdrawn', 'dispute_lost_reversed')
			JOIN ledger_entries n ON n.transaction_id = t.id AND n.amount_minor < 0 JOIN ledger_accounts a ON a.id = n.account_id AND a.class = 'creator_payable'
			WHERE p.campaign_id = e.campaign_id AND t.provider = y.provider AND NOT EXISTS (SELECT FROM settlement_restored s WHERE s.transaction_id = t.id))
		OR EXISTS (SELECT FROM payments p JOIN attempts c ON c.id = p.paid_attempt_id JOIN ledger_transactions t ON t.provider = c.provider AND t.charge_ref = c.charge_ref
			JOIN ledger_entries n ON n.transaction_id = t.id JOIN ledger_accounts a ON a.id = n.account_id AND a.class = 'backer_funds'
			WHERE p.campaign_id = e.campaign_id AND p.subject_kind = 'pledge' AND NOT p.refused AND c.provider = y.provider HAVING sum(n.amount_minor) < 0))
	ORDER BY 1`

// proposeSettlement has a person propose to settle a campaign that has ended.
func (sim *simulation) proposeSettlement(ctx context.Context, o operation) {
	if id, some := pick(sim.rows(ctx, unsettled), o.n[0]); some {
		sim.propose(ctx, id)
	}
}

func (sim *simulation) propose(ctx context.Context, campaign string) bool {
	var id int64
	if _, err := fmt.Sscan(campaign, &id); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	return sim.onRuns("proposal", func(p *process) error {
		_, err := p.payments.ProposeSettlement(ctx, id, operator)
		return err
	})
}

// onRuns does something to runs; it may fail when the provider does, or when another was quicker: it is done again later.
func (sim *simulation) onRuns(what string, fn func(p *process) error) bool {
	err := sim.payments.do(fn)
	if err != nil {
		sim.note("%v", err)
		return false
	}
	sim.count("settlements", what)
	return true
}

// approveSettlement has another person approve what is proposed.
func (sim *simulation) approveSettlement(ctx context.Context, o operation) {
	if run, some := pick(sim.rows(ctx, proposed), o.n[0]); some {
		sim.approve(ctx, run)
	}
}

const proposed = `SELECT id || ' ' || hash FROM settlement_runs WHERE state = 'proposed' ORDER BY created_at, id`

func (sim *simulation) approve(ctx context.Context, run string) bool {
	var id, hash string
	if _, err := fmt.Sscan(run, &id, &hash); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	return sim.onRuns("approval", func(p *process) error { return p.payments.ApproveSettlement(ctx, id, hash, second) })
}

// runSettlements does the next steps of runs.
func (sim *simulation) runSettlements(ctx context.Context, _ operation) {
	for range 20 {
		n := 0
		err := sim.payments.do(func(p *process) (err error) {
			n, err = p.payments.RunSettlements(ctx)
			return err
		})
		if err != nil {
			sim.note("%v", err)
		}
		if n == 0 || errors.Is(err, errCrashed) || errors.Is(err, errDown) {
			return
		}
	}
}

// runReserves takes back what creators owe, pays debts by what was kept back, and releases what is due; it may fail when a provider does: it is run again
// later.
func (sim *simulation) runReserves(ctx context.Context, _ operation) {
	for range 20 {
		n := 0
		err := sim.payments.do(func(p *process) (err error) {
			n, err = p.payments.RunReserves(ctx)
			return err
		})
		if err != nil {
			sim.note("%v", err)
		}
		if n == 0 || err != nil {
			return
		}
	}
}

// settlersAct has people propose and approve what there is, and reports whether they did.
func (sim *simulation) settlersAct(ctx context.Context) (acted bool) {
	for _, campaign := range sim.rows(ctx, unsettled) {
		acted = sim.propose(ctx, campaign) || acted
	}
	for _, run := range sim.rows(ctx, proposed) {
		acted = sim.approve(ctx, run) || acted
	}
	for _, run := range sim.rows(ctx, stopped+` AND reason IN ('payout_failed', 'payout_returned', 'transfer_refused')`) {
		acted = sim.resumeRun(ctx, run) || acted
	}
	return acted
}

// stopped are the runs that wait for something.
const stopped = `SELECT id FROM settlement_runs WHERE state IN ('booked', 'sending', 'sent', 'paying') AND reason <> ''`

// goOn has a person let a run go on that waits.
func (sim *simulation) goOn(ctx context.Context, o operation) {
	if run, some := pick(sim.rows(ctx, stopped+` ORDER BY created_at, id`), o.n[0]); some {
		sim.resumeRun(ctx, run)
	}
}

func (sim *simulation) resumeRun(ctx context.Context, run string) bool {
	return sim.onRuns("resumed", func(p *process) error { return p.payments.ResumeSettlement(ctx, run, second) })
}
