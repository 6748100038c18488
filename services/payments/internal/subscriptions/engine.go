package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"talkoot.fi/payments/internal/wake"
)

const (
	// lease is how long a subscription is left to the worker that took it; longer than stepTimeout and the time to write
	// down what came of it.
	lease = time.Minute
	// stepTimeout bounds the work on one subscription. A stop of the worker lets it finish.
	stepTimeout = 40 * time.Second
	saveTimeout = 5 * time.Second
	// firstPause and longestPause are between steps that come to nothing, such as while the provider is down.
	firstPause   = 30 * time.Second
	longestPause = 30 * time.Minute
	// mostGivenWay is how long a worker waits for others before each claim, at most; wayPause between two looks.
	mostGivenWay = 2 * time.Second
	wayPause     = 20 * time.Millisecond
	// mostActions bounds one step: begin a month, learn of a try, try the card.
	mostActions = 5
)

// Run looks after subscriptions until ctx ends, whenever waker or the interval says so; what is at work then is finished,
// within stepTimeout. Several workers may run.
func (s *Service) Run(ctx context.Context, waker *wake.Waker, interval time.Duration) error {
	slots, group := make(chan struct{}, s.atOnce), sync.WaitGroup{}
	defer group.Wait()
	for waker.Wait(ctx, interval) {
		if _, err := s.start(ctx, slots, &group, s.giveWay); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "subscriptions wait", "error", err)
		}
	}
	return nil
}

// Steps takes all subscriptions that are due a step on, and returns when none is.
func (s *Service) Steps(ctx context.Context) error {
	slots, group := make(chan struct{}, s.atOnce), sync.WaitGroup{}
	defer group.Wait()
	for {
		found, err := s.start(ctx, slots, &group, func(context.Context) {})
		group.Wait() // those at work may leave a step behind that is due at once
		if err != nil || !found {
			return err
		}
	}
}

// start claims due subscriptions until there is none, never more than there are free slots: each is at work at once, so
// that its lease suffices and a slow one holds up no other. One that fails is logged and comes again, after growing
// pauses. It reports whether there was any.
func (s *Service) start(ctx context.Context, slots chan struct{}, group *sync.WaitGroup, giveWay func(context.Context)) (found bool, err error) {
	for {
		giveWay(ctx)
		free := take(ctx, slots)
		if free == 0 {
			return found, nil
		}
		ids, err := s.claim(ctx, free)
		for range free - len(ids) {
			<-slots
		}
		for _, id := range ids {
			group.Go(func() {
				defer func() { <-slots }()
				s.work(ctx, id)
			})
		}
		if err != nil || len(ids) == 0 {
			return found, err
		}
		found = true
	}
}

// giveWay waits while the events of earlier charges are late: those of pledges stand in the same line. It waits for a while at
// most, because months are to be charged on their day whatever becomes of events.
func (s *Service) giveWay(ctx context.Context) {
	for waited := time.Duration(0); waited < mostGivenWay && s.busy(); waited += wayPause {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wayPause):
		}
	}
}

// take waits for a free slot, takes all that are free then, and returns how many; 0 when ctx has ended.
func take(ctx context.Context, slots chan struct{}) int {
	if ctx.Err() != nil {
		return 0
	}
	select {
	case <-ctx.Done():
		return 0
	case slots <- struct{}{}:
	}
	for free := 1; ; free++ {
		select {
		case slots <- struct{}{}:
		default:
			return free
		}
	}
}

// claim leases due subscriptions. Index subscriptions_due serves it; rows that another worker has locked are passed
// over. A stop does not cut it: what was claimed without our hearing of it would wait for the end of its lease.
func (s *Service) claim(ctx context.Context, limit int) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	var ids []string
	now := s.now()
	err := s.db.WithContext(ctx).Raw(`UPDATE subscriptions SET step_at = ? WHERE id IN (SELECT id FROM subscriptions
		WHERE step_at <= ? ORDER BY step_at, id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING id`, now.Add(lease), now, limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("claim subscriptions: %w", err)
	}
	return ids, nil
}

// work takes one subscription a step on; when that comes to nothing it comes again later.
func (s *Service) work(ctx context.Context, id string) {
	stepping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	fault := s.step(stepping, id)
	if fault == nil {
		return
	}
	s.log.WarnContext(ctx, "subscription waits", "subscription", forLog(id), "error", fault)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	err := s.db.WithContext(saving).Exec(`UPDATE subscriptions SET faults = faults + 1, step_at = CAST(@now AS timestamptz)
			+ least(@first * interval '1 second' * power(2, least(faults, 20)), @longest * interval '1 second')
		WHERE id = @id AND step_at IS NOT NULL`, map[string]any{
		"now": s.now(), "first": firstPause.Seconds(), "longest": longestPause.Seconds(), "id": id,
	}).Error
	if err != nil {
		s.log.ErrorContext(ctx, "subscription not postponed, it comes again", "subscription", forLog(id), "error", err)
	}
}

// step does what the plan says is due. A panic is an error: one row must not take every worker down again and again.
func (s *Service) step(ctx context.Context, id string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	for range mostActions {
		sub, err := s.byID(ctx, id)
		if err != nil {
			return err
		}
		open, err := readOpen(ctx, s.db, id)
		if err != nil {
			return err
		}
		do, at := sub.plan(open)
		if do == nothing || at.After(s.now()) {
			if sub.Faults == 0 && (do == nothing && sub.StepAt == nil || sub.StepAt != nil && sub.StepAt.Equal(at)) {
				return nil
			}
			_, err := s.change(ctx, id, func(*change) error { return nil }) // gives the lease back
			return err
		}
		if err := s.do(ctx, sub, open, do); err != nil {
			return fmt.Errorf("%s: %w", do, err)
		}
	}
	return nil
}

// do is one action of the plan. It sees with the row locked that the action is still the plan's.
func (s *Service) do(ctx context.Context, sub Subscription, open months, do action) error {
	locked := func(fn func(c *change) error) error {
		_, err := s.change(ctx, sub.ID, func(c *change) error {
			if now, at := c.sub.plan(c.months); now != do || at.After(c.now) {
				return nil
			}
			c.leased = true
			return fn(c)
		})
		return err
	}
	switch do {
	case endPayment:
		return s.endPayments(ctx, sub.ID, open.ending)
	case forgetCard:
		return s.forgetCard(ctx, sub)
	case endAsked:
		return locked(func(c *change) error { return c.end(ctx, Asked) })
	case giveUp:
		return locked(func(c *change) error { return c.end(ctx, Unpaid) })
	case becomeLate:
		return locked(func(c *change) error { return c.becomeLate(ctx) })
	case notice:
		return locked(func(c *change) error { return c.dayBefore(ctx) })
	case leaveOut:
		return locked(func(c *change) error { return c.leaveOut(ctx) })
	case beginMonth:
		return locked(func(c *change) error { return c.beginMonth(ctx) })
	case settleTry:
		return s.settleTry(ctx, sub, *open.due)
	case tryCard:
		return s.orLast(ctx, sub, *open.due, s.tryCard(ctx, sub, *open.due))
	case nothing:
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
