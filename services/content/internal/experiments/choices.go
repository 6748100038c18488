package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/discovery/searchdocs"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/links"
	"talkoot.fi/content/internal/writing/richtext"
)

// maxTags is how many different tags an experiment has.
const maxTags = 10

// SetImage gives an experiment an uploaded picture, which the caller has found in the store; an empty name gives back
// the drawn one. Errors: ErrUnknown; ChangedMeanwhile.
func SetImage(ctx context.Context, db *gorm.DB, e Edit, name string) error {
	return e.change(ctx, db, "change_image", func(_ context.Context, _ *gorm.DB, c *changes.Change, r *Record) error {
		if name == "" {
			name = sceneOf(r.Slug)
		}
		changes.Set(c, "image", "image", &r.Image, &name)
		return nil
	})
}

// SetLinks sets an experiment's links, in one transaction. Those without address and title are dropped. Errors:
// ErrUnknown; ChangedMeanwhile; InvalidFields for what is no address.
func SetLinks(ctx context.Context, db *gorm.DB, e Edit, wanted []Link) error {
	return e.change(ctx, db, "set_links", func(_ context.Context, _ *gorm.DB, c *changes.Change, r *Record) error {
		kept, faults := []Link{}, apperr.New(apperr.InvalidFields)
		for i, l := range wanted {
			l.Title = richtext.Line(l.Title)
			if strings.TrimSpace(l.URL)+l.Title == "" {
				continue
			}
			if l.URL = address(l.URL); l.URL == "" {
				faults = faults.WithField(fmt.Sprintf("links[%d].url", i), apperr.RuleWebOrEmail)
			}
			kept = append(kept, l)
		}
		if err := faults.OrNil(); err != nil {
			return err
		}
		return setJSON(c, "links", "links", &r.Links, kept)
	})
}

// address is what a person typed as the address of a link: https:// and mailto: may be left out. It is empty for what
// is no address.
func address(typed string) string {
	typed = strings.TrimSpace(typed)
	if safe := shown(typed); safe != "" {
		return safe
	}
	if profiles.IsEmail(typed) {
		return "mailto:" + typed
	}
	if strings.Contains(typed, "://") {
		return ""
	}
	return links.Safe("https://" + typed)
}

// shown is an address that a page may have as a link, empty for any other. Tables may hold what rules of today refuse.
func shown(url string) string {
	if email, isMail := strings.CutPrefix(url, "mailto:"); isMail && profiles.IsEmail(email) {
		return url
	}
	return links.Safe(url)
}

// SetTags sets an experiment's tags, in one transaction; a tag named twice counts once. Errors: ErrUnknown;
// ChangedMeanwhile; InvalidFields for tags that do not exist and for more than maxTags.
func SetTags(ctx context.Context, db *gorm.DB, e Edit, wanted []int64) error {
	return e.change(ctx, db, "set_tags", func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
		known, err := taxonomy.KnownTags(ctx, tx, wanted)
		if err != nil {
			return err
		}
		faults := apperr.New(apperr.InvalidFields)
		for i, id := range wanted {
			if !slices.Contains(known, id) {
				faults = faults.WithField(fmt.Sprintf("tags[%d]", i), apperr.RuleOneOf)
			}
		}
		ids := slices.Clone(wanted)
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(ids) > maxTags {
			faults = faults.WithField("tags", apperr.RuleMaxValue, apperr.Params{"max": maxTags})
		}
		if err := faults.OrNil(); err != nil {
			return err
		}
		return replaceTags(tx.WithContext(ctx), c, r.ID, ids)
	})
}

func replaceTags(tx *gorm.DB, c *changes.Change, id int64, wanted []int64) error {
	before := []int64{}
	params := map[string]any{"id": id, "ids": append([]int64{0}, wanted...)} // no id is 0
	// A merge that was faster is waited for: what it gives is then seen, and goes if it is not wanted.
	err := tx.Exec(`SELECT FROM experiment_tags WHERE experiment_id = @id FOR UPDATE`, params).Error
	if err == nil {
		err = tx.Raw(`SELECT tag_id FROM experiment_tags WHERE experiment_id = @id ORDER BY tag_id`, params).Scan(&before).Error
	}
	if err == nil && !slices.Equal(before, wanted) {
		c.Note("tags", before, wanted)
		err = tx.Exec(`DELETE FROM experiment_tags WHERE experiment_id = @id AND tag_id NOT IN @ids`, params).Error
		if err == nil {
			err = tx.Exec(`INSERT INTO experiment_tags (experiment_id, tag_id)
				SELECT @id, id FROM tags WHERE id IN @ids ON CONFLICT DO NOTHING`, params).Error
		}
	}
	if err != nil {
		return fmt.Errorf("set tags of experiment %d: %w", id, err)
	}
	return nil
}

// ReplaceTag takes a tag that nobody can choose any more from experiments, at most limit of them, and gives them another
// one, 0 for none, in the caller's transaction. It returns how many they were.
func ReplaceTag(ctx context.Context, tx *gorm.DB, from, into int64, limit int) (int, error) {
	var changed []int64
	err := tx.WithContext(ctx).Raw(`
		WITH had AS (DELETE FROM experiment_tags WHERE tag_id = @from AND experiment_id IN (
			SELECT experiment_id FROM experiment_tags WHERE tag_id = @from ORDER BY experiment_id LIMIT @limit) RETURNING experiment_id),
		gets AS (INSERT INTO experiment_tags (experiment_id, tag_id) SELECT experiment_id, @into FROM had WHERE @into <> 0 ON CONFLICT DO NOTHING)
		SELECT experiment_id FROM had`, map[string]any{"from": from, "into": into, "limit": limit}).Scan(&changed).Error
	if err != nil {
		return 0, fmt.Errorf("replace tag %d of experiments: %w", from, err)
	}
	if err := searchdocs.Refresh(ctx, tx, searchdocs.Changed{Experiments: changed}); err != nil {
		return 0, err
	}
	return len(changed), nil
}
