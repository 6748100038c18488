package payments

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
)

// Refund begins to give money of a payment back; the worker sends it. It gives the refund that was begun before for the
// same reason or key, with false, and none when the content service refuses a payment of which nothing is left, or whose pledge was taken back. Errors:
// NotFound, ErrNothingPaid, refunds.ErrNothingLeft, refunds.ErrExceeds, refunds.ErrKey.
func (s *Service) Refund(ctx context.Context, paymentID string, wish refunds.Wish) (
	r refunds.Refund, isNew bool, err error) {
	_, err = s.change(ctx, paymentID, SignalRefund, func(c *change) (err error) {
		c.actor = wish.Actor
		if c.payment.PaidAttemptID == nil {
			return fmt.Errorf("refund payment %s: %w", paymentID, ErrNothingPaid)
		}
		isRefused := wish.Reason == refunds.RewardGone || wish.Reason == refunds.PledgeClosed
		c.payment.Refused = c.payment.Refused || isRefused
		isWithdrawn := wish.Reason == refunds.Withdrawn
		c.payment.TakenBack = c.payment.TakenBack || isWithdrawn
		paid := c.attempt(*c.payment.PaidAttemptID)
		if wish.Reason.IsOfCampaign() {
			wish.PerMinute = s.refundsPerMinute[paid.Provider]
		}
		r, isNew, err = refunds.Begin(ctx, c.tx, c.source(paid), wish, c.now)
		c.workDue = c.workDue || isNew
		if err == nil && isNew {
			err = c.seeWarnings(ctx, paid, nil)
		}
		if (isRefused || isWithdrawn) && errors.Is(err, refunds.ErrNothingLeft) {
			err = nil // that is kept: what a bank returns later is refunded by seeLeft
		}
		return err
	})
	return r, isNew, err
}

// ErrNothingPaid means that the payment has no success to give back; test with errors.Is.
var ErrNothingPaid = errors.New("nothing was paid")

// advanceRefund sends a refund that the provider has not answered yet, or asks how it stands.
func (s *Service) advanceRefund(ctx context.Context, r refunds.Refund) error {
	if r.Status != refunds.Creating {
		_, err := s.Advance(ctx, r.PaymentID, SignalMoneySweep)
		return errors.Join(err, refunds.Nag(ctx, s.db, r.ID, s.now()))
	}
	p, err := s.provider(r.Provider)
	if err != nil {
		return err
	}
	var src refunds.Source
	ready := false
	_, err = s.change(ctx, r.PaymentID, SignalRefund, func(c *change) (err error) {
		a := c.attempt(r.AttemptID)
		if a == nil { // its charge was just attached to another payment: it comes again
			return nil
		}
		src = c.source(a)
		now, _, err := refunds.ByID(ctx, c.tx, r.ID)
		if err != nil || now.Status != refunds.Creating { // another worker was quicker
			return err
		}
		r = now
		if ready, err = refunds.Book(ctx, c.tx, src, &r, c.now); err == nil && !ready {
			err = refunds.Wait(ctx, c.tx, r, false, c.now)
		}
		return err
	})
	if err != nil || !ready {
		return err
	}
	sent, verdict, why, err := refunds.Send(ctx, p, r, src, s.now())
	if err != nil {
		return errors.Join(err, refunds.Postpone(ctx, s.db, r, refunds.SameKey, err.Error(), s.now()))
	}
	if verdict == refunds.Disputed {
		if _, err := s.Advance(ctx, r.PaymentID, SignalDispute); err != nil {
			return err
		}
	}
	_, err = s.change(ctx, r.PaymentID, SignalRefund, func(c *change) error {
		a := c.attempt(r.AttemptID)
		if a == nil {
			return nil
		}
		if verdict == refunds.Made {
			if err := c.seeRefunds(ctx, a, sent); err != nil {
				return err
			}
			return c.stand(ctx, a)
		}
		now, _, err := refunds.ByID(ctx, c.tx, r.ID)
		// moved while we asked: by a dispute, by another worker
		if err != nil || now.Status != refunds.Creating || now.Try != r.Try {
			return err
		}
		r = now
		switch verdict {
		case refunds.Made:
		case refunds.Disputed:
			undecided, err := disputes.IsUndecided(ctx, c.tx, a.ID)
			if err != nil {
				return err
			}
			if undecided {
				return refunds.Wait(ctx, c.tx, r, true, c.now) // the dispute's end wakes it
			}
			lost, err := disputes.TakesMoney(ctx, c.tx, a.ID)
			if err != nil {
				return err
			}
			if lost { // of a charge that a bank has taken a part of for good, the provider gives nothing back any more
				return refunds.Fail(ctx, c.tx, &r, "charge_disputed", why.Error(), c.now)
			}
			return refunds.Postpone(ctx, c.tx, r, refunds.Anew, why.Error(), c.now)
		case refunds.Burned:
			return refunds.Postpone(ctx, c.tx, r, refunds.Anew, why.Error(), c.now)
		case refunds.Refused:
			return refunds.Postpone(ctx, c.tx, r, refunds.AnewThen, why.Error(), c.now)
		case refunds.Early:
			return refunds.Defer(ctx, c.tx, r, why, c.now)
		case refunds.Final:
			return refunds.Fail(ctx, c.tx, &r, "refused", why.Error(), c.now)
		}
		return nil
	})
	return err
}
