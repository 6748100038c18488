package pledges_test

import (
	"errors"
	"slices"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
)

// twice is a pledge of 146.50 that was changed to 236.50.
func (w *world) twice(t *testing.T, me int64) (p pledges.View, r pledges.Raise) {
	t.Helper()
	p = w.paidByPost(t, me)
	r = w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Applied)
	return p, r
}

// What no bank has is its backer's to take back, and so is what a bank has, should it return that: whatever it decides, and when.
func TestDisputeOfOneCharge_TheRestIsTakenBack_AndTheChargeWhenItsBankReturnsIt(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p, r := w.twice(t, me)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Withdrawal.State != pledges.WithdrawalOpen || own.ContestedMinor != 90_00 {
		t.Errorf("may be taken back: %s; a bank has %d", own.Withdrawal.State, own.ContestedMinor)
	}
	own, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi")
	if err != nil {
		t.Fatal(err)
	}
	if own.Status != pledges.Withdrawn || own.ContestedMinor != 90_00 || w.reached(t) != 0 || w.reserved(t, w.posted) != 0 {
		t.Errorf("is %s, a bank has %d, reached %d, %d reserved", own.Status, own.ContestedMinor, w.reached(t), w.reserved(t, w.posted))
	}
	for _, id := range []string{p.ID, r.ID} { // also the one that a bank has: what it returns is the backer's
		if got := w.closedFor(t, id); !slices.Equal(got, []string{string(closing.Withdrawn)}) {
			t.Errorf("closed with %v", got)
		}
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload -> 'withdrawal' ->> 'minor' = '14650'
		AND payload -> 'withdrawal' ->> 'contested_minor' = '9000'`, mails.KindWithdrawal); n != 1 {
		t.Error("the mail does not say what goes back and what a bank has")
	}
	w.checkInvariants(t)

	w.mustApply(t, backOf(event(p, pledges.PaymentSucceeded), 146_50, 146_50, 0, "withdrawn"), pledges.Applied)
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND (payload -> 'refund' ->> 'disputed')::boolean`, mails.KindRefund); n != 1 {
		t.Error("the mail says that nothing more is charged, and a bank has some")
	}
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Withdrawn || own.AmountRefundedMinor != 146_50 || own.ContestedMinor != 90_00 {
		t.Errorf("is %s with %d back, a bank has %d", own.Status, own.AmountRefundedMinor, own.ContestedMinor)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentReinstated), pledges.Ignored) // the pledge does not come back
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Withdrawn || own.ContestedMinor != 0 {
		t.Errorf("is %s, a bank has %d", own.Status, own.ContestedMinor)
	}
	w.mustApply(t, backOf(ofRaise(r, pledges.PaymentReinstated), 90_00, 90_00, 0, "withdrawn"), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Refunded || own.AmountRefundedMinor != 236_50 {
		t.Errorf("is %s with %d back", own.Status, own.AmountRefundedMinor)
	}
	w.checkInvariants(t)
}

// All money at a bank is nobody's to take back here, however many charges it came by.
func TestDisputeOfAllCharges_NothingIsTakenBack(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p, r := w.twice(t, me)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	w.mustApply(t, event(p, pledges.PaymentDisputed), pledges.Applied)
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); !errors.Is(err, pledges.ErrContested) {
		t.Errorf("both charges: %v", err)
	}
	w.exec(t, `UPDATE rewards SET stock = 10 WHERE id = ?`, w.single)
	single := w.paidBy(t, me, w.single, pledges.Disputed)
	if _, err := w.WithdrawOwn(t.Context(), me, single.ID, "fi"); !errors.Is(err, pledges.ErrContested) {
		t.Errorf("the only charge: %v", err)
	}
	if own := w.ownOf(t, me, single.ID); own.ContestedMinor != own.Amount.Minor {
		t.Errorf("a bank has %d of %d", own.ContestedMinor, own.Amount.Minor)
	}
	w.checkInvariants(t)
}

// Everybody gets their money back: each charge goes back by itself, and what a bank has follows when it is won.
func TestDisputeOfOneCharge_EverythingBack_GivesTheOther(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p, r := w.twice(t, me)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	w.moveStage(t, campaigns.StageClosed)
	w.mustApply(t, backOf(event(p, pledges.PaymentSucceeded), 146_50, 146_50, 0, "campaign_canceled"), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Disputed || own.AmountRefundedMinor != 146_50 || own.ContestedMinor != 90_00 || w.reached(t) != 0 {
		t.Errorf("is %s with %d back, a bank has %d, reached %d", own.Status, own.AmountRefundedMinor, own.ContestedMinor, w.reached(t))
	}
	w.checkInvariants(t)
	w.mustApply(t, ofRaise(r, pledges.PaymentReinstated), pledges.Applied)
	w.mustApply(t, backOf(ofRaise(r, pledges.PaymentReinstated), 90_00, 90_00, 0, "campaign_canceled"), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Refunded || own.AmountRefundedMinor != 236_50 {
		t.Errorf("is %s with %d back", own.Status, own.AmountRefundedMinor)
	}
	w.checkInvariants(t)
}

// A person's sums count each charge where it is.
func TestListOwn_SumsOfADisputedPledge_CountEachChargeWhereItIs(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p, r := w.twice(t, me)
	want := func(when string, held, onItsWay, contested, returned int64) {
		t.Helper()
		page, err := w.ListOwn(t.Context(), me, "fi", "", 10, 0)
		if err != nil || len(page.Sums) != 1 {
			t.Fatalf("%v, %v", page.Sums, err)
		}
		if s := page.Sums[0]; s.HeldMinor != held || s.OnItsWayMinor != onItsWay || s.ContestedMinor != contested || s.ReturnedMinor != returned {
			t.Errorf("%s: %+v", when, s)
		}
	}
	want("paid", 236_50, 0, 0, 0)
	again := choice("b", 1, w.posted, 5, "300")
	again.AddedCost = new(1)
	more := w.raised(t, me, p.ID, again)
	processing := ofRaise(more, pledges.PaymentProcessing)
	processing.Method = "SEPA"
	w.mustApply(t, processing, pledges.Applied)
	want("a further charge is on its way", 236_50, 63_50, 0, 0)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	want("a bank has one charge", 146_50, 63_50, 90_00, 0)
	first := event(p, pledges.PaymentRefunded)
	first.RefundMinor, first.RefundedMinor = 46_50, 46_50
	w.mustApply(t, first, pledges.Applied)
	want("a part of the other went back", 100_00, 63_50, 90_00, 46_50)
	w.mustApply(t, ofRaise(more, pledges.PaymentFailed), pledges.Applied)
	w.moveStage(t, campaigns.StageSucceeded)
	want("what no bank has is its campaign's", 0, 0, 90_00, 46_50)
}

// Who has money that a bank decides about stays until that is over, also when the pledge was taken back or never had it.
func TestErase_MoneyAtABankKeepsItsPersonWhateverThePledgeIs(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	kept := func(when string, want bool, decided ...string) {
		t.Helper()
		err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
			_, err := w.Lock(t.Context(), tx, me, leena, decided)
			return err
		})
		k, err2 := w.KeptOf(t.Context(), me, leena, decided, "fi")
		if errors.Is(err, pledges.ErrUndecided) != want || err2 != nil || len(k.Undecided) > 0 != want {
			t.Errorf("%s: %v, %v, %v", when, err, k.Undecided, err2)
		}
	}
	p, r := w.twice(t, me)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	kept("disputed", true)
	kept("disputed, which the bank has decided to keep", false, ofRaise(r, pledges.PaymentDisputed).PaymentID)
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
		t.Fatal(err)
	}
	kept("taken back while a bank has one charge", true)
	w.mustApply(t, backOf(event(p, pledges.PaymentSucceeded), 146_50, 146_50, 0, "withdrawn"), pledges.Applied)
	kept("the rest is back", true)
	further := ofRaise(r, pledges.PaymentDisputed).PaymentID
	kept("the bank keeps it by its decision", false, further)
	kept("a bank has decided about another", true, "another")
	w.mustApply(t, ofRaise(r, pledges.PaymentReinstated), pledges.Ignored)
	kept("the bank has decided", false)

	in := w.input(0, "10")
	in.UserID = &me
	late := w.mustCreate(t, in)
	if err := w.Release(t.Context(), late.ID); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, event(late, pledges.PaymentSucceeded), pledges.PledgeClosed)
	kept("money that nobody has asked", false)
	w.mustApply(t, event(late, pledges.PaymentDisputed), pledges.Ignored)
	kept("money that was not accepted, at a bank", true)
	lateID := event(late, pledges.PaymentDisputed).PaymentID
	kept("the bank keeps what was not accepted", false, lateID)
	if ids, err := w.Contested(t.Context(), me, leena); err != nil || !slices.Equal(ids, []string{lateID}) {
		t.Errorf("banks have %q, %v", ids, err)
	}
	w.mustApply(t, event(late, pledges.PaymentReinstated), pledges.Ignored)
	kept("that is over", false)
}
