package pledges_test

import (
	"testing"

	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/pledges"
)

// reached is the sum that the campaign shows.
func (w *world) reached(t *testing.T) int64 {
	t.Helper()
	return w.number(t, `SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = ?`, w.campaign)
}

func TestApply_Dispute_TakesTheMoneyOutAndAWonOnePutsItBack(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 5)
	p := w.inStatus(t, reward, pledges.Paid)
	receipt := `SELECT count(*) FROM pledges WHERE receipt_number IS NOT NULL AND backer_number = 1 AND paid_at IS NOT NULL AND id = ?`
	check := func(status pledges.Status, reached int64) {
		t.Helper()
		if got := w.statusOf(t, p.ID); got != status {
			t.Errorf("is %s, want %s", got, status)
		}
		if got := w.reached(t); got != reached {
			t.Errorf("%s: reached %d, want %d", status, got, reached)
		}
		if held, backers := w.reserved(t, reward), w.number(t, `SELECT backers FROM rewards WHERE id = ?`, reward); held != 1 || backers != 1 {
			t.Errorf("%s: %d reserved, %d backers", status, held, backers)
		}
		if w.number(t, receipt, p.ID) != 1 {
			t.Errorf("%s: receipt, backer's number or day are not the first ones", status)
		}
		if n := w.number(t, `SELECT count(*) FROM outbox`); n != 1 {
			t.Errorf("%s: %d mails, want the receipt only", status, n)
		}
		w.checkInvariants(t)
	}
	check(pledges.Paid, 10_00)
	w.mustApply(t, event(p, pledges.PaymentDisputed), pledges.Applied)
	check(pledges.Disputed, 0)
	w.mustApply(t, event(p, pledges.PaymentReinstated), pledges.Applied)
	check(pledges.Paid, 10_00)
	w.mustApply(t, event(p, pledges.PaymentDisputed), pledges.Applied) // the bank asks again
	check(pledges.Disputed, 0)
}

func TestApply_PartRefundOfADisputedPledge_IsKnownWhenItIsWon(t *testing.T) {
	w := setup(t)
	p := w.inStatus(t, w.addReward(t, 5), pledges.Disputed)
	part := event(p, pledges.PaymentRefunded)
	part.RefundMinor, part.RefundedMinor = 4_00, 4_00
	w.mustApply(t, part, pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Disputed || w.reached(t) != 0 {
		t.Errorf("is %s, reached %d", got, w.reached(t))
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindRefund); n != 1 {
		t.Errorf("%d mails about the refund", n)
	}
	w.checkInvariants(t)
	w.mustApply(t, event(p, pledges.PaymentReinstated), pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.PartlyRefunded || w.reached(t) != 6_00 {
		t.Errorf("is %s, reached %d", got, w.reached(t))
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindRefund); n != 1 {
		t.Errorf("%d mails after it was won", n)
	}
	w.checkInvariants(t)
}

// Of a dispute's events the one with the highest sequence counts, in whatever order they arrive.
func TestApply_DisputeEventsInAnyOrderAndTwice_EndTheSame(t *testing.T) {
	w := setup(t)
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for _, n := range []int{2, 3} { // won; disputed once more
			p := w.inStatus(t, 0, pledges.Paid)
			sent := []pledges.Event{event(p, pledges.PaymentDisputed), event(p, pledges.PaymentReinstated), event(p, pledges.PaymentDisputed)}
			want := pledges.Paid
			if n == 3 {
				want = pledges.Disputed
			}
			for _, i := range order {
				if i >= n {
					continue
				}
				first, err := w.Apply(t.Context(), sent[i])
				if err != nil {
					t.Fatal(err)
				}
				w.mustApply(t, sent[i], first)
			}
			if got := w.statusOf(t, p.ID); got != want {
				t.Errorf("%d events in the order %v end in %s, want %s", n, order, got, want)
			}
		}
	}
	w.checkInvariants(t)
}

// A dispute about money that was never accepted for the pledge does not change the pledge.
func TestApply_DisputeOfRefusedMoney_IsNotThePledges(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 1)
	lapsed := w.inStatus(t, reward, pledges.Expired)
	failed := w.inStatus(t, 0, pledges.Failed)
	w.inStatus(t, reward, pledges.Paid) // the last item
	w.mustApply(t, event(lapsed, pledges.PaymentSucceeded), pledges.RewardGone)
	if err := w.Release(t.Context(), failed.ID); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, event(failed, pledges.PaymentSucceeded), pledges.PledgeClosed)
	before := w.reached(t)
	for _, c := range []struct {
		pledge pledges.View
		status pledges.Status
	}{{lapsed, pledges.Expired}, {failed, pledges.Failed}} {
		for _, kind := range []pledges.EventType{pledges.PaymentDisputed, pledges.PaymentReinstated} {
			w.mustApply(t, event(c.pledge, kind), pledges.Ignored)
			if got := w.statusOf(t, c.pledge.ID); got != c.status || w.reached(t) != before {
				t.Errorf("after %s it is %s, and the campaign has %d", kind, got, w.reached(t))
			}
		}
		w.mustApply(t, event(c.pledge, pledges.PaymentRefunded), pledges.Applied)
		if got := w.statusOf(t, c.pledge.ID); got != pledges.Refunded {
			t.Errorf("after the refund it is %s", got)
		}
	}
	w.checkInvariants(t)
}
