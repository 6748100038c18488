package subscriptions

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/languages"
)

// minAmountMinor is the least that provider A charges in euros. The most is the contract's.
const minAmountMinor = 50

// Errors of choosing what to support.
var (
	ErrUnknown = apperr.New(apperr.NotFound)
	// ErrClosed: the campaign takes no support now.
	ErrClosed = apperr.New(apperr.CampaignNotOpen)
	// ErrOneOff: the campaign takes pledges, not monthly support.
	ErrOneOff = apperr.New(apperr.CampaignIsOneOff)
)

// offer is what a supporter can choose at this moment: a campaign that takes monthly support and, when asked for, one of
// its rewards, with texts in their language.
type offer struct {
	CampaignID int64
	Currency   money.Currency
	Preview    json.RawMessage // CampaignPreview of the contract
	RewardID   *int64
	Version    int64           // of the reward
	Bought     *rewards.Bought // nil without a reward
}

// priced is a reward as it is now, with texts for a reader.
type priced struct {
	AmountMinor                            int64
	VATTenths                              int `gorm:"column:vat_tenths"`
	Delivery, Language, Title, Description string
}

func (p priced) bought() *rewards.Bought {
	return &rewards.Bought{AmountMinor: p.AmountMinor, VATTenths: p.VATTenths, Delivery: p.Delivery, Language: p.Language, Title: p.Title,
		Description: p.Description}
}

// readOffer reads it in a single statement by primary keys, without locks: what may change before the subscription is
// written is checked again there. Errors: ErrUnknown, ErrOneOff, ErrClosed, campaigns.ErrOnHold, rewards.ErrClosed and a fault on reward_id.
func readOffer(ctx context.Context, db *gorm.DB, campaignID int64, rewardID *int64, language string) (*offer, error) {
	var row struct {
		Stage       campaigns.Stage
		Hold        campaigns.HoldKind
		Currency    money.Currency
		Preview     []byte
		ID, Version int64
		Active      int
		Reward      priced `gorm:"embedded"`
	}
	found := db.WithContext(ctx).Raw(`
		SELECT c.stage, c.hold, c.currency, p.preview, coalesce(r.id, 0) AS id, coalesce(r.version, 0) AS version,
		       coalesce(r.active, 0) AS active, coalesce(r.amount_minor, 0) AS amount_minor, coalesce(r.vat_tenths, 0) AS vat_tenths,
		       coalesce(r.delivery, '') AS delivery, coalesce(t.language, '') AS language, coalesce(t.title, '') AS title,
		       coalesce(t.description, '') AS description
		FROM campaigns c
		JOIN campaign_previews p ON p.campaign_id = c.id AND p.language = @language
		LEFT JOIN rewards r ON r.id = @reward AND r.campaign_id = c.id
		LEFT JOIN LATERAL (`+rewards.TextsSQL+`) t ON true
		WHERE c.id = @campaign`,
		map[string]any{"campaign": campaignID, "reward": rewardID, "language": language}).Scan(&row)
	if found.Error != nil {
		return nil, fmt.Errorf("read offer of campaign %d: %w", campaignID, found.Error)
	}
	switch {
	case found.RowsAffected == 0, row.Stage == campaigns.StageDraft:
		return nil, ErrUnknown
	case row.Stage == campaigns.StageFunding:
		return nil, ErrOneOff
	case row.Stage != campaigns.StageRecurring:
		return nil, ErrClosed
	case row.Hold != campaigns.NotHeld:
		return nil, campaigns.ErrOnHold
	}
	o := &offer{CampaignID: campaignID, Currency: row.Currency, Preview: row.Preview}
	switch {
	case rewardID == nil:
		return o, nil
	case row.ID == 0:
		return nil, apperr.New(apperr.InvalidFields).WithField("reward_id", "unknown_reward")
	case row.Active == 0:
		return nil, rewards.ErrClosed
	}
	o.RewardID, o.Version, o.Bought = rewardID, row.Version, row.Reward.bought()
	return o, nil
}

// check says what is wrong with a month's amount; nil when nothing is.
func (o *offer) check(amount money.Amount) *apperr.Error {
	least := int64(minAmountMinor)
	if o.Bought != nil {
		least = max(least, o.Bought.AmountMinor)
	}
	if amount.Minor < least {
		return apperr.New(apperr.InvalidFields).WithField("amount", apperr.RuleAmountTooSmall,
			apperr.Params{"min": money.New(least, o.Currency).FormatMajor()})
	}
	return nil
}

// vatOf is the tax in a month's amount: in what the reward costs; what is above that is free support.
func vatOf(bought *rewards.Bought, amount money.Amount) (minor int64, tenths int, err error) {
	if bought == nil {
		return 0, 0, nil
	}
	vat, err := money.New(min(bought.AmountMinor, amount.Minor), amount.Currency).IncludedVAT(money.BasisPoints(bought.VATTenths) * 10)
	if err != nil {
		return 0, 0, fmt.Errorf("tax of a month: %w", err)
	}
	return vat.Minor, bought.VATTenths, nil
}

// Level says whether a subscription may have a level from now on, and what it is in words. It changes nothing. Errors:
// ErrUnknown; those of readOffer; a fault on amount.
func (s *Service) Level(ctx context.Context, id string, amountMinor int64, rewardID *int64) (internalapi.Level, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return internalapi.Level{}, ErrUnknown
	}
	var row struct {
		CampaignID int64
		Language   string
	}
	found := s.db.WithContext(ctx).Raw(`SELECT campaign_id, language FROM subscriptions WHERE id = ?`, id).Scan(&row)
	if found.Error != nil {
		return internalapi.Level{}, fmt.Errorf("read a subscription for its level: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return internalapi.Level{}, ErrUnknown
	}
	o, err := readOffer(ctx, s.db, row.CampaignID, rewardID, row.Language)
	if err != nil {
		return internalapi.Level{}, err
	}
	if fault := o.check(money.New(amountMinor, o.Currency)); fault != nil {
		return internalapi.Level{}, fault
	}
	return levelOf(ctx, s.db, money.New(amountMinor, o.Currency), rewardID)
}

// levelOf is a level in the words of the internal contract, with the reward's texts in every language that has them.
func levelOf(ctx context.Context, db *gorm.DB, amount money.Amount, rewardID *int64) (internalapi.Level, error) {
	l := internalapi.Level{AmountMinor: amount.Minor, Currency: string(amount.Currency), RewardID: rewardID,
		Title: map[string]string{}, Description: map[string]string{}}
	if rewardID == nil {
		return l, nil
	}
	var texts []struct{ Language, Title, Description string }
	err := db.WithContext(ctx).Raw(`SELECT language, title, description FROM reward_texts WHERE reward_id = ? AND title <> '' AND language IN ?`,
		*rewardID, languages.All[:]).Scan(&texts).Error
	if err != nil {
		return l, fmt.Errorf("read the texts of reward %d: %w", *rewardID, err)
	}
	for _, t := range texts {
		l.Title[t.Language], l.Description[t.Language] = t.Title, t.Description
	}
	return l, nil
}
