package subscriptions

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/limits"
)

// isHeld reports whether the next month waits because its calendar month would come above its backer's limit.
func (s Subscription) isHeld() bool {
	return s.HeldPeriod == s.NextPeriod && s.EndsOn == nil && !s.Status.IsOver()
}

// shares are the coming months.
func (s Subscription) shares(due *month, now time.Time) []limits.Share {
	if s.AnchorDay == nil || s.EndsOn != nil || s.Status != StatusActive && s.Status != StatusPaused {
		return nil
	}
	return limits.Coming(s.ID, *s.AnchorDay, s.coming(due, now), s.HeldPeriod, s.nextLevel().AmountMinor, now)
}

// firstShares are all months of a subscription whose first one is to be paid now.
func firstShares(id string, amountMinor int64, now time.Time) []limits.Share {
	return limits.Coming(id, calendar.DayOf(now), 1, 0, amountMinor, now)
}

// weighed is a month beside all else of its calendar month.
type weighed struct {
	fits       bool
	limitMinor int64
	totalMinor int64 // of the calendar month, with it
}

// weigh is nil without a limit; find locks the limit or only reads it.
func (s Subscription) weigh(ctx context.Context, db *gorm.DB, now time.Time,
	find func(context.Context, *gorm.DB, *int64, string) (*limits.Limit, error)) (*weighed, error) {
	l, err := find(ctx, db, s.BackerUserID, s.Level.Currency)
	if err != nil || l == nil {
		return nil, err
	}
	own := limits.Share{ID: s.ID, Day: s.day(s.NextPeriod), AmountMinor: s.nextLevel().AmountMinor, IsComing: true}
	others, err := l.Shares(ctx, db, s.ID, own.Day, now)
	if err != nil {
		return nil, err
	}
	w := weighed{limitMinor: l.AmountMinor}
	w.fits, w.totalMinor = l.Weigh(others, own)
	return &w, nil
}

// act does what a backer asks for of a subscription that goes on, unless a month would come above their limit by it.
// Errors: SubscriptionEnded, SubscriptionNotBegun, SpendingLimitExceeded.
func (c *change) act(ctx context.Context, fn func() error) error {
	if err := c.goesOn(); err != nil {
		return err
	}
	before := c.sub.shares(c.months.due, c.now)
	if err := fn(); err != nil {
		return err
	}
	return limits.Allow(ctx, c.tx, limits.Act{UserID: c.sub.BackerUserID, Currency: c.sub.Level.Currency, ID: c.sub.ID,
		Before: before, After: c.sub.shares(c.months.due, c.now)}, c.now)
}

// hold has the next month wait when its calendar month would come above the limit; its backer is told once.
func (c *change) hold(ctx context.Context) (isHeld bool, err error) {
	w, err := c.sub.weigh(ctx, c.tx, c.now, limits.Lock)
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
	if err := c.note(ctx, "held", period, ""); err != nil {
		return false, err
	}
	return true, c.emit(ctx, causeLimitReached, func(e *contentclient.SubscriptionEvent) {
		amount := c.sub.nextLevel().AmountMinor
		e.Period, e.DueAmountMinor, e.LimitMinor, e.LimitTotalMinor = &period, &amount, &w.limitMinor, &w.totalMinor
	})
}

// letGo ends the wait of a held month that fits now: it is charged on its day, or at once when that has come.
func (c *change) letGo(ctx context.Context) error {
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
	period := c.sub.NextPeriod
	c.sub.NextPeriod++
	if err := c.note(ctx, "left out", period, ""); err != nil {
		return err
	}
	w, err := c.sub.weigh(ctx, c.tx, c.now, limits.Lock)
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

// Limits gives a person's spending limits, by currency.
func (s *Service) Limits(ctx context.Context, user int64) ([]limits.Limit, error) {
	return limits.Of(ctx, s.db, user)
}

// SetLimit sets a spending limit; held months that fit now go on.
func (s *Service) SetLimit(ctx context.Context, l limits.Limit) error {
	return s.changeLimit(ctx, l.UserID, l.Currency, func(tx *gorm.DB) error { return limits.Set(ctx, tx, l, s.now()) })
}

// EndLimit takes a spending limit away; held months go on. Without a limit it changes nothing.
func (s *Service) EndLimit(ctx context.Context, user int64, currency string) error {
	return s.changeLimit(ctx, user, currency, func(tx *gorm.DB) error { return limits.End(ctx, tx, user, currency) })
}

// changeLimit locks the person's subscriptions before their limit: one that a worker is about to hold is held by then.
func (s *Service) changeLimit(ctx context.Context, user int64, currency string, write func(tx *gorm.DB) error) error {
	var changes []*change
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		list, err := read(ctx, tx, `WHERE backer_user_id = ? AND status IN ('active', 'paused') AND level ->> 'currency' = ?
			ORDER BY id FOR UPDATE`, user, currency)
		if err != nil {
			return err
		}
		if err := write(tx); err != nil {
			return err
		}
		changes, err = s.letFittingGo(ctx, tx, list)
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		s.wakeFor(c)
	}
	return nil
}

// letFittingGo ends the wait of held months that fit now, in the order of their days; list is locked.
func (s *Service) letFittingGo(ctx context.Context, tx *gorm.DB, list []Subscription) ([]*change, error) {
	list = slices.DeleteFunc(list, func(sub Subscription) bool { return !sub.isHeld() })
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
func (s *Service) showHeld(ctx context.Context, sub Subscription, now time.Time) (*api.HeldMonth, error) {
	w, err := sub.weigh(ctx, s.db, now, limits.Find)
	if err != nil || w == nil {
		return nil, err
	}
	day := sub.day(sub.NextPeriod)
	return &api.HeldMonth{Period: sub.NextPeriod, Day: *date(&day), AmountMinor: sub.nextLevel().AmountMinor,
		LimitMinor: w.limitMinor, TotalMinor: w.totalMinor}, nil
}
