package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/charging/limits"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/vault"
)

// Setup makes the form's payment of the month that is to be paid now, or gives the open one again: the first month's, or
// that of one whose charge has failed. Paying it keeps the card. Errors: NotFound, payments.ErrNotPayable,
// CampaignOnHold, SpendingLimitExceeded (before the first month has begun, or in another calendar month than it was weighed in), those of
// payments.Setup.
func (s *Service) Setup(ctx context.Context, id, network string) (payments.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, payments.CallWait)
	defer cancel()
	sub, found, err := readOne(ctx, s.db, `WHERE id = ?`, id)
	if err == nil && sub.OnHold {
		err = apperr.New(apperr.CampaignOnHold)
	}
	if err == nil && !found {
		err = s.create(ctx, id, network)
	}
	if err != nil {
		return payments.Intent{}, err
	}
	open, err := readOpen(ctx, s.db, id)
	if err == nil && (open.due == nil || open.due.Processing) {
		err = payments.ErrNotPayable
	}
	if err == nil && !open.due.isWeighedIn(s.now()) {
		_, err = s.change(ctx, id, func(c *change) error { return c.allowForm(ctx) })
	}
	if err != nil {
		return payments.Intent{}, err
	}
	if open.due.Period > 1 && sub.Customer != "" { // the open form may be for a payer who was deleted since: then it would keep no card
		if err := s.CustomerGone(ctx, sub.Provider, sub.Customer); err != nil {
			return payments.Intent{}, err
		}
	}
	var intent payments.Intent
	err = s.withPayer(ctx, id, func() (err error) {
		_, intent, err = s.payments.Setup(ctx, subject(id, open.due.Period), network, payments.FormCard{})
		return err
	})
	return intent, err
}

// create writes a subscription with its copy of the content service's order, its payer at the provider and the payment
// of its first month. When another caller was quicker, nothing changes.
func (s *Service) create(ctx context.Context, id, network string) error {
	readAt := s.now()
	order, err := s.payments.OrderToPay(ctx, subject(id, 1), network)
	if err != nil {
		return err
	}
	name, err := s.payments.Recurring(ctx, order.CampaignID, money.New(order.AmountMinor, money.Currency(order.Currency)))
	if err != nil {
		return err
	}
	prov, err := s.provider(name)
	if err != nil {
		return err
	}
	if !prov.Traits().Recurring {
		return apperr.New(apperr.PaymentMethodUnsupported)
	}
	level := Level{AmountMinor: order.AmountMinor, Currency: order.Currency}
	if order.Level != nil {
		level = Level(*order.Level)
	}
	if !level.Is(Level{AmountMinor: order.AmountMinor, RewardID: level.RewardID}) || level.Currency != order.Currency {
		return apperr.New(apperr.Unavailable).Wrap(fmt.Errorf("the order of a subscription costs %d, its level %d",
			order.AmountMinor, level.AmountMinor))
	}
	allow := func(tx *gorm.DB) error {
		return limits.Allow(ctx, tx, limits.Act{UserID: order.BackerUserID, Currency: order.Currency, ID: id,
			After: firstShares(id, order.AmountMinor, s.now())}, s.now())
	}
	if err := dbx.InTx(ctx, s.db, allow); err != nil { // before they become a customer of the provider's
		return err
	}
	customer, err := s.customer(ctx, prov, id, order.BackerUserID)
	if err != nil {
		return err
	}
	var c *change
	isErased := false
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		c = nil
		if err := payments.LockSubject(tx, subject(id, 1)); err != nil {
			return err
		}
		if isErased, err = payments.LockBacker(ctx, tx, order.BackerUserID, readAt); err != nil {
			return err
		}
		if isErased { // which could not find the customer
			if _, err := vault.Erase(ctx, tx, *order.BackerUserID); err != nil {
				return err
			}
			return vault.ForgetLater(ctx, tx, vault.Leftover{Provider: prov.Name(), Kind: vault.LeftCustomer, Ref: customer})
		}
		if _, found, err := readOne(ctx, tx, `WHERE id = ?`, id); err != nil || found {
			return err
		}
		if err := allow(tx); err != nil {
			return err
		}
		isForgotten, err := vault.Use(ctx, tx, prov.Name(), customer)
		if err == nil && isForgotten { // with its person, of whom the content service has no order then
			err = apperr.New(apperr.Unavailable).RetryAfter(time.Second).Wrap(errors.New("the customer is being forgotten"))
		}
		if err != nil {
			return err
		}
		c = &change{svc: s, tx: tx.WithContext(ctx), now: s.now(), sub: Subscription{
			ID: id, Provider: prov.Name(), Status: StatusCreated, CampaignID: order.CampaignID,
			PayeeUserID: order.PayeeUserID, BackerUserID: order.BackerUserID, Description: order.Description,
			Title: order.CampaignTitle, Language: payments.KnownLanguage(order.Language), Level: level, Customer: customer,
			Setups: 1, NextPeriod: 1,
		}}
		if err := c.insert(ctx); err != nil {
			return err
		}
		return c.begin(ctx, 1, nil, order.PayableUntil, network)
	})
	switch {
	case err == nil && isErased: // the content service has another order by now
		s.wakeEvents()
		err = apperr.New(apperr.Unavailable).RetryAfter(time.Second).Wrap(errors.New("the backer was erased meanwhile"))
	case err == nil && c != nil:
		s.wakeFor(c)
	}
	return err
}

func (c *change) insert(ctx context.Context) error {
	s := c.sub
	err := c.tx.WithContext(ctx).Exec(`INSERT INTO subscriptions (id, provider, status, campaign_id, payee_user_id, backer_user_id,
			description, title, language, level, customer_ref, created_at, updated_at)
		VALUES (@id, @provider, @status, @campaign, @payee, @backer, @description, @title, @language, @level, @customer, @now, @now)`,
		map[string]any{
			"id": s.ID, "provider": s.Provider, "status": s.Status, "campaign": s.CampaignID, "payee": s.PayeeUserID,
			"backer": s.BackerUserID, "description": s.Description, "title": s.Title, "language": s.Language,
			"level": s.Level, "customer": s.Customer, "now": c.now,
		}).Error
	if err != nil {
		return fmt.Errorf("begin a subscription: %w", err)
	}
	return c.keep(ctx, "", "setup", 0, "")
}

// mostKeys is how many keys one call may find burned.
const mostKeys = 3

// Close ends a subscription at the content service's word, and says whether there was one and how it stands. One whose
// payment has not begun cannot begin it. A second call changes nothing.
func (s *Service) Close(ctx context.Context, id string, why Reason) (sub Subscription, found bool, err error) {
	var c *change
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		if err := payments.LockSubject(tx, subject(id, 1)); err != nil {
			return err
		}
		c, err = s.changeIn(ctx, tx, id, func(c *change) error {
			if c.sub.Status.IsOver() || why == Released && c.sub.Status != StatusCreated {
				return nil
			}
			return c.end(ctx, why)
		})
		if errors.Is(err, apperr.New(apperr.NotFound)) {
			c = nil
			return s.payments.CloseUnbegun(tx, subject(id, 1))
		}
		return err
	})
	if err != nil || c == nil {
		return Subscription{}, false, err
	}
	s.wakeFor(c)
	return c.sub, true, nil
}
