package taxonomy

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/text/collate"
	xlanguage "golang.org/x/text/language"
	"gorm.io/gorm"
)

// Category is a category with its label in the reader's language.
type Category struct {
	ID         int64
	Key, Label string
	Campaigns  *int // of a List
}

// Tag is a tag with its label in the reader's language.
type Tag struct {
	Campaigns *int // of a List
	ID        int64
	Label     string
}

// List is the list of campaigns whose categories and tags are offered: what it has of each is counted, to maxCounted, and
// what it has none of is left out. Without stages everything there is is offered, uncounted.
type List struct {
	Stages                         []int
	Categories, Tags, ExcludedTags []int64
}

// maxCounted bounds the cost of a count.
const maxCounted = 1000

// counted is the SQL that counts a list's campaigns among the rows of campaign_listings that a condition names, by the index
// campaign_listings_newest. own is the tag that is counted, which its own exclusion leaves as it is.
func (l List) counted(condition, own string) string {
	excluded := ""
	if len(l.ExcludedTags) > 0 {
		excluded = ` AND NOT EXISTS (SELECT FROM campaign_tags g WHERE g.campaign_id = l.campaign_id AND g.tag_id IN @excluded AND g.tag_id <> ` + own + `)`
	}
	return `CROSS JOIN LATERAL (SELECT count(DISTINCT campaign_id) AS campaigns FROM (
			SELECT l.campaign_id FROM campaign_listings l WHERE ` + condition + ` AND l.stage IN @stages` + excluded + ` LIMIT @most) found) n`
}

// params are the values of the SQL that counts.
func (l List) params(language string) map[string]any {
	orAny := func(ids []int64) []int64 {
		if len(ids) == 0 {
			return []int64{0}
		}
		return ids
	}
	return map[string]any{"language": language, "stages": l.Stages, "categories": orAny(l.Categories), "tags": orAny(l.Tags),
		"excluded": l.ExcludedTags, "most": maxCounted}
}

// Categories is the categories of a list of campaigns in their order. Labels fall back to any language.
func Categories(ctx context.Context, db *gorm.DB, language string, of List) (list []Category, err error) {
	count, counted, where := "", "", ""
	if len(of.Stages) > 0 {
		count, where = ", n.campaigns", "WHERE n.campaigns > 0"
		counted = of.counted("l.tag_id IN @tags AND l.category_id = c.id", "0")
	}
	err = db.WithContext(ctx).Raw(`
		SELECT c.id, c.key, x.label`+count+`
		FROM categories c
		JOIN LATERAL (SELECT label FROM category_texts x WHERE x.category_id = c.id
			ORDER BY x.language = @language DESC, x.language LIMIT 1) x ON true
		`+counted+` `+where+`
		ORDER BY c.position, c.id`, of.params(language)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list categories: %w", err)
	}
	return list, nil
}

// Tags is the tags of a list of campaigns by label, in the alphabetical order of the language. Labels fall back to any
// language.
func Tags(ctx context.Context, db *gorm.DB, language string, of List) (list []Tag, err error) {
	count, counted, where := "", "", ""
	if len(of.Stages) > 0 {
		count, where = ", n.campaigns", "WHERE n.campaigns > 0"
		counted = of.counted("l.tag_id = t.id AND l.category_id IN @categories", "t.id")
	}
	err = db.WithContext(ctx).Raw(`
		SELECT t.id, x.label`+count+`
		FROM tags t
		JOIN LATERAL (SELECT label FROM tag_texts x WHERE x.tag_id = t.id
			ORDER BY x.language = @language DESC, x.language LIMIT 1) x ON true
		`+counted+` `+where+`
		ORDER BY t.id`, of.params(language)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	// Sorted here and not in the database, whose collations depend on how it was built: ä comes after z in Finnish and
	// Swedish.
	order := collate.New(xlanguage.Make(language))
	slices.SortStableFunc(list, func(a, b Tag) int { return order.CompareString(a.Label, b.Label) })
	return list, nil
}

// FirstCategory is the one that comes first, nil when there is none. In a transaction it stays, as of KnownTags; one that
// is being deleted is waited for, and then the next comes first.
func FirstCategory(ctx context.Context, db *gorm.DB) (id *int64, err error) {
	err = db.WithContext(ctx).Raw(`SELECT id FROM categories ORDER BY position, id LIMIT 1 FOR SHARE`).Scan(&id).Error
	if err != nil {
		return nil, fmt.Errorf("look up the first category: %w", err)
	}
	return id, nil
}

// KnownCategories are those of the ids that are categories. In a transaction they stay, with their names, until its
// end, as of KnownTags; one that is being deleted is waited for, and then not known.
func KnownCategories(ctx context.Context, db *gorm.DB, ids []int64) ([]int64, error) {
	return known(ctx, db, `SELECT id FROM categories WHERE id IN ? FOR SHARE`, ids)
}

// KnownTags are those of the ids that are tags which may be chosen. In a transaction they stay so, and keep their names,
// until its end: whoever renames or retires one waits, and then sees the previews that were written with the old name.
func KnownTags(ctx context.Context, db *gorm.DB, ids []int64) ([]int64, error) {
	return known(ctx, db, `SELECT id FROM tags WHERE id IN ? AND NOT retired FOR SHARE`, ids)
}

func known(ctx context.Context, db *gorm.DB, query string, ids []int64) (found []int64, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if err := db.WithContext(ctx).Raw(query, ids).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("look up categories or tags: %w", err)
	}
	return found, nil
}

// TagsOf is the tags of a campaign by label, in the alphabetical order of the language.
func TagsOf(ctx context.Context, db *gorm.DB, campaignID int64, language string) ([]Tag, error) {
	all, err := Tags(ctx, db, language, List{})
	if err != nil {
		return nil, err
	}
	var ids []int64
	if err := db.WithContext(ctx).Raw(`SELECT tag_id FROM campaign_tags WHERE campaign_id = ?`, campaignID).Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("read tags of campaign %d: %w", campaignID, err)
	}
	return slices.DeleteFunc(all, func(t Tag) bool { return !slices.Contains(ids, t.ID) }), nil
}
