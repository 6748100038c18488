package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/rewards"
)

// Errors of choosing what to pledge for.
var (
	ErrCampaignUnknown = apperr.New(apperr.NotFound)
	ErrCampaignClosed  = apperr.New(apperr.CampaignNotOpen)
	ErrRecurring       = apperr.New(apperr.CampaignIsRecurring)
)

// Offer is what a backer can choose at this moment: an open campaign and, when asked for, one of its rewards, with
// texts in the backer's language.
type Offer struct {
	CampaignID int64
	Stage      campaigns.Stage
	Deadline   *time.Time
	Currency   money.Currency
	Preview    json.RawMessage // CampaignPreview of the contract
	Reward     *OfferedReward  // nil for a custom amount
}

// OfferedReward is a reward as a backer can choose it.
type OfferedReward struct {
	ID          int64
	Title       string
	AmountMinor int64
	Stock       int // 0 is unlimited
	VATTenths   int
	AddedCosts  rewards.AddedCosts
	Questions   []rewards.Question
}

type offerRow struct {
	CampaignID      int64
	Stage           campaigns.Stage
	FundingDeadline *time.Time
	Currency        string
	Preview         []byte
	RewardID        *int64
	Title           *string
	AmountMinor     int64
	Stock           int
	Active          int
	VatTenths       int
	AddedCosts      rewards.AddedCosts
	CustomQuestions rewards.QuestionTexts
}

// readOffer asks for a campaign and one of its rewards in a single statement by primary keys. It takes no locks: what may
// change before the pledge is written (stage, stock, visibility) is checked again there.
// Errors: ErrCampaignUnknown, ErrCampaignClosed, ErrRecurring, rewards.ErrClosed and a fault on reward_id.
func readOffer(ctx context.Context, db *gorm.DB, in Input, now time.Time) (*Offer, error) {
	var row offerRow
	found := db.WithContext(ctx).Raw(`
		SELECT c.id AS campaign_id, c.stage, c.funding_deadline, c.currency, p.preview,
		       r.id AS reward_id, t.title, coalesce(r.amount_minor, 0) AS amount_minor, coalesce(r.stock, 0) AS stock,
		       coalesce(r.active, 0) AS active, coalesce(r.vat_tenths, 0) AS vat_tenths,
		       coalesce(r.added_costs, '[]') AS added_costs, coalesce(t.custom_questions, '[]') AS custom_questions
		FROM campaigns c
		JOIN campaign_previews p ON p.campaign_id = c.id AND p.language = @language
		LEFT JOIN rewards r ON r.id = @reward AND r.campaign_id = c.id
		LEFT JOIN LATERAL (
			SELECT title, custom_questions FROM reward_texts t WHERE t.reward_id = r.id
			ORDER BY t.language = @language DESC, t.language = c.language DESC, t.language LIMIT 1) t ON true
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
	}
	offer := &Offer{CampaignID: row.CampaignID, Stage: row.Stage, Deadline: row.FundingDeadline,
		Currency: money.Currency(row.Currency), Preview: row.Preview}
	if in.RewardID == nil {
		return offer, nil
	}
	if row.RewardID == nil {
		return nil, apperr.New(apperr.InvalidFields).WithField("reward_id", "unknown_reward")
	}
	if row.Active == 0 {
		return nil, rewards.ErrClosed
	}
	offer.Reward = &OfferedReward{ID: *row.RewardID, Title: *row.Title, AmountMinor: row.AmountMinor, Stock: row.Stock,
		VATTenths: row.VatTenths, AddedCosts: row.AddedCosts, Questions: row.CustomQuestions.Keyed()}
	return offer, nil
}
