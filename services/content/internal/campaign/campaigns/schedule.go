package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/writing/changes"
)

// SetFundingDays changes the funding days in any stage, also into the past, in the caller's transaction and with the
// read model. It is for the demo content, which has campaigns that have ended. Error: ErrUnknown.
func SetFundingDays(ctx context.Context, tx *gorm.DB, e Edit, days Days, zone *time.Location) error {
	r, c, err := lock(ctx, tx, e.CampaignID, changes.ForNoKeyUpdate)
	if err != nil {
		return err
	}
	changes.Set(c, "first_day_of_funding", "first_day", &r.FirstDay, &days.First)
	changes.Set(c, "last_day_of_funding", "last_day", &r.LastDay, &days.Last)
	if err := days.to(c, zone); err != nil {
		return err
	}
	return e.save(ctx, tx, c, "set_funding_days")
}

// AddLikes adds people's likes of a campaign, in the caller's transaction; for those who like it already nothing
// changes.
func AddLikes(ctx context.Context, tx *gorm.DB, campaignID int64, userIDs []int64, now time.Time) error {
	if len(userIDs) == 0 {
		return nil
	}
	var counted int
	err := tx.WithContext(ctx).Raw(`
		WITH added AS (
			INSERT INTO campaign_likes (campaign_id, user_id, created_at, counted) SELECT ?, id, ?, verified FROM users WHERE id IN ?
			ON CONFLICT DO NOTHING RETURNING counted)
		SELECT count(*) FROM added WHERE counted`, campaignID, now, userIDs).Scan(&counted).Error
	if err != nil {
		return fmt.Errorf("like campaign %d: %w", campaignID, err)
	}
	_, err = AddToTotals(ctx, tx, campaignID, Backing{}, TotalsChange{Likes: counted})
	return err
}
