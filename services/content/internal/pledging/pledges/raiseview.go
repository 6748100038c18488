package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/rewards"
)

// Raise is a change to a higher sum, and the further charge that it waits for, as its backer sees it.
type Raise struct {
	ID             string         `json:"id"`
	CampaignID     int64          `json:"campaign_id"`
	Status         Status         `json:"status"`
	Currency       money.Currency `json:"currency"`
	AmountMinor    int64          `json:"amount_minor"` // what is charged
	FromMinor      int64          `json:"from_minor"`
	Quantity       int            `json:"quantity"`
	RewardTitle    string         `json:"reward_title"`    // empty without one
	RewardLanguage string         `json:"reward_language"` // of RewardTitle; empty where that is not known
	Lines          []Line         `json:"lines"`
	PayableUntil   time.Time      `json:"payable_until"`
	CreatedAt      time.Time      `json:"created_at"`
}

// Charge is money that was paid for a pledge.
type Charge struct {
	AmountMinor int64
	PaidAt      time.Time
	Method      string
}

// raisesJSON are a pledge's raises that wait or are paid, as addRaises reads them.
const raisesJSON = `coalesce(json_agg(json_build_object('id', id, 'campaign_id', p.campaign_id, 'status', status, 'currency', p.currency,
	'amount_minor', amount_minor, 'from_minor', from_minor, 'quantity', quantity, 'reward_title', coalesce(bought ->> 'title', ''),
	'reward_language', coalesce(bought ->> 'language', ''), 'lines', lines, 'payable_until', reserved_until,
	'created_at', created_at, 'paid_at', paid_at, 'method', payment_method) ORDER BY created_at, id), '[]')`

// addRaises adds what a pledge was charged beside its first charge, and what waits.
func (o *Own) addRaises(text json.RawMessage) error {
	var list []struct {
		Raise
		PaidAt *time.Time `json:"paid_at"`
		Method string     `json:"method"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("decode raises: %w", err)
	}
	first := Charge{AmountMinor: o.ChargedMinor, Method: o.PaymentMethod}
	if o.PaidAt != nil {
		first.PaidAt = *o.PaidAt
	}
	var further []Charge
	for _, r := range list {
		if r.PaidAt == nil {
			o.Raise = &r.Raise
			continue
		}
		first.AmountMinor -= r.AmountMinor
		further = append(further, Charge{r.AmountMinor, *r.PaidAt, r.Method})
	}
	if len(further) > 0 {
		o.Charges = append([]Charge{first}, further...)
	}
	return nil
}

// ViewRaise reads a raise; who may see it is for callers (holders.Guard). Error: ErrUnknown.
func (s *Service) ViewRaise(ctx context.Context, id string) (Raise, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return Raise{}, ErrUnknown
	}
	var found struct {
		Raise      raise `gorm:"embedded"`
		CampaignID int64
		Currency   money.Currency
	}
	read := s.db.WithContext(ctx).Raw(`SELECT r.*, p.campaign_id, p.currency FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id
		WHERE r.id = ?`, id).Scan(&found)
	if read.Error != nil {
		return Raise{}, fmt.Errorf("read a raise: %w", read.Error)
	}
	if read.RowsAffected == 0 {
		return Raise{}, ErrUnknown
	}
	var bought rewards.Bought
	of := found.Raise
	out := Raise{ID: of.ID, CampaignID: found.CampaignID, Status: of.Status, Currency: found.Currency, AmountMinor: of.AmountMinor,
		FromMinor: of.FromMinor, Quantity: of.Quantity, PayableUntil: of.ReservedUntil, CreatedAt: of.CreatedAt}
	err = json.Unmarshal(of.Lines, &out.Lines)
	if len(of.Bought) > 0 {
		err = errors.Join(err, json.Unmarshal(of.Bought, &bought))
	}
	if err != nil {
		return Raise{}, fmt.Errorf("decode a raise: %w", err)
	}
	out.RewardTitle, out.RewardLanguage = bought.Title, bought.Language
	return out, nil
}

// Raise shows a raise to its holder.
func (h *Handlers) Raise(ctx context.Context, r api.RaiseRequestObject) (api.RaiseResponseObject, error) {
	found, err := h.pledges.ViewRaise(ctx, r.RaiseID)
	if err != nil {
		return nil, err
	}
	return api.Raise200JSONResponse{Raise: found.answer()}, nil
}

// ReleaseRaise gives up a change that is not paid.
func (h *Handlers) ReleaseRaise(ctx context.Context, r api.ReleaseRaiseRequestObject) (api.ReleaseRaiseResponseObject, error) {
	if err := h.pledges.ReleaseRaise(ctx, r.RaiseID); err != nil {
		return nil, err
	}
	return api.ReleaseRaise204Response{}, nil
}

func (r Raise) answer() api.Raise {
	a := api.Raise{RaiseID: r.ID, CampaignID: r.CampaignID, Status: api.RaiseStatus(r.Status), Currency: string(r.Currency), Amount: money.Decimal(r.AmountMinor),
		FromAmount: money.Decimal(r.FromMinor), ToAmount: money.Decimal(r.FromMinor + r.AmountMinor), Quantity: r.Quantity, RewardTitle: r.RewardTitle,
		RewardLanguage: pointer(r.RewardLanguage),
		Lines:          make([]api.PledgeLine, len(r.Lines)), PayableUntil: r.PayableUntil}
	for i, line := range r.Lines {
		a.Lines[i] = api.PledgeLine{Label: line.Label, Amount: money.Decimal(line.AmountMinor)}
	}
	return a
}

// raisedAnswer is the part of a pledge's answer about its charges.
func raisedAnswer(a *api.PledgeChoiceState, o Own) {
	if o.Raise != nil {
		raise := o.Raise.answer()
		a.Raise = &raise
	}
	if len(o.Charges) == 0 {
		return
	}
	charges := make([]api.PledgeCharge, len(o.Charges))
	for i, c := range o.Charges {
		charges[i] = api.PledgeCharge{Amount: money.Decimal(c.AmountMinor), PaidAt: c.PaidAt, PaymentMethod: pointer(c.Method)}
	}
	a.Charges = &charges
}
