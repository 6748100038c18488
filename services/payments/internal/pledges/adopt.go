package pledges

import (
	"context"
	"errors"

	"talkoot.fi/payments/internal/providers/stripe"
)

// Adopt sees to an intent that the provider has and no attempt of ours names: it was made by a call whose answer never
// came, or belongs to a hosted page whose submission nobody told us about, or is not ours at all. It is safe to call
// for any intent, any number of times.
func (s *Service) Adopt(ctx context.Context, in stripe.Intent, signal Signal) error {
	known, err := s.FindByProviderID(ctx, in.ID, in.ID)
	if err != nil {
		return err
	}
	if known != "" {
		_, err := s.Advance(ctx, known, signal)
		return err
	}
	p, found, err := readPayment(ctx, s.DB, `WHERE p.id = ?`, in.PaymentID)
	if err != nil {
		return err
	}
	if !found {
		return s.noteUnknown(ctx, in)
	}
	// A hosted page of ours names its intent once it is looked at.
	if _, err := s.Advance(ctx, p.ID, signal); err != nil {
		return err
	}
	if known, err = s.FindByProviderID(ctx, in.ID, in.ID); err != nil || known != "" {
		return err
	}
	return s.adoptOrphan(ctx, p, in, signal)
}

// noteUnknown keeps money that belongs to no payment of ours for a person; without money there is nothing to see to.
func (s *Service) noteUnknown(ctx context.Context, in stripe.Intent) error {
	if in.Status != stripe.IntentSucceeded {
		return nil
	}
	isNew, err := NoteAnomaly(ctx, s.DB, Anomaly{Kind: AnomalyUnknownCharge, Reference: in.ID, At: s.clock(),
		Detail: map[string]string{"says_payment": in.PaymentID}})
	if isNew {
		s.Log.ErrorContext(ctx, "the provider has money that belongs to no payment", "intent_id", in.ID)
	}
	return err
}

// adoptOrphan gives an intent to the attempt whose key made it. Money counts as any other; an open intent whose attempt
// was given up is canceled, since nobody can pay it and nobody should.
func (s *Service) adoptOrphan(ctx context.Context, p Payment, in stripe.Intent, signal Signal) error {
	full, err := s.Stripe.Intent(ctx, in.ID) // with its charge and fee
	if err != nil {
		return err
	}
	given, abandoned := false, false
	_, err = s.change(ctx, p.ID, signal, func(c *change) error {
		for i := range c.attempts {
			a := &c.attempts[i]
			if a.Kind != KindIntent || a.IdempotencyKey != full.AttemptKey || a.ProviderID != nil {
				continue
			}
			given = true
			a.ProviderID = &full.ID
			if a.Status == AttemptCreating {
				a.Status = AttemptOpen
			}
			if err := c.saveAttempt(ctx, a); err != nil {
				return err
			}
			err := c.see(ctx, sighting{attemptID: a.ID, askedAt: c.now, intent: &full})
			abandoned = a.Status == AttemptAbandoned
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !given {
		return s.noteUnknown(ctx, in)
	}
	if !abandoned || full.Status == stripe.IntentCanceled {
		return nil
	}
	if err := s.Stripe.CancelIntent(ctx, full.ID); err != nil && !errors.Is(err, stripe.ErrState) {
		return err
	}
	return nil
}
