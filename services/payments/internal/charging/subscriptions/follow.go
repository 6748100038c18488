package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// follower is told what becomes of the payments of months.
type follower struct{ svc *Service }

// Lock locks a subscription.
func (f follower) Lock(ctx context.Context, tx *gorm.DB, id string) error {
	if err := tx.WithContext(ctx).Exec(`SELECT FROM subscriptions WHERE id = ? FOR UPDATE`, id).Error; err != nil {
		return fmt.Errorf("lock the subscription of a payment: %w", err)
	}
	return nil
}

// Moved takes a subscription on with the payment of one of its months, in the payment's transaction. Money of a month
// that is not to be paid (any more) is not wanted.
func (f follower) Moved(ctx context.Context, tx *gorm.DB, m payments.Move) (wanted bool, err error) {
	wanted = true
	_, err = f.svc.changeIn(ctx, tx, m.Payment.Subject.ID, func(c *change) error {
		period := m.Payment.Subject.Period
		due := c.months.due
		if due != nil && due.Period != period {
			due = nil
		}
		if m.Payment.Status.IsPaid() { // or refunded and disputed since, before we heard of it
			if m.From.IsPaid() {
				return nil
			}
			wasTried, err := c.answerPaid(ctx, period, m.Card)
			if err != nil {
				return err
			}
			if due != nil && period > 1 && c.sub.OnHold { // its charge was under way; the first month's is for the content service to refuse
				if err := c.leaveOutOnHold(ctx); err != nil {
					return err
				}
				due = nil
			}
			if due == nil {
				wanted = false
				if m.Card != nil && m.Card.Ref != c.sub.Card.Ref {
					c.told = true
					if err := vault.ForgetLater(ctx, c.tx, vault.Leftover{Provider: c.sub.Provider, Kind: vault.LeftCard, Ref: m.Card.Ref}); err != nil {
						return err
					}
				}
				return c.note(ctx, "unwanted money", period, "")
			}
			return c.paid(ctx, m, wasTried)
		}
		switch m.Payment.Status {
		case payments.StatusProcessing:
			if due != nil {
				due.Processing, due.NextTryAt = true, nil
				if err := c.saveMonth(ctx, *due); err != nil {
					return err
				}
			}
			return c.answerMonth(ctx, period, taken)
		case payments.StatusCreated:
			if m.From != payments.StatusProcessing {
				return nil
			}
			if err := c.tookNothing(ctx, period, m.Payment.FailureCode); err != nil || due == nil {
				return err
			}
			due.Processing = false
			if period == 1 { // its backer may pay with another card, within its time
				return nil
			}
			tries, err := readTries(ctx, tx, c.sub.ID, period)
			if err != nil {
				return err
			}
			if len(tries) > 0 {
				if has, err := c.hasAnotherCard(ctx, tries[len(tries)-1]); err != nil || has {
					return errors.Join(err, c.tryAtOnce(ctx))
				}
			}
			return c.refused(ctx, m.Payment.FailureCode, provider.RemedyLater)
		case payments.StatusCanceled, payments.StatusFailed:
			err := errors.Join(c.answerMonth(ctx, period, void), c.tookNothing(ctx, period, m.Payment.FailureCode))
			if err != nil || due == nil {
				return err
			}
			if m.Payment.FailureCode == payments.TooManyDeclines && period > 1 {
				return c.giveMonthUp(ctx)
			}
			return c.end(ctx, Unpaid) // its time is over: nobody has decided about it
		case payments.StatusRequiresAction, payments.StatusSucceeded, payments.StatusRefunded,
			payments.StatusPartlyRefunded, payments.StatusDisputed:
		}
		return nil
	})
	return wanted, err
}

// paid is the success of the month that was to be paid: the next one follows from the calendar. wasTried says that we charged its card,
// rather than the payer in the form.
func (c *change) paid(ctx context.Context, m payments.Move, wasTried bool) error {
	period := m.Payment.Subject.Period
	cause := causeRenewed
	if period == 1 {
		c.sub.AnchorDay, c.months.due.Day, cause = m.Payment.PeriodDay, m.Payment.PeriodDay, causeActivated
	}
	if m.Card != nil {
		c.months.due.PaidCard = m.Card.Ref
	}
	if m.Card != nil && !wasTried { // else they may have chosen another one meanwhile
		warned := c.sub.Card.Warned
		c.sub.Card = kept(*m.Card)
		c.sub.Card.Warned, c.sub.Card.GivenAt = warned, &c.now
	}
	c.sub.PaidPeriod = period
	c.sub.NextPeriod = c.sub.after(period, c.now)
	if err := c.settle(ctx, monthPaid); err != nil {
		return err
	}
	if c.sub.Status == StatusActive {
		if err := c.note(ctx, "paid", period, ""); err != nil {
			return err
		}
	} else if err := c.move(ctx, StatusActive, "paid", period); err != nil {
		return err
	}
	return c.emit(ctx, cause, ofMonth(period))
}

// giveMonthUp ends the month that was to be paid because too many cards were refused for it, ours and those in its form. Support goes on
// with the next one; a kept card that is of no use is refused then as well.
func (c *change) giveMonthUp(ctx context.Context) error {
	period := c.months.due.Period
	c.sub.NextPeriod = c.sub.after(period, c.now)
	if err := c.settle(ctx, monthClosed); err != nil {
		return err
	}
	const cause = "too many cards"
	if c.sub.Status == StatusPastDue {
		if err := c.move(ctx, StatusActive, cause, period); err != nil {
			return err
		}
	} else if err := c.note(ctx, cause, period, ""); err != nil {
		return err
	}
	return c.emit(ctx, causeSkipped, ofMonth(period))
}

// refused is a charge of the due month that its bank did not take: it is tried again, or waits for the backer.
func (c *change) refused(ctx context.Context, code string, remedy provider.Remedy) error {
	due := c.months.due
	due.WaitsFor, due.FailureCode, due.NextTryAt = remedyOf(remedy), code, nil
	if due.WaitsFor == provider.RemedyCard {
		c.sub.Card.Refused = true
	}
	if coming := comingTries(*due.Day, c.now); due.WaitsFor == provider.RemedyLater && len(coming) > 0 &&
		c.sub.Status == StatusActive {
		due.NextTryAt = &coming[0]
	}
	if err := c.saveMonth(ctx, *due); err != nil {
		return err
	}
	if err := c.note(ctx, "declined", due.Period, code); err != nil {
		return err
	}
	if c.sub.Status == StatusActive && !c.now.Before(pastDueAt(*due.Day)) {
		return c.becomeLate(ctx)
	}
	cause := causeChargeFailed
	if due.WaitsFor == provider.RemedyPayer {
		cause = causeActionRequired
	}
	return c.emit(ctx, cause, c.ofDue)
}

// becomeLate ends the tries of the due month; it waits for the backer.
func (c *change) becomeLate(ctx context.Context) error {
	due := c.months.due
	due.NextTryAt = nil
	if err := c.saveMonth(ctx, *due); err != nil {
		return err
	}
	c.sub.PastDueAt = &c.now
	if err := c.move(ctx, StatusPastDue, "unpaid", due.Period); err != nil {
		return err
	}
	return c.emit(ctx, causePastDue, c.ofDue)
}

// ofDue fills in what an event tells about the month that is to be paid.
func (c *change) ofDue(e *contentclient.SubscriptionEvent) {
	due := c.months.due
	e.Period, e.DueAmountMinor = &due.Period, &due.AmountMinor
	if due.FailureCode != "" {
		e.FailureCode = &due.FailureCode
	}
	if due.NextTryAt != nil {
		day := calendar.DayOf(*due.NextTryAt)
		e.NextTryOn = date(&day)
		e.TriesOn = new(days(comingTries(*due.Day, c.now)))
	}
	if c.sub.Status == StatusActive {
		day := calendar.DayOf(pastDueAt(*due.Day))
		e.GivesUpOn = date(&day)
	}
}
