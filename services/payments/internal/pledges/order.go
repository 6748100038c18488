package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	orderTimeout = 5 * time.Second
	// knownOrderTimeout is for an order that we have a copy of.
	knownOrderTimeout = 2 * time.Second
	maxOrderBody      = 64 << 10
	// firstCheck is when the sweeper first asks the provider about a payment that nobody told us about.
	firstCheck = time.Minute
)

// ensure gives the payment of a pledge that the content service wants paid. The first time it keeps a copy of the order,
// so that afterwards the content service may be away. Errors: NotFound, PledgeAlreadyPaid, PledgeNotPayable, Unavailable.
func (s *Service) ensure(ctx context.Context, pledgeID string) (Payment, error) {
	p, found, err := readPayment(ctx, s.DB, `WHERE p.pledge_id = ?`, pledgeID)
	if err != nil {
		return p, err
	}
	if found {
		return p, s.stillWanted(ctx, p)
	}
	order, err := s.fetchOrder(ctx, pledgeID, orderTimeout)
	if err == nil {
		err = wanted(order)
	}
	if err != nil {
		return Payment{}, err
	}
	if err := s.begin(ctx, pledgeID, order); err != nil {
		return Payment{}, err
	}
	p, found, err = readPayment(ctx, s.DB, `WHERE p.pledge_id = ?`, pledgeID)
	if err == nil && !found {
		err = fmt.Errorf("payment of pledge %s is not there after it was begun", pledgeID)
	}
	return p, err
}

// wanted says whether the content service wants an order paid. Errors: PledgeAlreadyPaid, PledgeNotPayable.
func wanted(order contentclient.Order) error {
	if order.Payable {
		return nil
	}
	switch order.Status { // the content service's own words
	case "paid", string(StatusPartlyRefunded), string(StatusRefunded), string(StatusDisputed):
		return apperr.New(apperr.PledgeAlreadyPaid)
	}
	return apperr.New(apperr.PledgeNotPayable)
}

// stillWanted asks again about a payment that the backer could begin to pay: the pledge may have been given up, or its
// campaign closed. Then nobody shall pay it, and the payment is closed. What our own copy of the order rules out is
// not asked about: after a reservation its grace is left to who is paying. Errors: as wanted, NotFound.
func (s *Service) stillWanted(ctx context.Context, p Payment) error {
	if p.Status == StatusProcessing || p.payable(s.clock()) != nil {
		return nil
	}
	order, err := s.fetchOrder(ctx, p.PledgeID, knownOrderTimeout)
	if errors.Is(err, apperr.New(apperr.Unavailable)) {
		s.Log.WarnContext(ctx, "went by the copy of the order", "payment_id", p.ID, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	err = wanted(order)
	if errors.Is(err, apperr.New(apperr.PledgeNotPayable)) {
		if err := s.close(ctx, p.ID, SignalSetup); err != nil {
			return err
		}
	}
	return err
}

func (s *Service) fetchOrder(ctx context.Context, pledgeID string, timeout time.Duration) (order contentclient.Order, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unavailable := func(err error) error {
		return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("fetch the order of pledge %s: %w", pledgeID, err))
	}
	response, err := s.Content.PledgeOrder(ctx, pledgeID)
	if err != nil {
		return order, unavailable(err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxOrderBody))
	if err != nil {
		return order, unavailable(err)
	}
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return order, apperr.New(apperr.NotFound)
	default:
		return order, unavailable(fmt.Errorf("content answered %d", response.StatusCode))
	}
	if err := json.Unmarshal(body, &order); err != nil {
		return order, unavailable(fmt.Errorf("decode: %w", err))
	}
	if order.PledgeID != pledgeID || order.AmountMinor <= 0 {
		return order, unavailable(errors.New("the answer is no order of this pledge"))
	}
	return order, nil
}

// begin writes the copy of the order and the payment with its first event. A second caller at the same time changes
// nothing.
func (s *Service) begin(ctx context.Context, pledgeID string, order contentclient.Order) error {
	currency, err := money.ParseCurrency(order.Currency)
	if err != nil {
		return fmt.Errorf("begin the payment of pledge %s: %w", pledgeID, err)
	}
	now, id := s.clock(), ids.New()
	closesAt := order.ReservedUntil.Add(Grace)
	began := false
	err = dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		began = false
		err := tx.Exec(`INSERT INTO orders (pledge_id, amount_minor, currency, description, language, campaign_id, campaign_slug, campaign_title,
			reward_id, payee_user_id, reserved_until, fetched_at)
			VALUES (@pledge, @amount, @currency, @description, @language, @campaign, @slug, @title, @reward, @payee, @reserved, @now)
			ON CONFLICT (pledge_id) DO NOTHING`, map[string]any{
			"pledge": pledgeID, "amount": order.AmountMinor, "currency": currency, "description": order.Description,
			"language": knownLanguage(order.Language), "campaign": order.CampaignID, "slug": order.CampaignSlug, "title": order.CampaignTitle,
			"reward": order.RewardID, "payee": order.PayeeUserID, "reserved": order.ReservedUntil, "now": now,
		}).Error
		if err != nil {
			return fmt.Errorf("keep the order of pledge %s: %w", pledgeID, err)
		}
		result := tx.Exec(`INSERT INTO payments (id, pledge_id, provider, status, amount_minor, currency, closes_at, next_check_at, created_at, updated_at)
			VALUES (@id, @pledge, @provider, 'created', @amount, @currency, @closes, @check, @now, @now)
			ON CONFLICT (pledge_id) DO NOTHING`, map[string]any{
			"id": id, "pledge": pledgeID, "provider": stripe.Name, "amount": order.AmountMinor, "currency": currency,
			"closes": closesAt, "check": now.Add(firstCheck), "now": now,
		})
		if result.Error != nil {
			return fmt.Errorf("begin the payment of pledge %s: %w", pledgeID, result.Error)
		}
		if result.RowsAffected == 0 {
			return nil
		}
		began = true
		c := change{svc: s, tx: tx, signal: SignalSetup, now: now, payment: Payment{
			ID: id, PledgeID: pledgeID, Provider: stripe.Name, Status: StatusCreated, AmountMinor: order.AmountMinor, Currency: currency,
		}}
		if err := c.record(ctx, "", StatusCreated, nil); err != nil {
			return err
		}
		if err := c.emit(ctx, contentclient.PaymentStarted, ""); err != nil {
			return err
		}
		return c.save(ctx)
	})
	if err == nil && began {
		s.NudgeEvents()
	}
	return err
}

func knownLanguage(language string) string {
	switch language {
	case apperr.English, apperr.Swedish:
		return language
	}
	return apperr.Finnish
}
