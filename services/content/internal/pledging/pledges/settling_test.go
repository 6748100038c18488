package pledges_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/writing/changes"
)

func TestMoveStage_SettlementWaitsForUndecidedPledges(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 1000)
	settled := []campaigns.Stage{campaigns.StageSucceeded, campaigns.StageNotReached}
	for _, status := range []pledges.Status{pledges.Created, pledges.AwaitingPayment, pledges.Processing} {
		p := w.inStatus(t, reward, status)
		for _, to := range settled {
			err := w.tryStage(t.Context(), to)
			if !errors.Is(err, campaigns.ErrUndecided) || !errors.Is(err, apperr.New(apperr.CampaignNotOpen)) {
				t.Errorf("to %d with a pledge that is %s: %v", to, status, err)
			}
		}
		w.mustApply(t, event(p, pledges.PaymentCanceled), pledges.Applied)
	}
	for _, status := range allStatuses { // all others are decided
		if status != pledges.Created && status != pledges.AwaitingPayment && status != pledges.Processing {
			w.inStatus(t, reward, status)
		}
	}
	w.mustCreate(t, w.input(reward, "10"))
	w.clock.advance(firstHold)
	if err := w.tryStage(t.Context(), campaigns.StageNotReached); !errors.Is(err, campaigns.ErrUndecided) {
		t.Errorf("at the last moment of a reservation: %v", err)
	}
	w.clock.advance(time.Microsecond) // over, though nobody has ended it yet
	w.moveStage(t, campaigns.StageNotReached)
	w.checkInvariants(t)
}

func TestMoveStage_OfOthersPledges_WaitsForNothing(t *testing.T) {
	w := setup(t)
	other := w.campaign
	w.campaign = w.anotherCampaign(t)
	w.mustCreate(t, w.input(0, "20"))
	w.campaign = other
	w.moveStage(t, campaigns.StageSucceeded)
}

func TestMoveStage_ClosingIsImmediate_AndMoneyThatThenArrivesGoesBack(t *testing.T) {
	w := setup(t)
	for _, status := range []pledges.Status{pledges.Created, pledges.AwaitingPayment, pledges.Processing} {
		w.inStatus(t, 0, status)
	}
	w.moveStage(t, campaigns.StageClosed)
	var open []string
	if err := w.db.Raw(`SELECT id FROM pledges`).Scan(&open).Error; err != nil {
		t.Fatal(err)
	}
	for _, id := range open {
		p, err := w.View(t.Context(), id, "fi")
		if err != nil {
			t.Fatal(err)
		}
		w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.PledgeClosed)
	}
	w.checkInvariants(t)
}

func TestApply_PaymentBegunInTime_IsTakenWhenItSettlesAfterTheDeadline(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(w.single, "120"))
	w.mustApply(t, event(p, pledges.PaymentProcessing), pledges.Applied)
	for range 20 { // days of a debit, past the last day of funding
		w.clock.advance(24 * time.Hour)
		w.lapseAll(t)
		if err := w.tryStage(t.Context(), campaigns.StageNotReached); !errors.Is(err, campaigns.ErrUndecided) {
			t.Fatalf("on %s: %v", w.clock.now(), err)
		}
	}
	if _, err := w.Create(t.Context(), w.input(0, "20")); !errors.Is(err, pledges.ErrCampaignClosed) {
		t.Errorf("a new pledge: %v", err)
	}
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	w.moveStage(t, campaigns.StageSucceeded)
	if w.statusOf(t, p.ID) != pledges.Paid || w.reached(t) != 120_00 {
		t.Errorf("is %s, reached %d", w.statusOf(t, p.ID), w.reached(t))
	}
	w.checkInvariants(t)
}

// Once a campaign is settled, payment.processing is ignored too: its money would come after the settlement.
func TestApply_ProcessingAfterTheCampaignWasSettled_ChangesNothing(t *testing.T) {
	w := setup(t)
	p := w.inStatus(t, 0, pledges.AwaitingPayment)
	w.clock.advance(hold + time.Second)
	w.moveStage(t, campaigns.StageSucceeded)
	w.mustApply(t, event(p, pledges.PaymentProcessing), pledges.Ignored)
	w.lapseAll(t)
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.PledgeClosed)
	if got := w.statusOf(t, p.ID); got != pledges.Expired {
		t.Errorf("is %s", got)
	}
	w.checkInvariants(t)
}

// A bank confirms a payment weeks after the last day: it is taken when the creator gets the money anyway, and goes back else.
func TestApply_WhatABankConfirmsAfterTheEnd_IsTakenWhenItIsTheCreators(t *testing.T) {
	for stage, want := range map[campaigns.Stage]pledges.Outcome{
		campaigns.StageSucceeded: pledges.Applied, campaigns.StageNotReached: pledges.PledgeClosed, campaigns.StageClosed: pledges.PledgeClosed,
	} {
		w := setup(t)
		late := w.inStatus(t, 0, pledges.Processing)
		lapsed := w.inStatus(t, 0, pledges.Expired)
		w.clock.set(time.Date(2026, 12, 20, 12, 0, 0, 0, time.UTC)) // more than two weeks after it
		w.moveStage(t, stage)
		w.mustApply(t, event(late, pledges.PaymentSucceeded), want)
		w.mustApply(t, event(lapsed, pledges.PaymentSucceeded), pledges.PledgeClosed)
		w.checkInvariants(t)
	}
}

// A bank confirms what is not accepted any more and takes it back before it was refunded: nothing else will end the pledge.
func TestApply_DisputeOfMoneyThatWasNotAccepted_EndsThePledge(t *testing.T) {
	w := setup(t)
	late := w.inStatus(t, 0, pledges.Processing)
	w.mustApply(t, event(late, pledges.PaymentDisputed), pledges.Ignored) // of nothing that was confirmed
	w.moveStage(t, campaigns.StageClosed)
	w.mustApply(t, event(late, pledges.PaymentSucceeded), pledges.PledgeClosed)
	mails := w.number(t, `SELECT count(*) FROM outbox WHERE kind LIKE 'mail.%'`)
	w.mustApply(t, event(late, pledges.PaymentDisputed), pledges.Applied)
	if got := w.statusOf(t, late.ID); got != pledges.Failed {
		t.Errorf("is %s", got)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind LIKE 'mail.%'`); n != mails {
		t.Errorf("%d mails to who took it back", n-mails)
	}
	w.checkInvariants(t)
	back := event(late, pledges.PaymentRefunded) // the bank returns it after all
	back.RefundMinor, back.RefundedMinor = late.Amount.Minor, late.Amount.Minor
	w.mustApply(t, back, pledges.Applied)
	if got := w.statusOf(t, late.ID); got != pledges.Refunded {
		t.Errorf("is %s", got)
	}
	w.checkInvariants(t)
}

// The two orders of a late payment and a stage move, each held open in the middle.
func TestApply_WaitsForTheStageMove_AndRefusesTheMoney(t *testing.T) {
	w := setup(t)
	late := w.inStatus(t, 0, pledges.Expired)
	processed := w.inStatus(t, 0, pledges.AwaitingPayment)
	for name, c := range map[string]struct {
		event pledges.Event
		want  pledges.Outcome
	}{
		"succeeded":  {event(late, pledges.PaymentSucceeded), pledges.PledgeClosed},
		"processing": {event(processed, pledges.PaymentProcessing), pledges.Ignored},
	} {
		t.Run(name, func(t *testing.T) {
			move := w.db.Begin()
			defer move.Rollback()
			if err := campaigns.MoveStage(t.Context(), move, w.campaign, campaigns.StageClosed, changes.Actor{Name: "test"}, w.clock.now()); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			all.Go(func() {
				if got, err := w.Apply(t.Context(), c.event); err != nil || got != c.want {
					t.Errorf("%q, %v; want %q", got, err, c.want)
				}
			})
			w.waiting(t, 1)
			if err := move.Commit().Error; err != nil {
				t.Fatal(err)
			}
			all.Wait()
			if err := w.db.Exec(`WITH gone AS (DELETE FROM campaign_endings) UPDATE campaigns SET stage = 2 WHERE id = ?`, w.campaign).Error; err != nil { // for the next one
				t.Fatal(err)
			}
		})
	}
	w.checkInvariants(t)
}

func TestMoveStage_WaitsForThePaymentThatIsBeingTaken(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 1)
	late := w.inStatus(t, reward, pledges.Expired)
	brake := w.db.Begin()
	defer brake.Rollback()
	if err := brake.Exec(`SELECT FROM rewards WHERE id = ? FOR UPDATE`, reward).Error; err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() { w.applyAtFirstTry(t, event(late, pledges.PaymentSucceeded)) })
	w.waiting(t, 1) // the payment has read the stage, and stands before its reward
	all.Go(func() {
		if seen, err := w.settle(t.Context(), campaigns.StageNotReached); err != nil || seen != 1 {
			t.Errorf("the settlement sees %d paid pledges, %v; want 1", seen, err)
		}
	})
	w.waiting(t, 2)
	if err := brake.Rollback().Error; err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if got := w.statusOf(t, late.ID); got != pledges.Paid {
		t.Errorf("is %s", got)
	}
	w.checkInvariants(t)
}

func TestCreate_WaitsForTheStageMove_AndIsRefused(t *testing.T) {
	w := setup(t)
	move := w.db.Begin()
	defer move.Rollback()
	if err := campaigns.MoveStage(t.Context(), move, w.campaign, campaigns.StageSucceeded, changes.Actor{Name: "test"}, w.clock.now()); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, reward := range []int64{0, w.single} {
		all.Go(func() {
			if _, err := w.Create(t.Context(), w.input(reward, "120")); !errors.Is(err, pledges.ErrCampaignClosed) {
				t.Errorf("a pledge for reward %d: %v", reward, err)
			}
		})
	}
	w.waiting(t, 2)
	if err := move.Commit().Error; err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if n := w.number(t, `SELECT count(*) FROM pledges`); n != 0 {
		t.Errorf("%d pledges in a campaign that is over", n)
	}
}

// Payments, refunds, previews and a settlement all at once: none waits for another in a circle, and what the settlement
// saw paid is what is paid for ever.
func TestMoveStage_WhilePaymentsArrive(t *testing.T) {
	for round := range 4 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			w := setup(t)
			reward := w.addReward(t, 1000)
			views := make([]pledges.View, 60)
			for i := range views {
				views[i] = w.mustCreate(t, w.input(reward, "10"))
			}
			w.clock.advance(hold + time.Second)
			w.lapseAll(t)
			var seen int64
			moveAt := (2*round + 1) * len(views) / 4 // near the beginning, in the middle, near the end
			w.inParallel(8, 2*len(views), func(i int) {
				switch {
				case i == moveAt:
					var err error
					if seen, err = w.settle(t.Context(), campaigns.StageNotReached); err != nil {
						t.Errorf("settlement: %v", err)
					}
				case i%2 == 0:
					w.applyAtFirstTry(t, event(views[i/2], pledges.PaymentSucceeded))
				case i%20 == 1:
					if err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
						return campaigns.RefreshPreviews(t.Context(), tx, w.campaign)
					}); err != nil {
						t.Errorf("previews: %v", err)
					}
				default:
					w.applyAtFirstTry(t, event(views[i/2], pledges.PaymentRefunded))
				}
			})
			everPaid := w.number(t, `SELECT count(*) FROM pledges WHERE paid_at IS NOT NULL`)
			if settled := w.number(t, `SELECT count(*) FROM campaigns WHERE id = ? AND stage = 4`, w.campaign); settled != 1 || seen != everPaid {
				t.Errorf("the settlement saw %d paid pledges, %d were paid", seen, everPaid)
			}
			w.checkInvariants(t)
		})
	}
}

// settle moves the stage and counts, in the same transaction, the pledges that were ever paid: those it would refund. It
// must come through at its first try.
func (w *world) settle(ctx context.Context, to campaigns.Stage) (paid int64, err error) {
	tries := 0
	err = dbx.InTx(ctx, w.db, func(tx *gorm.DB) error {
		tries++
		if err := campaigns.MoveStage(ctx, tx, w.campaign, to, changes.Actor{Name: "test"}, w.clock.now()); err != nil {
			return err
		}
		return tx.Raw(`SELECT count(*) FROM pledges WHERE campaign_id = ? AND paid_at IS NOT NULL`, w.campaign).Scan(&paid).Error
	})
	if err == nil && tries > 1 {
		err = errors.New("it was in a deadlock")
	}
	return paid, err
}

// applyAtFirstTry fails when the event's transaction had to begin anew, which a deadlock makes it do unseen.
func (w *world) applyAtFirstTry(t *testing.T, e pledges.Event) {
	ctx, statements := dbx.CountStatements(t.Context())
	if _, err := w.Apply(ctx, e); err != nil {
		t.Errorf("%s: %v", e.Type, err)
	}
	tries := 0
	for _, sql := range statements.List() {
		if strings.Contains(sql, "FROM pledges WHERE id") && strings.Contains(sql, "FOR UPDATE") {
			tries++
		}
	}
	if tries != 1 {
		t.Errorf("%s: %d tries", e.Type, tries)
	}
}

// waiting returns when n sessions of this database wait for a lock.
func (w *world) waiting(t *testing.T, n int64) {
	t.Helper()
	tooLate := time.After(20 * time.Second)
	for w.number(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) < n {
		select {
		case <-tooLate:
			t.Fatalf("never were %d waiting", n)
		case <-time.After(5 * time.Millisecond):
		}
	}
}
