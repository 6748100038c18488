package subscriptions

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/provider"
)

// change is one subscription with its row locked, and what is about to be written with it.
type change struct {
	svc    *Service
	tx     *gorm.DB
	now    time.Time
	sub    Subscription
	before Subscription
	months months

	told   bool // events were written
	kept   bool // a step was written: then the subscription has changed, too
	leased bool // the worker that makes the change goes on with the subscription
}

// change locks a subscription, lets fn work on it, and writes what became of it, all in one transaction. Error:
// NotFound.
func (s *Service) change(ctx context.Context, id string, fn func(c *change) error) (Subscription, error) {
	var c *change
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		c, err = s.changeIn(ctx, tx, id, fn)
		return err
	})
	if err != nil {
		return Subscription{}, err
	}
	s.wakeFor(c)
	return c.sub, nil
}

// wakeFor wakes whoever has work after a change has been committed.
func (s *Service) wakeFor(c *change) {
	if c.told {
		s.wakeEvents()
	}
	if at := c.sub.StepAt; at != nil && !at.After(c.now) {
		s.wakeSteps()
	}
}

// changeIn is change within a transaction of the caller's.
func (s *Service) changeIn(ctx context.Context, tx *gorm.DB, id string, fn func(c *change) error) (*change, error) {
	sub, found, err := readOne(ctx, tx, `WHERE id = ? FOR UPDATE`, id)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, apperr.New(apperr.NotFound)
	}
	c := &change{svc: s, tx: tx.WithContext(ctx), now: s.now(), sub: sub, before: sub}
	if c.months, err = readOpen(ctx, tx, id); err != nil {
		return nil, err
	}
	if err := fn(c); err != nil {
		return nil, err
	}
	return c, c.save(ctx)
}

// move takes the subscription a step on, if the state machine has it, and keeps that.
func (c *change) move(ctx context.Context, to Status, cause string, period int) error {
	from := c.sub.Status
	if !from.MayBecome(to) {
		return fmt.Errorf("a subscription is %s and cannot become %s", from, to)
	}
	c.sub.Status = to
	if to != StatusPastDue {
		c.sub.PastDueAt = nil
	}
	return c.keep(ctx, from, cause, period, "")
}

// note keeps what was asked for or happened without another status.
func (c *change) note(ctx context.Context, cause string, period int, detail string) error {
	return c.keep(ctx, c.sub.Status, cause, period, detail)
}

func (c *change) keep(ctx context.Context, from Status, cause string, period int, detail string) error {
	var of *int
	if period > 0 {
		of = &period
	}
	err := c.tx.WithContext(ctx).Exec(`INSERT INTO subscription_transitions (subscription_id, from_status, to_status, cause, period, detail, at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, c.sub.ID, from, c.sub.Status, cause, of, detail, c.now).Error
	if err != nil {
		return fmt.Errorf("record %s of a subscription: %w", cause, err)
	}
	c.kept = true
	return nil
}

// end is the end of a subscription: nothing is tried, a month that was to be paid is given up.
func (c *change) end(ctx context.Context, why Reason) error {
	period := 0
	if due := c.months.due; due != nil {
		period = due.Period
		if err := c.settle(ctx, monthClosed); err != nil {
			return err
		}
	}
	c.sub.EndsOn, c.sub.NextLevel = nil, nil
	if c.sub.Status == StatusCreated {
		if err := c.move(ctx, StatusExpired, string(why), 0); err != nil {
			return err
		}
		return c.emit(ctx, causeExpired, nil)
	}
	c.sub.EndedBecause = why
	if err := c.move(ctx, StatusCanceled, string(why), period); err != nil {
		return err
	}
	return c.emit(ctx, causeCanceled, nil)
}

// settle ends the month that was to be paid: paid, or not wanted any more; then its payment is ended.
func (c *change) settle(ctx context.Context, to monthStatus) error {
	due := *c.months.due
	due.Status, due.NextTryAt, due.WaitsFor, due.IsHeld, due.IsEnding = to, nil, provider.RemedyNone, false, to != monthPaid
	if err := c.saveMonth(ctx, due); err != nil {
		return err
	}
	c.months.due = nil
	if due.IsEnding {
		c.months.ending = append(c.months.ending, due)
	}
	return nil
}

func (c *change) saveMonth(ctx context.Context, m month) error {
	err := c.tx.WithContext(ctx).Exec(`UPDATE subscription_periods SET day = @day, status = @status, waits_for = @waits, failure_code = @failure,
		next_try_at = @next, weighed_on = @weighed, is_held = @held, is_ending = @ending, paid_card = @paid, settled_at = CASE WHEN @status = 'open' THEN NULL ELSE coalesce(settled_at, @now) END
		WHERE subscription_id = @id AND period = @period`, map[string]any{
		"day": m.Day, "status": m.Status, "waits": m.WaitsFor, "failure": m.FailureCode, "next": m.NextTryAt,
		"weighed": m.WeighedOn, "held": m.IsHeld, "ending": m.IsEnding, "paid": m.PaidCard, "now": c.now, "id": c.sub.ID, "period": m.Period,
	}).Error
	if err != nil {
		return fmt.Errorf("save month %d: %w", m.Period, err)
	}
	return nil
}

// answer writes the outcome of a try. wasOpen is false of one that was answered or given up before: then it changes
// nothing, and says nothing of a later try.
func (c *change) answer(ctx context.Context, period, number int, o outcome, code string) (wasOpen bool, err error) {
	return c.answerTries(ctx, period, o, code, "AND number = ?", number)
}

// answerMonth writes the outcome of whichever try of a month is not answered, because its payment has got one.
func (c *change) answerMonth(ctx context.Context, period int, o outcome) error {
	_, err := c.answerTries(ctx, period, o, "", "")
	return err
}

// answerPaid answers a month's open try when the month was paid by a card, nil when it is not known. The payer may have used another
// one in the form while our own try was under way: then it is not the try that took the money. It reports whether we had tried the card.
func (c *change) answerPaid(ctx context.Context, period int, used *provider.Instrument) (wasTried bool, err error) {
	if used == nil {
		return false, c.answerMonth(ctx, period, taken)
	}
	err = c.tx.WithContext(ctx).Raw(`WITH answered AS (
			UPDATE subscription_tries SET outcome = CASE card_ref WHEN @card THEN @taken ELSE @void END, failure_code = '', answered_at = @now
			WHERE subscription_id = @id AND period = @period AND outcome = 'unknown')
		SELECT EXISTS (SELECT FROM subscription_tries WHERE subscription_id = @id AND period = @period AND card_ref = @card)`, map[string]any{
		"card": used.Ref, "taken": taken, "void": void, "now": c.now, "id": c.sub.ID, "period": period}).Scan(&wasTried).Error
	if err != nil {
		return false, fmt.Errorf("answer the tries of month %d: %w", period, err)
	}
	if due := c.months.due; due != nil && due.Period == period {
		due.Unknown = false
	}
	return wasTried, nil
}

// tookNothing has a month's tries be declined that a bank had taken for days and then refused: what it is paid with later is not their card.
func (c *change) tookNothing(ctx context.Context, period int, code string) error {
	err := c.tx.WithContext(ctx).Exec(`UPDATE subscription_tries SET outcome = ?, failure_code = ?, answered_at = ?
		WHERE subscription_id = ? AND period = ? AND outcome = ?`, declined, code, c.now, c.sub.ID, period, taken).Error
	if err != nil {
		return fmt.Errorf("note that the tries of month %d took nothing: %w", period, err)
	}
	return nil
}

func (c *change) answerTries(ctx context.Context, period int, o outcome, code, which string, args ...any) (wasOpen bool, err error) {
	done := c.tx.WithContext(ctx).Exec(`UPDATE subscription_tries SET outcome = ?, failure_code = ?, answered_at = ?
		WHERE subscription_id = ? AND period = ? AND outcome = 'unknown' `+which, append([]any{o, code, c.now, c.sub.ID, period}, args...)...)
	if done.Error != nil {
		return false, fmt.Errorf("answer a try of month %d: %w", period, done.Error)
	}
	if due := c.months.due; done.RowsAffected > 0 && due != nil && due.Period == period {
		due.Unknown = false
	}
	return done.RowsAffected > 0, nil
}

// save writes the subscription when anything of it changed, with the time of the next step.
func (c *change) save(ctx context.Context) error {
	c.sub.StepAt = nil
	if !c.sub.isHeld() {
		c.sub.HeldPeriod = 0
	}
	if do, at := c.sub.plan(c.months); do != nothing {
		switch {
		case c.leased:
			at = c.now.Add(lease)
		case at.IsZero():
			at = c.now
		}
		c.sub.StepAt = &at
	}
	if !c.leased { // the step goes on, and may come to nothing
		c.sub.Faults = 0
	}
	if err := c.leave(ctx); err != nil {
		return err
	}
	if !c.kept && reflect.DeepEqual(c.sub, c.before) {
		return nil
	}
	s := c.sub
	err := c.tx.WithContext(ctx).Exec(`UPDATE subscriptions SET status = @status, level = @level, next_level = @next_level, customer_ref = @customer,
		card_ref = @card, card_label = @label, card_expires = @expires, card_refused = @refused, card_warned = @warned, card_given_at = @given, setups = @setups, setup_ref = @setup,
		anchor_day = @anchor, next_period = @next, paid_period = @paid, ends_on = @ends, ended_because = @because, past_due_at = @past_due,
		notify_before = @notify, noticed_period = @noticed, held_period = @held, step_at = @step, faults = @faults, event_sequence = @sequence, updated_at = @now
		WHERE id = @id`, map[string]any{
		"status": s.Status, "level": s.Level, "next_level": s.NextLevel, "customer": s.Customer, "card": s.Card.Ref, "label": s.Card.Label,
		"expires": s.Card.Expires, "refused": s.Card.Refused, "warned": s.Card.Warned, "given": s.Card.GivenAt, "setups": s.Setups, "setup": s.SetupRef,
		"anchor": s.AnchorDay, "next": s.NextPeriod, "paid": s.PaidPeriod, "ends": s.EndsOn, "because": s.EndedBecause,
		"past_due": s.PastDueAt, "notify": s.NotifyBefore, "noticed": s.NoticedPeriod, "held": s.HeldPeriod, "step": s.StepAt,
		"faults": s.Faults, "sequence": s.EventSequence, "now": c.now, "id": s.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save a subscription: %w", err)
	}
	return nil
}
