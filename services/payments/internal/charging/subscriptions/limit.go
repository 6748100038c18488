package subscriptions

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/limits"
)

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

// charge is what is weighed: what is to be paid, today, or the next month, on its day or today when that has come.
func (s Subscription) charge(due *month, now time.Time) limits.Share {
	today := calendar.DayOf(now)
	if due != nil {
		return limits.Share{ID: s.ID, Day: today, AmountMinor: due.AmountMinor, IsComing: true, IsOpen: true}
	}
	day := s.day(s.NextPeriod)
	if day.Before(today) {
		day = today
	}
	return limits.Share{ID: s.ID, Day: day, AmountMinor: s.nextLevel().AmountMinor, IsComing: true}
}

// weigh is nil without a limit; find locks the limit or only reads it.
func (s Subscription) weigh(ctx context.Context, db *gorm.DB, due *month, now time.Time,
	find func(context.Context, *gorm.DB, *int64, string) (*limits.Limit, error)) (*weighed, error) {
	l, err := find(ctx, db, s.BackerUserID, s.Level.Currency)
	if err != nil || l == nil {
		return nil, err
	}
	others, err := l.Shares(ctx, db, s.ID, now)
	if err != nil {
		return nil, err
	}
	own := s.charge(due, now)
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

// Limits gives a person's spending limits, by currency.
func (s *Service) Limits(ctx context.Context, user int64) ([]limits.Limit, error) {
	return limits.Of(ctx, s.db, user)
}

// SetLimit sets a spending limit; held months that fit now go on. Whoever has taken a session over does not loosen the limit that their
// person has set: that takes a person who has just shown that it is them. Error: ConfirmationRequired.
func (s *Service) SetLimit(ctx context.Context, l limits.Limit, hasConfirmed bool) error {
	return s.changeLimit(ctx, l.UserID, l.Currency, func(tx *gorm.DB) error {
		before, err := limits.Lock(ctx, tx, &l.UserID, l.Currency)
		if err != nil {
			return err
		}
		if before != nil && l.IsLooserThan(*before) && !hasConfirmed {
			return apperr.New(apperr.ConfirmationRequired)
		}
		return limits.Set(ctx, tx, l, s.now())
	})
}

// EndLimit takes a spending limit away; held months go on. Without a limit it changes nothing. Error: ConfirmationRequired, as SetLimit.
func (s *Service) EndLimit(ctx context.Context, user int64, currency string, hasConfirmed bool) error {
	return s.changeLimit(ctx, user, currency, func(tx *gorm.DB) error {
		before, err := limits.Lock(ctx, tx, &user, currency)
		if err != nil {
			return err
		}
		if before != nil && !hasConfirmed {
			return apperr.New(apperr.ConfirmationRequired)
		}
		return limits.End(ctx, tx, user, currency)
	})
}

// changeLimit locks the person's subscriptions before their limit: one that a worker is about to hold is held by then.
func (s *Service) changeLimit(ctx context.Context, user int64, currency string, write func(tx *gorm.DB) error) error {
	var changes []*change
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		list, err := read(ctx, tx, `WHERE backer_user_id = ? AND status IN ('active', 'past_due', 'paused') AND level ->> 'currency' = ?
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
