package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/provider"
)

// Forget is the outbox's handler of vault.KindForget. First it is written that nothing takes the card or customer into use any more,
// unless a subscription that is not over has it: that one's end, or another card for it, is another message. Then the provider
// is asked, as often as it takes.
func (s *Service) Forget(ctx context.Context, m outbox.Message) error {
	var l vault.Leftover
	if err := json.Unmarshal(m.Payload, &l); err != nil {
		return fmt.Errorf("decode message %d: %w", m.ID, err)
	}
	prov, err := s.provider(l.Provider)
	if err != nil {
		return err
	}
	if l.Kind == vault.LeftSetup {
		return s.endSetup(ctx, prov, l.Ref)
	}
	return s.forget(ctx, prov, l)
}

func (s *Service) forget(ctx context.Context, prov Provider, l vault.Leftover) error {
	isFree, err := s.release(ctx, l)
	if err != nil || !isFree {
		return err
	}
	if l.Kind == vault.LeftCustomer {
		return prov.ForgetPayer(ctx, l.Ref)
	}
	return prov.ForgetInstrument(ctx, l.Ref)
}

// endSetup ends the keeping of a card that came to nothing, or forgets the card that it kept and nobody took into use.
func (s *Service) endSetup(ctx context.Context, prov Provider, ref string) error {
	setup, err := prov.LookSetup(ctx, ref)
	switch {
	case errors.Is(err, provider.ErrNotFound):
		return nil
	case err != nil:
		return err
	case setup.Instrument != nil:
		return s.forget(ctx, prov, vault.Leftover{Provider: prov.Name(), Kind: vault.LeftCard, Ref: setup.Instrument.Ref})
	case setup.State == provider.Open || setup.State == provider.NeedsPayer:
		return prov.EndSetup(ctx, ref) // used meanwhile is an error, and the repeat sees its card
	}
	return nil
}

// release writes that a card or customer is not to be used any more, unless a subscription that is not over has it, or its person keeps it.
func (s *Service) release(ctx context.Context, l vault.Leftover) (isFree bool, err error) {
	column := map[vault.LeftoverKind]string{vault.LeftCard: "card_ref", vault.LeftCustomer: "customer_ref"}[l.Kind]
	if column == "" {
		return false, fmt.Errorf("a %q cannot be forgotten", l.Kind)
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		if err := vault.Lock(tx, l.Provider, l.Ref); err != nil {
			return err
		}
		err := tx.Raw(`SELECT NOT EXISTS (SELECT FROM subscriptions WHERE provider = @provider AND `+column+` = @ref AND status NOT IN ('canceled', 'expired'))
			AND NOT EXISTS (SELECT FROM kept_cards WHERE provider = @provider AND ref = @ref)`, map[string]any{"provider": l.Provider, "ref": l.Ref}).Scan(&isFree).Error
		if err != nil || !isFree {
			return err
		}
		if err := vault.Retire(tx, l.Provider, l.Ref, s.now()); err != nil || l.Kind != vault.LeftCustomer {
			return err
		}
		return tx.Exec(`UPDATE subscriptions SET customer_ref = '' WHERE provider = ? AND customer_ref = ?`, l.Provider, l.Ref).Error
	})
	if err != nil {
		return false, fmt.Errorf("release a %s: %w", l.Kind, err)
	}
	return isFree, nil
}

// leave has forgotten at the provider what the change takes out of use: the card that is charged no longer, the setup before the
// one that has begun, and at the end of a subscription also that, with a customer that is its alone.
func (c *change) leave(ctx context.Context) error {
	was := c.before
	ends := c.sub.Status.IsOver() && !was.Status.IsOver()
	if c.sub.Status.IsOver() {
		c.sub.SetupRef = ""
	}
	var list []vault.Leftover
	if was.Card.Ref != "" && was.Card.Ref != c.sub.Card.Ref {
		list = append(list, vault.Leftover{Provider: was.Provider, Kind: vault.LeftCard, Ref: was.Card.Ref})
	}
	if was.SetupRef != "" && was.SetupRef != c.sub.SetupRef {
		list = append(list, vault.Leftover{Provider: was.Provider, Kind: vault.LeftSetup, Ref: was.SetupRef})
	}
	if ends && was.BackerUserID == nil && was.Customer != "" {
		list = append(list, vault.Leftover{Provider: was.Provider, Kind: vault.LeftCustomer, Ref: was.Customer})
	}
	for _, l := range list {
		c.told = true
		if err := vault.ForgetLater(ctx, c.tx, l); err != nil {
			return err
		}
	}
	return nil
}

// forgetCard takes its card from a subscription that is over.
func (s *Service) forgetCard(ctx context.Context, sub Subscription) error {
	_, err := s.change(ctx, sub.ID, func(c *change) error {
		if c.sub.Status.IsOver() {
			c.sub.Card = card{}
		}
		return nil
	})
	return err
}
