package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/provider"
)

// KeepCard has a card that was registered for a subject offered to its person again. A guest's is not kept, nor that of an account that
// is erased meanwhile.
func (s *Service) KeepCard(ctx context.Context, sub Subject, card provider.Instrument) error {
	return s.ofPerson(ctx, sub, provider.MethodCard, func(tx *gorm.DB, user int64, name string) error {
		s.registered.take(name, card.Ref, s.now()) // it is read before it pays: one that is gone is to be offered no more
		return vault.Keep(ctx, tx, user, name, card, s.now())
	})
}

// ofPerson keeps something for a subject's person, where its payments by a method are taken. Of a guest, and of an account that is erased
// meanwhile, nothing is.
func (s *Service) ofPerson(ctx context.Context, sub Subject, method Method, keep func(tx *gorm.DB, user int64, name string) error) error {
	p, found, err := s.PaymentOf(ctx, sub)
	if err != nil || !found {
		return err
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isErased, err := LockBacker(ctx, tx, p.BackerUserID, time.Time{}) // whenever: a number is nobody else's later
		if err != nil || isErased {
			return err
		}
		now, _, err := readPayment(ctx, tx, `WHERE id = ?`, p.ID)
		if err != nil || now.BackerUserID == nil { // it was merged into another account meanwhile: then it is that one's
			return err
		}
		name, err := s.route(ctx, tx, now, method)
		if err != nil {
			return err
		}
		return keep(tx, *now.BackerUserID, name)
	})
	if err != nil {
		return fmt.Errorf("keep what pays payment %s: %w", p.ID, err)
	}
	return nil
}

// FormCard is what a payer wants of the card that pays in a provider's form.
type FormCard struct {
	Keep bool   // it is to be offered again
	Ref  string // one that was kept, which is to pay; "" of one that is typed
}

// payerMaker is a provider that keeps the cards of its forms.
type payerMaker interface {
	vault.Provider
	Instrument(ctx context.Context, ref string) (provider.Instrument, error)
}

// keeper is the payer of a payment's person, for whom a form keeps its card. Error: PaymentMethodUnsupported of a provider that keeps none.
func (s *Service) keeper(ctx context.Context, prov Provider, p Payment) (string, error) {
	maker, is := prov.(payerMaker)
	if !is {
		return "", apperr.New(apperr.PaymentMethodUnsupported)
	}
	return vault.Payer(ctx, s.db, maker, ownerOf(p), vault.Person{}, s.now())
}

// checkKept sees that a card is one that a payment's person has kept and can pay with where the payment's cards are taken. Error: NotFound;
// then it is offered no more.
func (s *Service) checkKept(ctx context.Context, p Payment, ref string) error {
	name, err := s.route(ctx, s.db, p, provider.MethodCard)
	if err != nil || p.BackerUserID == nil {
		return errors.Join(err, notFound(err != nil))
	}
	list, err := vault.Cards(ctx, s.db, *p.BackerUserID, name, s.now())
	if err == nil && !slices.ContainsFunc(list, func(c vault.Card) bool { return c.Ref == ref }) {
		err = notFound(false)
	}
	if err != nil {
		return err
	}
	prov, err := s.provider(name)
	if err != nil {
		return err
	}
	if maker, is := prov.(payerMaker); is {
		if _, err = maker.Instrument(ctx, ref); errors.Is(err, provider.ErrNotFound) {
			err = errors.Join(s.dropGone(ctx, p, name, ref), notFound(false))
		}
	}
	return err
}

// keepPaid has the card that has just paid in a form offered to its person again; one that is kept already was used. A card of a payer
// who is no longer theirs is not kept: it could not pay for them.
func (c *change) keepPaid(ctx context.Context, a *attempt, charge *provider.Charge) error {
	if !a.Keeps || charge.Instrument == nil || c.payment.BackerUserID == nil {
		return nil
	}
	isErased, err := LockBacker(ctx, c.tx, c.payment.BackerUserID, time.Time{}) // whenever, as in KeepCard
	if err != nil || isErased {
		return err
	}
	payer, err := vault.Find(ctx, c.tx, a.Provider, ownerOf(c.payment))
	if err != nil || payer != charge.Instrument.Payer {
		return err
	}
	if err := vault.Keep(ctx, c.tx, *c.payment.BackerUserID, a.Provider, *charge.Instrument, c.now); err != nil {
		return err
	}
	return vault.CardPaid(ctx, c.tx, a.Provider, charge.Instrument.Ref, charge.Happened)
}

// Kept are the cards that an account's person has kept at a provider and can pay with now, the one used last first.
func (s *Service) Kept(ctx context.Context, user int64, providerName string) ([]vault.Card, error) {
	return vault.Cards(ctx, s.db, user, providerName, s.now())
}

// ForgetCard has a card of an account's person offered no more, and forgotten at its provider. One that is not theirs, or not kept, changes
// nothing.
func (s *Service) ForgetCard(ctx context.Context, user int64, providerName, ref string) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error { return vault.DropOwnCard(ctx, tx, user, providerName, ref) })
}

// dropGone offers a card no more that its provider does not know, or will not charge.
func (s *Service) dropGone(ctx context.Context, p Payment, providerName, ref string) error {
	if p.BackerUserID == nil {
		return nil
	}
	return s.ForgetCard(ctx, *p.BackerUserID, providerName, ref)
}
