package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/writing/changes"
)

// Lock locks a campaign in the caller's transaction, so that another domain (package variations) can change what
// belongs to it; Save then writes the change with the campaign's next version and its audit row. Errors: ErrUnknown;
// ChangedMeanwhile.
func Lock(ctx context.Context, tx *gorm.DB, e Edit) (Record, *changes.Change, error) {
	return e.begin(ctx, tx, changes.ForNoKeyUpdate)
}

// Save writes a change begun by Lock, with its audit row, and brings the read model up to date; nothing without a
// change.
func (e Edit) Save(ctx context.Context, tx *gorm.DB, c *changes.Change, action string) error {
	return e.save(ctx, tx, c, action)
}

// contentSQL reads each field that may have variations. For a text there is no row when the campaign has no texts in
// the language.
var contentSQL = map[string]string{
	"title":       `SELECT title FROM campaign_texts WHERE campaign_id = @id AND language = @language`,
	"tagline":     `SELECT tagline FROM campaign_texts WHERE campaign_id = @id AND language = @language`,
	"project_pic": `SELECT picture FROM campaigns WHERE id = @id`,
}

// Content is a campaign's own title or tagline in a language, or its cover (project_pic, without language), and whether
// there is one; a tagline may be empty where the language has texts. Error: InvalidFields for another field.
func Content(ctx context.Context, tx *gorm.DB, campaignID int64, field, language string) (
	value string, ok bool, err error) {
	statement, known := contentSQL[field]
	if !known {
		return "", false, apperr.New(apperr.InvalidFields).WithField("field", apperr.RuleOneOf)
	}
	found := tx.WithContext(ctx).Raw(statement, map[string]any{"id": campaignID, "language": language}).Scan(&value)
	if found.Error != nil {
		return "", false, fmt.Errorf("read %s of campaign %d: %w", field, campaignID, found.Error)
	}
	return value, found.RowsAffected > 0 && (value != "" || field == "tagline"), nil
}

// SetContent makes a value the campaign's own, as part of a change begun by Lock: the same as an edit of the field.
// Errors: ErrUnknown when the language has no texts (any more); InvalidFields.
func SetContent(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record, field, language, value string,
	now time.Time) error {
	if field == "project_pic" {
		changes.Set(c, field, "picture", &r.Picture, &value)
		return nil
	}
	var hasTexts bool
	err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM campaign_texts WHERE campaign_id = ? AND language = ?)`,
		r.ID, language).Scan(&hasTexts).Error
	if err != nil {
		return fmt.Errorf("read texts in %s of campaign %d: %w", language, r.ID, err)
	}
	if !hasTexts {
		return ErrUnknown
	}
	wanted := TextsChange{Title: &value}
	if field == "tagline" {
		wanted = TextsChange{Tagline: &value}
	}
	_, err = r.writeTexts(ctx, tx, c, map[string]TextsChange{language: wanted}, now)
	return err
}

// LockCreated locks the campaigns that a person created, for a change of how that person is shown, in the caller's
// transaction, and returns their ids; the caller then locks the person and refreshes the campaigns' previews.
func LockCreated(ctx context.Context, tx *gorm.DB, userID int64) (ids []int64, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT id FROM campaigns WHERE id IN (SELECT campaign_id FROM campaign_team WHERE user_id = ? AND position = 0)
		ORDER BY id FOR NO KEY UPDATE`, userID).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("lock the campaigns of user %d: %w", userID, err)
	}
	return ids, nil
}
