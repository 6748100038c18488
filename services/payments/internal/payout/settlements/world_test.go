package settlements_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
	sandbox "talkoot.fi/sandbox/mangopay"
)

const (
	maker    = "maija"
	approver = "aino"
	second   = "outi"
	why      = "test"
	campaign = 7
)

// runs is what people and the worker do to a campaign's money, at whichever provider it is.
type runs struct {
	of       *paymentstest.World
	payments []string // of its pledges
}

// world is a campaign that is paid at provider B.
type world struct {
	*paymentstest.B
	runs
	own string // the creator's own wallet

	isTakenByHand bool // something of it, which we may not have heard of
}

// newWorld makes a campaign whose creator has a bank account, with a paid pledge of each sum.
func newWorld(t *testing.T, euros ...int64) *world {
	t.Helper()
	w := &world{}
	w.B = paymentstest.NewB(t, func(c *app.Config) {
		c.MangopaySleep = func(ctx context.Context, _ time.Duration) error {
			w.Pass(3 * time.Second)
			_, err := w.At.RunDue(ctx)
			return err
		}
	})
	w.of = w.World
	w.appoint()
	w.Bank("FI2112345600000785")
	for _, e := range euros {
		w.pay(e)
	}
	w.Scan(&w.own, `SELECT wallet_ref FROM payees`)
	return w
}

func (w *world) pay(euros int64) string { return w.payCents(euros * 100) }

func (w *world) payCents(minor int64) string {
	w.T.Helper()
	pledge := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor = minor })
	paid := w.Pay(w.Order(pledge, paymentstest.PlainCard))
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.payments = append(w.payments, paid.Payment.ID)
	return paid.Payment.ID
}

// appoint has those who approve here answer for money.
func (w *runs) appoint() {
	w.of.T.Helper()
	for i, name := range []string{approver, second, maker} {
		w.operates(int64(601+i), name, true)
	}
}

// operates says whether an account is an operator's.
func (w *runs) operates(user int64, name string, is bool) {
	w.of.T.Helper()
	err := desk.Appoint(w.of.T.Context(), w.of.App.DB, desk.Operator{UserID: user, Name: name, IsOperator: is, Actor: maker, Note: why, At: w.of.Now()})
	if err != nil {
		w.of.T.Fatal(err)
	}
}

// end ends the campaign with all its money.
func (w *runs) end() {
	w.of.T.Helper()
	var paid struct {
		Pledges int
		Minor   int64
	}
	w.of.Scan(&paid, `SELECT count(*) AS pledges, coalesce(sum(amount_minor - amount_refunded_minor), 0)::bigint AS minor FROM payments WHERE status IN ('succeeded', 'partly_refunded')`)
	err := w.of.App.Endings.End(w.of.T.Context(), endings.Ending{CampaignID: campaign, Outcome: endings.Reached, GoesTo: endings.ToCreator, EndedAt: w.of.Now(),
		Accepted: paid.Pledges, AcceptedMinor: paid.Minor, Currency: "EUR"})
	if err != nil {
		w.of.T.Fatal(err)
	}
}

func (w *runs) chargeOf(payment string) (charge string) {
	w.of.Scan(&charge, `SELECT charge_ref FROM attempts WHERE payment_id = ? AND charge_ref <> ''`, payment)
	return charge
}

func (w *runs) propose() settlements.Run {
	w.of.T.Helper()
	list, err := w.of.App.Settlements.Propose(w.of.T.Context(), campaign, maker, why)
	if err != nil || len(list) != 1 {
		w.of.T.Fatalf("proposed %+v, %v", list, err)
	}
	return list[0]
}

// approved is a run that enough people have approved; the worker has not begun.
func (w *runs) approved() settlements.Run {
	w.of.T.Helper()
	r := w.propose()
	for _, who := range []string{approver, second}[:r.Needed()] {
		w.approve(r, who, nil)
	}
	return r
}

func (w *runs) approve(r settlements.Run, who string, want error) {
	w.of.T.Helper()
	if _, err := w.of.App.Settlements.Approve(w.of.T.Context(), r.ID, r.Hash, who, why); !isErr(err, want) {
		w.of.T.Errorf("approving answered %v, want %v", err, want)
	}
}

// work does all that is due of runs; it gives the fault.
func (w *runs) work() error {
	w.of.T.Helper()
	return jobs.UntilNone(w.of.App.Settlements.Sweep)(w.of.T.Context())
}

func (w *runs) mustWork() {
	w.of.T.Helper()
	if err := w.work(); err != nil {
		w.of.T.Fatal(err)
	}
}

// arrive has payouts reach the bank, and the worker see it.
func (w *world) arrive() {
	w.T.Helper()
	w.Pass(25 * time.Hour)
	w.RunDue()
	w.mustWork()
}

func (w *runs) run(id string) settlements.Shown {
	w.of.T.Helper()
	r, err := w.of.App.Settlements.Show(w.of.T.Context(), id)
	if err != nil {
		w.of.T.Fatal(err)
	}
	return r
}

func (w *runs) want(id string, state settlements.State, reason settlements.Reason) settlements.Shown {
	w.of.T.Helper()
	r := w.run(id)
	if r.State != state || r.Reason != reason {
		w.of.T.Fatalf("the run is %s (%s: %s), want %s (%s)", r.State, r.Reason, r.Detail, state, reason)
	}
	return r
}

// refund gives money of a payment back and has it arrive.
func (w *runs) refund(payment string, minor int64) {
	w.of.T.Helper()
	w.of.Refund(payment, minor, refunds.Requested)
	w.of.Tidy()
	if _, err := w.of.App.Deliver(w.of.T.Context(), 100); err != nil {
		w.of.T.Fatal(err)
	}
}

// dispute has a bank take the money of a payment, and the service hear of it.
func (w *world) dispute(payment string) (id string) {
	w.T.Helper()
	charge := ""
	w.Scan(&charge, `SELECT charge_ref FROM attempts WHERE payment_id = ? AND charge_ref <> ''`, payment)
	id = w.openDispute(charge)
	w.hear(payment)
	return id
}

func (w *world) openDispute(charge string) string {
	w.T.Helper()
	id, err := w.At.OpenDispute(sandbox.DisputeOrder{PayIn: charge, Type: "CONTESTABLE", Reason: "FRAUD"})
	if err != nil {
		w.T.Fatal(err)
	}
	return id
}

func (w *world) hear(payment string) {
	w.T.Helper()
	if _, err := w.App.Payments.Advance(w.T.Context(), payment, "dispute"); err != nil {
		w.T.Fatal(err)
	}
	w.Settle()
}

func (w *world) decide(dispute, payment, result string) {
	w.T.Helper()
	if err := w.At.DecideDispute(dispute, result); err != nil {
		w.T.Fatal(err)
	}
	w.hear(payment)
}

// held is what a wallet has at the provider.
func (w *world) held(id string) int64 {
	w.T.Helper()
	var at struct{ Balance struct{ Amount int64 } }
	w.Provide(http.MethodGet, "/wallets/"+id+"?ScaContext=USER_NOT_PRESENT", "", &at)
	return at.Balance.Amount
}

// audit is what must be true at the end of every story: the book is the provider's, line by line and wallet by wallet.
func (w *world) audit() {
	w.T.Helper()
	w.Audit()
	at, ok := w.App.Providers[mangopay.Name]
	if !ok {
		w.T.Fatal("provider B is off")
	}
	found, err := w.App.Reconcile.Lines(w.T.Context(), at, time.Now().Add(-time.Hour), w.Now().Add(time.Hour))
	if err != nil || found.Differ > 0 {
		var detail []string
		w.Scan(&detail, `SELECT reference || ' ' || detail::text FROM anomalies WHERE resolved_at IS NULL`)
		w.T.Errorf("the book differs from provider B %d times (%v): %v", found.Differ, err, detail)
	}
	for account, place := range map[string]string{"provider_clearing:mangopay:" + w.Wallet.ID: w.Wallet.ID, "at_creator:mangopay:3": w.own} {
		var minor int64
		w.Scan(&minor, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = ?`, account)
		if w.Count(`settlement_moves WHERE state = 'open' AND kind = 'payout'`) > 0 {
			continue // what is on its way has left the wallet, and is not booked
		}
		if there := w.held(place); there != minor {
			w.T.Errorf("%s is %d, the provider has %d", account, minor, there)
		}
	}
	for rule, query := range map[string]string{
		"no line twice": `(SELECT charge_ref FROM settlement_lines WHERE booked_at IS NOT NULL AND gross_minor > 0 GROUP BY 1 HAVING count(*) > 1) x`,
		"a booked line is in the book": `settlement_lines l WHERE booked_at IS NOT NULL AND gross_minor > 0 AND NOT EXISTS (SELECT FROM ledger_transactions t
			WHERE t.kind = 'settlement' AND t.reference = l.run_id || ':' || l.charge_ref AND t.amount_minor = l.gross_minor)`,
		"one transfer a run": `(SELECT run_id FROM settlement_moves WHERE kind = 'transfer' AND state = 'done' GROUP BY 1 HAVING count(*) > 1) x`,
	} {
		if n := w.Count(query); n > 0 {
			w.T.Errorf("%s: %d times not", rule, n)
		}
	}
}
