package taxonomy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"
)

// Listed is a category or tag as staff see it.
type Listed struct {
	ID, Version                    int64
	Labels                         Labels
	Campaigns, Experiments, People int
}

// listedRow is a row of listedCategories or listedTags.
type listedRow struct {
	ID, Version                    int64
	Labels                         string
	Campaigns, Experiments, People int
}

// The lists for staff, with how many have each. The indexes campaign_categories_category, campaign_tags_tag,
// experiment_tags_tag and user_tags_tag count.
const (
	listedCategories = `
		SELECT c.id, c.version, (SELECT coalesce(jsonb_object_agg(language, label), '{}') FROM category_texts WHERE category_id = c.id) AS labels,
		       (SELECT count(*) FROM campaign_categories WHERE category_id = c.id) AS campaigns
		FROM categories c WHERE @id = 0 OR c.id = @id ORDER BY c.position, c.id`
	listedTags = `
		SELECT g.id, g.version, (SELECT coalesce(jsonb_object_agg(language, label), '{}') FROM tag_texts WHERE tag_id = g.id) AS labels,
		       (SELECT count(*) FROM campaign_tags WHERE tag_id = g.id) AS campaigns,
		       (SELECT count(*) FROM experiment_tags WHERE tag_id = g.id) AS experiments,
		       (SELECT count(*) FROM user_tags WHERE tag_id = g.id) AS people
		FROM tags g WHERE NOT g.retired AND (@id = 0 OR g.id = @id) ORDER BY g.id`
)

// List is all categories in their order, or all tags in the order in which they were made.
func (k Kind) List(ctx context.Context, db *gorm.DB) ([]Listed, error) { return k.list(ctx, db, 0) }

// Read is one category or tag. Error: ErrUnknown.
func (k Kind) Read(ctx context.Context, db *gorm.DB, id int64) (Listed, error) {
	list, err := k.list(ctx, db, id)
	if err != nil {
		return Listed{}, err
	}
	if len(list) == 0 {
		return Listed{}, ErrUnknown
	}
	return list[0], nil
}

func (k Kind) list(ctx context.Context, db *gorm.DB, id int64) ([]Listed, error) {
	statement := listedTags
	if k == OfCategories {
		statement = listedCategories
	}
	var rows []listedRow
	if err := db.WithContext(ctx).Raw(statement, map[string]any{"id": id}).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("list %s for staff: %w", k.table, err)
	}
	list := make([]Listed, len(rows))
	var broken error
	for i, row := range rows {
		list[i] = Listed{ID: row.ID, Version: row.Version, Campaigns: row.Campaigns, Experiments: row.Experiments, People: row.People}
		broken = errors.Join(broken, json.Unmarshal([]byte(row.Labels), &list[i].Labels))
	}
	return list, broken
}
