package campaigns

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// TextsChange is a campaign's texts in one language. Nil leaves a text as it is, an empty one clears it.
type TextsChange struct {
	Title, Tagline, ShortDescription *string
	AboutCreator, PictureAlt         *string
	Story                            json.RawMessage // the editor's document, as it was sent
}

// Texts are a campaign's texts in one language, as they are written.
type Texts struct {
	Title, Tagline, ShortDescription, AboutCreator, PictureAlt string
	Story                                                      richtext.Doc
	UpdatedAt                                                  time.Time
}

// ChangeTexts changes a campaign's texts by language, in one transaction, and returns the campaign and the texts of the
// languages named. The caller has checked who may do it (RequireEdit). A language whose texts are all empty is removed,
// unless it is the campaign's own. A draft's slug follows its title. Without a change nothing is written. Errors:
// ErrUnknown; ChangedMeanwhile; InvalidFields.
func ChangeTexts(ctx context.Context, db *gorm.DB, e Edit, wanted map[string]TextsChange) (
	r Record, texts map[string]Texts, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, texts, err = changeTexts(ctx, tx, e, wanted)
		return err
	})
	return r, texts, err
}

func changeTexts(ctx context.Context, tx *gorm.DB, e Edit, wanted map[string]TextsChange) (
	Record, map[string]Texts, error) {
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return r, nil, err
	}
	texts, err := r.writeTexts(ctx, tx, c, wanted, e.Now)
	if err != nil {
		return r, nil, err
	}
	err = e.save(ctx, tx, c, "change_language")
	r.Version = c.Version()
	return r, texts, err
}

// writeTexts changes a campaign's texts as part of a change, and returns those of the languages named. A draft's slug
// follows its title. Error: InvalidFields.
func (r *Record) writeTexts(ctx context.Context, tx *gorm.DB, c *changes.Change, wanted map[string]TextsChange,
	now time.Time) (map[string]Texts, error) {
	var rows []textRecord
	if err := tx.WithContext(ctx).Find(&rows, "campaign_id = ?", r.ID).Error; err != nil {
		return nil, fmt.Errorf("read texts of campaign %d: %w", r.ID, err)
	}
	faults, texts := apperr.New(apperr.InvalidFields), map[string]Texts{}
	var changed []textRecord
	for _, language := range languages.All {
		change, named := wanted[language]
		if !named {
			continue
		}
		row := textRecord{CampaignID: r.ID, Language: language, UpdatedAt: now}
		if at := slices.IndexFunc(rows, func(t textRecord) bool { return t.Language == language }); at >= 0 {
			row = rows[at]
		}
		touched, bad := change.apply(c, &row)
		faults = faults.WithFields(bad)
		if touched {
			faults = row.check(*r, faults)
			row.UpdatedAt = now
			changed = append(changed, row)
		}
		if language == r.Language {
			r.follow(c, row.Title)
		}
		texts[language] = row.texts()
	}
	if err := faults.OrNil(); err != nil {
		return nil, err
	}
	for _, row := range changed {
		if err := row.write(ctx, tx, r.Language); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// apply changes the texts of a row and reports whether anything differs; bad is why the story cannot be kept.
func (t TextsChange) apply(c *changes.Change, row *textRecord) (touched bool, bad []apperr.Field) {
	for _, f := range []struct {
		name   string
		field  *string
		wanted *string
	}{
		{"title", &row.Title, oneLine(t.Title)},
		{"tagline", &row.Tagline, oneLine(t.Tagline)},
		{"short_description", &row.ShortDescription, plain(t.ShortDescription)},
		{"about_creator", &row.AboutCreator, plain(t.AboutCreator)},
		{"project_pic_alt", &row.ProjectPicAlt, oneLine(t.PictureAlt)},
	} {
		touched = changes.Set(c, row.Language+"."+f.name, "", f.field, f.wanted) || touched
	}
	if t.Story == nil {
		return touched, nil
	}
	path := row.Language + ".json_description"
	story, fault := richtext.Read(t.Story)
	if fault != nil {
		return touched, []apperr.Field{fault.At(path)}
	}
	if row.Story.Equal(story) {
		return touched, nil
	}
	c.Note(path, row.Story, story)
	row.Story = story
	return true, nil
}

// check adds a fault for a language that readers would see without a title: once a campaign is approved they see it.
func (t textRecord) check(r Record, faults *apperr.Error) *apperr.Error {
	if t.Title == "" && r.Stage != StageDraft && (t.Language == r.Language || !t.empty()) {
		return faults.WithField(t.Language+".title", apperr.RuleRequired)
	}
	return faults
}

func (t textRecord) empty() bool {
	return t.Title+t.Tagline+t.ShortDescription+t.AboutCreator+t.ProjectPicAlt == "" && len(t.Story.Content) == 0
}

// write stores a row with its story rendered; a row without any text is removed, unless it is of the campaign's own
// language.
func (t textRecord) write(ctx context.Context, tx *gorm.DB, own string) error {
	tx = tx.WithContext(ctx)
	if t.empty() && t.Language != own {
		err := tx.Exec(`DELETE FROM campaign_texts WHERE campaign_id = ? AND language = ?`, t.CampaignID, t.Language).Error
		if err != nil {
			return fmt.Errorf("remove texts in %s of campaign %d: %w", t.Language, t.CampaignID, err)
		}
		return nil
	}
	var err error
	if t.StoryHTML, t.StoryText, err = richtext.Render(t.Story, t.Language); err != nil {
		return fmt.Errorf("story in %s of campaign %d: %w", t.Language, t.CampaignID, err)
	}
	if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&t).Error; err != nil {
		return fmt.Errorf("write texts in %s of campaign %d: %w", t.Language, t.CampaignID, err)
	}
	return nil
}

// addOwnTexts adds empty texts in the campaign's own language if there are none: that language always has a row.
func (r Record) addOwnTexts(ctx context.Context, tx *gorm.DB, now time.Time) error {
	own := textRecord{CampaignID: r.ID, Language: r.Language, UpdatedAt: now}
	err := tx.WithContext(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&own).Error
	if err != nil {
		return fmt.Errorf("add texts in %s of campaign %d: %w", r.Language, r.ID, err)
	}
	return nil
}

func (t textRecord) texts() Texts {
	return Texts{Title: t.Title, Tagline: t.Tagline, ShortDescription: t.ShortDescription, AboutCreator: t.AboutCreator,
		PictureAlt: t.ProjectPicAlt, Story: t.Story, UpdatedAt: t.UpdatedAt}
}

// follow makes a draft's slug that of its title, and draws its picture anew if nobody has given one. Later the slug
// stays: it is in people's links.
func (r *Record) follow(c *changes.Change, title string) {
	slug := SlugOf(title, r.Language)
	if r.Stage != StageDraft || slug == r.Slug {
		return
	}
	r.Slug = slug
	c.Column("slug", slug)
	if scenes.IsFileName(r.Picture) {
		r.Picture = sceneOf(slug)
		c.Column("picture", r.Picture)
	}
}
