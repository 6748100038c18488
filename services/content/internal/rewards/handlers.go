package rewards

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls about rewards.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// CampaignRewards is a campaign's visible rewards; those who may edit it see hidden ones too. Error: campaigns.ErrUnknown.
func (h *Handlers) CampaignRewards(ctx context.Context, r api.CampaignRewardsRequestObject) (api.CampaignRewardsResponseObject, error) {
	acl, err := campaigns.Access(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	language := languages.Of(r.Language)
	list, err := List(ctx, h.db, r.CampaignID, language, acl.CanEdit())
	if err != nil {
		return nil, err
	}
	answer := api.CampaignRewards200JSONResponse{Rewards: make([]api.Reward, len(list))}
	for i, reward := range list {
		if reward.Discreet && !acl.CanEdit() {
			reward.hideNumbers()
		}
		answer.Rewards[i] = reward.answer(language)
	}
	return answer, nil
}

// hideNumbers takes out how many have chosen the reward. What is left of limited stock stays true.
func (r *Reward) hideNumbers() {
	r.Backers = 0
	if r.Stock == 0 {
		return
	}
	if left := r.Stock - r.StockReserved; left > 0 {
		r.Stock, r.StockReserved = left, 0
	} else {
		r.Stock, r.StockReserved = 1, 1 // a stock of 0 would mean unlimited
	}
}

func (r Reward) answer(language string) api.Reward {
	questions := r.CustomQuestions.Keyed()
	a := api.Reward{RewardID: r.ID, Title: r.Title, Description: r.Description, Image: r.Image, Amount: int(r.AmountMinor / 100),
		Stock: r.Stock, StockReserved: r.StockReserved, QuantityMax: MaxQuantity(r.Stock), Backers: r.Backers, Active: api.RewardActive(r.Active),
		AddedCosts: make([]api.AddedCost, len(r.AddedCosts)), CustomQuestions: make([]api.CustomQuestion, len(questions)),
		AsksForAddress: AskForAddress(questions)}
	if r.Delivery != "" {
		a.Delivery = &r.Delivery
	}
	if r.VATTenths != nil {
		percentage := float64(*r.VATTenths) / 10
		a.VatPercentage = &percentage
	}
	for i, cost := range r.AddedCosts {
		a.AddedCosts[i] = api.AddedCost{Amount: money.Decimal(cost.AmountMinor), Description: cost.In(language)}
		if cost.WithoutAddress {
			a.AddedCosts[i].WithoutAddress = &cost.WithoutAddress
		}
	}
	for i, q := range questions {
		a.CustomQuestions[i] = api.CustomQuestion{Key: q.Key, Text: q.Text}
	}
	return a
}
