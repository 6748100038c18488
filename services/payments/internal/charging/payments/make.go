package payments

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"talkoot.fi/payments/internal/provider"
)

// lookOrMake reads an open attempt's object, or makes the one that its row promises. Errors: those of the provider,
// ErrNotFound included, errGivenUp.
func (s *Service) lookOrMake(ctx context.Context, p *Payment, a attempt) (seen snapshot, err error) {
	switch {
	case a.ObjectRef != nil:
		seen, err = s.look(ctx, a, SignalSetup)
	case a.InstrumentRef != "": // its provider took the cards until now: it is not charged for the form
		seen, err = s.lookForBegun(ctx, p, a)
	default:
		seen, err = s.make(ctx, p, a)
	}
	if err == nil && seen.snap == nil {
		err = fmt.Errorf("attempt %d: %w", a.ID, provider.ErrNotFound)
	}
	return seen, err
}

// make has the provider make what an attempt's row promises, and writes down what it made. It refreshes p, which may
// have been closed meanwhile. A second call while another works brings the same, by the key.
func (s *Service) make(ctx context.Context, p *Payment, a attempt) (snapshot, error) {
	return s.makeBy(ctx, p, a, func(prov Provider, order provider.Order) (provider.Snapshot, error) {
		order.Payer = p.Customer
		if a.Keeps {
			payer, err := s.keeper(ctx, prov, *p)
			if err != nil {
				return provider.Snapshot{}, err
			}
			order.Payer, order.Present = payer, true
		}
		return prov.Begin(ctx, order)
	})
}

// makeBy is make by a call of the caller's, which is given what the row says.
func (s *Service) makeBy(ctx context.Context, p *Payment, a attempt,
	call func(prov Provider, order provider.Order) (provider.Snapshot, error)) (snapshot, error) {
	n, err := s.nextLook(ctx)
	if err != nil {
		return snapshot{}, err
	}
	return s.makeAt(ctx, n, p, a, call)
}

// makeAt is makeBy with the number of its look.
func (s *Service) makeAt(ctx context.Context, n int64, p *Payment, a attempt,
	call func(prov Provider, order provider.Order) (provider.Snapshot, error)) (snapshot, error) {
	prov, err := s.provider(a.Provider)
	if err != nil {
		return snapshot{}, err
	}
	order := provider.Order{
		Key: a.IdempotencyKey, Method: a.Method, Amount: p.Amount, Title: p.Title, Description: p.Description, Language: p.Language,
		Tag: provider.Tag{Payment: p.ID, Attempt: a.IdempotencyKey, Subject: p.Subject.Kind + ":" + p.Subject.ID,
			Campaign: strconv.FormatInt(p.CampaignID, 10)},
	}
	if a.Method == provider.MethodPage || a.InstrumentRef != "" {
		order.ReturnURL = s.publicURL + p.ReturnPath
	}
	if a.Method == provider.MethodPage {
		order.CancelURL, order.ExpiresAt = order.ReturnURL+"&canceled=1", *a.PageExpiresAt
	}
	snap, err := call(prov, order)
	if err != nil {
		return snapshot{}, err
	}
	if snap.IsNew && snap.State == provider.Succeeded { // it is written down with its money, by whoever applies it
		return snapshot{attemptID: a.ID, look: n, snap: &snap}, nil
	}
	if *p, err = s.saveMade(ctx, a, snap); err != nil {
		return snapshot{}, err
	}
	// the key had made it before, or it was charged at once: read it with its refunds, disputes and declines
	if snap.State == provider.Succeeded || snap.LastDecline != "" {
		a.learn(snap.Ref)
		return s.look(ctx, a, SignalSetup)
	}
	return snapshot{attemptID: a.ID, look: n, snap: &snap}, nil
}

// errGivenUp means that an attempt was given up while the provider made it: what was made must not be handed out. The
// comparison with the provider's list ends it.
var errGivenUp = errors.New("attempt was given up meanwhile")

// saveMade writes down what the provider made for an attempt, with the payment locked: when its time is over, the
// worker is to end what was just made. A second writer brings the same and changes nothing. Error: errGivenUp.
func (s *Service) saveMade(ctx context.Context, a attempt, snap provider.Snapshot) (Payment, error) {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	givenUp := false
	p, err := s.change(ctx, a.PaymentID, SignalSetup, func(c *change) error {
		now := c.attempt(a.ID)
		if now.Status == AttemptCreating {
			now.Status, now.PageURL = AttemptOpen, provider.AddressOf(snap.Next)
			now.learn(snap.Ref)
			return c.saveAttempt(ctx, now)
		}
		givenUp = !now.is(snap.Ref.Object) || now.Status == AttemptAbandoned
		return nil
	})
	if err == nil && givenUp {
		err = fmt.Errorf("save %s for attempt %d: %w", snap.Ref.Object, a.ID, errGivenUp)
	}
	return p, err
}
