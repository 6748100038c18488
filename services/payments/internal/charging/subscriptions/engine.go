package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/wake"
)

const (
	// lease is how long a subscription is left to the worker that took it; longer than stepTimeout and the time to write
	// down what came of it.
	lease = time.Minute
	// stepTimeout bounds the work on one subscription. A stop of the worker lets it finish.
	stepTimeout = 40 * time.Second
	saveTimeout = 5 * time.Second
	// firstPause and longestPause are between steps that come to nothing, such as while the provider is down; longestRefused is
	// between those that the provider refuses, each of which leaves a try behind until somebody has mended why.
	firstPause     = 30 * time.Second
	longestPause   = 30 * time.Minute
	longestRefused = 6 * time.Hour
	// mostActions bounds one step: see to the day before, begin a month, learn of a try, try the card.
	mostActions = 5
)

// Run looks after subscriptions until ctx ends, whenever waker or the interval says so; what is at work then is finished,
// within stepTimeout. Several workers may run.
func (s *Service) Run(ctx context.Context, waker *wake.Waker, interval time.Duration) error {
	loop := s.loop(s.pace.Wait)
	defer loop.Wait()
	for waker.Wait(ctx, interval) {
		if err := s.EndDefrauded(ctx); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "support that a bank calls fraud goes on", "error", err)
		}
		if _, err := loop.Start(ctx); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "subscriptions wait", "error", err)
		}
	}
	return nil
}

// Steps takes all subscriptions that are due a step on, and returns when none is.
func (s *Service) Steps(ctx context.Context) error {
	if err := s.EndDefrauded(ctx); err != nil {
		return err
	}
	loop := s.loop(func(ctx context.Context) error { return ctx.Err() })
	defer loop.Wait() // also of a caller that is ended in Start
	for {
		found, err := loop.Start(ctx)
		loop.Wait() // those at work may leave a step behind that is due at once
		if err != nil || !found {
			return err
		}
	}
}

// loop works on subscriptions. One that fails is logged and comes again, after growing pauses.
func (s *Service) loop(pace func(context.Context) error) *jobs.Loop[string] {
	return jobs.NewLoop(s.atOnce, s.claim, s.work).Paced(pace)
}

// claim leases due subscriptions. What became due last comes first: somebody who has just chosen
// another card does not wait for a morning's charges. Index subscriptions_due serves it; rows that another worker has locked
// are passed over. A stop does not cut it: what was claimed without our hearing of it would wait for the end of its lease.
func (s *Service) claim(ctx context.Context, limit int) (due []string, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	now := s.now()
	err = s.db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (SELECT id FROM subscriptions WHERE step_at <= ? ORDER BY step_at DESC LIMIT ? FOR UPDATE SKIP LOCKED)
		UPDATE subscriptions SET step_at = ? WHERE `+dbx.CommitAsync+` AND id IN (SELECT id FROM due) RETURNING id`,
		now, limit, now.Add(lease)).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("claim subscriptions: %w", err)
	}
	return due, nil
}

// work takes one subscription a step on; when that comes to nothing it comes again later.
func (s *Service) work(ctx context.Context, id string) {
	stepping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	fault := jobs.Recovered(func() error { return s.step(stepping, id) })
	if fault == nil {
		return
	}
	s.log.WarnContext(ctx, "subscription waits", "subscription", forLog(id), "error", fault)
	longest := longestPause
	if isRefused(fault) {
		longest = longestRefused
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	err := s.db.WithContext(saving).Exec(`UPDATE subscriptions SET faults = faults + 1, step_at = CAST(@now AS timestamptz)
			+ least(@first * interval '1 second' * power(2, least(faults, 20)), @longest * interval '1 second')
		WHERE id = @id AND step_at IS NOT NULL`, map[string]any{
		"now": s.now(), "first": firstPause.Seconds(), "longest": longest.Seconds(), "id": id,
	}).Error
	if err != nil {
		s.log.ErrorContext(ctx, "subscription not postponed, it comes again", "subscription", forLog(id), "error", err)
	}
}

// step does what the plan says is due.
func (s *Service) step(ctx context.Context, id string) error {
	for range mostActions {
		c, do, err := s.stepRows(ctx, id)
		if err == nil && do != nothing {
			err = s.call(ctx, c.sub, c.months, do)
		}
		if err != nil || do == nothing {
			return err
		}
	}
	return nil
}

// stepRows does what is due and concerns our rows only, all in one transaction, and gives what is due then: a call to the
// provider, for which the lease is prolonged, or nothing; then the lease is given back.
func (s *Service) stepRows(ctx context.Context, id string) (c *change, next action, err error) {
	_, err = s.change(ctx, id, func(locked *change) error {
		c, next = locked, nothing
		for range mostActions {
			do, at := c.sub.plan(c.months)
			if do == nothing || at.After(c.now) {
				return nil
			}
			isOurs, err := c.take(ctx, do)
			if err != nil {
				return fmt.Errorf("%s: %w", do, err)
			}
			if !isOurs {
				next, c.leased = do, true
				return nil
			}
		}
		return nil
	})
	return c, next, err
}

// take does an action of the plan that concerns our rows only, or reports that it is none.
func (c *change) take(ctx context.Context, do action) (isOurs bool, err error) {
	switch do {
	case endAsked:
		return true, c.end(ctx, Asked)
	case giveUp:
		return true, c.end(ctx, Unpaid)
	case becomeLate:
		return true, c.becomeLate(ctx)
	case notice:
		return true, c.dayBefore(ctx)
	case leaveOut:
		return true, c.leaveOut(ctx)
	case beginMonth:
		return true, c.beginMonth(ctx)
	case nothing, endPayment, forgetCard, settleTry, tryCard:
	}
	return false, nil
}

// call does an action that the provider has part in. It sees with the row locked that the action is still the plan's.
func (s *Service) call(ctx context.Context, sub Subscription, open months, do action) (err error) {
	about := payments.Subject{ID: sub.ID}
	if open.due != nil {
		about.Period = open.due.Period
	}
	ctx, end := tracing.About(ctx, "subscription: "+string(do), about.Trace())
	defer func() { end(err) }()
	switch do {
	case endPayment:
		err = s.endPayments(ctx, sub.ID, open.ending)
	case forgetCard:
		err = s.forgetCard(ctx, sub)
	case settleTry:
		err = s.settleTry(ctx, sub, *open.due)
	case tryCard:
		err = s.orLast(ctx, sub, *open.due, s.orCustomerGone(ctx, sub, s.tryCard(ctx, sub, *open.due)))
	case nothing, endAsked, giveUp, becomeLate, notice, leaveOut, beginMonth: // take does those
	}
	if err != nil {
		return fmt.Errorf("%s: %w", do, err)
	}
	return nil
}

// endPayments ends the payments of months that are not wanted any more.
func (s *Service) endPayments(ctx context.Context, id string, list []month) error {
	for _, m := range list {
		if err := s.payments.Close(ctx, m.PaymentID); err != nil {
			return err
		}
	}
	_, err := s.change(ctx, id, func(c *change) error {
		var others []month // that have come to it meanwhile
		for _, m := range c.months.ending {
			if !slices.ContainsFunc(list, func(ended month) bool { return ended.Period == m.Period }) {
				others = append(others, m)
				continue
			}
			m.IsEnding = false
			if err := c.saveMonth(ctx, m); err != nil {
				return err
			}
		}
		c.months.ending = others
		return nil
	})
	return err
}

// errUnsettled means that a try came to nothing; the step is repeated after a pause.
var errUnsettled = errors.New("the charge came to nothing at the provider")
