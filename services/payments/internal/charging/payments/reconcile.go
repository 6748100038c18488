package payments

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
)

// Reconcile sees to an object that stands differently at the provider than with us. It may be one that no attempt
// names: it was made by a call whose answer never came, or belongs to a hosted page whose submission nobody told us
// about, or is another system's that shares the account (foreign). It is safe to call for any object, any number of
// times.
func (s *Service) Reconcile(ctx context.Context, name string, snap provider.Snapshot, signal Signal) (
	foreign bool, err error) {
	p, found, err := s.FindByRef(ctx, name, snap.Ref.Object, snap.Ref.Money)
	if err != nil {
		return false, err
	}
	if found {
		return false, s.takeUp(ctx, p, name, snap, signal)
	}
	if !snap.Tag.IsOurs() {
		return true, nil
	}
	p, found, err = readPayment(ctx, s.db, `WHERE id = ?`, snap.Tag.Payment)
	if err != nil {
		return false, err
	}
	if !found {
		return false, s.claim(ctx, name, snap, signal)
	}
	// A hosted page of ours names its payment once it is looked at.
	if p, err = s.AdvanceFound(ctx, p, signal, ""); err != nil {
		return false, err
	}
	if _, found, err = s.FindByRef(ctx, name, snap.Ref.Money); err != nil {
		return false, err
	}
	if !found {
		if p, err = s.give(ctx, p, name, snap, signal); err != nil {
			return false, err
		}
	}
	return false, s.takeUp(ctx, p, name, snap, signal)
}

// ReconcileByRef is Reconcile for who knows only the provider's id of a payment. One that the provider does not have is
// nobody's.
func (s *Service) ReconcileByRef(ctx context.Context, name, money string, signal Signal) (foreign bool, err error) {
	p, err := s.provider(name)
	if err != nil {
		return false, err
	}
	snap, err := p.Look(ctx, provider.Ref{Method: provider.MethodCard, Object: money, Money: money})
	if errors.Is(err, provider.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return s.Reconcile(ctx, name, snap, signal)
}

// takeUp advances the payment of an object of ours, and ends the object when its attempt was given up, or when no
// attempt names it because the provider made another for the same key, which it had forgotten: nobody should pay it any
// more, and its secret was never handed out.
func (s *Service) takeUp(ctx context.Context, p Payment, name string, snap provider.Snapshot, signal Signal) error {
	if _, err := s.AdvanceFound(ctx, p, signal, snap.Ref.Money); err != nil {
		return err
	}
	if snap.State != provider.Open && snap.State != provider.NeedsPayer {
		return nil
	}
	statuses, err := s.AttemptStatuses(ctx, name, []string{snap.Ref.Money})
	if err != nil {
		return err
	}
	switch statuses[snap.Ref.Money] {
	case AttemptCanceled, AttemptAbandoned:
	case "":
		twins, err := readAttempts(ctx, s.db, `WHERE idempotency_key = ?`, snap.Tag.Attempt)
		if err != nil || len(twins) == 0 {
			return err
		}
	case AttemptCreating, AttemptOpen, AttemptSucceeded, AttemptHeld:
		return nil
	}
	prov, err := s.provider(name)
	if err != nil {
		return err
	}
	if err := prov.End(ctx, snap.Ref); err != nil && !errors.Is(err, provider.ErrState) {
		return err
	}
	return nil
}

// give gives an object to the attempt whose key made it. Money of ours that no key explains becomes an attempt that
// nobody asked for, whose money is held. It gives the payment as it is then.
func (s *Service) give(ctx context.Context, p Payment, name string, snap provider.Snapshot, signal Signal) (Payment, error) {
	return s.change(ctx, p.ID, signal, func(c *change) error {
		for i := range c.attempts {
			a := &c.attempts[i]
			if a.Provider != name {
				continue
			}
			if a.is(snap.Ref.Money) { // saved since we looked
				return nil
			}
			if a.IdempotencyKey != snap.Tag.Attempt || a.MoneyRef != nil {
				continue
			}
			a.MoneyRef = &snap.Ref.Money
			if a.ObjectRef == nil { // the call that made a page was never answered: its payment is all we know
				a.ObjectRef = &snap.Ref.Money
			}
			if a.Status == AttemptCreating {
				a.Status = AttemptOpen
			}
			return c.saveAttempt(ctx, a)
		}
		if snap.State != provider.Succeeded {
			return nil
		}
		_, err := c.addAttempt(ctx, attempt{Method: unasked, Provider: name, Status: AttemptCanceled, ObjectRef: &snap.Ref.Money,
			MoneyRef: &snap.Ref.Money}, nil)
		return err
	})
}

// claim keeps money that names a payment which we do not have: a payment of its own holds it for a person. Without
// money there is nothing to see to.
func (s *Service) claim(ctx context.Context, name string, snap provider.Snapshot, signal Signal) error {
	if snap.State != provider.Succeeded {
		return nil
	}
	now := s.now()
	// With the first row of its history.
	err := s.db.WithContext(ctx).Exec(`WITH claimed AS (
			INSERT INTO payments (id, subject_kind, subject_id, provider, status, amount_minor, currency, language,
				payable_until, closing_at, closes_at, next_check_at, created_at, updated_at)
			VALUES (@id, @kind, @subject, @provider, 'created', @amount, @currency, @language, @now, @now, @now, @now, @now, @now)
			ON CONFLICT (subject_kind, subject_id, period) DO NOTHING RETURNING id)
		INSERT INTO payment_transitions (payment_id, from_status, to_status, cause, at) SELECT id, '', 'created', @cause, @now FROM claimed`, map[string]any{
		"id": ids.New(), "kind": Unclaimed, "subject": name + ":" + snap.Ref.Money, "provider": name,
		"amount":   snap.Received.Minor,
		"currency": snap.Received.Currency, "language": apperr.Finnish, "now": now, "cause": signal,
	}).Error
	if err != nil {
		return fmt.Errorf("claim %s: %w", snap.Ref.Money, err)
	}
	p, found, err := s.PaymentOf(ctx, Subject{Kind: Unclaimed, ID: name + ":" + snap.Ref.Money})
	if err != nil || !found {
		return errors.Join(err, fmt.Errorf("claim %s: it is not there", snap.Ref.Money))
	}
	if p, err = s.give(ctx, p, name, snap, signal); err != nil {
		return err
	}
	_, err = s.AdvanceFound(ctx, p, signal, snap.Ref.Money)
	return err
}
