package payments

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/vault"
)

// KeepCard has a card that was registered for a subject offered to its person again. A guest's is not kept, nor that of an account that
// is erased meanwhile.
func (s *Service) KeepCard(ctx context.Context, sub Subject, card provider.Instrument) error {
	p, found, err := s.PaymentOf(ctx, sub)
	if err != nil || !found {
		return err
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isErased, err := HoldBacker(ctx, tx, p.BackerUserID, time.Time{}) // whenever: a number is nobody else's later
		if err != nil || isErased {
			return err
		}
		now, _, err := readPayment(ctx, tx, `WHERE id = ?`, p.ID)
		if err != nil || now.BackerUserID == nil { // it was merged into another account meanwhile: then it is that one's
			return err
		}
		name, err := s.route(ctx, tx, now, provider.MethodCard)
		if err != nil {
			return err
		}
		return vault.Keep(ctx, tx, *now.BackerUserID, name, card, s.now())
	})
	if err != nil {
		return fmt.Errorf("keep a card of payment %s: %w", p.ID, err)
	}
	return nil
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
