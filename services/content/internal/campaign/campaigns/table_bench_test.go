//go:build unix

package campaigns

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// BenchmarkTable reads pages of ten with their counts among 20,000 campaigns, and reports the longest.
func BenchmarkTable(b *testing.B) {
	db := dbtest.New(b, migrations.FS).Gorm
	for _, statement := range []string{
		`INSERT INTO users (email, password_hash, first_name, last_name, created_at)
			SELECT i || '@example.com', '', (ARRAY['Aino', 'Väinö', 'Lempi', 'Otso'])[1 + i % 4], md5(i::text), now() FROM generate_series(1, 5000) i`,
		`INSERT INTO categories (key, position) VALUES ('c', 1)`,
		`INSERT INTO campaigns (slug, stage, language, category_id, picture, target_goal_minor, funding_deadline, created_at, updated_at)
			SELECT 'x' || i, i % 7, 'fi', 1, 'x.svg', i, CASE WHEN i % 7 > 0 THEN now() + i * interval '1 minute' END, now(), now() FROM generate_series(1, 20000) i`,
		`INSERT INTO campaign_totals (campaign_id, funding_reached_minor) SELECT id, id * 7 % 5000 FROM campaigns`,
		`INSERT INTO campaign_team SELECT id, 1 + id % 5000, 0 FROM campaigns`,
		`INSERT INTO campaign_texts (campaign_id, language, title) SELECT id, l, 'Kirjasto ' || md5(id || l) FROM campaigns, unnest(ARRAY['fi', 'en']) l`,
		`INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor, funding_start, funding_deadline) ` + listedSQL,
		`ANALYZE`,
	} {
		if err := db.Exec(statement).Error; err != nil {
			b.Fatal(err)
		}
	}
	for first := int64(1); first <= 20_000; first += 1000 {
		var ids []int64
		for id := first; id < first+1000; id++ {
			ids = append(ids, id)
		}
		if err := db.Exec(previewSQL, map[string]any{"ids": ids}).Error; err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Exec(`VACUUM ANALYZE`).Error; err != nil {
		b.Fatal(err)
	}
	for _, sort := range []string{"id", "title", "creator", "raised", "deadline"} {
		for _, stages := range [][]int64{nil, {2}, {1, 2, 6}} {
			for _, words := range [][]string{nil, {"kirjasto"}, {"c4ca", "aino"}, {"unknown"}} {
				for _, offset := range []int{0, 19_990} {
					f := tableFilter{language: "fi", stages: stages, sort: sort, words: words, limit: 10, offset: offset}
					b.Run(fmt.Sprintf("%s/%v/%v/%d", sort, stages, words, offset), func(b *testing.B) {
						var worst time.Duration
						for b.Loop() {
							began := time.Now()
							if _, _, err := table(b.Context(), db, f); err != nil {
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
}
