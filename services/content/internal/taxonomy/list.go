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
}

// Tag is a tag with its label in the reader's language.
type Tag struct {
	ID    int64
	Label string
}

// Categories is all categories in their order. Labels fall back to any language.
func Categories(ctx context.Context, db *gorm.DB, language string) (list []Category, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT c.id, c.key, x.label
		FROM categories c
		JOIN LATERAL (SELECT label FROM category_texts x WHERE x.category_id = c.id
			ORDER BY x.language = ? DESC, x.language LIMIT 1) x ON true
		ORDER BY c.position, c.id`, language).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list categories: %w", err)
	}
	return list, nil
}

// Tags is all tags by label, in the alphabetical order of the language. Labels fall back to any language.
func Tags(ctx context.Context, db *gorm.DB, language string) (list []Tag, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT t.id, x.label
		FROM tags t
		JOIN LATERAL (SELECT label FROM tag_texts x WHERE x.tag_id = t.id
			ORDER BY x.language = ? DESC, x.language LIMIT 1) x ON true
		ORDER BY t.id`, language).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	// Sorted here and not in the database, whose collations depend on how it was built: ä comes after z in Finnish and Swedish.
	order := collate.New(xlanguage.Make(language))
	slices.SortStableFunc(list, func(a, b Tag) int { return order.CompareString(a.Label, b.Label) })
	return list, nil
}
