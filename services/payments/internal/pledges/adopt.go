package pledges

import (
	"context"
	"errors"

	"talkoot.fi/payments/internal/providers/stripe"
)

// Adopt sees to an intent that stands differently at the provider than with us. It may be one that no attempt names: it
// was made by a call whose answer never came, or belongs to a hosted page whose submission nobody told us about, or is
// not ours at all. It is safe to call for any intent, any number of times.
func (s *Service) Adopt(ctx context.Context, in stripe.Intent, signal Signal) error {
	known, err := s.FindByProviderID(ctx, in.ID, in.ID)
	if err != nil {
		return err
	}
	if known != "" {
		return s.takeUp(ctx, known, in, signal)
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
	if known, err = s.FindByProviderID(ctx, in.ID, in.ID); err != nil {
		return err
	}
	if known == "" {
		given, err := s.give(ctx, p, in, signal)
		if err != nil {
			return err
		}
		if !given {
			return s.noteUnknown(ctx, in)
		}
	}
	return s.takeUp(ctx, p.ID, in, signal)
}

// takeUp advances the payment of an intent that one of its attempts names, and ends the intent when that attempt was
// given up: nobody should pay it any more.
func (s *Service) takeUp(ctx context.Context, paymentID string, in stripe.Intent, signal Signal) error {
	if _, err := s.AdvanceObject(ctx, paymentID, signal, in.ID); err != nil {
		return err
	}
	if in.Status != stripe.IntentOpen && in.Status != stripe.IntentRequiresAction {
		return nil
	}
	statuses, err := s.AttemptStatuses(ctx, []string{in.ID})
	if err != nil || statuses[in.ID] != AttemptCanceled && statuses[in.ID] != AttemptAbandoned {
		return err
	}
	if err := s.Stripe.CancelIntent(ctx, in.ID); err != nil && !errors.Is(err, stripe.ErrState) {
		return err
	}
	return nil
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

// give gives an intent to the attempt whose key made it, and reports whether there is one.
func (s *Service) give(ctx context.Context, p Payment, in stripe.Intent, signal Signal) (bool, error) {
	given := false
	_, err := s.change(ctx, p.ID, signal, func(c *change) error {
		given = false
		for i := range c.attempts {
			a := &c.attempts[i]
			if a.is(in.ID) { // saved since we looked
				given = true
				return nil
			}
			if a.Kind != KindIntent || a.IdempotencyKey != in.AttemptKey || a.ProviderID != nil {
				continue
			}
			given = true
			a.ProviderID = &in.ID
			if a.Status == AttemptCreating {
				a.Status = AttemptOpen
			}
			return c.saveAttempt(ctx, a)
		}
		return nil
	})
	return given, err
}
