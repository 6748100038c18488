package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/customtexts"
	"talkoot.fi/content/internal/writing/richtext"
)

// TextsChange is an experiment's texts in one language. Nil leaves a text as it is, an empty one clears it.
type TextsChange struct {
	Title, ShortDescription, ImageAlt *string
	Story                             json.RawMessage // the editor's document, as it was sent
}

// ChangeTexts changes an experiment's texts of a language in one transaction. A language whose texts are all empty is
// removed, unless it is the experiment's own. The first title in its own language opens the experiment to visitors and
// gives it its slug. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields.
func ChangeTexts(ctx context.Context, db *gorm.DB, e Edit, language string, wanted TextsChange) error {
	return e.change(ctx, db, "change_language",
		func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
			tx = tx.WithContext(ctx)
			row := textRecord{ExperimentID: r.ID, Language: language}
			err := tx.Take(&row, "experiment_id = ? AND language = ?", r.ID, language).Error
			if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
				return fmt.Errorf("read texts in %s of experiment %d: %w", language, r.ID, err)
			}
			faults := wanted.apply(c, &row)
			isOwn := language == r.Language
			if row.Title == "" && r.Open && (isOwn || !row.empty()) && c.Has(language+".title") {
				faults = faults.WithField("title", apperr.RuleRequired)
			}
			if err := faults.OrNil(); err != nil || !c.Any() {
				return err
			}
			if isOwn && !r.Open {
				r.openWith(c, row.Title)
			}
			return row.write(tx, isOwn)
		})
}

// apply changes the texts of a row, and returns the faults of those that cannot be kept.
func (t TextsChange) apply(c *changes.Change, row *textRecord) *apperr.Error {
	for _, f := range []struct {
		name          string
		field, wanted *string
	}{
		{"title", &row.Title, t.Title},
		{"short_description", &row.ShortDescription, t.ShortDescription},
		{"image_alt", &row.ImageAlt, t.ImageAlt},
	} {
		if f.wanted != nil {
			line := richtext.Line(*f.wanted)
			changes.Set(c, row.Language+"."+f.name, "", f.field, &line)
		}
	}
	faults := apperr.New(apperr.InvalidFields)
	if t.Story == nil {
		return faults
	}
	story, fault := richtext.Read(t.Story)
	if fault != nil {
		return faults.WithFields([]apperr.Field{fault.At("json_description")})
	}
	if !row.Story.Equal(story) {
		c.Note(row.Language+".json_description", row.Story, story)
		row.Story = story
	}
	return faults
}

// openWith makes the experiment known by its first title. Its address and drawn picture follow from that; later titles
// leave them, because they are in people's links.
func (r *Record) openWith(c *changes.Change, title string) {
	if title == "" {
		return
	}
	r.Open, r.Slug = true, campaigns.SlugOf(title, r.Language)
	c.Column("open", true)
	c.Column("slug", r.Slug)
	if scenes.IsFileName(r.Image) {
		r.Image = sceneOf(r.Slug)
		c.Column("image", r.Image)
	}
}

func (row textRecord) empty() bool {
	return row.Title+row.ShortDescription+row.ImageAlt == "" && len(row.Story.Content) == 0
}

// write stores a row with its story rendered; one without any text is removed, unless it is the experiment's own.
func (row textRecord) write(tx *gorm.DB, isOwn bool) (err error) {
	if row.empty() && !isOwn {
		err = tx.Exec(`DELETE FROM experiment_texts WHERE experiment_id = ? AND language = ?`, row.ExperimentID,
			row.Language).Error
	} else if row.StoryHTML, _, err = richtext.Render(row.Story, row.Language); err == nil {
		err = tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	}
	if err != nil {
		return fmt.Errorf("write texts in %s of experiment %d: %w", row.Language, row.ExperimentID, err)
	}
	return nil
}

// ChangeCustomTexts changes an experiment's own texts of a language by key, in one transaction; an empty value removes
// its key. A page shows results and adoption, which the stages evaluated and adopted need. Errors: ErrUnknown;
// ChangedMeanwhile; InvalidFields.
func ChangeCustomTexts(ctx context.Context, db *gorm.DB, e Edit, language string,
	wanted map[string]customtexts.Text) error {
	return e.change(ctx, db, "change_custom_language",
		func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
			tx = tx.WithContext(ctx)
			var rows []customRecord
			if err := tx.Find(&rows, "experiment_id = ? AND language = ?", r.ID, language).Error; err != nil {
				return fmt.Errorf("read own texts of experiment %d: %w", r.ID, err)
			}
			all := map[string]customtexts.Text{}
			for _, row := range rows {
				all[row.Key] = customtexts.Text{Value: row.Value, Format: row.Format, HTML: row.HTML}
			}
			write, remove, err := customtexts.Merge(c, language, all, wanted)
			if err != nil {
				return err
			}
			for _, key := range remove {
				if err := tx.Delete(&customRecord{ExperimentID: r.ID, Language: language, Key: key}).Error; err != nil {
					return fmt.Errorf("remove own text %s of experiment %d: %w", key, r.ID, err)
				}
			}
			for _, key := range write {
				row := customRecord{r.ID, language, key, all[key].Value, all[key].Format, all[key].HTML}
				if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
					return fmt.Errorf("write own text %s of experiment %d: %w", key, r.ID, err)
				}
			}
			return nil
		})
}
