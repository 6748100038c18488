package claims

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/pledging/pledges"
)

const batch = 50

// onClock is whether a claim is in a state that ends with its day; staff have no clock that decides for them.
const onClock = `state NOT IN ('agreed', 'decided', 'closed', 'with_staff')`

// Sweep takes claims on whose time is over, and closes those whose pledge went back another way; one batch. It gives how many it moved.
// Any number of workers may run it at once.
func (s *Service) Sweep(ctx context.Context) (moved int, err error) {
	var due []struct {
		ID, PledgeID string
	}
	now := s.now()
	err = s.db.WithContext(ctx).Raw(`SELECT c.id, c.pledge_id FROM claims c JOIN pledges p ON p.id = c.pledge_id
		WHERE c.state NOT IN ('agreed', 'decided', 'closed') AND (c.state <> 'with_staff' AND c.due_at <= @now OR p.status IN ('refunded', 'withdrawn'))
		ORDER BY c.due_at LIMIT @batch`, map[string]any{"now": now, "batch": batch}).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for claims whose time is over: %w", err)
	}
	var faults []error
	for _, d := range due {
		did, err := s.sweepOne(ctx, d.PledgeID, d.ID, now)
		if err != nil {
			faults = append(faults, fmt.Errorf("claim %s: %w", d.ID, err))
		} else if did {
			moved++
		}
	}
	return moved, errors.Join(faults...)
}

func (s *Service) sweepOne(ctx context.Context, pledgeID, id string, now time.Time) (did bool, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		did = false
		p, err := lockPledge(ctx, tx, pledgeID)
		if err != nil {
			return err
		}
		c, found, err := read(ctx, tx, `WHERE id = ? FOR UPDATE`, id)
		if err != nil || !found || c.State.IsOver() {
			return err
		}
		w := Wish{Act: Silence}
		switch isBack := p.Status == pledges.Refunded || p.Status == pledges.Withdrawn; {
		case isBack, p.leftMinor() <= 0 && c.State != WithStaff:
			w.Act = Overtaken
		case c.State == WithStaff || c.DueAt == nil || now.Before(*c.DueAt): // somebody was quicker
			return nil
		}
		did = true
		return s.move(ctx, tx, p, c, By{Role: Clock}, w, now)
	})
	return did && err == nil, err
}

// overdue has the clock take a pledge's claim on whose time is over, when no worker has come by yet: what somebody's silence has given is not theirs to
// take back who come first after that.
func (s *Service) overdue(ctx context.Context, pledgeID string, now time.Time) error {
	c, found, err := read(ctx, s.db, `WHERE pledge_id = ? AND due_at <= ? AND `+onClock, pledgeID, now)
	if err != nil || !found {
		return err
	}
	_, err = s.sweepOne(ctx, pledgeID, c.ID, now)
	return err
}
