package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// customer is the payer at the provider: one for all subscriptions of an account, so that a card can serve them all.
func (s *Service) customer(ctx context.Context, prov Provider, id string, backer *int64) (string, error) {
	return vault.Payer(ctx, s.db, prov, vault.OwnerOf(string(contentclient.Subscription), id, backer), vault.Person{}, s.now())
}

// withPayer makes a backer's call that needs their payer at the provider. When that is not there any more another is made, and the call
// is made once more. Errors: NotFound, those of the provider and of call.
func (s *Service) withPayer(ctx context.Context, id string, call func() error) error {
	sub, err := byID(ctx, s.db, id)
	if err != nil {
		return err
	}
	if sub.Customer == "" && !sub.Status.IsOver() {
		if err := s.giveCustomer(ctx, id); err != nil {
			return err
		}
	}
	fault := call()
	if sub.Customer == "" || !errors.Is(fault, provider.ErrNotFound) {
		return fault
	}
	prov, err := s.provider(sub.Provider)
	if err != nil {
		return err
	}
	has, err := prov.HasPayer(ctx, sub.Customer)
	switch {
	case err == nil && has, err != nil && !errors.Is(err, provider.ErrNotFound):
		return fault
	}
	if err := s.loseCustomer(ctx, sub.Provider, sub.Customer); err != nil {
		return err
	}
	if err := s.giveCustomer(ctx, id); err != nil {
		return err
	}
	return call()
}

// giveCustomer gives a subscription whose payer is gone another one, and its open month too.
func (s *Service) giveCustomer(ctx context.Context, id string) error {
	sub, err := byID(ctx, s.db, id)
	if err != nil || sub.Customer != "" {
		return err
	}
	prov, err := s.provider(sub.Provider)
	if err != nil {
		return err
	}
	ref, err := s.customer(ctx, prov, id, sub.BackerUserID)
	if err != nil {
		return err
	}
	// The month first, so that a call that is cut leaves the rest to the next one; and once more, because one may have begun meanwhile.
	if err := s.giveToDue(ctx, id, ref); err != nil {
		return err
	}
	_, err = s.change(ctx, id, func(c *change) error {
		if c.sub.Customer != "" || c.sub.Status.IsOver() {
			return nil
		}
		isForgotten, err := vault.Use(ctx, c.tx, c.sub.Provider, ref)
		if err == nil && isForgotten {
			err = apperr.New(apperr.ProviderUnavailable).Wrap(errors.New("the customer is being forgotten"))
		}
		if err != nil {
			return err
		}
		c.sub.Customer = ref
		return c.note(ctx, "customer", 0, "")
	})
	if err != nil {
		return err
	}
	return s.giveToDue(ctx, id, ref)
}

func (s *Service) giveToDue(ctx context.Context, id, customer string) error {
	open, err := readOpen(ctx, s.db, id)
	if err != nil || open.due == nil {
		return err
	}
	return s.payments.GiveCustomer(ctx, open.due.PaymentID, customer)
}

// CustomerGone hears that a payer was deleted at the provider, which it asks.
func (s *Service) CustomerGone(ctx context.Context, name, ref string) error {
	isOurs, err := vault.Knows(ctx, s.db, name, ref)
	if err != nil || !isOurs {
		return err
	}
	prov, err := s.provider(name)
	if err != nil {
		return err
	}
	has, err := prov.HasPayer(ctx, ref)
	if errors.Is(err, provider.ErrNotFound) {
		return nil
	}
	if err != nil || has {
		return err
	}
	return s.loseCustomer(ctx, name, ref)
}

// orCustomerGone takes what a try of ours has come to. When the provider says that the payer was deleted, they have no card any more, and
// the try is one that was refused. One that it has never heard of is no word about the payer: it is what all are with another account's key.
func (s *Service) orCustomerGone(ctx context.Context, sub Subscription, fault error) error {
	if sub.Customer == "" || !errors.Is(fault, provider.ErrNotFound) {
		return fault
	}
	prov, err := s.provider(sub.Provider)
	if err != nil {
		return err
	}
	if has, err := prov.HasPayer(ctx, sub.Customer); err != nil || has {
		return fault
	}
	return s.loseCustomer(ctx, sub.Provider, sub.Customer)
}

// loseCustomer takes a payer that is gone, with the cards, from everything that has them. First nothing takes them into use any more.
func (s *Service) loseCustomer(ctx context.Context, name, ref string) error {
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := vault.Lock(tx, name, ref); err != nil {
			return err
		}
		return vault.Retire(tx, name, ref, s.now())
	})
	if err != nil {
		return fmt.Errorf("lose a customer: %w", err)
	}
	users, err := read(ctx, s.db, `WHERE provider = ? AND customer_ref = ? ORDER BY id`, name, ref)
	if err != nil {
		return err
	}
	for _, u := range users {
		_, err := s.change(ctx, u.ID, func(c *change) error {
			if c.sub.Customer != ref {
				return nil
			}
			c.sub.Customer, c.sub.Card, c.sub.SetupRef = "", card{}, ""
			c.sub.Setups++
			return c.note(ctx, "customer gone", 0, "")
		})
		if err != nil {
			return err
		}
	}
	return nil
}
