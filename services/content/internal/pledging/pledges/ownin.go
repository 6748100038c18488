package pledges

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
)

// mostOwnIn is how many pledges of one person to one campaign OwnIn lists.
const mostOwnIn = 20

// OwnIn is a pledge whose money is here or on its way, as its person sees it on the campaign's page.
type OwnIn struct {
	ID             string
	Status         Status
	AmountMinor    int64 // less what was refunded
	Currency       money.Currency
	Quantity       int
	RewardTitle    string // as it was bought; empty for support without a reward
	RewardLanguage string // of RewardTitle; empty where that is not known
	ChargedAt      time.Time
}

// ListOwnIn reads a person's pledges to a campaign whose money is here or on its way, the latest first.
func (s *Service) ListOwnIn(ctx context.Context, userID, campaignID int64) ([]OwnIn, error) {
	list, err := dbx.Select[OwnIn](ctx, s.db, ownSQL+`
		SELECT p.id, p.status, p.amount_minor - p.amount_refunded_minor AS amount_minor, p.currency, p.quantity,
		       coalesce(p.bought ->> 'title', '') AS reward_title, coalesce(p.bought ->> 'language', '') AS reward_language, coalesce(x.charged_at, p.created_at) AS charged_at
		FROM own o JOIN pledges p ON p.id = o.id
		CROSS JOIN LATERAL (
			SELECT min(at) AS charged_at FROM pledge_transitions WHERE pledge_id = p.id AND to_status IN ('processing', 'paid')) x
		WHERE p.campaign_id = @campaign AND p.status IN ('processing', 'paid', 'partly_refunded', 'disputed')
		ORDER BY p.created_at DESC, p.id LIMIT @most`,
		pgx.NamedArgs{"user": userID, "campaign": campaignID, "most": mostOwnIn})
	if err != nil {
		return nil, fmt.Errorf("list pledges of user %d to campaign %d: %w", userID, campaignID, err)
	}
	return list, nil
}
