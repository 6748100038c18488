// Package taxonomy is how campaigns and experiments are sorted: categories in an order, and tags by their label.
//
// It owns the tables categories, category_texts, tags and tag_texts. What bears a category or a tag belongs to the
// domain that it sorts; its previews hold the labels, so a changed label needs them refreshed.
package taxonomy

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// CreateCategory adds a category in the caller's transaction; labels are by language (fi, en, sv). A key that exists is
// an error.
func CreateCategory(ctx context.Context, tx *gorm.DB, key string, position int, labels map[string]string) (id int64, err error) {
	if err := tx.WithContext(ctx).Raw(`INSERT INTO categories (key, position) VALUES (?, ?) RETURNING id`, key, position).
		Scan(&id).Error; err != nil {
		return 0, fmt.Errorf("create category %s: %w", key, err)
	}
	for language, label := range labels {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO category_texts (category_id, language, label) VALUES (?, ?, ?)`,
			id, language, label).Error; err != nil {
			return 0, fmt.Errorf("label category %s in %s: %w", key, language, err)
		}
	}
	return id, nil
}

// CreateTag adds a tag in the caller's transaction; labels are by language (fi, en, sv). A key that exists is an error.
func CreateTag(ctx context.Context, tx *gorm.DB, key string, labels map[string]string) (id int64, err error) {
	if err := tx.WithContext(ctx).Raw(`INSERT INTO tags (key) VALUES (?) RETURNING id`, key).Scan(&id).Error; err != nil {
		return 0, fmt.Errorf("create tag %s: %w", key, err)
	}
	for language, label := range labels {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO tag_texts (tag_id, language, label) VALUES (?, ?, ?)`,
			id, language, label).Error; err != nil {
			return 0, fmt.Errorf("label tag %s in %s: %w", key, language, err)
		}
	}
	return id, nil
}
