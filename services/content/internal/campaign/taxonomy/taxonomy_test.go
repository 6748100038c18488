//go:build unix

package taxonomy_test

import (
	"context"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/contenttest"
)

func TestCategories_KeepTheirOrderAndFallBack(t *testing.T) {
	w := contenttest.New(t)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		for position, c := range []map[string]string{{"fi": "Yhteisö", "en": "Community"}, {"fi": "Kirjat"}} {
			if _, err := taxonomy.CreateCategory(ctx, tx, c["fi"], 9-position, c); err != nil {
				return err
			}
		}
		return nil
	})
	for query, want := range map[string]string{"": "Kirjat Yhteisö", "?language=en": "Kirjat Community", "?language=SV": "Kirjat Community"} {
		var answer api.CategoriesAnswer
		got := w.Get("/campaigns/categories/"+query, 0)
		got.JSON(&answer)
		var labels []string
		for _, c := range answer.Categories {
			labels = append(labels, c.Label)
		}
		if strings.Join(labels, " ") != want || len(got.Statements) != 1 || *answer.Categories[0].Key != "Kirjat" {
			t.Errorf("%q: %v in %d statements", query, labels, len(got.Statements))
		}
	}
}

func TestTags_AreSortedByTheReadersLabel(t *testing.T) {
	w := contenttest.New(t)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		for _, c := range []map[string]string{{"fi": "äänet", "en": "sounds"}, {"fi": "järvi", "en": "lake"}, {"fi": "Villa", "en": "wool"}} {
			if _, err := taxonomy.CreateTag(ctx, tx, c["en"], c); err != nil {
				return err
			}
		}
		return nil
	})
	for query, want := range map[string]string{"?language=fi": "järvi Villa äänet", "?language=en": "lake sounds wool"} {
		var answer api.TagsAnswer
		w.Get("/campaigns/tags/"+query, 0).JSON(&answer)
		var labels []string
		for _, c := range answer.Tags {
			labels = append(labels, c.Label)
		}
		if strings.Join(labels, " ") != want {
			t.Errorf("%q: %v, want %s", query, labels, want)
		}
	}
}

func TestCreate_RefusesAKeyThatExists(t *testing.T) {
	w := contenttest.New(t)
	w.Tag("sauna")
	if _, err := taxonomy.CreateTag(t.Context(), w.DB, "sauna", nil); err == nil {
		t.Error("two tags of one key")
	}
}
