package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// Errors of choosing what to pledge for.
var (
	ErrCampaignUnknown = apperr.New(apperr.NotFound)
	ErrCampaignClosed  = apperr.New(apperr.CampaignNotOpen)
	ErrRecurring       = apperr.New(apperr.CampaignIsRecurring)
	// ErrRewardChanged: the backer saw another version of the reward than there is.
	ErrRewardChanged = apperr.New(apperr.RewardChanged)
)

// Offer is what a backer can choose at this moment: an open campaign and, when asked for, one of its rewards, with
// texts in the backer's language.
type Offer struct {
	CampaignID int64
	Stage      campaigns.Stage
	Currency   money.Currency
	Preview    json.RawMessage // CampaignPreview of the contract
	Reward     *OfferedReward  // nil for a custom amount
}

// OfferedReward is a reward as a backer can choose it.
type OfferedReward struct {
	ID           int64
	Version      int64  // of all that people change
	OfferVersion int64  // of what is bought, see rewards.Reward
	Language     string // of the texts
	Title        string
	Description  string
	Delivery     string
	Kind         withdrawal.Kind
	Amount       money.Amount `gorm:"embedded;embeddedPrefix:amount_"` // of one
	Stock        int          // 0 is unlimited
	VATTenths    int          `gorm:"column:vat_tenths"`
	AddedCosts   rewards.AddedCosts
	Questions    []rewards.Question `gorm:"-"`
}

// bought is the offer as the pledge keeps it, with what its backer chose; nil when it is for no reward.
func (o *Offer) bought(in Input) *rewards.Bought {
	if o.Reward == nil {
		return nil
	}
	r, added := o.Reward, ""
	if in.Meta.AddedCost != nil {
		added = r.AddedCosts[*in.Meta.AddedCost].In(in.Language)
	}
	return &rewards.Bought{AddedCost: added, NeedsAddress: rewards.AskForAddress(r.Questions) &&
		!in.Meta.comesWithoutAddress(r), AmountMinor: r.Amount.Minor, VATTenths: r.VATTenths, Language: r.Language,
		Title: r.Title, Description: r.Description, Delivery: r.Delivery, Kind: r.Kind, Questions: rewards.TextsOf(r.Questions)}
}

// readOffer asks for a campaign and one of its rewards in a single statement by primary keys. It takes no locks: what
// may change before the pledge is written (stage, stock, visibility) is checked again there. Errors:
// ErrCampaignUnknown, ErrCampaignClosed, ErrRecurring, campaigns.ErrOnHold, rewards.ErrClosed, ErrRewardChanged and a fault on reward_id.
func readOffer(ctx context.Context, db *gorm.DB, in Input, now time.Time) (*Offer, error) {
	var row struct {
		CampaignID      int64
		Stage           campaigns.Stage
		Hold            campaigns.HoldKind
		FundingDeadline *time.Time
		Currency        money.Currency
		Preview         []byte
		Reward          OfferedReward `gorm:"embedded;embeddedPrefix:reward_"` // zero when there is none
		Active          int
		CustomQuestions rewards.QuestionTexts
	}
	found := db.WithContext(ctx).Raw(`
		SELECT c.id AS campaign_id, c.stage, c.hold, c.funding_deadline, c.currency, p.preview,
		       coalesce(r.id, 0) AS reward_id, coalesce(r.version, 0) AS reward_version,
		       coalesce(r.offer_version, 0) AS reward_offer_version, coalesce(t.language, '') AS reward_language,
		       coalesce(t.title, '') AS reward_title, coalesce(t.description, '') AS reward_description,
		       coalesce(r.delivery, '') AS reward_delivery, coalesce(r.kind, '') AS reward_kind, coalesce(r.amount_minor, 0) AS reward_amount_minor,
		       c.currency AS reward_amount_currency, coalesce(r.stock, 0) AS reward_stock, coalesce(r.vat_tenths, 0) AS reward_vat_tenths,
		       coalesce(r.added_costs, '[]') AS reward_added_costs, coalesce(r.active, 0) AS active,
		       coalesce(t.custom_questions, '[]') AS custom_questions
		FROM campaigns c
		JOIN campaign_previews p ON p.campaign_id = c.id AND p.language = @language
		LEFT JOIN rewards r ON r.id = @reward AND r.campaign_id = c.id
		LEFT JOIN LATERAL (`+rewards.TextsSQL+`) t ON true
		WHERE c.id = @campaign`,
		map[string]any{"campaign": in.CampaignID, "reward": in.RewardID, "language": in.Language}).Scan(&row)
	if found.Error != nil {
		return nil, fmt.Errorf("read offer of campaign %d: %w", in.CampaignID, found.Error)
	}
	switch {
	case found.RowsAffected == 0, row.Stage == campaigns.StageDraft:
		return nil, ErrCampaignUnknown
	case row.Stage == campaigns.StageRecurring:
		return nil, ErrRecurring
	case row.Stage != campaigns.StageFunding, row.FundingDeadline != nil && now.After(*row.FundingDeadline):
		return nil, ErrCampaignClosed
	case row.Hold != campaigns.NotHeld:
		return nil, campaigns.ErrOnHold
	}
	offer := &Offer{CampaignID: row.CampaignID, Stage: row.Stage, Currency: row.Currency, Preview: row.Preview}
	switch {
	case in.RewardID == nil:
		return offer, nil
	case row.Reward.ID == 0:
		return nil, apperr.New(apperr.InvalidFields).WithField("reward_id", "unknown_reward")
	case row.Active == 0:
		return nil, rewards.ErrClosed
	case in.RewardVersion != nil && *in.RewardVersion != row.Reward.OfferVersion:
		return nil, ErrRewardChanged
	}
	row.Reward.Questions = row.CustomQuestions.Keyed()
	offer.Reward = &row.Reward
	return offer, nil
}
