package pledges

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/campaigns"
)

// Order is what is to be paid for a pledge, as the payment service copies it.
type Order struct {
	PledgeID      string
	Status        Status
	Payable       bool
	AmountMinor   int64
	Currency      string
	Description   string // what the backer's statement and the payment page say
	Language      string
	Email         string
	Name          string
	CampaignID    int64
	CampaignSlug  string
	CampaignTitle string
	RewardID      *int64
	PayeeUserID   int64
	ReservedUntil time.Time
}

// Order reads what is to be paid. A pledge is payable while it waits, its reward is held and its campaign is open.
// Error: ErrUnknown.
func (s *Service) Order(ctx context.Context, id string) (Order, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return Order{}, ErrUnknown
	}
	var o struct {
		Order
		Stage campaigns.Stage
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT p.id AS pledge_id, p.status, p.amount_minor, p.currency, p.language, p.email,
		       p.first_name || ' ' || p.last_name AS name, p.campaign_id, c.slug AS campaign_slug, c.stage,
		       v.preview ->> 'title' AS campaign_title, (v.preview ->> 'title') || ': ' || (p.lines -> 0 ->> 'label') AS description,
		       p.reward_id, t.user_id AS payee_user_id, p.reserved_until
		FROM pledges p
		JOIN campaigns c ON c.id = p.campaign_id
		JOIN campaign_previews v ON v.campaign_id = p.campaign_id AND v.language = p.language
		LEFT JOIN campaign_team t ON t.campaign_id = p.campaign_id AND t.position = 0
		WHERE p.id = ?`, id).Scan(&o)
	if found.Error != nil {
		return Order{}, fmt.Errorf("read order: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return Order{}, ErrUnknown
	}
	o.Payable = o.Status.Waiting() && s.now().Before(o.ReservedUntil) && o.Stage == campaigns.StageFunding
	return o.Order, nil
}
