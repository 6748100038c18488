package subscriptions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
)

// View is a subscription as its supporter sees it.
type View struct {
	ID                                       string
	CampaignID                               int64
	RewardID                                 *int64
	RewardTitle                              string // as it was chosen; empty without a reward
	RewardLanguage, NextRewardLanguage       string // of the titles; empty where that is not known
	Status                                   Status
	AmountMinor                              int64  // a month
	NextAmountMinor, NextRewardID            *int64 // of a level that has not begun
	NextRewardTitle                          string
	Currency                                 money.Currency
	Email, FirstName, LastName               string
	Anonymous, HideAmount                    bool
	HasAccount                               bool // begun signed in, so that the spending limit counts it
	PayableUntil, CreatedAt                  time.Time
	BegunOn, NextChargeOn, PaidUntil, EndsOn *time.Time // days
	HeldOn                                   *time.Time // the day of a month that would cross the spending limit
	DueOn                                    *time.Time // the day of a month whose charge has failed
	NextTryOn                                *time.Time // the day on which that month is tried again; nil when it is tried no more
	IsProcessing                             bool       // a bank has the money of its first month, and it has not begun
	OnHold                                   bool       // its campaign is, so none of these days is a charge's
	EndedBecause, PaymentMethod              string
	Charges                                  []Charge        `db:"-"`
	Preview                                  json.RawMessage // CampaignPreview of the contract
}

// Charge is a month that is paid.
type Charge struct {
	SubscriptionID                                     string
	Period                                             int
	AmountMinor, AmountRefundedMinor, VATMinor         int64
	VATTenths                                          int // the rate, 0 for none
	IsDisputed                                         bool
	ReceiptNumber, PaymentMethod, Title, TitleLanguage string // Title of the reward, as it was chosen
	PaidAt                                             time.Time
}

// ChargeStatus is where a month's money is.
type ChargeStatus string

// The statuses of a charge.
const (
	ChargePaid           ChargeStatus = "paid"
	ChargePartlyRefunded ChargeStatus = "partly_refunded"
	ChargeRefunded       ChargeStatus = "refunded"
	ChargeDisputed       ChargeStatus = "disputed" // the bank has the money
)

// Status follows from what went back and whether the bank has the rest.
func (c Charge) Status() ChargeStatus {
	switch {
	case c.AmountRefundedMinor == c.AmountMinor:
		return ChargeRefunded
	case c.IsDisputed:
		return ChargeDisputed
	case c.AmountRefundedMinor > 0:
		return ChargePartlyRefunded
	}
	return ChargePaid
}

// viewSQL reads subscriptions s for readers of @language.
const viewSQL = `
	SELECT s.id, s.campaign_id, s.reward_id, coalesce(s.bought ->> 'title', '') AS reward_title, coalesce(s.bought ->> 'language', '') AS reward_language, s.status, s.amount_minor,
	       s.next_amount_minor, s.next_reward_id, coalesce(s.next_bought ->> 'title', '') AS next_reward_title,
	       coalesce(s.next_bought ->> 'language', '') AS next_reward_language,
	       s.currency, s.email, s.first_name, s.last_name, s.anonymous, s.hide_amount, s.user_id IS NOT NULL AS has_account,
	       s.payable_until, s.created_at, s.begun_on, s.next_charge_on, s.held_on, s.due_on, s.next_try_on, v.preview ->> 'hold' IS NOT DISTINCT FROM 'on_hold' AS on_hold, s.paid_until, s.ends_on, s.ended_because, s.is_processing, s.payment_method, v.preview
	FROM subscriptions s
	JOIN campaign_previews v ON v.campaign_id = s.campaign_id AND v.language = @language `

// View reads a subscription; who may see it is for callers (holders.Guard). Error: ErrUnknown.
func (s *Service) View(ctx context.Context, id, language string) (View, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return View{}, ErrUnknown
	}
	list, err := s.views(ctx, viewSQL+`WHERE s.id = @id`, pgx.NamedArgs{"id": id, "language": language})
	if err == nil && len(list) == 0 {
		err = ErrUnknown
	}
	if err != nil {
		return View{}, err
	}
	return list[0], nil
}

// views reads subscriptions and their charges, in two statements.
func (s *Service) views(ctx context.Context, query string, args pgx.NamedArgs) ([]View, error) {
	list, err := dbx.Select[View](ctx, s.db, query, args)
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	at := make(map[string]int, len(list))
	wanted := make([]string, len(list))
	for i, v := range list {
		at[v.ID], wanted[i] = i, v.ID
		if v.OnHold {
			list[i].NextChargeOn, list[i].HeldOn, list[i].DueOn, list[i].NextTryOn = nil, nil, nil, nil
		}
	}
	charges, err := dbx.Select[Charge](ctx, s.db, `
		SELECT subscription_id, period, amount_minor, amount_refunded_minor, vat_minor, vat_tenths, is_disputed, receipt_number, payment_method, title, title_language, paid_at
		FROM subscription_charges WHERE subscription_id = ANY(@ids) ORDER BY subscription_id, period DESC`, pgx.NamedArgs{"ids": wanted})
	if err != nil {
		return nil, fmt.Errorf("read the charges of subscriptions: %w", err)
	}
	for _, c := range charges {
		i := at[c.SubscriptionID]
		c.PaidAt = c.PaidAt.In(s.zone)
		list[i].Charges = append(list[i].Charges, c)
	}
	return list, nil
}
