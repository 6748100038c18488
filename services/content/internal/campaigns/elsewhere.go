package campaigns

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/changes"
)

// Hold locks a campaign for a change that another domain makes as part of it, in the caller's transaction, and Save
// writes it: so the change has the campaign's version and history. Errors: ErrUnknown; ChangedMeanwhile.
func Hold(ctx context.Context, tx *gorm.DB, e Edit) (Record, *changes.Change, error) {
	r, c, err := hold(ctx, tx, e.CampaignID, "NO KEY UPDATE")
	if err != nil {
		return r, nil, err
	}
	return r, c, c.Expect(ctx, tx, e.Known)
}

// Save writes a change begun by Hold, with its audit row, and brings the read model up to date; nothing without a
// change.
func (e Edit) Save(ctx context.Context, tx *gorm.DB, c *changes.Change, action string) error {
	return e.save(ctx, tx, c, action)
}

// contentSQL reads a field that may have variations; a text's has a row in the language, or none.
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

// SetContent makes a value the campaign's own, as part of a change begun by Hold: the same as an edit of the field.
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
