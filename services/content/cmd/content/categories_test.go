package main

import (
	"log/slog"
	"strings"
	"testing"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// A database that has only been migrated gets its categories with a command, in three languages.
func TestCategories_AreAddedOnce(t *testing.T) {
	o := &operator{t: t, db: dbtest.New(t, migrations.FS)}
	for _, want := range []string{"12 categories", "0 categories"} {
		o.out.Reset()
		err := addCategories(t.Context(), real(t, o.db.URL), slog.New(slog.DiscardHandler), console{out: &o.out})
		if err != nil || !strings.Contains(o.out.String(), want) {
			t.Errorf("%v, %q, want %s", err, &o.out, want)
		}
	}
	labels := o.text(`SELECT count(*) || ' of ' || count(DISTINCT category_id) FROM category_texts WHERE label <> ''`)
	first := o.text(`SELECT string_agg(key, ' ' ORDER BY position) FROM categories WHERE position < 4`)
	if labels != "36 of 12" || first != "yhteiso kirjat ruoka" {
		t.Errorf("labels: %s; the first ones are %s", labels, first)
	}
}
