package campaigns

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/writing/changes"
)

// maxTags is how many different tags a campaign has.
const maxTags = 10

// SetCategories sets a campaign's categories, the main one first, in one transaction, and returns them in that order:
// the main one, then the others by id. The caller has checked who may do it (RequireEdit). Without a change nothing is
// written. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields for categories that do not exist.
func SetCategories(ctx context.Context, db *gorm.DB, e Edit, wanted []int64) (r Record, ids []int64, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, ids, err = setCategories(ctx, tx, e, wanted)
		return err
	})
	return r, ids, err
}

func setCategories(ctx context.Context, tx *gorm.DB, e Edit, wanted []int64) (Record, []int64, error) {
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return r, nil, err
	}
	wanted, faults, err := CheckCategories(ctx, tx, wanted)
	if err != nil {
		return r, nil, err
	}
	if err := apperr.New(apperr.InvalidFields).WithFields(faults).OrNil(); err != nil {
		return r, nil, err
	}
	if err := relate(ctx, tx, c, categoriesOf, e.CampaignID, r.CategoryID, wanted); err != nil {
		return r, nil, err
	}
	if c.Has("categories") {
		r.CategoryID = wanted[0]
		c.Column("category_id", r.CategoryID)
	}
	err = e.save(ctx, tx, c, "set_categories")
	r.Version = c.Version()
	return r, wanted, err
}

// CheckCategories is the categories that a person chose, in the order in which a campaign has them: the main one, then
// the others by id, each once. Faults: those that do not exist, by their place in the list.
func CheckCategories(ctx context.Context, db *gorm.DB, chosen []int64) (ids []int64, faults []apperr.Field, err error) {
	known, err := taxonomy.KnownCategories(ctx, db, chosen)
	if err != nil {
		return nil, nil, err
	}
	ids = distinct(chosen)
	if len(ids) > 0 {
		slices.Sort(ids[1:])
	}
	return ids, missing("categories", chosen, known), nil
}

// SetTags sets a campaign's tags, in one transaction; a tag named twice counts once. The caller has checked who may do
// it (RequireEdit). Without a change nothing is written. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields for tags
// that do not exist and for more than maxTags.
func SetTags(ctx context.Context, db *gorm.DB, e Edit, wanted []int64) (r Record, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, err = setTags(ctx, tx, e, wanted)
		return err
	})
	return r, err
}

func setTags(ctx context.Context, tx *gorm.DB, e Edit, chosen []int64) (Record, error) {
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return r, err
	}
	known, err := taxonomy.KnownTags(ctx, tx, chosen)
	if err != nil {
		return r, err
	}
	faults := apperr.New(apperr.InvalidFields).WithFields(missing("tags", chosen, known))
	wanted := distinct(chosen)
	slices.Sort(wanted)
	if len(wanted) > maxTags {
		faults = faults.WithField("tags", apperr.RuleMaxValue, apperr.Params{"max": maxTags})
	}
	if err := faults.OrNil(); err != nil {
		return r, err
	}
	// A merge that was faster is waited for: what it gives is then seen below, and goes if it is not wanted.
	err = tx.WithContext(ctx).Exec(`SELECT FROM campaign_tags WHERE campaign_id = ? FOR UPDATE`, e.CampaignID).Error
	if err != nil {
		return r, fmt.Errorf("lock tags of campaign %d: %w", e.CampaignID, err)
	}
	if err := relate(ctx, tx, c, tagsOf, e.CampaignID, 0, wanted); err != nil {
		return r, err
	}
	err = e.save(ctx, tx, c, "set_tags")
	r.Version = c.Version()
	return r, err
}

// relation is one of the two tables that a campaign's choices are in.
type relation struct {
	field               string // of the contract
	list, add, takeAway string // statements
}

var (
	categoriesOf = relation{"categories",
		`SELECT category_id FROM campaign_categories WHERE campaign_id = @id ORDER BY category_id <> @first, category_id`,
		`INSERT INTO campaign_categories (campaign_id, category_id) SELECT @id, id FROM categories WHERE id IN @ids ON CONFLICT DO NOTHING`,
		`DELETE FROM campaign_categories WHERE campaign_id = @id AND category_id NOT IN @ids`}
	tagsOf = relation{"tags",
		`SELECT tag_id FROM campaign_tags WHERE campaign_id = @id ORDER BY tag_id`,
		`INSERT INTO campaign_tags (campaign_id, tag_id) SELECT @id, id FROM tags WHERE id IN @ids ON CONFLICT DO NOTHING`,
		`DELETE FROM campaign_tags WHERE campaign_id = @id AND tag_id NOT IN @ids`}
)

// relate makes a campaign's rows of a relation the wanted ones, and notes the change. First is the main one.
func relate(ctx context.Context, tx *gorm.DB, c *changes.Change, of relation, campaignID, first int64,
	wanted []int64) error {
	before := []int64{}
	params := map[string]any{"id": campaignID, "first": first, "ids": append([]int64{0}, wanted...)} // no id is 0
	err := tx.WithContext(ctx).Raw(of.list, params).Scan(&before).Error
	if err == nil && !slices.Equal(before, wanted) {
		c.Note(of.field, before, wanted)
		err = tx.WithContext(ctx).Exec(of.takeAway, params).Error
		if err == nil {
			err = tx.WithContext(ctx).Exec(of.add, params).Error
		}
	}
	if err != nil {
		return fmt.Errorf("set %s of campaign %d: %w", of.field, campaignID, err)
	}
	return nil
}

// missing are the faults of a list's ids that are not known.
func missing(field string, ids, known []int64) (faults []apperr.Field) {
	for i, id := range ids {
		if !slices.Contains(known, id) {
			faults = append(faults, apperr.Field{Path: fmt.Sprintf("%s[%d]", field, i), Rule: apperr.RuleOneOf})
		}
	}
	return faults
}

// distinct is a list without repeats, in its order.
func distinct(ids []int64) []int64 {
	once := make([]int64, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}

// Labelled are the campaigns that have a tag, or a category (the other is 0), in the order of ids after one of them and
// at most limit. The indexes campaign_tags_tag and campaign_categories_category serve it.
func Labelled(ctx context.Context, tx *gorm.DB, categoryID, tagID, after int64, limit int) (ids []int64, err error) {
	statement := `SELECT campaign_id FROM campaign_tags WHERE tag_id = @tag AND campaign_id > @after ORDER BY campaign_id LIMIT @limit`
	if categoryID != 0 {
		statement = `SELECT campaign_id FROM campaign_categories WHERE category_id = @category AND campaign_id > @after ORDER BY campaign_id LIMIT @limit`
	}
	err = tx.WithContext(ctx).Raw(statement,
		map[string]any{"category": categoryID, "tag": tagID, "after": after, "limit": limit}).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("list campaigns of category %d or tag %d: %w", categoryID, tagID, err)
	}
	return ids, nil
}

// ReplaceTag takes a tag that nobody can choose any more from campaigns, at most limit of them, and gives them another
// one, 0 for none, in the caller's transaction. It returns how many they were.
func ReplaceTag(ctx context.Context, tx *gorm.DB, from, into int64, limit int) (int, error) {
	ids, err := Labelled(ctx, tx, 0, from, 0, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	params := map[string]any{"from": from, "into": into, "ids": ids}
	err = tx.WithContext(ctx).Exec(`
		WITH had AS (DELETE FROM campaign_tags WHERE tag_id = @from AND campaign_id IN @ids RETURNING campaign_id)
		INSERT INTO campaign_tags (campaign_id, tag_id) SELECT campaign_id, @into FROM had WHERE @into <> 0 ON CONFLICT DO NOTHING`,
		params).Error
	if err != nil {
		return 0, fmt.Errorf("replace tag %d of campaigns: %w", from, err)
	}
	return len(ids), RefreshPreviews(ctx, tx, ids...)
}
