package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/customtexts"
)

// CustomText is a text that a campaign has of its own.
type CustomText = customtexts.Text

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
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return r, nil, err
	}
	tx = tx.WithContext(ctx)
	var rows []customRecord
	if err := tx.Find(&rows, "campaign_id = ? AND language = ?", e.CampaignID, language).Error; err != nil {
		return r, nil, fmt.Errorf("read own texts of campaign %d: %w", e.CampaignID, err)
	}
	all := map[string]CustomText{}
	for _, row := range rows {
		all[row.Key] = CustomText{Value: row.Value, Format: row.Format, HTML: row.HTML}
	}
	write, remove, err := customtexts.Merge(c, language, all, wanted)
	if err != nil {
		return r, nil, err
	}
	for _, key := range remove {
		if err := tx.Delete(&customRecord{CampaignID: e.CampaignID, Language: language, Key: key}).Error; err != nil {
			return r, nil, fmt.Errorf("remove own text %s of campaign %d: %w", key, e.CampaignID, err)
		}
	}
	for _, key := range write {
		text := all[key]
		row := customRecord{e.CampaignID, language, key, text.Value, text.Format, text.HTML}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return r, nil, fmt.Errorf("write own text %s of campaign %d: %w", key, e.CampaignID, err)
		}
	}
	err = e.save(ctx, tx, c, "change_custom_language")
	r.Version = c.Version()
	return r, all, err
}
