package pledges_test

import (
	"errors"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
)

// closings counts the messages that tell the payment service to close a pledge's payment for a reason.
func (w *world) closings(t *testing.T, id string, reason closing.Reason) int64 {
	t.Helper()
	return w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND stream = 'pledge:' || ? AND payload =
		jsonb_build_object('subject_kind', 'pledge', 'subject_id', CAST(? AS text), 'reason', CAST(? AS text))`, closing.Kind, id, id, string(reason))
}

func (w *world) allClosings(t *testing.T) int64 {
	t.Helper()
	return w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, closing.Kind)
}

func TestRelease_ClosesThePaymentOnce(t *testing.T) {
	w := setup(t)
	for _, status := range []pledges.Status{pledges.Created, pledges.AwaitingPayment} {
		p := w.inStatus(t, 0, status)
		for range 2 {
			if err := w.Release(t.Context(), p.ID); err != nil {
				t.Fatal(err)
			}
		}
		if n := w.closings(t, p.ID, closing.Released); n != 1 {
			t.Errorf("%s: %d closings", status, n)
		}
	}
	for status, want := range map[pledges.Status]error{pledges.Processing: pledges.ErrSettling, pledges.Paid: pledges.ErrAlreadyPaid,
		pledges.Disputed: pledges.ErrAlreadyPaid} {
		if err := w.Release(t.Context(), w.inStatus(t, 0, status).ID); !errors.Is(err, want) {
			t.Errorf("%s: %v", status, err)
		}
	}
	if n := w.allClosings(t); n != 2 {
		t.Errorf("%d closings in all", n)
	}
	w.checkInvariants(t)
}

func TestRelease_EndsThePledgeAndClosesItsPaymentTogether(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(w.single, "120"))
	if err := w.db.Exec(`ALTER TABLE outbox RENAME TO elsewhere`).Error; err != nil {
		t.Fatal(err)
	}
	if err := w.Release(t.Context(), p.ID); err == nil {
		t.Error("released without a word to the payment service")
	}
	if got := w.statusOf(t, p.ID); got != pledges.Created || w.reserved(t, w.single) != 1 {
		t.Errorf("is %s", got)
	}
}

func TestLapse_LeavesAGraceToWhoIsPaying_UntilTheBackerGivesUp(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(w.single, "120"))
	w.clock.advance(hold + time.Second)
	if n, err := w.Lapse(t.Context()); err != nil || n != 1 {
		t.Fatalf("%d lapsed, %v", n, err)
	}
	if n := w.allClosings(t); n != 0 {
		t.Errorf("%d closings of a pledge that has only lapsed", n)
	}
	for range 2 {
		if err := w.Release(t.Context(), p.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.closings(t, p.ID, closing.Released); n != 1 || w.allClosings(t) != 1 {
		t.Errorf("%d closings", n)
	}
}

func TestLapse_EndsWhatWaitsInACampaignThatAnEditorClosed(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(w.single, "120"))
	processing := w.inStatus(t, 0, pledges.Processing)
	if n, err := w.Lapse(t.Context()); err != nil || n != 0 {
		t.Fatalf("%d ended in an open campaign, %v", n, err)
	}
	w.moveStage(t, campaigns.StageClosed)
	if n, err := w.Lapse(t.Context()); err != nil || n != 1 {
		t.Fatalf("%d ended, %v", n, err)
	}
	if got := w.statusOf(t, p.ID); got != pledges.Expired || w.reserved(t, w.single) != 0 || w.closings(t, p.ID, closing.CampaignClosed) != 1 {
		t.Errorf("is %s with %d closings", got, w.closings(t, p.ID, closing.CampaignClosed))
	}
	if got := w.statusOf(t, processing.ID); got != pledges.Processing || w.allClosings(t) != 1 {
		t.Errorf("what the bank has in hand is %s; %d closings", got, w.allClosings(t))
	}
	w.checkInvariants(t)
}

// No message goes to the payment service about a payment that it has canceled itself.
func TestApply_Canceled_ClosesNothing(t *testing.T) {
	w := setup(t)
	w.mustApply(t, event(w.inStatus(t, 0, pledges.AwaitingPayment), pledges.PaymentCanceled), pledges.Applied)
	if n := w.allClosings(t); n != 0 {
		t.Errorf("%d closings", n)
	}
}

func TestApply_MoneyOfAReleasedPledge_GoesBack(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 100)
	for name, end := range map[string]func(p pledges.View){
		"released":              func(pledges.View) {},
		"lapsed, then released": func(pledges.View) { w.clock.advance(hold + time.Second); w.lapseAll(t) },
		"failed at last, then released": func(p pledges.View) {
			w.mustApply(t, event(p, pledges.PaymentProcessing), pledges.Applied)
			w.mustApply(t, event(p, pledges.PaymentFailed), pledges.Applied)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := w.mustCreate(t, w.input(reward, "10"))
			end(p)
			if err := w.Release(t.Context(), p.ID); err != nil {
				t.Fatal(err)
			}
			paid := event(p, pledges.PaymentSucceeded)
			for range 2 {
				w.mustApply(t, paid, pledges.PledgeClosed)
			}
			back := event(p, pledges.PaymentRefunded)
			back.RefundReason = "pledge_closed"
			w.mustApply(t, back, pledges.Applied)
			if got := w.statusOf(t, p.ID); got != pledges.Refunded {
				t.Errorf("is %s", got)
			}
			if n := w.number(t, `SELECT count(*) FROM outbox WHERE payload ->> 'pledge_id' = ? AND payload -> 'refund' -> 'released' = 'true'`, p.ID); n != 1 {
				t.Errorf("%d mails that say so", n)
			}
		})
	}
	lapsed := w.mustCreate(t, w.input(reward, "10"))
	w.clock.advance(hold + time.Second)
	w.lapseAll(t)
	w.mustApply(t, event(lapsed, pledges.PaymentSucceeded), pledges.Applied) // nobody gave that one up
	w.checkInvariants(t)
}

func (w *world) lapseAll(t *testing.T) {
	t.Helper()
	if _, err := w.Lapse(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// However a release and the payment's events meet, a released pledge is not paid.
func TestRelease_WhilePaymentsArrive(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 1000)
	views := make([]pledges.View, 100)
	for i := range views {
		views[i] = w.mustCreate(t, w.input(reward, "10"))
	}
	w.inParallel(8, 2*len(views), func(i int) {
		var err error
		if p := views[i/2]; i%2 == 0 {
			_, err = w.Apply(t.Context(), event(p, pledges.PaymentSucceeded))
		} else if err = w.Release(t.Context(), p.ID); errors.Is(err, pledges.ErrAlreadyPaid) {
			err = nil
		}
		if err != nil {
			t.Errorf("step %d: %v", i, err)
		}
	})
	for what, query := range map[string]string{
		"paid though released":         `SELECT count(*) FROM pledges WHERE status = 'paid' AND released_at IS NOT NULL`,
		"neither":                      `SELECT count(*) FROM pledges WHERE status <> 'paid' AND released_at IS NULL`,
		"released without a closing":   `SELECT count(*) FROM pledges p WHERE released_at IS NOT NULL AND NOT EXISTS (SELECT FROM outbox o WHERE o.stream = 'pledge:' || p.id)`,
		"money refused of who did not": `SELECT count(*) FROM pledges p JOIN payment_events e ON e.pledge_id = p.id WHERE (e.outcome = 'applied') <> (p.status = 'paid')`,
	} {
		if n := w.number(t, query); n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
	w.checkInvariants(t)
}
