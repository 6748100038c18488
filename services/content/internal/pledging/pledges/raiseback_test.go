package pledges_test

import (
	"slices"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/pledges"
)

func TestRaise_TakenBack_BothChargesGoBack(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	first := event(p, pledges.PaymentSucceeded)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	further := ofRaise(r, pledges.PaymentSucceeded)
	w.mustApply(t, further, pledges.Applied)
	open := w.raised(t, me, p.ID, choice("b", 1, w.posted, 5, "300"))
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{p.ID, r.ID, open.ID} {
		if got := w.closedFor(t, id); !slices.Equal(got, []string{"withdrawn"}) {
			t.Errorf("closed with %v", got)
		}
	}
	w.mustApply(t, ofRaise(open, pledges.PaymentSucceeded), pledges.PledgeClosed)
	w.mustApply(t, backOf(further, 90_00, 90_00, 0, "withdrawn"), pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Withdrawn {
		t.Errorf("is %s while the first charge is not back", got)
	}
	w.mustApply(t, backOf(first, 146_50, 146_50, 0, "withdrawn"), pledges.Applied)
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND (payload -> 'refund' ->> 'left_minor')::bigint > 0`, mails.KindRefund); n != 0 {
		t.Errorf("%d mails say that something stays charged", n)
	}
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Refunded || own.AmountRefundedMinor != 236_50 {
		t.Errorf("is %+v", own)
	}
	if w.reached(t) != 0 || w.reserved(t, w.posted) != 0 {
		t.Error("something is left")
	}
	w.checkInvariants(t)
}

func TestRaise_ThatABankConfirmsWhileThePledgeIsTakenBack_GoesBack(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	w.mustApply(t, ofRaise(r, pledges.PaymentProcessing), pledges.Applied)
	if n := w.number(t, `SELECT funding_settling_minor FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 90_00 {
		t.Errorf("%d on their way", n)
	}
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
		t.Fatal(err)
	}
	w.checkInvariants(t)
	success := ofRaise(r, pledges.PaymentSucceeded)
	w.mustApply(t, success, pledges.PledgeClosed)
	w.mustApply(t, backOf(success, 90_00, 90_00, 0, "pledge_closed"), pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Withdrawn {
		t.Errorf("the pledge is %s: its own money is not back", got)
	}
	w.checkInvariants(t)
}

// Each bank decides about its own charge: the pledge is disputed while one has some, and counts what none has.
func TestRaise_ADisputeOfOneCharge_LeavesTheOtherCounted(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Applied)
	is := func(want pledges.Status, reached int64) {
		t.Helper()
		if got := w.statusOf(t, p.ID); got != want || w.reached(t) != reached {
			t.Errorf("is %s with %d, want %s with %d", got, w.reached(t), want, reached)
		}
		w.checkInvariants(t)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	is(pledges.Disputed, 146_50)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Ignored)
	late := event(p, pledges.PaymentDisputed)
	w.mustApply(t, event(p, pledges.PaymentReinstated), pledges.Ignored) // of the other charge, which no bank has
	w.mustApply(t, late, pledges.Ignored)                                // over already when it comes
	is(pledges.Disputed, 146_50)
	w.mustApply(t, event(p, pledges.PaymentDisputed), pledges.Applied)
	is(pledges.Disputed, 0)
	w.mustApply(t, ofRaise(r, pledges.PaymentReinstated), pledges.Applied)
	is(pledges.Disputed, 90_00)
	w.mustApply(t, event(p, pledges.PaymentReinstated), pledges.Applied)
	is(pledges.Paid, 236_50)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	w.moveStage(t, campaigns.StageClosed)
	if n := w.number(t, `SELECT accepted_minor FROM campaign_endings WHERE campaign_id = ?`, w.campaign); n != 146_50 {
		t.Errorf("counted at the end with %d", n)
	}
}

func TestRaise_ThenLess_GoesBackFromTheNewestChargeFirst_AndStaysPaid(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, 0, pledges.Paid) // of 20
	a := w.raised(t, me, p.ID, choice("a", 0, 0, 1, "30"))
	paidA := ofRaise(a, pledges.PaymentSucceeded)
	w.mustApply(t, paidA, pledges.Applied)
	w.clock.advance(time.Minute)
	b := w.raised(t, me, p.ID, choice("b", 1, 0, 1, "35"))
	paidB := ofRaise(b, pledges.PaymentSucceeded)
	w.mustApply(t, paidB, pledges.Applied)
	w.clock.advance(time.Minute)
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("c", 2, 0, 1, "22")); err != nil {
		t.Fatal(err)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload ->> 'amount_minor' = '1300' AND payload ->> 'pledge_id' = ?
		AND payload -> 'further_ids' = jsonb_build_array(CAST(? AS text), CAST(? AS text))`, pledges.KindRefund, p.ID, b.ID, a.ID); n != 1 {
		t.Error("the payment service is not told which charges there are, the newest first")
	}
	w.mustApply(t, backOf(paidB, 5_00, 5_00, 5_00, "changed"), pledges.Applied)
	own := w.ownOf(t, me, p.ID)
	if own.Status != pledges.Paid || own.ChangeRefundedMinor != 5_00 || own.AmountRefundedMinor != 0 {
		t.Errorf("is %+v", own)
	}
	w.mustApply(t, backOf(paidA, 8_00, 8_00, 8_00, "changed"), pledges.Applied)
	own = w.ownOf(t, me, p.ID)
	if own.Status != pledges.Paid || own.ChangeRefundedMinor != 13_00 || own.AmountRefundedMinor != 0 || own.ChargedMinor != 35_00 || own.Amount.Minor != 22_00 {
		t.Errorf("is %+v", own)
	}
	w.checkInvariants(t)
	// and up again, after which people give some of it back
	c := w.raised(t, me, p.ID, choice("d", 3, 0, 1, "40"))
	paidC := ofRaise(c, pledges.PaymentSucceeded)
	w.mustApply(t, paidC, pledges.Applied)
	w.mustApply(t, backOf(paidC, 4_00, 4_00, 0, "requested"), pledges.Applied)
	own = w.ownOf(t, me, p.ID)
	if own.Status != pledges.PartlyRefunded || own.AmountRefundedMinor != 4_00 || own.ChangeRefundedMinor != 13_00 || w.reached(t) != 36_00 {
		t.Errorf("is %+v, reached %d", own, w.reached(t))
	}
	w.checkInvariants(t)
}

// A change that finds its difference gone gives nothing back: what went back before counts for it, and the money of a later raise stays.
func TestRaise_AfterAChangeWhoseMoneyWasBackBefore_KeepsWhatItHasPaid(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, 0, pledges.Paid) // of 20
	w.clock.advance(time.Minute)
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, 0, 1, "12")); err != nil {
		t.Fatal(err)
	}
	r := w.raised(t, me, p.ID, choice("b", 1, 0, 1, "31"))
	further := ofRaise(r, pledges.PaymentSucceeded)
	w.mustApply(t, further, pledges.Applied)
	w.mustApply(t, backOf(event(p, pledges.PaymentSucceeded), 20_00, 20_00, 0, "requested"), pledges.Applied) // before the change, as the provider knows it
	own := w.ownOf(t, me, p.ID)
	if own.Status != pledges.PartlyRefunded || own.AmountRefundedMinor != 12_00 || own.ChangeRefundedMinor != 8_00 || w.reached(t) != 19_00 {
		t.Errorf("is %+v, reached %d", own, w.reached(t))
	}
	w.checkInvariants(t)
	w.mustApply(t, backOf(further, 19_00, 19_00, 0, "requested"), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Status != pledges.Refunded || own.AmountRefundedMinor != 31_00 || w.reached(t) != 0 {
		t.Errorf("with all of it back it is %+v, reached %d", own, w.reached(t))
	}
	w.checkInvariants(t)
}
