package pledges

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	// refundRetry is when a refund that the provider has not settled is looked at again, at first; later after half its
	// age, at most after refundLongest.
	refundRetry   = time.Minute
	refundLongest = 6 * time.Hour
	// keyLife is how long the provider surely keeps an idempotency key, with some time to spare.
	keyLife = 23 * time.Hour
	// longestBurnedPause bounds the pauses between keys that the provider burned.
	longestBurnedPause = time.Hour
)

// dueRefunds leases refunds that the worker has to send or to ask for. Index refunds_due serves it; rows that another
// worker has locked are passed over. A stop does not cut it: what was claimed without our hearing of it would wait for
// the end of its lease.
func (s *Service) dueRefunds(ctx context.Context, limit int) ([]refundRow, error) {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	var rows []refundRow
	now := s.clock()
	err := dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		rows = nil
		return tx.Raw(`UPDATE refunds SET next_check_at = CAST(@now AS timestamptz) + CASE status WHEN 'pending' THEN
				least(greatest((CAST(@now AS timestamptz) - created_at) / 2, @retry * interval '1 second'), @longest * interval '1 second')
				ELSE @retry * interval '1 second' END
			WHERE id IN (SELECT id FROM refunds WHERE next_check_at <= @now ORDER BY next_check_at LIMIT @limit FOR UPDATE SKIP LOCKED)
			RETURNING `+refundColumns, map[string]any{
			"now": now, "limit": limit, "retry": refundRetry.Seconds(), "longest": refundLongest.Seconds(),
		}).Scan(&rows).Error
	})
	if err != nil {
		return nil, fmt.Errorf("claim refunds: %w", err)
	}
	return rows, nil
}

// advanceRefund sends a refund that the provider has not answered yet, or asks how it stands.
func (s *Service) advanceRefund(ctx context.Context, r refundRow) error {
	if r.Status != RefundCreating {
		_, err := s.Advance(ctx, r.PaymentID, SignalMoneySweep)
		return err
	}
	a, err := s.attemptByID(ctx, r.AttemptID)
	if err != nil {
		return err
	}
	if s.clock().Sub(r.CreatedAt) > keyLife {
		// An earlier try may have made it, and the provider may have forgotten its key.
		if found, err := s.findRefund(ctx, r, a); err != nil || found {
			return err
		}
	}
	made, err := s.Stripe.CreateRefund(ctx, stripe.NewRefund{
		Key: fmt.Sprintf("refund:%s:%d", r.ID, r.Try), IntentID: a.intentID(), Amount: money.New(r.AmountMinor, r.Currency),
		RefundID: r.ID, PaymentID: r.PaymentID,
	})
	switch {
	case err == nil:
		return s.applyRefunds(ctx, r.PaymentID, a.ID, []stripe.Refund{made})
	case errors.Is(err, stripe.ErrDisputed):
		return s.awaitDispute(ctx, r)
	case errors.Is(err, stripe.ErrBurned), errors.Is(err, stripe.ErrRefused), errors.Is(err, stripe.ErrState):
		return s.searchRefund(ctx, r, a, err)
	}
	return err
}

// searchRefund looks for a refund whose creation failed, because the failure does not say whether it was made: found,
// it is taken; not found, a burned key is replaced and a refusal is final.
func (s *Service) searchRefund(ctx context.Context, r refundRow, a attempt, cause error) error {
	if found, err := s.findRefund(ctx, r, a); err != nil || found {
		return err
	}
	if errors.Is(cause, stripe.ErrBurned) {
		return tryAnew(ctx, s.DB, r, s.clock(), burnedPause(r.Try))
	}
	_, err := s.change(ctx, r.PaymentID, SignalRefund, func(c *change) error {
		return c.failRefund(ctx, r, "refused", cause.Error())
	})
	return err
}

// burnedPause is the time before the next key, longer with every try.
func burnedPause(try int) time.Duration { return min(time.Second<<min(try, 12), longestBurnedPause) }

// tryAnew has a refund sent again after a pause, with the next key.
func tryAnew(ctx context.Context, db *gorm.DB, r refundRow, now time.Time, pause time.Duration) error {
	err := db.WithContext(ctx).Exec(`UPDATE refunds SET try = try + 1, next_check_at = ?, updated_at = ?
		WHERE id = ? AND try = ? AND status = 'creating'`, now.Add(pause), now, r.ID, r.Try).Error
	if err != nil {
		return fmt.Errorf("try refund %s anew: %w", r.ID, err)
	}
	return nil
}

// findRefund looks among the provider's refunds for one of ours whose answer was lost, and takes it when it is there.
func (s *Service) findRefund(ctx context.Context, r refundRow, a attempt) (bool, error) {
	known, err := s.Stripe.Refunds(ctx, a.intentID())
	if err != nil {
		return false, err
	}
	for _, k := range known {
		if k.RefundID == r.ID {
			return true, s.applyRefunds(ctx, r.PaymentID, a.ID, known)
		}
	}
	return false, nil
}
