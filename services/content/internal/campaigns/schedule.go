package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// SetFundingDays changes when a campaign takes money, in the caller's transaction, with its previews; an empty day is
// none. Error: ErrUnknown.
func SetFundingDays(ctx context.Context, tx *gorm.DB, campaignID int64, first, last Day, now time.Time) error {
	done := tx.WithContext(ctx).Exec(`
		UPDATE campaigns SET first_day = days.first, last_day = days.last,
		    funding_start = CAST(days.first AS timestamp) AT TIME ZONE @zone,
		    funding_deadline = CAST(days.last + 1 AS timestamp) AT TIME ZONE @zone - interval '1 second', updated_at = @now
		FROM (SELECT CAST(nullif(@first, '') AS date) AS first, CAST(nullif(@last, '') AS date) AS last) days
		WHERE id = @id`,
		map[string]any{"id": campaignID, "first": string(first), "last": string(last), "zone": timeZone, "now": now})
	if done.Error != nil {
		return fmt.Errorf("set funding days of campaign %d: %w", campaignID, done.Error)
	}
	if done.RowsAffected == 0 {
		return ErrUnknown
	}
	return RefreshPreviews(ctx, tx, campaignID)
}

// AddLikes lets people like a campaign, in the caller's transaction; who likes it already goes on doing so.
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
	_, err = AddToTotals(ctx, tx, campaignID, TotalsChange{Likes: counted})
	return err
}
