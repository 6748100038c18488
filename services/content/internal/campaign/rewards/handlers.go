package rewards

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls about rewards.
type Handlers struct {
	db         *gorm.DB
	now        func() time.Time
	hasPicture HasPicture
}

// HasPicture reports whether there is a picture of a name (files.Store.Exists).
type HasPicture func(ctx context.Context, name string) (bool, error)

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB, now func() time.Time, hasPicture HasPicture) *Handlers {
	return &Handlers{db: db, now: now, hasPicture: hasPicture}
}

// CampaignRewards is a campaign's visible rewards; those who may edit it see hidden ones too. Error:
// campaigns.ErrUnknown.
func (h *Handlers) CampaignRewards(ctx context.Context, r api.CampaignRewardsRequestObject) (
	api.CampaignRewardsResponseObject, error) {
	rights, err := campaigns.Access(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	language := languages.Of(r.Language)
	list, err := List(ctx, h.db, r.CampaignID, language, rights.CanEdit(), h.now())
	if err != nil {
		return nil, err
	}
	answer := api.CampaignRewards200JSONResponse{Rewards: make([]api.Reward, len(list))}
	for i, reward := range list {
		answer.Rewards[i] = reward.answer(language)
	}
	return answer, nil
}

// answer is the reward under the contract's names, its texts in a language.
func (r Reward) answer(language string) api.Reward {
	questions := r.CustomQuestions.Keyed()
	a := api.Reward{RewardID: r.ID, RewardVersion: r.OfferVersion, Title: r.Title, Description: r.Description,
		Image: r.Image, ImageAlt: r.ImageAlt, Amount: int(r.AmountMinor / 100),
		Stock: r.Stock, StockReserved: r.StockReserved, QuantityMax: MaxQuantity(r.Stock), Backers: r.Backers,
		Active:     api.RewardActive(r.Active),
		AddedCosts: make([]api.AddedCost, len(r.AddedCosts)), CustomQuestions: make([]api.CustomQuestion, len(questions)),
		AsksForAddress: AskForAddress(questions), Kind: api.RewardKind(r.Kind),
		Withdrawal: api.RewardWithdrawal{Days: r.TermDays, Starts: api.RewardWithdrawalStarts(r.TermStarts)}}
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
