package campaigns

import (
	"context"

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

// underReview is the columns of a campaign that a step of its review depends on.
type underReview struct {
	ID, Version int64
	Stage       Stage
	Review      ReviewState
}

// TableName is GORM's.
func (underReview) TableName() string { return "campaigns" }

// Versioned is changes.Row.
func (r underReview) Versioned() (changes.Entity, int64) {
	return Record{ID: r.ID, Version: r.Version}.Versioned()
}

// ChangeReview sets the state of a campaign's review in the caller's transaction, with its version and audit row. Next
// is called with the campaign's row locked, so that the second of two decisions sees the first one's result; it returns
// the new state, or an error. The lock is as strong as that of MoveStage, which may follow. Previews do not contain
// reviews, so they are not updated. Errors: ErrUnknown; those of next.
func ChangeReview(ctx context.Context, tx *gorm.DB, e Edit, action string,
	next func(Stage, ReviewState) (ReviewState, error)) error {
	r, c, err := changes.Lock[underReview](ctx, tx, e.CampaignID, changes.ForUpdate)
	if err != nil {
		return err
	}
	to, err := next(r.Stage, r.Review)
	if err != nil {
		return err
	}
	changes.Set(c, "review", "review", &r.Review, &to)
	return c.Save(ctx, tx, action, e.By, e.Now)
}
