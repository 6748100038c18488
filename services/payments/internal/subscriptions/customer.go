package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/provider"
)

// mostCustomers is how many customers of one payer may have been deleted in the time for which a provider knows their keys.
const mostCustomers = 10

// customer is the payer at the provider: one for all subscriptions of an account, so that a card can serve them all. A key brings a
// customer that was deleted since, which is passed over.
func (s *Service) customer(ctx context.Context, prov Provider, id string, backer *int64) (string, error) {
	owner := "subscription:" + id
	if backer != nil {
		owner = "user:" + strconv.FormatInt(*backer, 10)
		other, found, err := readOne(ctx, s.db, `WHERE backer_user_id = ? AND provider = ? AND customer_ref <> '' ORDER BY created_at, id LIMIT 1`,
			*backer, prov.Name())
		if err != nil || found {
			return other.Customer, err
		}
	}
	for try := 1; ; try++ {
		ref, err := s.newCustomer(ctx, prov, owner, try)
		if err != nil || try == mostCustomers {
			return ref, err
		}
		isForgotten := false
		err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
			isForgotten, err = use(ctx, tx, prov.Name(), ref)
			return err
		})
		if err != nil || !isForgotten {
			return ref, err
		}
	}
}

// newCustomer makes a customer, or gives the one that was made. The provider keeps a failed call under its key for a day, which nobody
// waits for: then a key of the minute is tried.
func (s *Service) newCustomer(ctx context.Context, prov Provider, owner string, try int) (string, error) {
	order := provider.PayerOrder{Key: fmt.Sprintf("customer:%s:%d", owner, try), ID: owner}
	ref, err := prov.NewPayer(ctx, order)
	if errors.Is(err, provider.ErrBurned) {
		order.Key += ":" + s.now().UTC().Format("2006-01-02T15:04")
		ref, err = prov.NewPayer(ctx, order)
	}
	if errors.Is(err, provider.ErrBurned) {
		err = apperr.New(apperr.ProviderUnavailable).Wrap(err)
	}
	return ref, err
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
		isForgotten, err := use(ctx, c.tx, c.sub.Provider, ref)
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
	users, err := read(ctx, s.db, `WHERE provider = ? AND customer_ref = ? LIMIT 1`, name, ref)
	if err != nil || len(users) == 0 {
		return err
	}
	prov, err := s.provider(users[0].Provider)
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
		if err := lockRef(tx, name, ref); err != nil {
			return err
		}
		return remember(tx, name, ref, s.now())
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
