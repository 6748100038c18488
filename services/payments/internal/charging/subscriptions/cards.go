package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/provider"
)

// SetupCard begins to keep another card, or gives what was begun and not completed. Errors: as act, those of the
// provider.
func (s *Service) SetupCard(ctx context.Context, id string) (setup provider.Setup, err error) {
	if err := s.act(ctx, id, func(*change) error { return nil }); err != nil { // before a payer is made for it
		return provider.Setup{}, err
	}
	err = s.withPayer(ctx, id, func() (err error) {
		setup, err = s.setupCard(ctx, id)
		return err
	})
	return setup, err
}

func (s *Service) setupCard(ctx context.Context, id string) (provider.Setup, error) {
	for range mostKeys {
		var sub Subscription
		if err := s.act(ctx, id, func(c *change) error { sub = c.sub; return nil }); err != nil {
			return provider.Setup{}, err
		}
		prov, err := s.provider(sub.Provider)
		if err != nil {
			return provider.Setup{}, err
		}
		setup, err := prov.BeginSetup(ctx, provider.SetupOrder{
			Kind: provider.KindCard,
			Key:  fmt.Sprintf("subscription:%s:setup:%d", id, sub.Setups), Payer: sub.Customer, Subject: "subscription:" + id,
		})
		if err != nil && !errors.Is(err, provider.ErrBurned) {
			return provider.Setup{}, err
		}
		isOpen := err == nil && (setup.State == provider.Open || setup.State == provider.NeedsPayer)
		isOurs := false
		err = s.act(ctx, id, func(c *change) error {
			if c.sub.Setups != sub.Setups { // another caller was quicker
				return nil
			}
			if setup.Ref != "" {
				c.sub.SetupRef = setup.Ref // which ends the one before
			}
			if isOurs = isOpen; !isOpen {
				c.sub.Setups++
			}
			return nil
		})
		if err != nil {
			return provider.Setup{}, err
		}
		if isOurs {
			return setup, nil
		}
	}
	return provider.Setup{}, apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("%d setups in a row came to nothing", mostKeys))
}

// lookSetup gives a setup that was begun for a subscription. Errors: NotFound, those of the provider.
func (s *Service) lookSetup(ctx context.Context, id, ref string) (provider.Setup, error) {
	sub, err := byID(ctx, s.db, id)
	if err != nil {
		return provider.Setup{}, err
	}
	prov, err := s.provider(sub.Provider)
	if err != nil {
		return provider.Setup{}, err
	}
	return prov.LookSetup(ctx, ref)
}

// provider finds one by its name. Error: ConfigurationError (provider_off).
func (s *Service) provider(name string) (Provider, error) {
	if p, on := s.providers[name]; on {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// ChangeCard takes the card into use that a setup has kept, also for others, named by their ids, of the same payer that have
// the old one. A month whose charge has failed is tried with it at once. Errors: as act, NotFound (no such setup of
// theirs), SubscriptionCardNeeded (it has kept no card), those of the provider.
func (s *Service) ChangeCard(ctx context.Context, id, ref string, also []string) error {
	sub, err := byID(ctx, s.db, id)
	if err != nil {
		return err
	}
	prov, err := s.provider(sub.Provider)
	if err != nil {
		return err
	}
	setup, err := prov.LookSetup(ctx, ref)
	switch {
	case errors.Is(err, provider.ErrNotFound), err == nil && setup.Payer != sub.Customer:
		return apperr.New(apperr.NotFound)
	case err != nil:
		return err
	case setup.State != provider.Succeeded || setup.Instrument == nil:
		return apperr.New(apperr.SubscriptionCardNeeded)
	}
	next := kept(*setup.Instrument)
	// First the others: a repeat finds them by the old card, which this one still has.
	if err := s.giveCard(ctx, sub, also, sub.Card.Ref, next); err != nil {
		return err
	}
	return s.act(ctx, id, func(c *change) error { return c.takeCard(ctx, next) })
}

// ShareCard gives the card that has paid the last month of a subscription in its form to others, named by their ids, of the same payer that
// still have the one which that month's charge was refused with. Their months whose charge has failed are tried with it at once.
// Errors: as act.
func (s *Service) ShareCard(ctx context.Context, id string, also []string) error {
	var sub Subscription
	if err := s.act(ctx, id, func(c *change) error { sub = c.sub; return nil }); err != nil || len(also) == 0 {
		return err
	}
	var refused string
	err := s.db.WithContext(ctx).Raw(`SELECT coalesce((SELECT card_ref FROM subscription_tries WHERE subscription_id = ? AND period = ?
		AND outcome = ? ORDER BY number DESC LIMIT 1), '')`, id, sub.PaidPeriod, declined).Scan(&refused).Error
	if err != nil {
		return fmt.Errorf("read the refused card of a subscription: %w", err)
	}
	if sub.Card.Ref == "" || sub.Card.Ref == refused || sub.Card.Refused { // which its bank has called misused since
		return nil
	}
	return s.giveCard(ctx, sub, also, refused, sub.Card)
}

// giveCard has other subscriptions of the same payer charge another card that have the old one.
func (s *Service) giveCard(ctx context.Context, sub Subscription, also []string, old string, next card) error {
	if len(also) == 0 || old == "" {
		return nil
	}
	others, err := read(ctx, s.db, `WHERE id IN ? AND provider = ? AND customer_ref = ? AND card_ref = ? AND id <> ?
		AND status IN ('active', 'past_due', 'paused') ORDER BY id`, also, sub.Provider, sub.Customer, old, sub.ID)
	if err != nil {
		return err
	}
	for _, other := range others {
		err := s.act(ctx, other.ID, func(c *change) error {
			if c.sub.Card.Ref != old { // they have just chosen another one
				return nil
			}
			return c.takeCard(ctx, next)
		})
		if err != nil && !errors.Is(err, apperr.New(apperr.SubscriptionEnded)) {
			return err
		}
	}
	return nil
}

// cardRenewed is the cause of a transition: the bank has given its holder a new card in place of the kept one.
const cardRenewed = "card renewed"

// tryAtOnce has a month that waits for its charge tried with the card that it has now, unless a try is under way.
func (c *change) tryAtOnce(ctx context.Context) error {
	due := c.months.due
	if due == nil || !due.takesCard() {
		return nil
	}
	next := c.now // or when the time of its tries is over: a try that was due before comes first
	if _, over := c.sub.afterTries(*due); over.Before(next) {
		next = over
	}
	due.NextTryAt = &next
	return c.saveMonth(ctx, *due)
}

// hasAnotherCard reports whether the card is another one by now than that of a try, or has been renewed by its bank since: what was said
// of the one that was tried says nothing of it.
func (c *change) hasAnotherCard(ctx context.Context, t try) (has bool, err error) {
	if c.sub.Card.Ref != t.CardRef {
		return true, nil
	}
	err = c.tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM subscription_transitions WHERE subscription_id = ? AND cause = ? AND at >= ?)`,
		c.sub.ID, cardRenewed, t.BegunAt).Scan(&has).Error
	if err != nil {
		return false, fmt.Errorf("read whether a card was renewed: %w", err)
	}
	return has, nil
}

// takeCard charges another card from now on. Error: SubscriptionCardNeeded when it is being forgotten.
func (c *change) takeCard(ctx context.Context, next card) error {
	if c.sub.Card.Ref == next.Ref {
		return nil
	}
	isForgotten, err := vault.Use(ctx, c.tx, c.sub.Provider, next.Ref)
	if err == nil && isForgotten {
		err = apperr.New(apperr.SubscriptionCardNeeded)
	}
	if err != nil {
		return err
	}
	c.sub.Card = next
	c.sub.Card.GivenAt = &c.now
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
	prov, err := s.provider(users[0].Provider)
	if err != nil {
		return err
	}
	now, err := prov.Instrument(ctx, ref)
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
			renewed.Warned, renewed.GivenAt = c.sub.Card.Warned, c.sub.Card.GivenAt
			if c.sub.Card.Refused { // but of one that was misused its backer has to say that the new one is theirs
				if renewed.Refused, err = c.isMisused(ctx); err != nil {
					return err
				}
			}
			c.sub.Card = renewed
			if !renewed.Refused {
				if err := c.tryAtOnce(ctx); err != nil {
					return err
				}
			}
			return c.note(ctx, cardRenewed, 0, "")
		})
		if err != nil {
			return err
		}
	}
	return nil
}
