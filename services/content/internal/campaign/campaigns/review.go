package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/writing/changes"
)

// ReviewState is how a campaign's review stands. Package review has the table of its moves.
type ReviewState string

// The states of a review.
const (
	ReviewNone             ReviewState = "none"
	ReviewRequested        ReviewState = "requested"
	ReviewApproved         ReviewState = "approved"
	ReviewChangesRequested ReviewState = "changes_requested"
)

// ChangeReview sets the state of a campaign's review in the caller's transaction, with its version and audit row. Next
// is called with the campaign's row locked, so that the second of two decisions sees the first one's result; it returns
// the new state, or an error. The lock is as strong as that of MoveStage, which may follow. Previews do not contain
// reviews, so they are not updated. Errors: ErrUnknown; those of next.
func ChangeReview(ctx context.Context, tx *gorm.DB, e Edit, action string,
	next func(Stage, ReviewState) (ReviewState, error)) error {
	var rows []struct {
		Version int64
		Stage   Stage
		Review  ReviewState
	}
	err := tx.WithContext(ctx).Raw(`SELECT version, stage, review FROM campaigns WHERE id = ? FOR UPDATE`, e.CampaignID).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("lock campaign %d: %w", e.CampaignID, err)
	}
	if len(rows) == 0 {
		return ErrUnknown
	}
	to, err := next(rows[0].Stage, rows[0].Review)
	if err != nil {
		return err
	}
	c := changes.Of(changes.Entity{Name: "campaign", Table: "campaigns", ID: e.CampaignID}, rows[0].Version)
	changes.Set(c, "review", "review", &rows[0].Review, &to)
	return c.Save(ctx, tx, action, e.By, e.Now)
}
