package simulate

import (
	"context"
	"fmt"

	"talkoot.fi/kit/money"
	payments "talkoot.fi/payments/inproc"
)

// settlePayment settles what a campaign has of a payment, as the line of a settlement that was approved a moment ago; or, now and
// then, as it was before something of it was given back.
func (sim *simulation) settlePayment(ctx context.Context, o operation) {
	charges, err := query[string](ctx, sim.runner.payments, `
		SELECT p.id || ' ' || p.payee_user_id || ' ' || -sum(e.amount_minor) FROM payments p JOIN attempts c ON c.id = p.paid_attempt_id
		JOIN ledger_transactions t ON t.provider = c.provider AND t.charge_ref = c.charge_ref JOIN ledger_entries e ON e.transaction_id = t.id
		JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'backer_funds'
		GROUP BY p.id HAVING sum(e.amount_minor) < 0 ORDER BY p.created_at, p.id`)
	if err != nil {
		sim.find("the simulation works", "%v", err)
		return
	}
	chosen, some := pick(charges, o.n[0])
	if !some {
		return
	}
	line := payments.SettlementLine{Run: sim.key(), Country: "FI"}
	if _, err := fmt.Sscan(chosen, &line.PaymentID, &line.Payee, &line.Amount.Minor); err != nil {
		sim.find("the simulation works", "%v", err)
		return
	}
	if o.n[1]%10 == 0 {
		line.Amount.Minor++
	}
	line.Amount.Currency = money.EUR
	fee := line.Amount.Minor * int64(o.n[2]%11) / 100
	line.Shares = payments.Shares{Revenue: fee - fee/5, VAT: fee / 5, Reserve: line.Amount.Minor * int64(o.n[3]%11) / 100}
	for range 1 + o.n[1]%2 { // a run that was cut repeats its line
		sim.operate("settlement", func(p *process) error { return p.payments.Settle(ctx, line) })
	}
}

func (sim *simulation) payDebt(ctx context.Context, o operation) {
	indebted := sim.rows(ctx, `SELECT t.payment_id FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
		JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'creator_debt' GROUP BY 1 HAVING sum(e.amount_minor) > 0 ORDER BY 1`)
	if id, some := pick(indebted, o.n[0]); some {
		sim.operate("payment of a debt", func(p *process) error { return p.payments.PayDebt(ctx, id) })
	}
}
