//go:build unix

package experiments

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// BenchmarkAdminTable reads pages of ten with their totals, and chunks of 300, among 20,000 experiments in two
// languages. It reports the time that 95 % of the pages are read in.
func BenchmarkAdminTable(b *testing.B) {
	db := dbtest.New(b, migrations.FS).Gorm
	for _, statement := range []string{
		`INSERT INTO users (email, password_hash, first_name, last_name, created_at)
			SELECT i || '@example.com', '', (ARRAY['Aino', 'Väinö', 'Lempi', 'Otso'])[1 + i % 4], md5(i::text), now() FROM generate_series(1, 5000) i`,
		`INSERT INTO experiments (slug, stage, language, image, place, open, like_count, show_in, created_at)
			SELECT 'e' || i, i % 7, 'fi', 'scene-e.svg', 'Oulu', true, i % 300,
			       jsonb_build_object('index', i % 3 > 0, 'front_page', i % 50 = 0), now() FROM generate_series(1, 20000) i`,
		`INSERT INTO experiment_team (experiment_id, user_id, position) SELECT id, 1 + id % 5000, 0 FROM experiments`,
		`INSERT INTO experiment_texts (experiment_id, language, title, short_description)
			SELECT id, l, 'Kokeilu ' || md5(id || l), 'Lyhyesti: ' || md5(id::text) || ' kirjasto ' || md5(l || id) FROM experiments, unnest(ARRAY['fi', 'en']) l`,
		`ANALYZE`,
		`INSERT INTO experiment_listings SELECT * FROM experiment_listing_sources WHERE language = 'fi'`,
		`INSERT INTO experiment_listings SELECT * FROM experiment_listing_sources WHERE language = 'en'`,
		`VACUUM ANALYZE`,
	} {
		if err := db.Exec(statement).Error; err != nil {
			b.Fatal(err)
		}
	}
	for _, sort := range []string{"id", "alphabetical", "short_description", "owner_name", "show_in"} {
		for _, words := range [][]string{nil, {"kirjasto"}, {"ab"}, {"c4ca", "aino"}, {"unknown"}} {
			for _, page := range []struct{ limit, offset int }{{10, 0}, {10, 19_990}, {300, 9_900}} {
				f := filter{language: "fi", sort: sort, descending: true, words: words, limit: page.limit, offset: page.offset}
				b.Run(fmt.Sprintf("%s/%v/%d+%d", sort, words, page.offset, page.limit), func(b *testing.B) {
					var worst time.Duration
					for b.Loop() {
						began := time.Now()
						if _, _, err := list(b.Context(), db, f); err != nil {
							b.Fatal(err)
						}
						worst = max(worst, time.Since(began))
					}
					b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
				})
			}
		}
	}
}
