package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/writing/changes"
)

// Scheduler is who the audit log names for what happens when its day comes.
func Scheduler() changes.Actor { return changes.Actor{Name: "scheduler"} }

// Due lists approved campaigns whose first day has come, earliest first and at most limit, without those that are back in
// the queue. The index campaigns_opening has those that wait.
func Due(ctx context.Context, db *gorm.DB, now time.Time, limit int) (ids []int64, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT id FROM campaigns WHERE stage = 1 AND hold = '' AND review <> 'requested' AND funding_start <= ? ORDER BY funding_start, id LIMIT ?`, now, limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for campaigns that open: %w", err)
	}
	return ids, nil
}

// OpenIfDue opens a campaign of Due in the caller's transaction, with its audit row and previews. It returns false for
// one that has opened meanwhile, whose day has changed, that is back in the queue, or that somebody else is at (another worker, or its team), whom
// it does not wait for.
func OpenIfDue(ctx context.Context, tx *gorm.DB, campaignID int64, now time.Time) (bool, error) {
	var opensAs []Stage
	err := tx.WithContext(ctx).Raw(`
		SELECT opens_as FROM campaigns WHERE id = ? AND stage = 1 AND hold = '' AND review <> 'requested' AND funding_start <= ? FOR UPDATE SKIP LOCKED`, campaignID, now).Scan(&opensAs).Error
	if err != nil {
		return false, fmt.Errorf("lock campaign %d to open it: %w", campaignID, err)
	}
	if len(opensAs) == 0 {
		return false, nil
	}
	return true, MoveStage(ctx, tx, campaignID, opensAs[0], Scheduler(), now)
}
