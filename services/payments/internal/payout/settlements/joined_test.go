package settlements_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/sandbox/standin"
	sandbox "talkoot.fi/sandbox/stripe"
)

// paidOut is what has reached the creator's bank of a run, and stayed there.
func (w *worldA) paidOut(id string) (minor int64) {
	w.Scan(&minor, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM settlement_moves WHERE run_id = ? AND kind = 'payout' AND state = 'done'`, id)
	return minor
}

// Who approved a run leaves while a part of its transfer is being taken back: that is taken and pays the debt, and the rest waits for another person.
func TestPayOut_AnApproverLeavesWhileSomethingIsTakenBack(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100)
	w.refund(w.payments[0], 3000)
	w.LoseWebhooks()
	w.Fault(standin.CutBefore, manyTimes, http.MethodPost, "/v1/transfers/"+w.transferRef()+"/reversals")
	w.ok(w.App.Settlements.Resume(t.Context(), r.ID, second, why))
	_, _ = w.App.Settlements.Sweep(t.Context()) // asks, and does not hear
	if n := w.Count(`transfer_reversals WHERE state = 'open'`); n != 1 {
		t.Fatalf("%d are asked for", n)
	}
	w.operates(601, approver, false)
	for range 12 { // its fault ends
		w.Pass(11 * time.Minute)
		_, _ = w.App.Settlements.SweepReserves(t.Context())
		_, _ = w.App.Settlements.Sweep(t.Context())
	}
	w.want(r.ID, settlements.Sent, settlements.ApprovalMissing)
	w.wantOwed(0, 500, 0, 9000-2850)
	w.approve(w.run(r.ID).Run, second, nil)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.wantOwed(0, 500, 0, 0)
	if got := w.paidOut(r.ID); got != 9000-2850 {
		t.Errorf("%d paid out", got)
	}
	w.audit()
}

// What could not be taken back leaves for the bank, comes back, and is taken then: what reaches the creator and what pays the debt are the run, once.
func TestReversal_RefusedThenPaidOutThenReturned(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100)
	w.refund(w.payments[0], 3000)
	transport := &meanwhile{path: "/v1/transfers/" + w.transferRef() + "/reversals", do: func() { // the money is just not there
		w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -9000}))
	}}
	o := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = transport }).Settlements.Options
	w.ok(jobs.UntilNone(settlements.New(o).SweepReserves)(t.Context()))
	w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: 9000}))
	if n := w.Count(`transfer_reversals WHERE state = 'refused'`); n != 1 {
		t.Fatalf("%d were refused", n)
	}
	w.go_(r.ID)
	w.want(r.ID, settlements.Paying, "")
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.wantOwed(2350, 0, 0, 0) // what was kept back has paid 500
	w.failPayout("account_closed")
	w.Settle()
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.PayoutReturned)
	w.wantOwed(2350, 0, 0, 9000)
	w.go_(r.ID)
	w.Pass(time.Minute)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.wantOwed(0, 0, 0, 0)
	if got := w.paidOut(r.ID); got != 9000-2350 {
		t.Errorf("%d paid out", got)
	}
	w.audit()
}

// While tax data are missing nothing leaves for the bank, and what the creator owes is taken back all the same.
func TestReversal_WhileTaxDataAreMissing(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100)
	w.refund(w.payments[0], 3000)
	w.Exec(`INSERT INTO tax_records (user_id, asked_at, reminded_at, reminded_again_at) VALUES (?, '2020-01-01', '2020-01-02', '2020-02-01')`, owner)
	w.go_(r.ID)
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.TaxData)
	w.wantOwed(0, 500, 0, 9000-2850)
	w.sayWhoTheyAre()
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.wantOwed(0, 500, 0, 0)
	w.audit()
}

// A run of what was left out of an earlier one is sent while that one has come back and a debt is taken from it: neither pays the other's, or pays it again.
func TestPayOut_OfWhatWasLeftOut_WhileTheEarlierRunCameBack(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 50, 30)
	w.end()
	w.report(w.payments[0])
	r := w.approved()
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.failPayout("account_closed")
	w.Settle()
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.PayoutReturned)
	_, err := w.Sandbox.TopUp(20000)
	w.ok(err)
	w.Pass(8 * 24 * time.Hour)
	w.ok(w.App.Settlements.ProposeLeftOut(t.Context()))
	var list []settlements.Run
	w.Scan(&list, `SELECT id, hash, state FROM settlement_runs WHERE number = 2`)
	if len(list) != 1 || list[0].State != settlements.Proposed {
		t.Fatalf("proposed %+v", list)
	}
	w.approve(list[0], approver, nil)
	w.refund(w.payments[1], 3000) // all of the first run, of which 150 are our fee
	w.LoseWebhooks()
	w.Fault(standin.CutAfter, manyTimes, http.MethodPost, "/v1/transfers/"+w.transferRef()+"/reversals")
	w.ok(w.App.Settlements.Resume(t.Context(), r.ID, second, why))
	for range 16 {
		_, _ = w.App.Settlements.Sweep(t.Context())
		_, _ = w.App.Settlements.SweepReserves(t.Context())
		w.Pass(11 * time.Minute)
	}
	for range 3 {
		w.arrive()
		w.sweepReserves()
	}
	w.want(list[0].ID, settlements.Paid, "")
	shown := w.run(r.ID)
	if shown.State != settlements.Paid {
		t.Errorf("the first is %s (%s)", shown.State, shown.Reason)
	}
	if debt, at := w.book("creator_debt:stripe:3"), w.book("at_creator:stripe:3"); debt != 0 || at != 0 {
		t.Errorf("%d are owed, %d are on their account", debt, at)
	}
	// Of both runs the creator has 4500 + 250 kept back and 2700 + 150; 2850 of it have paid the refund.
	reserve := -w.book("reserve:stripe:3")
	if got := w.paidOut(r.ID) + w.paidOut(list[0].ID) + reserve - w.book("creator_payable:stripe:3"); got != 4750+2850-2850 {
		t.Errorf("the creator has %d of it", got)
	}
	w.audit()
}

// A run of which nothing is left before anybody has approved it ends by itself, so that what is free later is proposed again.
func TestApprove_OfNothing_EndsTheRun(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 50, 30)
	w.end()
	r := w.propose()
	_, err := w.Sandbox.TopUp(20000)
	w.ok(err)
	w.refund(w.payments[1], 3000)
	w.DisputeByHand(w.intentOf(0), 0)
	w.Settle()
	w.approve(r, approver, settlements.ErrChanged)
	w.want(r.ID, settlements.Void, settlements.NothingToSettle)
	w.Decide(w.DisputesAt(w.intentOf(0))[0].ID, "won")
	w.Settle()
	w.ok(w.App.Settlements.ProposeLeftOut(t.Context()))
	if n := w.Count(`settlement_runs WHERE state = 'proposed' AND gross_minor = 5000`); n != 1 {
		t.Errorf("%d runs of what a bank has given back", n)
	}
	w.audit()
}

// Who approves a run anew, whose approver has left, has not looked at a bank account that came meanwhile.
func TestApprove_Again_IsNoLookAtAnotherBankAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	w.booksOne(r.ID)
	w.operates(601, approver, false)
	w.Pass(3 * time.Minute)
	w.mustWork()
	shown := w.want(r.ID, settlements.Booked, settlements.ApprovalMissing)
	w.Bank("FI4950009420028730") // before the worker comes again
	w.approve(shown.Run, second, settlements.ErrChanged)
	if shown = w.want(r.ID, settlements.Booked, settlements.BankChanged); shown.Detail != "FI ···· 8730" || shown.NextAt != nil || len(shown.Approvals) != 0 {
		t.Errorf("it waits %+v", shown.Run)
	}
	w.go_(r.ID)
	w.Pass(4 * 24 * time.Hour)
	w.mustWork()
	w.approve(w.want(r.ID, settlements.Booked, settlements.ApprovalMissing).Run, second, nil)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.audit()
}
