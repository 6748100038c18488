package taxonomy

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/writing/changes"
)

// Retire takes a tag away, in the caller's transaction: from then on nobody is shown it or can choose it. What has it
// gets the tag into, 0 for none, when Replacement is asked for. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields when
// into is no other tag.
func Retire(ctx context.Context, tx *gorm.DB, e Edit, into int64) error {
	if err := OfTags.lockLabels(ctx, tx); err != nil {
		return err
	}
	before, c, err := OfTags.lock(ctx, tx, e, changes.ForUpdate) // waits for those who are choosing it (KnownTags)
	if err != nil {
		return err
	}
	var target *int64
	if into != 0 {
		known, err := KnownTags(ctx, tx, []int64{into})
		if err != nil {
			return err
		}
		if len(known) == 0 || into == e.ID {
			return apperr.New(apperr.InvalidFields).WithField("into", apperr.RuleOneOf)
		}
		target = &into
		c.Note("into", nil, into)
	}
	for language, label := range before {
		c.Note("labels."+language, label, "")
	}
	c.Note("retired", false, true)
	c.Column("retired", true)
	c.Column("moves_to", target)
	if err := c.Save(ctx, tx, "retire", e.By, e.Now); err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM tag_texts WHERE tag_id = @id`,
		// What was on its way to this tag goes on to where it goes.
		`UPDATE tags SET moves_to = @into WHERE moves_to = @id`,
	} {
		err := tx.WithContext(ctx).Exec(statement, map[string]any{"id": e.ID, "into": target}).Error
		if err != nil {
			return fmt.Errorf("retire tag %d: %w", e.ID, err)
		}
	}
	return nil
}

// LockRetired locks a tag that is being retired, until the caller's transaction ends, and says which tag takes its place,
// 0 for none. It is false for one that is not, or is gone.
func LockRetired(ctx context.Context, tx *gorm.DB, tagID int64) (into int64, isRetired bool, err error) {
	var found []int64
	err = tx.WithContext(ctx).Raw(`SELECT coalesce(moves_to, 0) FROM tags WHERE id = ? AND retired FOR UPDATE`, tagID).Scan(&found).Error
	if err != nil {
		return 0, false, fmt.Errorf("lock tag %d: %w", tagID, err)
	}
	if len(found) == 0 {
		return 0, false, nil
	}
	return found[0], true, nil
}

// DeleteTag removes a retired tag that nothing has any more, in the caller's transaction, which holds it.
func DeleteTag(ctx context.Context, tx *gorm.DB, tagID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM tags WHERE id = ? AND retired`, tagID).Error; err != nil {
		return fmt.Errorf("delete tag %d: %w", tagID, err)
	}
	return nil
}
