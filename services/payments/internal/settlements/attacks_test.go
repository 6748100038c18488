package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/settlements"
)

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
