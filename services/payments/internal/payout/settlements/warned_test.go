package settlements_test

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/payout/settlements"
	sandbox "talkoot.fi/sandbox/stripe"
)

// report has the holder of a payment's card report it as fraud, and gives our id of that.
func (w *worldA) report(payment string) (id int64) {
	w.T.Helper()
	_, err := w.Sandbox.Warn(sandbox.WarningOrder{Charge: w.chargeOf(payment)})
	w.ok(err)
	w.AwaitWebhooks()
	w.Settle()
	w.Scan(&id, `SELECT id FROM fraud_warnings WHERE payment_id = ? AND status = 'open'`, payment)
	return id
}

// While nobody has decided about a charge that was reported as fraud, it is left out of its creator's payout, for a week at most; then it is in the next run.
func TestRun_AtA_LeavesOutWhatWasReportedAsFraud(t *testing.T) {
	t.Parallel()
	operator := payments.Operator{Actor: maker, Note: why}
	for name, c := range map[string]struct {
		happen func(w *worldA, id int64)
		next   int64 // gross of the next run; 0 for none
	}{
		"it is dismissed":      {func(w *worldA, id int64) { w.ok(w.App.Payments.DismissWarning(t.Context(), id, operator)) }, 5000},
		"a week passes":        {func(w *worldA, _ int64) { w.Pass(warnings.Holds) }, 5000},
		"six days pass":        {func(w *worldA, _ int64) { w.Pass(warnings.Holds - 24*time.Hour - arrives) }, 0},
		"it is given back":     {func(w *worldA, id int64) { w.ok(w.App.Payments.RefundWarned(t.Context(), id, operator)); w.Settle() }, 0},
		"its bank disputes it": {func(w *worldA, _ int64) { w.DisputeByHand(w.intentOf(0), 0); w.AwaitWebhooks(); w.Settle() }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldA(t, 50, 30)
			w.end()
			id := w.report(w.payments[0])
			r := w.approved()
			if shown := w.run(r.ID); r.GrossMinor != 3000 || len(shown.Charges) != 1 || shown.Charges[0].PaymentID != w.payments[1] {
				t.Fatalf("the run is %+v", r)
			}
			w.mustWork()
			w.arrive()
			w.want(r.ID, settlements.Paid, "")
			_, err := w.Sandbox.TopUp(20000)
			w.ok(err)
			for range 2 { // what is not free yet, is not proposed
				w.ok(w.App.Settlements.ProposeLeftOut(t.Context()))
			}
			if n := w.Count(`settlement_runs`); n != 1 {
				t.Fatalf("%d runs before", n)
			}
			c.happen(w, id)
			for range 2 {
				w.ok(w.App.Settlements.ProposeLeftOut(t.Context()))
			}
			var list []settlements.Run
			w.Scan(&list, `SELECT state, gross_minor, proposed_by FROM settlement_runs WHERE number > 1`)
			if c.next == 0 && len(list) > 0 || c.next > 0 && (len(list) != 1 || list[0].GrossMinor != c.next || list[0].State != settlements.Proposed) {
				t.Errorf("it proposes %+v", list)
			}
			w.audit()
		})
	}
}

// A warning that comes after people have approved a run takes its charge out of it, as a dispute does.
func TestRun_AtA_WhatIsReportedAfterTheApproval_Leaves(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 50, 30)
	w.end()
	r := w.approved()
	w.report(w.payments[0])
	w.mustWork()
	w.want(r.ID, settlements.Proposed, "") // people look again
	if now := w.run(r.ID); now.GrossMinor != 3000 {
		t.Errorf("the run is %+v", now.Run)
	}
	w.audit()
}

// What was dismissed is opened again while its money is here, and holds the charge back then; not once it has left.
func TestRun_AtA_ADismissalIsTakenBackUntilTheChargeIsPaidOut(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 50, 30)
	w.end()
	operator := payments.Operator{Actor: maker, Note: why}
	id := w.report(w.payments[0])
	w.ok(w.App.Payments.DismissWarning(t.Context(), id, operator))
	r := w.approved()
	w.ok(w.App.Payments.ReopenWarning(t.Context(), id, operator))
	w.mustWork()
	if now := w.want(r.ID, settlements.Proposed, ""); now.GrossMinor != 3000 { // people look again
		t.Errorf("the run is %+v", now.Run)
	}
	w.ok(w.App.Payments.DismissWarning(t.Context(), id, operator))
	w.approve(w.run(r.ID).Run, approver, settlements.ErrChanged)
	w.approve(w.run(r.ID).Run, approver, nil)
	w.mustWork()
	w.arrive()
	if now := w.want(r.ID, settlements.Paid, ""); now.GrossMinor != 8000 {
		t.Errorf("the run is %+v", now.Run)
	}
	if err := w.App.Payments.ReopenWarning(t.Context(), id, operator); !isErr(err, warnings.ErrPaidOut) {
		t.Errorf("after the payout: %v", err)
	}
	w.audit()
}

// What was paid out already can be given back all the same; who decides is told before what becomes the creator's debt.
func TestRun_AtA_WhatIsReportedAfterThePayout_CostsTheCreator(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 50)
	w.end()
	r := w.approved()
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	_, err := w.Sandbox.TopUp(20000)
	w.ok(err)
	id := w.report(w.payments[0])
	left, creators, err := w.App.Payments.CostOfRefund(t.Context(), id)
	if err != nil || left != 5000 || creators != 4750 {
		t.Fatalf("a refund gives %d and costs the creator %d, %v", left, creators, err)
	}
	w.ok(w.App.Payments.RefundWarned(t.Context(), id, payments.Operator{Actor: maker, Note: why}))
	w.Settle()
	var debt int64
	w.Scan(&debt, `SELECT sum(e.amount_minor)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'creator_debt'`)
	if debt != creators {
		t.Errorf("the creator owes %d, %d were said", debt, creators)
	}
	w.audit()
}

func (w *worldA) intentOf(n int) (intent string) {
	w.T.Helper()
	w.Scan(&intent, fmt.Sprintf(`SELECT money_ref FROM attempts WHERE payment_id = '%s'`, w.payments[n]))
	return intent
}
