package subscriptions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
)

// Monthly is what a person's support in one currency comes to.
type Monthly struct {
	Currency     money.Currency
	AmountMinor  int64      // a month, of what charges as things stand
	NextChargeOn *time.Time // the first day on which it does; nil when none is known
	Waiting      int        // months that failed, or that wait for an answer because of the spending limit
}

// SumUp adds up what a person supports monthly, by currency. Support that is paused, has ended or will end charges nothing.
func SumUp(ctx context.Context, db *gorm.DB, userID int64) (list []Monthly, err error) {
	err = db.WithContext(ctx).Raw(ownSQL+`
		SELECT currency, coalesce(sum(amount_minor) FILTER (WHERE charges), 0)::bigint AS amount_minor,
		       min(next_charge_on) FILTER (WHERE charges) AS next_charge_on,
		       count(*) FILTER (WHERE status = 'past_due' OR held_on IS NOT NULL) AS waiting
		FROM (SELECT s.*, (s.status IN ('active', 'past_due') AND s.ends_on IS NULL OR s.is_processing) AND c.hold = '' AS charges
			FROM own o JOIN subscriptions s ON s.id = o.id JOIN campaigns c ON c.id = s.campaign_id
			WHERE s.status IN ('active', 'past_due', 'paused') OR s.is_processing) live
		GROUP BY currency ORDER BY currency`, map[string]any{"user": userID}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("add up support of user %d: %w", userID, err)
	}
	return list, nil
}
