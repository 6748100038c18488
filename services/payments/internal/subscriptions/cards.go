package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// SetupCard begins to keep another card, or gives what was begun and not completed. Errors: as act, those of the
// provider.
func (s *Service) SetupCard(ctx context.Context, id string) (provider.Setup, error) {
	for range mostKeys {
		var sub Subscription
		if err := s.act(ctx, id, func(c *change) error { sub = c.sub; return nil }); err != nil {
			return provider.Setup{}, err
		}
		prov, err := s.provider(sub)
		if err != nil {
			return provider.Setup{}, err
		}
		setup, err := prov.BeginSetup(ctx, provider.SetupOrder{
			Key: fmt.Sprintf("subscription:%s:setup:%d", id, sub.Setups), Customer: sub.Customer, Subject: "subscription:" + id,
		})
		if err != nil && !errors.Is(err, provider.ErrBurned) {
			return provider.Setup{}, err
		}
		if err == nil && (setup.State == provider.Open || setup.State == provider.NeedsPayer) {
			return setup, nil
		}
		err = s.act(ctx, id, func(c *change) error {
			if c.sub.Setups == sub.Setups {
				c.sub.Setups++
			}
			return nil
		})
		if err != nil {
			return provider.Setup{}, err
		}
	}
	return provider.Setup{}, apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("subscription %s: %d setups in a row came to nothing",
		id, mostKeys))
}

func (s *Service) provider(sub Subscription) (provider.Provider, error) {
	if p, on := s.providers[sub.Provider]; on {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// ChangeCard takes the card into use that a setup has kept, all also for the other subscriptions of the same person that
// have the old one. A month whose charge has failed is tried with it at once. Errors: as act, NotFound (no such setup of
// theirs), SubscriptionCardNeeded (it has kept no card), those of the provider.
func (s *Service) ChangeCard(ctx context.Context, id, ref string, all bool) error {
	sub, err := s.byID(ctx, id)
	if err != nil {
		return err
	}
	prov, err := s.provider(sub)
	if err != nil {
		return err
	}
	setup, err := prov.LookSetup(ctx, ref)
	switch {
	case errors.Is(err, provider.ErrNotFound), err == nil && setup.Customer != sub.Customer:
		return apperr.New(apperr.NotFound)
	case err != nil:
		return err
	case setup.State != provider.Succeeded || setup.Card == nil:
		return apperr.New(apperr.SubscriptionCardNeeded)
	}
	next := kept(*setup.Card)
	if all {
		// First the others: a repeat finds them by the old card, which this one still has.
		if err := s.giveCard(ctx, sub, sub.Card.Ref, next); err != nil {
			return err
		}
	}
	return s.act(ctx, id, func(c *change) error { return c.takeCard(ctx, next) })
}

// ShareCard gives the card that has paid the last month of a subscription in its form to the others of the same person, all, that
// still have the one which that month's charge was refused with. Their months whose charge has failed are tried with it at once.
// Errors: as act.
func (s *Service) ShareCard(ctx context.Context, id string, all bool) error {
	var sub Subscription
	if err := s.act(ctx, id, func(c *change) error { sub = c.sub; return nil }); err != nil || !all {
		return err
	}
	var refused string
	err := s.db.WithContext(ctx).Raw(`SELECT coalesce((SELECT card_ref FROM subscription_tries WHERE subscription_id = ? AND period = ?
		AND outcome = ? ORDER BY number DESC LIMIT 1), '')`, id, sub.PaidPeriod, declined).Scan(&refused).Error
	if err != nil {
		return fmt.Errorf("read the refused card of subscription %s: %w", id, err)
	}
	if sub.Card.Ref == "" || sub.Card.Ref == refused {
		return nil
	}
	return s.giveCard(ctx, sub, refused, sub.Card)
}

// giveCard has the other subscriptions of the same person charge another card that have the old one.
func (s *Service) giveCard(ctx context.Context, sub Subscription, old string, next card) error {
	if sub.BackerUserID == nil || old == "" {
		return nil
	}
	others, err := read(ctx, s.db, `WHERE backer_user_id = ? AND customer_ref = ? AND card_ref = ? AND id <> ?
		AND status IN ('active', 'past_due', 'paused') ORDER BY id`, *sub.BackerUserID, sub.Customer, old, sub.ID)
	if err != nil {
		return err
	}
	for _, other := range others {
		err := s.act(ctx, other.ID, func(c *change) error { return c.takeCard(ctx, next) })
		if err != nil && !errors.Is(err, apperr.New(apperr.SubscriptionEnded)) {
			return err
		}
	}
	return nil
}

// tryAtOnce has a month that waits for its charge tried with the card that it has now, unless a try is under way.
func (c *change) tryAtOnce(ctx context.Context) error {
	due := c.months.due
	if due == nil || due.Processing || due.Unknown {
		return nil
	}
	due.NextTryAt = &c.now
	return c.saveMonth(ctx, *due)
}

// takeCard charges another card from now on.
func (c *change) takeCard(ctx context.Context, next card) error {
	if c.sub.Card.Ref == next.Ref {
		return nil
	}
	c.sub.Card = next
	if err := c.tryAtOnce(ctx); err != nil {
		return err
	}
	if err := c.note(ctx, "card", 0, ""); err != nil {
		return err
	}
	return c.emit(ctx, causeCardChanged, nil)
}

// RefreshCard reads a kept card anew of which the provider says that it was renewed or is kept no longer.
func (s *Service) RefreshCard(ctx context.Context, name, ref string) error {
	users, err := read(ctx, s.db, `WHERE provider = ? AND card_ref = ?`, name, ref)
	if err != nil || len(users) == 0 {
		return err
	}
	prov, err := s.provider(users[0])
	if err != nil {
		return err
	}
	now, err := prov.Card(ctx, ref)
	isGone := errors.Is(err, provider.ErrNotFound)
	if err != nil && !isGone {
		return err
	}
	for _, u := range users {
		_, err := s.change(ctx, u.ID, func(c *change) error {
			if c.sub.Card.Ref != ref {
				return nil
			}
			if isGone {
				c.sub.Card = card{}
				return c.note(ctx, "card gone", 0, "")
			}
			renewed := kept(now)
			if renewed.Label == c.sub.Card.Label && renewed.Expires == c.sub.Card.Expires {
				return nil
			}
			// Its bank has sent another: what it said of the old one does not count any more.
			renewed.Warned = c.sub.Card.Warned
			c.sub.Card = renewed
			if err := c.tryAtOnce(ctx); err != nil {
				return err
			}
			return c.note(ctx, "card renewed", 0, "")
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetCard gives the card of a subscription back that is over, unless another one of the same payer has it.
func (s *Service) forgetCard(ctx context.Context, sub Subscription) error {
	others, err := read(ctx, s.db, `WHERE provider = ? AND card_ref = ? AND id <> ? AND status NOT IN ('canceled', 'expired') LIMIT 1`,
		sub.Provider, sub.Card.Ref, sub.ID)
	if err != nil {
		return err
	}
	if len(others) == 0 {
		prov, err := s.provider(sub)
		if err == nil {
			err = prov.ForgetCard(ctx, sub.Card.Ref)
		}
		if err != nil {
			return err
		}
	}
	_, err = s.change(ctx, sub.ID, func(c *change) error {
		if c.sub.Card.Ref == sub.Card.Ref {
			c.sub.Card = card{Label: c.sub.Card.Label}
		}
		return nil
	})
	return err
}
