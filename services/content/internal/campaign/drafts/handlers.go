package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls that begin campaigns.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; funding days are days of the time zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}

// CreateCampaign begins a draft with nothing in it, in the reader's language. Errors: NotAuthenticated; those of Begin.
func (h *Handlers) CreateCampaign(ctx context.Context, r api.CreateCampaignRequestObject) (
	api.CreateCampaignResponseObject, error) {
	var stage campaigns.Stage
	if r.Body != nil && r.Body.Stage != nil {
		stage = campaigns.Stage(*r.Body.Stage)
	}
	made, err := h.begin(ctx, r.Params.IdempotencyKey, r.Body, Request{Draft: draft(ctx, nil, stage)})
	return api.CreateCampaign201JSONResponse(made), err
}

// CreateCampaignV2 begins a draft with its name. Errors: NotAuthenticated; those of Begin.
func (h *Handlers) CreateCampaignV2(ctx context.Context, r api.CreateCampaignV2RequestObject) (
	api.CreateCampaignV2ResponseObject, error) {
	b := r.Body
	d := draft(ctx, b.Language, stageOf(b.Stage))
	d.Title, d.Tagline, d.Categories = b.Title, text(b.Tagline), list(b.Categories)
	d.Settings.Place = b.Place
	made, err := h.begin(ctx, r.Params.IdempotencyKey, b, Request{Draft: d, NeedsTitle: true})
	return api.CreateCampaignV2201JSONResponse(made), err
}

// CreateCampaignV3 begins a draft with goals, days, rewards and who stands behind it. Errors: NotAuthenticated; those
// of Begin.
func (h *Handlers) CreateCampaignV3(ctx context.Context, r api.CreateCampaignV3RequestObject) (
	api.CreateCampaignV3ResponseObject, error) {
	b := r.Body
	d := draft(ctx, b.Language, stageOf(b.Stage))
	d.Title, d.Tagline, d.Categories = b.Title, text(b.Tagline), list(b.Categories)
	d.Settings = campaigns.SettingsChange{Place: b.Place, MinGoal: b.MinGoal, TargetGoal: b.TargetGoal,
		ContactEmail: b.ContactEmail, LegalCreator: b.LegalCreator, FundingRule: (*campaigns.FundingRule)(b.FundingRule),
		FirstDay: (*campaigns.Day)(b.FirstDayOfFunding), LastDay: (*campaigns.Day)(b.LastDayOfFunding)}
	d.Meta.LegalCreatorType = (*string)(b.LegalCreatorType)
	for _, g := range list(b.SubscriptionsGoals) {
		goal := campaigns.WantedGoal{Target: g.Target, GoalText: campaigns.GoalText{Title: g.Title,
			Description: text(g.Description)}}
		if g.GoalID != nil {
			goal.ID = *g.GoalID
		}
		d.Goals = append(d.Goals, goal)
	}
	wanted := Request{Draft: d, NeedsTitle: true}
	for _, reward := range list(b.Rewards) {
		stock := 0
		if reward.Stock != nil {
			stock = *reward.Stock
		}
		wanted.Rewards = append(wanted.Rewards, Reward{Title: reward.Title, Description: text(reward.Description),
			AmountMinor: int64(reward.Amount) * 100, Stock: stock})
	}
	made, err := h.begin(ctx, r.Params.IdempotencyKey, b, wanted)
	return api.CreateCampaignV3201JSONResponse(made), err
}

func (h *Handlers) begin(ctx context.Context, key *string, body any, r Request) (
	answer api.CreatedCampaignAnswer, err error) {
	who, err := session.Require(ctx)
	if err != nil {
		return answer, err
	}
	r.UserID, r.Settings.Zone = who.UserID, h.zone
	encoded, err := json.Marshal(body)
	if err != nil {
		return answer, fmt.Errorf("hash request: %w", err)
	}
	if key != nil {
		r.Key, r.Hash = *key, idem.Hash(fmt.Appendf(nil, "%T", body), encoded)
	}
	made, err := Begin(ctx, h.db, r, h.now())
	answer.Campaign.CampaignID, answer.Campaign.Slug, answer.Campaign.Version = made.ID, made.Slug, made.Version
	return answer, err
}

// draft begins with the language asked for, or that of the reader.
func draft(ctx context.Context, language *string, stage campaigns.Stage) campaigns.Draft {
	if stage == campaigns.StageDraft {
		stage = campaigns.StageFunding
	}
	return campaigns.Draft{Language: languages.OfQuery(ctx, language), OpensAs: stage}
}

func stageOf(asked *api.OpensAs) campaigns.Stage {
	if asked == nil {
		return campaigns.StageFunding
	}
	return campaigns.Stage(*asked)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func list[T any](l *[]T) []T {
	if l == nil {
		return nil
	}
	return *l
}
