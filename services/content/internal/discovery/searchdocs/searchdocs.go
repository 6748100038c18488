// Package searchdocs writes what the search finds things by. The documents and what they are made from are SQL
// (migrations/00036_search.sql), where search_group is the only place that says which campaigns may be found.
package searchdocs

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Changed are the campaigns and experiments whose texts, names, places, tags or visibility a transaction has changed. People
// are followed by triggers, because many domains change them.
type Changed struct{ Campaigns, Experiments []int64 }

// Refresh writes the documents of what has changed, and of the campaigns' creators, in the caller's transaction.
func Refresh(ctx context.Context, tx *gorm.DB, c Changed) error {
	err := tx.WithContext(ctx).Exec(`SELECT search_refresh(CAST(? AS bigint[]), '{}', CAST(? AS bigint[]))`,
		array(c.Campaigns), array(c.Experiments)).Error
	if err != nil {
		return fmt.Errorf("refresh search documents: %w", err)
	}
	return nil
}

// RefreshTagged writes the documents of the experiments and people that have a tag, in the caller's transaction, which has
// renamed it.
func RefreshTagged(ctx context.Context, tx *gorm.DB, tagID int64) error {
	err := tx.WithContext(ctx).Exec(`SELECT search_refresh('{}', ARRAY(SELECT user_id FROM user_tags WHERE tag_id = @tag),
		ARRAY(SELECT experiment_id FROM experiment_tags WHERE tag_id = @tag))`, map[string]any{"tag": tagID}).Error
	if err != nil {
		return fmt.Errorf("refresh search documents of tag %d: %w", tagID, err)
	}
	return nil
}

// array is a list as PostgreSQL writes arrays.
func array(ids []int64) string {
	text := []byte("{")
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Append(text, id)
	}
	return string(append(text, '}'))
}
