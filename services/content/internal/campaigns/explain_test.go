//go:build unix

package campaigns

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/migrations"
)

// plan explains a statement and lists the growing tables that it reads from one end to the other.
func plan(t *testing.T, db *gorm.DB, statement string, params map[string]any) (scanned []string, text string) {
	t.Helper()
	var lines []string
	if err := db.Raw("EXPLAIN "+statement, params).Scan(&lines).Error; err != nil {
		t.Fatal(err)
	}
	text = strings.Join(lines, "\n")
	return bulk.ReadWhole(text), text
}

func TestLists_ReadNoGrowingTableWhole(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	bulk.Fill(t, db)
	now := time.Now()
	base := query{language: "fi", stages: []int{2}, limit: 24, sort: SortNewest}
	changed := func(change func(*query)) query {
		q := base
		change(&q)
		return q
	}
	queries := map[string]query{
		"standard":      base,
		"ending":        changed(func(q *query) { q.sort = SortEnding }),
		"most funded":   changed(func(q *query) { q.sort = SortMostFunded }),
		"popular":       changed(func(q *query) { q.sort = SortPopular }),
		"v2":            changed(func(q *query) { q.sort, q.stages = sortOpenFirst, []int{2, 3, 4} }),
		"v6":            changed(func(q *query) { q.sort, q.stages = sortMixed, []int{2, 6} }),
		"all stages":    changed(func(q *query) { q.stages = []int{1, 2, 3, 4, 5, 6} }),
		"far":           changed(func(q *query) { q.offset = 500 }),
		"category":      changed(func(q *query) { q.categories = []int64{3} }),
		"tags":          changed(func(q *query) { q.tags, q.excludedTags = []int64{7, 8}, []int64{9} }),
		"ids":           changed(func(q *query) { q.campaignIDs = []int64{2, 9, 16, 23} }),
		"keyword":       changed(func(q *query) { q.words = []string{"numero", "4242"} }),
		"my campaigns":  changed(func(q *query) { q.sort, q.stages, q.teamMember = sortLatest, []int{0, 1, 2, 3, 4, 5, 6}, 17 }),
		"longest limit": changed(func(q *query) { q.limit = 300 }),
	}
	for name, q := range queries {
		t.Run(name, func(t *testing.T) {
			for part, statement := range map[string]func(time.Time) (string, map[string]any){"page": q.page, "total": q.total} {
				sql, params := statement(now)
				if scanned, text := plan(t, db, sql, params); len(scanned) > 0 {
					t.Errorf("%s reads %v whole:\n%s", part, scanned, text)
				}
			}
		})
	}
	t.Run("sorted lists stop at the page's end", func(t *testing.T) {
		for _, name := range []string{"standard", "ending", "most funded", "popular", "v2", "v6", "all stages"} {
			sql, params := queries[name].page(now)
			var out string
			if err := db.Raw("EXPLAIN (ANALYZE, FORMAT JSON) "+sql, params).Scan(&out).Error; err != nil {
				t.Fatal(err)
			}
			var plans []struct{ Plan planNode }
			if err := json.Unmarshal([]byte(out), &plans); err != nil {
				t.Fatal(err)
			}
			if most := plans[0].Plan.mostRows(); most > 6*24 {
				t.Errorf("%s reads %v rows for a page of 24:\n%s", name, most, out)
			}
		}
	})
}

type planNode struct {
	ActualRows  float64 `json:"Actual Rows"`
	ActualLoops float64 `json:"Actual Loops"`
	Plans       []planNode
}

func (n planNode) mostRows() float64 {
	most := n.ActualRows * n.ActualLoops
	for _, p := range n.Plans {
		most = max(most, p.mostRows())
	}
	return most
}

func TestPageAndBackers_ReadNoGrowingTableWhole(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	bulk.Fill(t, db)
	params := map[string]any{"id": 42, "language": "sv", "user": 17, "limit": 24, "offset": 0}
	for name, statement := range map[string]string{"page": pageSQL, "backers": backersSQL, "access": accessSQL} {
		if scanned, text := plan(t, db, statement, params); len(scanned) > 0 {
			t.Errorf("%s reads %v whole:\n%s", name, scanned, text)
		}
	}
}

func TestTotal_EndsWhereItSaysAndNeverBeforeTheNextPage(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	bulk.FillLists(t, db, 4000) // of which 1200 seek funds
	h := NewHandlers(db, time.Now)
	for _, tt := range []struct {
		offset, limit int
		tail          string
	}{
		{0, 24, `],"total":1000,"total_is_more":true}`},
		{1000, 24, `],"total":1025,"total_is_more":true}`},
		{1152, 48, `],"total":1200}`},
		{1190, 24, `],"total":1200}`},
	} {
		q := query{language: "fi", stages: []int{2}, sort: SortNewest, offset: tt.offset, limit: tt.limit}
		l, err := h.readList(t.Context(), q)
		if body := strings.TrimSpace(string(l.body)); err != nil || !strings.HasSuffix(body, tt.tail) {
			t.Errorf("at %d: …%s, %v, want …%s", tt.offset, body[max(0, len(body)-50):], err, tt.tail)
		}
	}
}
