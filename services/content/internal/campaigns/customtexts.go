package campaigns

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/richtext"
)

// maxCustomTexts is how many texts of its own a campaign has in a language.
const maxCustomTexts = 20

var customKey = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// CustomText is a text that a campaign has of its own.
type CustomText struct {
	Value, Format string // format: text, markdown
	HTML          string // made from the value
}

// customRecord is a row of campaign_custom_texts.
type customRecord struct {
	CampaignID    int64  `gorm:"primaryKey"`
	Language      string `gorm:"primaryKey"`
	Key           string `gorm:"primaryKey"`
	Value, Format string
	HTML          string
}

// TableName is GORM's.
func (customRecord) TableName() string { return "campaign_custom_texts" }

// ChangeCustomTexts changes a campaign's own texts of a language by key, in one transaction, and returns all of that
// language. An empty value removes its key. The caller has checked who may do it (RequireEdit). Without a change
// nothing is written. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields.
func ChangeCustomTexts(ctx context.Context, db *gorm.DB, e Edit, language string, wanted map[string]CustomText) (
	r Record, all map[string]CustomText, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, all, err = changeCustomTexts(ctx, tx, e, language, wanted)
		return err
	})
	return r, all, err
}

func changeCustomTexts(ctx context.Context, tx *gorm.DB, e Edit, language string, wanted map[string]CustomText) (
	Record, map[string]CustomText, error) {
	r, c, err := hold(ctx, tx, e.CampaignID, "NO KEY UPDATE")
	if err != nil {
		return r, nil, err
	}
	if err := c.Expect(ctx, tx, e.Known); err != nil {
		return r, nil, err
	}
	tx = tx.WithContext(ctx)
	var rows []customRecord
	if err := tx.Find(&rows, "campaign_id = ? AND language = ?", e.CampaignID, language).Error; err != nil {
		return r, nil, fmt.Errorf("read own texts of campaign %d: %w", e.CampaignID, err)
	}
	all := map[string]CustomText{}
	for _, row := range rows {
		all[row.Key] = CustomText{row.Value, row.Format, row.HTML}
	}
	faults := apperr.New(apperr.InvalidFields)
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		text := wanted[key].made()
		before := all[key]
		switch {
		case !customKey.MatchString(key):
			faults = faults.WithField(key, apperr.RuleFormat)
			continue
		case richtext.HasForeignPicture(text.HTML):
			faults = faults.WithField(key, apperr.RuleRichText)
			continue
		case text.Value == before.Value && (text.Value == "" || text.Format == before.Format):
			continue
		case text.Value == "":
			delete(all, key)
			err = tx.Delete(&customRecord{CampaignID: e.CampaignID, Language: language, Key: key}).Error
		default:
			all[key] = text
			row := customRecord{e.CampaignID, language, key, text.Value, text.Format, text.HTML}
			err = tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
		}
		if err != nil {
			return r, nil, fmt.Errorf("write own text %s of campaign %d: %w", key, e.CampaignID, err)
		}
		c.Note(language+".custom_language."+key, before.Value, text.Value)
	}
	if len(all) > maxCustomTexts {
		faults = faults.WithField("custom_language", apperr.RuleMaxValue, apperr.Params{"max": maxCustomTexts})
	}
	if err := faults.OrNil(); err != nil {
		return r, nil, err
	}
	err = e.save(ctx, tx, c, "change_custom_language")
	r.Version = c.Version()
	return r, all, err
}

// made is the text with its HTML.
func (t CustomText) made() CustomText {
	t.Value = strings.TrimSpace(t.Value)
	if t.Format == "markdown" {
		t.HTML = richtext.FromMarkdown(t.Value)
	} else {
		t.Format, t.HTML = "text", richtext.FromText(t.Value)
	}
	return t
}
