package pledges

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	// tidyBatch is how many attempts, refunds and disputes are worked on at once.
	tidyBatch = 4
	// endRetry is when an attempt that could not be ended is tried again; longer than one is worked on.
	endRetry = 30 * time.Second
	// stepTimeout bounds the work on one attempt or refund. A stop of the worker lets it finish.
	stepTimeout = 25 * time.Second
	// sweepBatch is how many payments are claimed at once to be asked about or closed.
	sweepBatch = 20
)

// Tidy makes lost pages, ends attempts of payments that are over, learns fees that were not known, sends refunds, and
// asks about disputes, as far as they are due. Several workers may do it at once. One that fails is logged, and comes again by its row.
func (s *Service) Tidy(ctx context.Context) error {
	for ctx.Err() == nil {
		attempts, err := s.dueAttempts(ctx)
		if err != nil {
			return err
		}
		refunds, err := s.dueRefunds(ctx, tidyBatch)
		if err != nil {
			return err
		}
		disputes, err := s.dueDisputes(ctx, tidyBatch)
		if err != nil {
			return err
		}
		var group sync.WaitGroup
		for _, a := range attempts {
			group.Go(func() {
				if err := step(ctx, func(ctx context.Context) error { return s.tidyAttempt(ctx, a) }); err != nil {
					s.Log.WarnContext(ctx, "attempt not tidied", "attempt_id", a.ID, "payment_id", a.PaymentID, "error", err)
				}
			})
		}
		for _, r := range refunds {
			group.Go(func() {
				if err := step(ctx, func(ctx context.Context) error { return s.advanceRefund(ctx, r) }); err != nil {
					s.Log.WarnContext(ctx, "refund not advanced", "refund_id", r.ID, "payment_id", r.PaymentID, "error", err)
				}
			})
		}
		for _, d := range disputes {
			group.Go(func() {
				err := step(ctx, func(ctx context.Context) error { _, err := s.Advance(ctx, d.PaymentID, SignalDispute); return err })
				if err != nil {
					s.Log.WarnContext(ctx, "dispute not asked about", "dispute_id", d.ProviderID, "payment_id", d.PaymentID, "error", err)
				}
			})
		}
		group.Wait()
		if len(attempts)+len(refunds)+len(disputes) == 0 {
			return nil
		}
	}
	return nil
}

// step runs one piece of work to its end, also when ctx ends meanwhile, within stepTimeout. A panic is an error: the row
// that brings it about must not take every worker down again and again.
func step(ctx context.Context, work func(ctx context.Context) error) (err error) {
	ctx, cancel := detached(ctx, stepTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work(ctx)
}

// dueAttempts leases attempts that the worker has to do something about. Index attempts_due serves it; rows that
// another worker has locked are passed over. A stop does not cut it, see dueRefunds.
func (s *Service) dueAttempts(ctx context.Context) ([]attempt, error) {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	var list []attempt
	now := s.clock()
	err := s.DB.WithContext(ctx).Raw(`UPDATE attempts SET next_check_at = ? WHERE id IN (SELECT id FROM attempts WHERE next_check_at <= ?
		ORDER BY next_check_at LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING `+attemptColumns, now.Add(endRetry), now, tidyBatch).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("claim attempts: %w", err)
	}
	return list, nil
}

func (s *Service) tidyAttempt(ctx context.Context, a attempt) error {
	p, err := s.Payment(ctx, a.PaymentID)
	if err != nil {
		return err
	}
	if a.Status.tookMoney() {
		_, err := s.Advance(ctx, p.ID, SignalMoneySweep)
		return err
	}
	if p.Status.IsOpen() && p.ClosingAt == nil {
		return s.MakePage(ctx, a.ID)
	}
	return s.end(ctx, p, a)
}

// end closes an attempt at the provider, so that nobody can pay it any more. When it turns out to be paid, that counts.
// What was promised but never answered is made first: only then is it certain that nothing is left open.
func (s *Service) end(ctx context.Context, p Payment, a attempt) error {
	if a.Status == AttemptCreating {
		err := s.remake(ctx, p, a)
		if errors.Is(err, stripe.ErrBurned) || errors.Is(err, stripe.ErrRefused) {
			return s.abandon(ctx, a)
		}
		if err != nil {
			return err
		}
		if a, err = s.attemptByID(ctx, a.ID); err != nil {
			return err
		}
	}
	if a.Status != AttemptOpen {
		return nil
	}
	var err error
	switch a.Kind {
	case KindIntent:
		err = s.Stripe.CancelIntent(ctx, *a.ProviderID)
	case KindSession:
		err = s.Stripe.ExpireSession(ctx, *a.ProviderID)
	}
	if err != nil && !errors.Is(err, stripe.ErrState) && !errors.Is(err, stripe.ErrNotFound) {
		return err
	}
	_, err = s.Advance(ctx, a.PaymentID, SignalReservation)
	return err
}

// remake learns what the provider made for an attempt, by its key.
func (s *Service) remake(ctx context.Context, p Payment, a attempt) error {
	if a.Kind == KindSession {
		return s.createPage(ctx, p, a)
	}
	_, err := s.intentOf(ctx, p, a)
	return err
}

// Close ends the time of a payment: no attempt begins any more, and the live ones are ended. It is canceled when none
// of them turns out to be paid. A second call changes nothing. Error: NotFound.
func (s *Service) Close(ctx context.Context, paymentID string) error {
	return s.close(ctx, paymentID, SignalReservation)
}

func (s *Service) close(ctx context.Context, paymentID string, signal Signal) error {
	_, err := s.change(ctx, paymentID, signal, func(c *change) error {
		if c.payment.ClosingAt != nil || c.payment.Alert != "" || c.payment.Status != StatusCreated && c.payment.Status != StatusRequiresAction {
			return nil
		}
		c.payment.ClosingAt = &c.now
		return nil
	})
	return err
}

// CloseLapsed closes payments whose reservation and its grace are over. Index payments_to_close serves it.
func (s *Service) CloseLapsed(ctx context.Context) error {
	for ctx.Err() == nil {
		var ids []string
		err := s.DB.WithContext(ctx).Raw(`SELECT id FROM payments WHERE status IN ('created', 'requires_action') AND closing_at IS NULL
			AND closes_at <= ? AND alert = '' ORDER BY closes_at LIMIT ?`, s.clock(), sweepBatch).Scan(&ids).Error
		if err != nil {
			return fmt.Errorf("find lapsed payments: %w", err)
		}
		for _, id := range ids {
			if err := s.Close(ctx, id); err != nil {
				return err
			}
		}
		if len(ids) < sweepBatch {
			return nil
		}
	}
	return nil
}

// CheckOpen asks the provider about open payments that nobody told us about for a while, each time after a longer
// pause: half its age, at least a minute. Index payments_to_check serves the claim.
func (s *Service) CheckOpen(ctx context.Context) error {
	for ctx.Err() == nil {
		var ids []string
		now := s.clock()
		err := s.DB.WithContext(ctx).Raw(`UPDATE payments SET next_check_at = CAST(@now AS timestamptz)
				+ greatest(interval '1 minute', (CAST(@now AS timestamptz) - created_at) / 2)
			WHERE id IN (SELECT id FROM payments WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at <= @now
				ORDER BY next_check_at LIMIT @limit FOR UPDATE SKIP LOCKED) RETURNING id`,
			map[string]any{"now": now, "limit": sweepBatch}).Scan(&ids).Error
		if err != nil {
			return fmt.Errorf("claim open payments: %w", err)
		}
		for _, id := range ids {
			err := step(ctx, func(ctx context.Context) error { _, err := s.Advance(ctx, id, SignalSweep); return err })
			if err != nil {
				s.Log.WarnContext(ctx, "open payment not checked", "payment_id", id, "error", err)
			}
		}
		if len(ids) < sweepBatch {
			return nil
		}
	}
	return nil
}
