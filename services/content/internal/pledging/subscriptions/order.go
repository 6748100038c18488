package subscriptions

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
)

// labels of a month of support without a reward.
var labels = map[string]string{"fi": "Kuukausituki", "en": "Monthly support", "sv": "Månadsstöd"}

// Order reads what is to be paid for a subscription's first month, as the payment service copies it. Error: ErrUnknown.
func (s *Service) Order(ctx context.Context, id string) (internalapi.Order, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return internalapi.Order{}, ErrUnknown
	}
	var r struct {
		Status                             Status
		Amount                             money.Amount `gorm:"embedded;embeddedPrefix:amount_"`
		RewardID                           *int64
		RewardTitle, Language, Email, Name string
		CampaignID                         int64
		Standing                           campaigns.Standing `gorm:"embedded"`
		CampaignTitle                      string
		PayeeUserID, UserID                *int64
		PayableUntil                       time.Time
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT s.status, s.amount_minor, s.currency AS amount_currency, s.reward_id, coalesce(s.bought ->> 'title', '') AS reward_title,
		       s.language, s.email, s.first_name || ' ' || s.last_name AS name, s.campaign_id, c.stage, c.hold, v.preview ->> 'title' AS campaign_title,
		       t.user_id AS payee_user_id, s.user_id, s.payable_until
		FROM subscriptions s
		JOIN campaigns c ON c.id = s.campaign_id
		JOIN campaign_previews v ON v.campaign_id = s.campaign_id AND v.language = s.language
		LEFT JOIN campaign_team t ON t.campaign_id = s.campaign_id AND t.position = 0
		WHERE s.id = ?`, id).Scan(&r)
	if found.Error != nil {
		return internalapi.Order{}, fmt.Errorf("read order of a subscription: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return internalapi.Order{}, ErrUnknown
	}
	level, err := levelOf(ctx, s.db, r.Amount, r.RewardID)
	if err != nil {
		return internalapi.Order{}, err
	}
	label := r.RewardTitle
	if label == "" {
		label = labels[r.Language]
	}
	return internalapi.Order{SubjectKind: internalapi.Subscription, SubjectID: id,
		State:       orderState(r.Status, r.Standing, s.now().Before(r.PayableUntil)),
		AmountMinor: r.Amount.Minor, Currency: string(r.Amount.Currency), Language: r.Language, Email: r.Email, Name: r.Name,
		CampaignID: r.CampaignID, CampaignTitle: r.CampaignTitle, Description: r.CampaignTitle + ": " + label,
		PayeeUserID: r.PayeeUserID, BackerUserID: r.UserID, PayableUntil: r.PayableUntil, Level: &level,
		ReturnPath: languages.Prefix(r.Language) + "payment-return/?subscription=" + url.QueryEscape(id)}, nil
}

// orderState says whether the first month is to be paid: while it waits in time and its campaign takes support. It is paid for
// good while the support goes on.
func orderState(status Status, standing campaigns.Standing, isInTime bool) internalapi.OrderState {
	switch status {
	case Active, PastDue, Paused:
		return internalapi.Paid
	case Created:
		if isInTime && standing.Takes(campaigns.StageRecurring) {
			return internalapi.Payable
		}
	case Canceled, Expired:
	}
	return internalapi.Closed
}
