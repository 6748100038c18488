package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/settlements"
)

// Two approvals are two people's who answer for money when the second one comes, each of what the run is then: not one person's under two
// spellings, not of who has left meanwhile, not of a run that has changed and changed back, and not of one whose money would go to a bank
// account that nobody has seen.
func TestApprove_CountsPeopleWhoSawTheRunAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 5000, 100)
	w.end()
	r := w.propose()
	appoint := func(is bool) {
		t.Helper()
		err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Ilkka Mäkelä", IsOperator: is, Actor: maker, Note: why, At: w.Now()})
		if err != nil {
			t.Fatal(err)
		}
	}
	approvals := func(when string, n int) settlements.Run {
		t.Helper()
		shown := w.want(r.ID, settlements.Proposed, "")
		if len(shown.Approvals) != n {
			t.Fatalf("%s: approved by %q, want %d", when, shown.Approvals, n)
		}
		return shown.Run
	}
	for _, spelling := range []string{"Ilkka Mäkelä", "ILKKA MÄKELÄ", "Ilkka  Ma\u0308kela\u0308", " ilkka mäkelä"} {
		w.approve(r, spelling, nil)
	}
	approvals("one person in four spellings", 1)

	contested := w.dispute(w.payments[1])
	w.Settle()
	w.approve(r, second, settlements.ErrChanged)
	w.decide(contested, w.payments[1], "WON")
	w.Settle()
	w.approve(approvals("without the contested charge", 0), second, settlements.ErrChanged)
	back := approvals("as it was before", 0)
	w.approve(back, second, nil)
	approvals("approved as it was before, and once as it is", 1)

	w.Bank("FI4950009420028730")
	w.approve(back, "Ilkka Mäkelä", settlements.ErrChanged)
	r = approvals("to another bank account", 0)
	appoint(true)
	w.approve(r, "ilkka mäkelä", nil)
	appoint(false)
	w.approve(r, second, nil)
	approvals("who has left approves nothing any more", 1)
	w.approve(r, approver, nil)
	w.want(r.ID, settlements.Approved, "")
}

// Who joins two accounts of theirs here leaves no debt behind, and what came back before does not stand in the way: the book knows an account
// at the provider by the number that its owner had first.
func TestRun_OfWhoHasJoinedTwoAccounts_PaysWhatTheyOweUnderTheEarlierNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	first := w.paid(w.propose())
	var ref string
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'payout'`)
	if err := w.At.ReturnPayOut(ref, "BANKACCOUNT_HAS_BEEN_CLOSED"); err != nil {
		t.Fatal(err)
	}
	w.Pass(25 * time.Hour)
	w.mustWork()
	w.want(first.ID, settlements.Sent, settlements.PayoutReturned)
	if err := w.App.Payees.Merge(t.Context(), owner, 77); err != nil {
		t.Fatal(err)
	}
	w.refund(w.payments[0], 3000)
	second, _ := w.another(50)
	w.approve(second, approver, nil)
	w.mustWork()
	w.arrive()
	if shown := w.want(second.ID, settlements.Paid, ""); shown.OffsetMinor != 2850 || shown.NetMinor != 4500 {
		t.Errorf("it is %+v", shown.Run)
	}
	w.audit()
}
