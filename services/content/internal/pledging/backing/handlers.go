// Package backing answers what one person has in one campaign: pledges and monthly support, of which packages pledges and
// subscriptions are the owners.
package backing

import (
	"context"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

// Handlers answers the call.
type Handlers struct {
	pledges       *pledges.Service
	subscriptions *subscriptions.Service
}

// NewHandlers makes the handlers.
func NewHandlers(p *pledges.Service, s *subscriptions.Service) *Handlers { return &Handlers{p, s} }

// OwnInCampaign tells the signed-in person what they have in a campaign now. A campaign that is none has nothing.
func (h *Handlers) OwnInCampaign(ctx context.Context, r api.OwnInCampaignRequestObject) (api.OwnInCampaignResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	promised, err := h.pledges.ListOwnIn(ctx, who.UserID, r.CampaignID)
	if err != nil {
		return nil, err
	}
	monthly, err := h.subscriptions.ListOwnIn(ctx, who.UserID, r.CampaignID)
	if err != nil {
		return nil, err
	}
	return api.OwnInCampaign200JSONResponse(answer(promised, monthly)), nil
}

func answer(promised []pledges.OwnIn, monthly []subscriptions.OwnIn) (a api.OwnInCampaign) {
	a.Pledges = make([]api.OwnPledgeIn, len(promised))
	for i, p := range promised {
		a.Pledges[i] = api.OwnPledgeIn{PledgeID: p.ID, Status: api.OwnPledgeInStatus(p.Status), Amount: money.Decimal(p.AmountMinor),
			Currency: string(p.Currency), Quantity: p.Quantity, RewardTitle: some(p.RewardTitle), RewardLanguage: some(p.RewardLanguage), ChargedAt: p.ChargedAt}
	}
	a.Subscriptions = make([]api.OwnSupportIn, len(monthly))
	for i, s := range monthly {
		one := api.OwnSupportIn{SubscriptionID: s.ID, Status: api.OwnSupportInStatus(s.Status), Amount: money.Decimal(s.AmountMinor),
			Currency: string(s.Currency), RewardTitle: some(s.RewardTitle), RewardLanguage: some(s.RewardLanguage), BegunOn: types.Date{Time: s.BegunOn},
			NextChargeOn: dayOf(s.NextChargeOn), DueOn: dayOf(s.DueOn), HeldOn: dayOf(s.HeldOn), EndsOn: dayOf(s.EndsOn),
			PaymentMethod: some(s.PaymentMethod)}
		if s.IsProcessing {
			one.Status = api.OwnSupportInStatusProcessing
		}
		if s.NextAmountMinor != nil {
			next := money.Decimal(*s.NextAmountMinor)
			one.NextAmount = &next
		}
		a.Subscriptions[i] = one
	}
	return a
}

// some is a text that is left out when it is empty.
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func dayOf(day *time.Time) *types.Date {
	if day == nil {
		return nil
	}
	return &types.Date{Time: *day}
}
