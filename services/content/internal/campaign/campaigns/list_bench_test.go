//go:build unix

package campaigns

import (
	"testing"
	"time"

	"talkoot.fi/content/internal/contenttest/bulk"
)

type namedQuery struct {
	name string
	query
}

func benchQueries() []namedQuery {
	base := query{language: "fi", stages: []int64{2}, limit: 24, sort: SortNewest}
	changed := func(change func(*query)) query {
		q := base
		change(&q)
		return q.normalised()
	}
	all := []int64{1, 2, 3, 4, 5, 6}
	return []namedQuery{
		{"standard", base},
		{"v2", changed(func(q *query) { q.sort, q.stages = sortOpenFirst, []int64{2, 3, 4} })},
		{"v6", changed(func(q *query) { q.sort, q.stages = sortMixed, []int64{2, 6} })},
		{"all_stages", changed(func(q *query) { q.stages = all })},
		{"most_funded", changed(func(q *query) { q.sort = SortMostFunded })},
		{"ending", changed(func(q *query) { q.sort = SortEnding })},
		{"popular", changed(func(q *query) { q.sort = SortPopular })},
		{"far", changed(func(q *query) { q.offset = 5000 })},
		{"category", changed(func(q *query) { q.categories = []int64{3} })},
		{"category_v6", changed(func(q *query) { q.sort, q.stages, q.categories = sortMixed, []int64{2, 6}, []int64{3} })},
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
			q.sort, q.stages, q.categories, q.tags, q.excludedTags, q.words = SortPopular, []int64{2, 3, 4}, []int64{3, 4}, []int64{1, 5}, []int64{2}, []string{"sauna"}
		})},
		{"combined_rare", changed(func(q *query) {
			q.sort, q.stages, q.categories, q.tags = SortMostFunded, all, []int64{3}, []int64{150}
		})},
	}
}

// BenchmarkLists reads pages of 24 with their totals, among 100,000 campaigns in three languages.
func BenchmarkLists(b *testing.B) {
	db := bulk.NewLists(b, 100_000)
	for _, q := range benchQueries() {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := readList(b.Context(), db, q.query, time.Now()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
