package payments

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

const (
	// endRetry is the first pause before another try to end an attempt; it is longer than stepTimeout. Later pauses are
	// half the time since the attempt last changed, at most endLongest.
	endRetry   = 30 * time.Second
	endLongest = 6 * time.Hour
	// stepTimeout bounds the work on one attempt, refund or dispute. A stop of the worker lets it finish.
	stepTimeout = 25 * time.Second
	// sweepBatch is how many payments are claimed at once to be asked about or closed.
	sweepBatch = 20
	// longestCheck bounds the pauses between looks at an open payment.
	longestCheck = 6 * time.Hour
	// stuckAfter is how long after the end of its time an open payment becomes an anomaly; stuckProcessing, when a bank
	// has it in processing.
	stuckAfter      = time.Hour
	stuckProcessing = 14 * 24 * time.Hour
	// stuckMonth is the least age at which a month becomes an anomaly that its subscription opens.
	stuckMonth = 24 * time.Hour
)

// piece is one thing that is due.
type piece struct {
	what, id, paymentID string
	do                  func(ctx context.Context) error
}

// Tidy makes lost pages, ends attempts of payments that are over, learns fees that were not known, sends refunds, and
// asks about disputes, and moves what banks keep to where they took it from, as far as they are due. Several workers may do it at once. One that fails is logged, and comes
// again by its row.
func (s *Service) Tidy(ctx context.Context) error {
	for ctx.Err() == nil {
		due, err := s.due(ctx)
		if err != nil || len(due) == 0 {
			return err
		}
		slots := make(chan struct{}, s.workers)
		var group sync.WaitGroup
		for _, d := range due {
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				if err := step(ctx, d.do); err != nil {
					s.log.WarnContext(ctx, "not tidied", "what", d.what, "id", d.id, "payment_id", d.paymentID, "error", err)
				}
			})
		}
		group.Wait()
	}
	return nil
}

// respreadEvery is how often overdue refunds are looked for, which is before they count as overdue.
const respreadEvery = 10 * time.Second

// respread gives what is overdue of whole campaigns new turns.
func (s *Service) respread(ctx context.Context, now time.Time) error {
	before := s.respreadAt.Load()
	if now.UnixNano()-before < respreadEvery.Nanoseconds() || !s.respreadAt.CompareAndSwap(before, now.UnixNano()) {
		return nil
	}
	for provider, perMinute := range s.refundsPerMinute {
		if err := refunds.Respread(ctx, s.db, provider, perMinute, now); err != nil {
			s.respreadAt.Store(before)
			return err //nolint:wrapcheck // it says all
		}
	}
	return nil
}

// due leases what is due of each kind. A stop does not cut it: what was claimed without our hearing of it would wait
// for the end of its lease.
func (s *Service) due(ctx context.Context) (out []piece, err error) {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	now := s.now()
	attempts, err := s.dueAttempts(ctx, now)
	if err != nil {
		return nil, err
	}
	for _, a := range attempts {
		out = append(out, piece{"attempt", fmt.Sprint(a.ID), a.PaymentID,
			func(ctx context.Context) error { return s.tidyAttempt(ctx, a) }})
	}
	if err := s.respread(ctx, now); err != nil {
		return nil, err
	}
	rows, err := refunds.Due(ctx, s.db, now, s.workers)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		out = append(out, piece{"refund", r.ID, r.PaymentID,
			func(ctx context.Context) error { return s.advanceRefund(ctx, r) }})
	}
	open, err := disputes.Due(ctx, s.db, now, s.workers)
	if err != nil {
		return nil, err
	}
	for _, d := range open {
		out = append(out, piece{"dispute", d.ProviderRef, d.PaymentID, func(ctx context.Context) error {
			_, err := s.Advance(ctx, d.PaymentID, SignalDispute)
			return err
		}})
	}
	lost, err := disputes.ToRepay(ctx, s.db, now, s.workers)
	if err != nil {
		return nil, err
	}
	for _, d := range lost {
		out = append(out, piece{"repayment", d.ProviderRef, d.PaymentID, func(ctx context.Context) error { return s.repay(ctx, d) }})
	}
	return out, nil
}

// step runs one piece of work to its end, also when ctx ends meanwhile, within stepTimeout.
func step(ctx context.Context, work func(ctx context.Context) error) error {
	ctx, cancel := detached(ctx, stepTimeout)
	defer cancel()
	return jobs.Recovered(func() error { return work(ctx) })
}

// dueAttempts leases attempts that the worker has to do something about. Index attempts_due serves it; rows that
// another worker has locked are passed over.
func (s *Service) dueAttempts(ctx context.Context, now time.Time) ([]attempt, error) {
	var list []attempt
	err := s.db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (SELECT id FROM attempts WHERE next_check_at <= @now ORDER BY next_check_at, id LIMIT @limit FOR UPDATE SKIP LOCKED)
		UPDATE attempts SET next_check_at = CAST(@now AS timestamptz)
			+ least(greatest((CAST(@now AS timestamptz) - updated_at) / 2, @retry * interval '1 second'), @longest * interval '1 second')
		WHERE id IN (SELECT id FROM due)
		RETURNING `+attemptColumns, map[string]any{
		"now": now, "limit": s.workers, "retry": endRetry.Seconds(), "longest": endLongest.Seconds(),
	}).Scan(&list).Error
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
	if p.Status.IsOpen() && p.ClosingAt == nil && a.InstrumentRef != "" {
		return s.settleUnanswered(ctx, p, a)
	}
	if p.Status.IsOpen() && p.ClosingAt == nil {
		return s.MakePage(ctx, a.ID)
	}
	return s.end(ctx, p, a)
}

// end closes an attempt at the provider, so that nobody can pay it any more. When it turns out to be paid, that counts.
// What was promised but never answered is made first: only then is it certain that nothing is left open. An instrument is not charged
// for that.
func (s *Service) end(ctx context.Context, p Payment, a attempt) error {
	if a.Status == AttemptCreating {
		err := s.remake(ctx, p, a)
		if errors.Is(err, provider.ErrBurned) || errors.Is(err, provider.ErrRefused) || s.isUnmakeable(p, a, err) {
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
	prov, err := s.provider(a.Provider)
	if err != nil {
		return err
	}
	err = prov.End(ctx, a.ref())
	if err != nil && !errors.Is(err, provider.ErrState) && !errors.Is(err, provider.ErrNotFound) {
		return lost(err)
	}
	_, err = s.lookAndApply(ctx, p, a, SignalClose)
	return err
}

// isUnmakeable reports whether what was promised can neither be made nor be paid any more. A form whose customer is forgotten: if the
// provider made it, the call would bring it while its key is known, and nobody was handed its secret. A page whose order is gone,
// without which the request of its idempotency key cannot be repeated, and either the provider was never asked or the page would
// have ended by now.
func (s *Service) isUnmakeable(p Payment, a attempt, err error) bool {
	if a.InstrumentRef != "" {
		return errors.Is(err, provider.ErrNotFound)
	}
	if a.Method == provider.MethodCard {
		return (p.Customer != "" || a.Keeps) && errors.Is(err, provider.ErrNotFound)
	}
	return a.Method == provider.MethodPage && errors.Is(err, apperr.New(apperr.NotFound)) &&
		(a.Tries == 0 || a.PageExpiresAt != nil && s.now().After(*a.PageExpiresAt))
}

// remake repeats the call that makes an attempt's object, with the same key, and so learns what the provider made. A
// page that needs the content service may wait until that is back: nobody was given its address.
func (s *Service) remake(ctx context.Context, p Payment, a attempt) error {
	var err error
	switch {
	case a.Method == provider.MethodPage:
		return s.createPage(ctx, p, a)
	case a.InstrumentRef != "":
		_, err = s.lookForBegun(ctx, &p, a)
	default:
		_, err = s.make(ctx, &p, a)
	}
	return err
}

// Close ends the time of a payment: no attempt begins any more, and the live ones are ended. It is canceled when none
// of them turns out to be paid. A second call changes nothing. Error: NotFound.
func (s *Service) Close(ctx context.Context, paymentID string) error {
	return s.close(ctx, paymentID, SignalClose)
}

func (s *Service) close(ctx context.Context, paymentID string, signal Signal) error {
	_, err := s.change(ctx, paymentID, signal, func(c *change) error {
		if c.payment.ClosingAt == nil && c.payment.Status.IsOpen() {
			c.payment.ClosingAt = &c.now
		}
		return nil
	})
	return err
}

// CloseLapsed closes payments whose time and its grace are over. Index payments_to_close serves it. One that cannot be
// closed is logged and keeps no other waiting.
func (s *Service) CloseLapsed(ctx context.Context) error {
	after := struct {
		ClosesAt time.Time
		ID       string
	}{ClosesAt: time.Unix(0, 0).UTC()}
	for ctx.Err() == nil {
		var list []struct {
			ClosesAt time.Time
			ID       string
		}
		err := s.db.WithContext(ctx).Raw(`SELECT closes_at, id FROM payments WHERE status IN ('created', 'requires_action') AND closing_at IS NULL
			AND closes_at <= ? AND (closes_at, id) > (?, ?) ORDER BY closes_at, id LIMIT ?`, s.now(), after.ClosesAt, after.ID, sweepBatch).Scan(&list).Error
		if err != nil {
			return fmt.Errorf("find lapsed payments: %w", err)
		}
		for _, p := range list {
			after = p
			if err := s.Close(ctx, p.ID); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "payment not closed", "payment_id", p.ID, "error", err)
			}
		}
		if len(list) < sweepBatch {
			return nil
		}
	}
	return nil
}

// CheckOpen asks the provider about open payments that nobody told us about for a while, each time after a longer
// pause: half its age, between a minute and longestCheck. Index payments_to_check serves the claim. One that is open
// long after its time becomes an anomaly.
func (s *Service) CheckOpen(ctx context.Context) error {
	for ctx.Err() == nil {
		var ids []string
		now := s.now()
		err := s.db.WithContext(ctx).Raw(`
			WITH due AS MATERIALIZED (SELECT id FROM payments WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at <= @now
				ORDER BY next_check_at, id LIMIT @limit FOR UPDATE SKIP LOCKED),
			claimed AS (UPDATE payments SET next_check_at = CAST(@now AS timestamptz)
				+ least(greatest(interval '1 minute', (CAST(@now AS timestamptz) - created_at) / 2), @longest * interval '1 second')
				WHERE id IN (SELECT id FROM due) RETURNING id, created_at)
			SELECT id FROM claimed ORDER BY created_at, id`,
			map[string]any{"now": now, "limit": sweepBatch, "longest": longestCheck.Seconds()}).Scan(&ids).Error
		if err != nil {
			return fmt.Errorf("claim open payments: %w", err)
		}
		for _, id := range ids {
			if err := step(ctx, func(ctx context.Context) error { return s.checkOpen(ctx, id) }); err != nil {
				s.log.WarnContext(ctx, "open payment not checked", "payment_id", id, "error", err)
			}
		}
		if len(ids) < sweepBatch {
			return nil
		}
	}
	return nil
}

func (s *Service) checkOpen(ctx context.Context, id string) error {
	p, fault := s.Advance(ctx, id, SignalSweep)
	if p.ID == "" {
		return fault
	}
	now, limit := s.now(), stuckAfter
	if p.Status == StatusProcessing {
		limit = stuckProcessing
	}
	if !p.Status.IsOpen() || now.Before(p.ClosesAt.Add(limit)) {
		return fault
	}
	why := "it does not end"
	if fault != nil {
		why = fault.Error()
	}
	isNew, err := anomalies.Open(ctx, s.db, anomalies.Anomaly{
		Kind: anomalies.PaymentStuck, Provider: p.Provider, Reference: p.ID, PaymentID: &p.ID,
		Detail: map[string]string{"status": string(p.Status), "why": why},
	}, now)
	if isNew {
		s.log.ErrorContext(ctx, "a payment is open long after its time", "payment_id", p.ID, "status", p.Status)
	}
	return errors.Join(fault, err)
}
