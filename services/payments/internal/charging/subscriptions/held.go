package subscriptions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/limits"
	"talkoot.fi/payments/internal/contentclient"
)

// heldPeriod is the month that waits for its backer because of the limit: the one that is to be paid, or the next; 0 for none.
func (s Subscription) heldPeriod(due *month) int {
	switch {
	case due != nil && due.IsHeld:
		return due.Period
	case s.isHeld():
		return s.NextPeriod
	}
	return 0
}

// isWeighedIn reports whether a month that is to be paid may be charged in a calendar month without being weighed again.
func (m month) isWeighedIn(now time.Time) bool {
	return !m.IsHeld && m.WeighedOn != nil && limits.SameMonth(*m.WeighedOn, calendar.DayOf(now))
}

// isHeld reports whether the next month waits because its calendar month would come above its backer's limit.
func (s Subscription) isHeld() bool {
	return s.HeldPeriod == s.NextPeriod && s.EndsOn == nil && !s.Status.IsOver()
}

// hold has the next month wait when the calendar month of its charge would come above the limit; its backer is told once.
func (c *change) hold(ctx context.Context) (isHeld bool, err error) {
	w, err := c.sub.weigh(ctx, c.tx, nil, c.now, limits.Lock)
	if err != nil {
		return false, err
	}
	period, wasHeld := c.sub.NextPeriod, c.sub.isHeld()
	if w == nil || w.fits {
		c.sub.HeldPeriod = 0
		return false, nil
	}
	if wasHeld {
		return true, nil
	}
	c.sub.HeldPeriod = period
	return true, c.tellHeld(ctx, period, c.sub.nextLevel().AmountMinor, *w)
}

func (c *change) tellHeld(ctx context.Context, period int, amountMinor int64, w weighed) error {
	if err := c.note(ctx, "held", period, ""); err != nil {
		return err
	}
	return c.emit(ctx, causeLimitReached, func(e *contentclient.SubscriptionEvent) {
		e.Period, e.DueAmountMinor, e.LimitMinor, e.LimitTotalMinor = &period, &amountMinor, &w.limitMinor, &w.totalMinor
	})
}

// holdTry has the month that is to be paid wait when its try comes into a calendar month in which it was not weighed and does not fit;
// its backer is told once.
func (c *change) holdTry(ctx context.Context) (isHeld bool, err error) {
	due := c.months.due
	if due.isWeighedIn(c.now) {
		return false, nil
	}
	w, err := c.sub.weigh(ctx, c.tx, due, c.now, limits.Lock)
	if err != nil {
		return false, err
	}
	wasHeld, today := due.IsHeld, calendar.DayOf(c.now)
	due.IsHeld, due.WeighedOn = w != nil && !w.fits, &today
	if due.IsHeld {
		due.NextTryAt = nil
	}
	if err := c.saveMonth(ctx, *due); err != nil || !due.IsHeld || wasHeld {
		return due.IsHeld, err
	}
	return true, c.tellHeld(ctx, due.Period, due.AmountMinor, *w)
}

// allowForm weighs the month that is to be paid when its backer is about to do so in a calendar month in which it was not weighed. One that
// is held stays so until it is paid. Error: SpendingLimitExceeded.
func (c *change) allowForm(ctx context.Context) error {
	due, today := c.months.due, calendar.DayOf(c.now)
	if due == nil || due.isWeighedIn(c.now) {
		return nil
	}
	err := limits.Allow(ctx, c.tx, limits.Act{UserID: c.sub.BackerUserID, Currency: c.sub.Level.Currency, ID: c.sub.ID, Pays: true,
		After: []limits.Share{{ID: c.sub.ID, Day: today, AmountMinor: due.AmountMinor}}}, c.now)
	if err != nil || due.IsHeld {
		return err
	}
	due.WeighedOn = &today
	return c.saveMonth(ctx, *due)
}

// letGo ends the wait of a held month that fits now: it is charged on its day, or at once when that has come.
func (c *change) letGo(ctx context.Context) error {
	if due := c.months.due; due != nil && due.IsHeld {
		w, err := c.sub.weigh(ctx, c.tx, due, c.now, limits.Lock)
		if err != nil || w != nil && !w.fits {
			return err
		}
		today := calendar.DayOf(c.now)
		due.IsHeld, due.WeighedOn = false, &today
		if err := c.note(ctx, "let go", due.Period, ""); err != nil {
			return err
		}
		return c.tryAtOnce(ctx)
	}
	if !c.sub.isHeld() {
		return nil
	}
	if isHeld, err := c.hold(ctx); err != nil || isHeld {
		return err
	}
	period, amount := c.sub.NextPeriod, c.sub.nextLevel().AmountMinor
	if err := c.note(ctx, "let go", period, ""); err != nil || !c.now.Before(chargeAt(c.sub.day(period))) {
		return err
	}
	return c.emit(ctx, causeChargeComing, func(e *contentclient.SubscriptionEvent) {
		e.Period, e.DueAmountMinor = &period, &amount
	})
}

// leaveOut leaves a held month out that its backer has not answered for, because the next one comes. When that one is to wait as
// well, it says so already; why is told next.
func (c *change) leaveOut(ctx context.Context) error {
	if c.sub.OnHold || c.months.due == nil && c.sub.passedOnHold() {
		return c.leaveOutOnHold(ctx)
	}
	period := c.sub.NextPeriod
	if due := c.months.due; due != nil {
		period = due.Period
		if err := c.skipDue(ctx, "left out"); err != nil {
			return err
		}
	} else {
		c.sub.NextPeriod++
		if err := c.note(ctx, "left out", period, ""); err != nil {
			return err
		}
	}
	w, err := c.sub.weigh(ctx, c.tx, nil, c.now, limits.Lock)
	if err != nil {
		return err
	}
	return c.emit(ctx, causeSkipped, func(e *contentclient.SubscriptionEvent) {
		e.Period, e.IsUnanswered = &period, new(true)
		if w != nil && !w.fits {
			day := c.sub.day(c.sub.NextPeriod)
			e.NextChargeOn, e.HeldOn = nil, date(&day)
		}
	})
}

// letFittingGo ends the wait of held months that fit now, in the order of their days; list is locked.
func (s *Service) letFittingGo(ctx context.Context, tx *gorm.DB, list []Subscription) ([]*change, error) {
	ids := make([]string, len(list))
	for i, sub := range list {
		ids[i] = sub.ID
	}
	var open []string // whose month that is to be paid is held; read after the lock, as the others are
	err := tx.WithContext(ctx).Raw(`SELECT subscription_id FROM subscription_periods WHERE status = 'open' AND is_held AND subscription_id = ANY(?)`,
		dbx.TextArray(ids)).Scan(&open).Error
	if err != nil {
		return nil, fmt.Errorf("read held months: %w", err)
	}
	list = slices.DeleteFunc(list, func(sub Subscription) bool { return !sub.isHeld() && !slices.Contains(open, sub.ID) })
	slices.SortStableFunc(list, func(a, b Subscription) int { return a.day(a.NextPeriod).Compare(b.day(b.NextPeriod)) })
	var changes []*change
	for _, sub := range list {
		c, err := s.changeIn(ctx, tx, sub.ID, func(c *change) error { return c.letGo(ctx) })
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// showHeld is the month that waits for its backer; nil when the limit has just gone.
func showHeld(ctx context.Context, db *gorm.DB, sub Subscription, due *month, now time.Time) (*api.HeldMonth, error) {
	w, err := sub.weigh(ctx, db, due, now, limits.Find)
	if err != nil || w == nil {
		return nil, err
	}
	period := sub.heldPeriod(due)
	day := sub.day(period)
	return &api.HeldMonth{Period: period, Day: *date(&day), AmountMinor: sub.charge(due, now).AmountMinor,
		LimitMinor: w.limitMinor, TotalMinor: w.totalMinor}, nil
}
