package reconcile

import (
	"context"
	"time"

	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/providers/stripe"
)

// Refunds takes up the refunds made since a moment that stand differently at the provider, of payments of any age, and
// returns how many.
func (s *Service) Refunds(ctx context.Context, since time.Time) (int, error) {
	found := 0
	var batch []stripe.Refund
	flush := func() error {
		n, err := s.takeUpRefunds(ctx, batch)
		found, batch = found+n, batch[:0]
		return err
	}
	err := s.Stripe.EachRefund(ctx, since, func(r stripe.Refund) error {
		if batch = append(batch, r); len(batch) == lookup {
			return flush()
		}
		return nil
	})
	if err != nil {
		return found, err
	}
	return found, flush()
}

func (s *Service) takeUpRefunds(ctx context.Context, batch []stripe.Refund) (int, error) {
	ids := make([]string, len(batch))
	for i, r := range batch {
		ids[i] = r.ID
	}
	ours, err := s.Pledges.RefundStatuses(ctx, ids)
	if err != nil {
		return 0, err
	}
	found := 0
	for _, r := range batch {
		if string(r.Status) == string(ours[r.ID]) { // both sides use the same words
			continue
		}
		paymentID, err := s.Pledges.FindByProviderID(ctx, r.IntentID, r.IntentID)
		if err != nil {
			return found, err
		}
		if paymentID == "" { // of money that the pass over intents keeps for a person
			continue
		}
		found++
		if _, err := s.Pledges.AdvanceObject(ctx, paymentID, pledges.SignalMoneySweep, r.IntentID); err != nil {
			s.Log.WarnContext(ctx, "refund not taken up", "refund_id", r.ID, "payment_id", paymentID, "error", err)
		}
	}
	return found, nil
}
