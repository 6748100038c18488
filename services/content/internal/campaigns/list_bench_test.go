//go:build unix

package campaigns

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/migrations"
)

func benchQueries() []struct {
	name string
	query
} {
	base := query{language: "fi", stages: []int{2}, limit: 24, sort: SortNewest}
	changed := func(change func(*query)) query {
		q := base
		change(&q)
		return q.normal()
	}
	all := []int{1, 2, 3, 4, 5, 6}
	return []struct {
		name string
		query
	}{
		{"standard", base},
		{"v2", changed(func(q *query) { q.sort, q.stages = sortOpenFirst, []int{2, 3, 4} })},
		{"v6", changed(func(q *query) { q.sort, q.stages = sortMixed, []int{2, 6} })},
		{"all_stages", changed(func(q *query) { q.stages = all })},
		{"most_funded", changed(func(q *query) { q.sort = SortMostFunded })},
		{"ending", changed(func(q *query) { q.sort = SortEnding })},
		{"popular", changed(func(q *query) { q.sort = SortPopular })},
		{"far", changed(func(q *query) { q.offset = 5000 })},
		{"category", changed(func(q *query) { q.categories = []int64{3} })},
		{"category_v6", changed(func(q *query) { q.sort, q.stages, q.categories = sortMixed, []int{2, 6}, []int64{3} })},
		{"tag_common", changed(func(q *query) { q.tags = []int64{1} })},
		{"tag_rare", changed(func(q *query) { q.tags = []int64{200} })},
		{"tags_all_stages", changed(func(q *query) { q.tags, q.stages = []int64{1, 2, 3}, all })},
		{"excluded_tags", changed(func(q *query) { q.excludedTags = []int64{1, 2} })},
		{"word_rare", changed(func(q *query) { q.words = []string{"4242"} })},
		{"word_unknown", changed(func(q *query) { q.words = []string{"zyxwv"} })},
		{"word_some", changed(func(q *query) { q.words = []string{"sauna"} })},
		{"word_common", changed(func(q *query) { q.words = []string{"kampanja"} })},
		{"word_common_all", changed(func(q *query) { q.words, q.stages = []string{"kampanja"}, all })},
		{"word_short", changed(func(q *query) { q.words = []string{"ka"} })},
		{"word_short_unknown", changed(func(q *query) { q.words = []string{"qz"} })},
		{"two_words", changed(func(q *query) { q.words = []string{"kampanja", "sauna"} })},
		{"word_unknown_all", changed(func(q *query) { q.words, q.stages = []string{"kampanjax"}, all })},
		{"combined", changed(func(q *query) {
			q.sort, q.stages, q.categories, q.tags, q.excludedTags, q.words = SortPopular, []int{2, 3, 4}, []int64{3, 4}, []int64{1, 5}, []int64{2}, []string{"sauna"}
		})},
		{"combined_rare", changed(func(q *query) {
			q.sort, q.stages, q.categories, q.tags = SortMostFunded, all, []int64{3}, []int64{150}
		})},
	}
}

func TestBench(t *testing.T) {
	d := dbtest.New(t, migrations.FS)
	db := d.Gorm
	begun := time.Now()
	bulk.FillLists(t, db, 100_000)
	t.Logf("filled in %v; %s", time.Since(begun), d.URL)
	fmt.Println("URL", d.URL)
	for {
		if _, err := os.Stat("/tmp/bench.go.on"); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	for _, maxTotal = range []int{10_000, 1000} {
		t.Log(maxTotal)
		measure(t, db)
	}
}

func measure(t *testing.T, db *gorm.DB) {
	now := time.Now()
	for _, q := range benchQueries() {
		line := fmt.Sprintf("%-20s", q.name)
		for _, part := range []string{"page", "total"} {
			sql, params := q.page(now)
			if part == "total" {
				sql, params = q.total(now)
			}
			var times []time.Duration
			var n int
			for range 10 {
				begun := time.Now()
				if part == "page" {
					var out []string
					if err := db.Raw(sql, params).Scan(&out).Error; err != nil {
						t.Fatal(err)
					}
					n = len(out)
				} else if err := db.Raw(sql, params).Scan(&n).Error; err != nil {
					t.Fatal(err)
				}
				times = append(times, time.Since(begun))
			}
			line += fmt.Sprintf(" %s n=%d first %.1f ms, custom %.1f ms, late %.1f ms;", part, n, ms(times[0]), ms(min(times[1], times[2], times[3])), ms(min(times[7], times[8], times[9])))
		}
		t.Log(line)
		if e := os.Getenv("EXPLAIN"); e != "" && (e == "all" || strings.Contains(","+e+",", ","+q.name+",")) {
			for _, part := range []string{"page", "total"} {
				sql, params := q.page(now)
				if part == "total" {
					sql, params = q.total(now)
				}
				var lines []string
				db.Raw("EXPLAIN (ANALYZE, BUFFERS) "+sql, params).Scan(&lines)
				t.Log(part + "\n" + strings.Join(lines, "\n"))
			}
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
