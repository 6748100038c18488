package subscriptions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
)

// mostOwnIn is how many subscriptions of one person to one campaign ListOwnIn lists.
const mostOwnIn = 20

// OwnIn is monthly support that goes on, or whose first month a bank has, as its person sees it on the campaign's page.
type OwnIn struct {
	ID                                  string
	Status                              Status
	IsProcessing                        bool   // a bank has the money of its first month, and it has not begun
	AmountMinor                         int64  // a month
	NextAmountMinor                     *int64 // of a level that has not begun
	Currency                            money.Currency
	RewardTitle                         string // as it was chosen; empty without a reward
	RewardLanguage                      string // of RewardTitle; empty where that is not known
	BegunOn                             time.Time
	NextChargeOn, DueOn, HeldOn, EndsOn *time.Time // days
	PaymentMethod                       string
}

// ListOwnIn reads a person's monthly support of a campaign that goes on or is about to, the latest first.
func (s *Service) ListOwnIn(ctx context.Context, userID, campaignID int64) ([]OwnIn, error) {
	list, err := dbx.Select[OwnIn](ctx, s.db, ownSQL+`
		SELECT s.id, s.status, s.is_processing, s.amount_minor, s.next_amount_minor, s.currency, coalesce(s.bought ->> 'title', '') AS reward_title,
		       coalesce(s.bought ->> 'language', '') AS reward_language,
		       coalesce(s.begun_on, CAST(s.created_at AT TIME ZONE @zone AS date)) AS begun_on,
		       s.next_charge_on, s.due_on, s.held_on, s.ends_on, s.payment_method
		FROM own o JOIN subscriptions s ON s.id = o.id
		WHERE s.campaign_id = @campaign AND (s.status IN ('active', 'past_due', 'paused') OR s.is_processing)
		ORDER BY s.created_at DESC, s.id LIMIT @most`,
		pgx.NamedArgs{"user": userID, "campaign": campaignID, "zone": s.zone.String(), "most": mostOwnIn})
	if err != nil {
		return nil, fmt.Errorf("list subscriptions of user %d to campaign %d: %w", userID, campaignID, err)
	}
	return list, nil
}
