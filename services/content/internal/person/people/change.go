package people

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// maxTags is how many different tags a person has.
const maxTags = 10

// ProfileChange is what people change of themselves. Nil leaves a field as it is, empty text clears it.
type ProfileChange struct{ FirstName, LastName, ShortDescription, Phone *string }

// SettingsChange is a person's settings; nil leaves one as it is.
type SettingsChange struct {
	Language     *string // fi, en, sv; of their mail
	WantsLetters *bool
	ShowsBacked  *bool // on the public page, how many campaigns they have backed
}

// phone is what may be in a phone number, which is shown to nobody else and dialled by nobody here.
var phone = regexp.MustCompile(`^\+?[0-9 ()-]{5,40}$`)

func plainNumber(typed string) string { return strings.TrimSpace(profiles.Pasted(typed)) }

// changeProfile changes a person's names, introduction and phone number. Errors: those of Edit.make; InvalidFields.
func changeProfile(ctx context.Context, db *gorm.DB, e Edit, wanted ProfileChange) (record, error) {
	return e.make(ctx, db, change{"change_profile", true, true,
		func(_ context.Context, _ *gorm.DB, r *record, c *changes.Change) error {
			changes.Set(c, "first_name", "first_name", &r.FirstName, mapped(wanted.FirstName, profiles.PastedName))
			changes.Set(c, "last_name", "last_name", &r.LastName, mapped(wanted.LastName, profiles.PastedName))
			changes.Set(c, "short_description", "short_description", &r.ShortDescription,
				mapped(wanted.ShortDescription, richtext.Line))
			if number := mapped(wanted.Phone, plainNumber); number != nil && *number != r.Phone {
				r.Phone = *number
				c.Column("phone", r.Phone)
				c.Note("meta.phone", nil, nil) // the log is kept for long, and need not know it
			}
			return r.check(c)
		}})
}

// check returns the faults of a profile's changed fields.
func (r record) check(c *changes.Change) error {
	faults := apperr.New(apperr.InvalidFields)
	if c.Has("first_name") || c.Has("last_name") {
		first, last := profiles.CheckNames(r.FirstName, r.LastName)
		for _, name := range []struct{ path, rule string }{{"first_name", first}, {"last_name", last}} {
			if name.rule != "" {
				faults = faults.WithField(name.path, name.rule)
			}
		}
	}
	if c.Has("meta.phone") && r.Phone != "" && !phone.MatchString(r.Phone) {
		faults = faults.WithField("meta.phone", apperr.RuleFormat)
	}
	return faults.OrNil()
}

// changeImage changes a person's picture; an empty name takes it away. That it is stored is the caller's to check.
// Errors: those of Edit.make.
func changeImage(ctx context.Context, db *gorm.DB, e Edit, name string) (record, error) {
	return e.make(ctx, db, change{"change_image", true, true,
		func(_ context.Context, _ *gorm.DB, r *record, c *changes.Change) error {
			changes.Set(c, "image_collection", "image", &r.Image, &name)
			return nil
		}})
}

// setLinks sets a person's links, in their order; rows with neither address nor title are left out. Errors: those of
// Edit.make; InvalidFields for a title without an address, and for what is no address.
func setLinks(ctx context.Context, db *gorm.DB, e Edit, rows []profiles.Link) (record, error) {
	wanted, faults := []profiles.Link{}, apperr.New(apperr.InvalidFields)
	for i, row := range rows {
		row = profiles.Link{URL: strings.TrimSpace(row.URL), Title: richtext.Line(row.Title)}
		if row == (profiles.Link{}) {
			continue
		}
		address, path := addressOf(row.URL), fmt.Sprintf("links[%d].url", i)
		switch {
		case row.URL == "":
			faults = faults.WithField(path, apperr.RuleRequired)
		case address == "":
			faults = faults.WithField(path, apperr.RuleURL)
		}
		wanted = append(wanted, profiles.Link{URL: address, Title: row.Title})
	}
	return e.make(ctx, db, change{"set_links", false, true,
		func(_ context.Context, _ *gorm.DB, r *record, c *changes.Change) error {
			if err := faults.OrNil(); err != nil {
				return err
			}
			changes.Set(c, "links", "", &r.Links, &wanted)
			stored, err := json.Marshal(r.Links)
			if err != nil {
				return fmt.Errorf("encode links of user %d: %w", r.ID, err)
			}
			c.Column("links", string(stored))
			return nil
		}})
}

// setSkills sets a person's skills, in their order; empty ones are left out, one named twice counts once. Errors: those
// of Edit.make.
func setSkills(ctx context.Context, db *gorm.DB, e Edit, skills []string) (record, error) {
	wanted := dbx.TextArray{}
	for _, skill := range skills {
		skill = richtext.Line(skill)
		isKnown := slices.ContainsFunc(wanted, func(other string) bool { return strings.EqualFold(other, skill) })
		if skill != "" && !isKnown {
			wanted = append(wanted, skill)
		}
	}
	return e.make(ctx, db, change{"set_skills", false, true,
		func(_ context.Context, _ *gorm.DB, r *record, c *changes.Change) error {
			changes.Set(c, "skills", "skills", &r.Skills, &wanted)
			return nil
		}})
}

// setTags sets a person's tags; one named twice counts once. Errors: those of Edit.make; InvalidFields for tags that do
// not exist and for more than maxTags.
func setTags(ctx context.Context, db *gorm.DB, e Edit, chosen []int64) (record, error) {
	return e.make(ctx, db, change{"set_tags", false, true,
		func(ctx context.Context, tx *gorm.DB, r *record, c *changes.Change) error {
			known, err := taxonomy.KnownTags(ctx, tx, chosen)
			if err != nil {
				return err
			}
			faults := apperr.New(apperr.InvalidFields)
			for i, id := range chosen {
				if !slices.Contains(known, id) {
					faults = faults.WithField(fmt.Sprintf("tags[%d]", i), apperr.RuleOneOf)
				}
			}
			slices.Sort(known)
			if len(known) > maxTags {
				faults = faults.WithField("tags", apperr.RuleMaxValue, apperr.Params{"max": maxTags})
			}
			if err := faults.OrNil(); err != nil {
				return err
			}
			return writeTags(ctx, tx, r.ID, c, known)
		}})
}

func writeTags(ctx context.Context, tx *gorm.DB, userID int64, c *changes.Change, wanted []int64) error {
	before := []int64{}
	// A merge that was faster is waited for: what it gives is then seen, and goes if it is not wanted.
	err := tx.WithContext(ctx).Exec(`SELECT FROM user_tags WHERE user_id = ? FOR UPDATE`, userID).Error
	if err == nil {
		err = tx.WithContext(ctx).Raw(`SELECT tag_id FROM user_tags WHERE user_id = ? ORDER BY tag_id`, userID).Scan(&before).Error
	}
	if err == nil && !slices.Equal(before, wanted) {
		c.Note("tags", before, wanted)
		err = tx.WithContext(ctx).Exec(`DELETE FROM user_tags WHERE user_id = ?`, userID).Error
		if err == nil && len(wanted) > 0 {
			// A merge may have given them one of these meanwhile.
			err = tx.WithContext(ctx).Exec(`INSERT INTO user_tags (user_id, tag_id) SELECT ?, id FROM tags WHERE id IN ?
				ON CONFLICT DO NOTHING`, userID, wanted).Error
		}
	}
	if err != nil {
		return fmt.Errorf("set tags of user %d: %w", userID, err)
	}
	return nil
}

// tagRow is a row of user_tags: a tag that a person has.
type tagRow struct{ UserID, TagID int64 }

// TableName is GORM's.
func (tagRow) TableName() string { return "user_tags" }

// AddTags gives tags to people that the platform itself has made, by user id, in the caller's transaction.
func AddTags(ctx context.Context, tx *gorm.DB, tagsOf map[int64][]int64) error {
	var rows []tagRow
	for user, tags := range tagsOf {
		for _, tag := range tags {
			rows = append(rows, tagRow{user, tag})
		}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), rows); err != nil {
		return fmt.Errorf("add people's tags: %w", err)
	}
	return nil
}

// changeSettings changes a person's settings. Errors: those of Edit.make.
func changeSettings(ctx context.Context, db *gorm.DB, e Edit, wanted SettingsChange) (record, error) {
	return e.make(ctx, db, change{"change_settings", wanted.Language != nil, false, // campaigns name the language of introductions
		func(_ context.Context, _ *gorm.DB, r *record, c *changes.Change) error {
			changes.Set(c, "language", "language", &r.Language, wanted.Language)
			changes.Set(c, "mail.letters", "wants_letters", &r.WantsLetters, wanted.WantsLetters)
			changes.Set(c, "show_backed", "shows_backed", &r.ShowsBacked, wanted.ShowsBacked)
			return nil
		}})
}

func mapped(text *string, to func(string) string) *string {
	if text == nil {
		return nil
	}
	result := to(*text)
	return &result
}

// ReplaceTag takes a tag that nobody can choose any more from people, at most limit of them, and gives them another
// one, 0 for none, in the caller's transaction. It returns how many they were.
func ReplaceTag(ctx context.Context, tx *gorm.DB, from, into int64, limit int) (int, error) {
	var changed []int64
	err := tx.WithContext(ctx).Raw(`
		WITH had AS (DELETE FROM user_tags WHERE tag_id = @from AND user_id IN (
			SELECT user_id FROM user_tags WHERE tag_id = @from ORDER BY user_id LIMIT @limit) RETURNING user_id),
		gets AS (INSERT INTO user_tags (user_id, tag_id) SELECT user_id, @into FROM had WHERE @into <> 0 ON CONFLICT DO NOTHING)
		SELECT user_id FROM had`, map[string]any{"from": from, "into": into, "limit": limit}).Scan(&changed).Error
	if err != nil {
		return 0, fmt.Errorf("replace tag %d of people: %w", from, err)
	}
	return len(changed), nil
}
