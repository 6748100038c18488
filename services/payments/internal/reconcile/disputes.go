package reconcile

import (
	"context"
	"time"

	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/providers/stripe"
)

// Disputes takes up the disputes opened since a moment that stand differently at the provider, of payments of any age,
// and returns how many.
func (s *Service) Disputes(ctx context.Context, since time.Time) (int, error) {
	found := 0
	var batch []stripe.Dispute
	flush := func() error {
		n, err := s.takeUpDisputes(ctx, batch)
		found, batch = found+n, batch[:0]
		return err
	}
	err := s.Stripe.EachDispute(ctx, since, func(d stripe.Dispute) error {
		if batch = append(batch, d); len(batch) == lookup {
			return flush()
		}
		return nil
	})
	if err != nil {
		return found, err
	}
	return found, flush()
}

func (s *Service) takeUpDisputes(ctx context.Context, batch []stripe.Dispute) (int, error) {
	ids := make([]string, len(batch))
	for i, d := range batch {
		ids[i] = d.ID
	}
	ours, err := s.Pledges.DisputeStatuses(ctx, ids)
	if err != nil {
		return 0, err
	}
	found := 0
	for _, d := range batch {
		if string(d.Status) == string(ours[d.ID]) { // both sides use the same words
			continue
		}
		paymentID, err := s.Pledges.FindByProviderID(ctx, d.IntentID, d.IntentID)
		if err != nil {
			return found, err
		}
		if paymentID == "" { // of money that the pass over intents keeps for a person
			continue
		}
		found++
		if _, err := s.Pledges.AdvanceObject(ctx, paymentID, pledges.SignalDispute, d.IntentID); err != nil {
			s.Log.WarnContext(ctx, "dispute not taken up", "dispute_id", d.ID, "payment_id", paymentID, "error", err)
		}
	}
	return found, nil
}
