package taxonomy

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// Usual is the categories that a new installation begins with, in the order of the filter.
func Usual() []New {
	list := []New{
		{Key: "yhteiso", Labels: labels("Yhteisö", "Community", "Gemenskap")},
		{Key: "kirjat", Labels: labels("Kirjat", "Books", "Böcker")},
		{Key: "ruoka", Labels: labels("Ruoka", "Food", "Mat")},
		{Key: "pelit", Labels: labels("Pelit", "Games", "Spel")},
		{Key: "elokuva", Labels: labels("Elokuva", "Film", "Film")},
		{Key: "musiikki", Labels: labels("Musiikki", "Music", "Musik")},
		{Key: "luonto", Labels: labels("Luonto", "Nature", "Natur")},
		{Key: "muotoilu", Labels: labels("Muotoilu", "Design", "Formgivning")},
		{Key: "kiertotalous", Labels: labels("Kiertotalous", "Circular economy", "Cirkulär ekonomi")},
		{Key: "hyvinvointi", Labels: labels("Hyvinvointi", "Well-being", "Välmående")},
		{Key: "tiede", Labels: labels("Tiede", "Science", "Vetenskap")},
		{Key: "perinne", Labels: labels("Perinne", "Heritage", "Kulturarv")},
	}
	for i := range list {
		list[i].Position = i + 1
	}
	return list
}

func labels(fi, en, sv string) map[string]string {
	return map[string]string{"fi": fi, "en": en, "sv": sv}
}

// AddUsual adds the categories of Usual that are not there, in one transaction, and returns how many they are. Two
// calls at once add each of them once. Categories that are there stay as they are, with their labels.
func AddUsual(ctx context.Context, db *gorm.DB) (added int, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var keys []string // as they are once the lock is held
		if err := tx.WithContext(ctx).Exec(`LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE`).Error; err != nil {
			return fmt.Errorf("lock categories: %w", err)
		}
		if err := tx.WithContext(ctx).Raw(`SELECT key FROM categories`).Scan(&keys).Error; err != nil {
			return fmt.Errorf("read categories: %w", err)
		}
		missing := slices.DeleteFunc(Usual(), func(n New) bool { return slices.Contains(keys, n.Key) })
		added = len(missing)
		_, err := CreateCategories(ctx, tx, missing)
		return err
	})
	return added, err
}
