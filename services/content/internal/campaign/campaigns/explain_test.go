//go:build unix

package campaigns

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/contenttest/bulk"
)

// plan explains a statement and lists the growing tables that it scans sequentially.
func plan(t *testing.T, db *gorm.DB, statement string, params map[string]any) (scanned []string, text string) {
	t.Helper()
	var lines []string
	if err := db.Raw("EXPLAIN "+statement, params).Scan(&lines).Error; err != nil {
		t.Fatal(err)
	}
	text = strings.Join(lines, "\n")
	return bulk.ReadWhole(text), text
}

// explained runs a list's statement as the driver prepares it, and returns the plan that PostgreSQL gives.
func explained(t *testing.T, db *gorm.DB, planCacheMode, explain string, s statement) (answer string) {
	t.Helper()
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := conn.Raw(func(driver any) (err error) {
		answer, err = explainOn(t.Context(), driver.(interface{ Conn() *pgx.Conn }).Conn(), planCacheMode, explain, s)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return answer
}

func explainOn(ctx context.Context, conn *pgx.Conn, planCacheMode, explain string, s statement) (string, error) {
	text, args, err := s.params.RewriteQuery(ctx, conn, s.sql, nil)
	if err != nil {
		return "", err
	}
	for _, set := range []string{"SET plan_cache_mode = " + planCacheMode, "PREPARE listed AS " + text} {
		if _, err := conn.Exec(ctx, set); err != nil {
			return "", fmt.Errorf("%s: %w", set, err)
		}
	}
	var holders []string
	for n := range args {
		holders = append(holders, fmt.Sprintf("$%d", n+1))
	}
	rows, err := conn.Query(ctx, explain+" EXECUTE listed("+strings.Join(holders, ", ")+")",
		append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	if err != nil {
		return "", err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "DEALLOCATE listed; RESET plan_cache_mode")
	return strings.Join(lines, "\n"), err
}

// lookAt is the budget of walks in these tests.
const lookAt = 1000

// statements are those that a query may need.
func (q query) statements(now time.Time) map[string]statement {
	walk := q.walk(now, lookAt)
	switch {
	case q.isSmallSet():
		return map[string]statement{"pick": q.pick(now)}
	case len(q.words) > 0:
		return map[string]statement{"sample": q.sample(), "walk": walk, "pick": q.pick(now)}
	}
	return map[string]statement{"walk": q.walk(now, q.end())}
}

func TestLists_ReadNoGrowingTableWhole(t *testing.T) {
	db := bulk.New(t)
	if err := db.Exec(`INSERT INTO front_page_picks (campaign_id, position) SELECT id, id FROM campaigns WHERE stage = 2 ORDER BY id LIMIT 5`).Error; err != nil {
		t.Fatal(err)
	}
	base := query{language: "fi", stages: []int64{2}, limit: 24, sort: SortNewest}
	changed := func(change func(*query)) query {
		q := base
		change(&q)
		return q
	}
	for name, q := range map[string]query{
		"standard":     base,
		"ending":       changed(func(q *query) { q.sort = SortEnding }),
		"most funded":  changed(func(q *query) { q.sort = SortMostFunded }),
		"popular":      changed(func(q *query) { q.sort = SortPopular }),
		"front page":   changed(func(q *query) { q.sort, q.limit = SortFrontPage, 10 }),
		"v2":           changed(func(q *query) { q.sort, q.stages = sortOpenFirst, []int64{2, 3, 4} }),
		"v6":           changed(func(q *query) { q.sort, q.stages = sortMixed, []int64{2, 6} }),
		"all stages":   changed(func(q *query) { q.stages = []int64{1, 2, 3, 4, 5, 6} }),
		"far":          changed(func(q *query) { q.offset = 500 }),
		"category":     changed(func(q *query) { q.categories = []int64{3} }),
		"tags":         changed(func(q *query) { q.tags, q.excludedTags = []int64{7, 8}, []int64{9} }),
		"both":         changed(func(q *query) { q.tags, q.categories = []int64{7, 8}, []int64{3, 4} }),
		"many of both": changed(func(q *query) { q.tags, q.categories = make([]int64, 50), make([]int64, 50) }),
		"ids":          changed(func(q *query) { q.campaignIDs = []int64{2, 9, 16, 23} }),
		"keyword":      changed(func(q *query) { q.words = []string{"numero", "4242"} }),
		"keyword in v6": changed(func(q *query) {
			q.sort, q.stages, q.words, q.excludedTags = sortMixed, []int64{2, 6}, []string{"numero"}, []int64{9}
		}),
		"my campaigns":  changed(func(q *query) { q.sort, q.stages, q.teamMember = sortLatest, []int64{0, 1, 2, 3, 4, 5, 6}, 17 }),
		"longest limit": changed(func(q *query) { q.limit = 300 }),
	} {
		t.Run(name, func(t *testing.T) {
			for part, s := range q.statements(time.Now()) {
				for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
					text := explained(t, db, mode, "EXPLAIN", s)
					if scanned := bulk.ReadWhole(text); len(scanned) > 0 {
						t.Errorf("%s with %s reads %v whole:\n%s", part, mode, scanned, text)
					}
				}
			}
		})
	}
}

type planNode struct {
	ActualRows  float64 `json:"Actual Rows"`
	ActualLoops float64 `json:"Actual Loops"`
	Removed     float64 `json:"Rows Removed by Filter"`
	Plans       []planNode
}

// mostRows is the largest number of rows that a node of the plan has read.
func (n planNode) mostRows() float64 {
	most := (n.ActualRows + n.Removed) * n.ActualLoops
	for _, p := range n.Plans {
		most = max(most, p.mostRows())
	}
	return most
}

func TestLists_StopWhereTheTotalAndThePageEnd(t *testing.T) {
	db := bulk.NewLists(t, 12_000) // of which 3,600 seek funds, some 1,600 of them with tag 1, 300 in category 3, 130 in both
	base := query{language: "fi", stages: []int64{2}, limit: 24, sort: SortNewest}
	for _, tt := range []struct {
		name   string
		change func(*query)
		most   float64
	}{
		{"standard", func(*query) {}, 101},
		{"ending", func(q *query) { q.sort = SortEnding }, 101},
		{"most funded", func(q *query) { q.sort = SortMostFunded }, 101},
		{"popular", func(q *query) { q.sort = SortPopular }, 101},
		{"front page", func(q *query) { q.sort = SortFrontPage }, 101},
		{"v2", func(q *query) { q.sort, q.stages = sortOpenFirst, []int64{2, 3, 4} }, 3 * 101},
		{"v6", func(q *query) { q.sort, q.stages = sortMixed, []int64{2, 6} }, 4 * 101},
		{"all stages", func(q *query) { q.stages = []int64{1, 2, 3, 4, 5, 6} }, 6 * 101},
		{"far", func(q *query) { q.offset = 500 }, 525},
		{"tag", func(q *query) { q.tags = []int64{1} }, 101},
		{"tags", func(q *query) { q.tags = []int64{1, 2} }, 2 * 101},
		{"category", func(q *query) { q.categories = []int64{3} }, 101},
		{"category in v6", func(q *query) { q.categories, q.sort, q.stages = []int64{3}, sortMixed, []int64{2, 6} }, 4 * 101},
		{"tag and category", func(q *query) { q.tags, q.categories, q.sort = []int64{1}, []int64{3}, SortPopular }, 101},
		{"excluded tags", func(q *query) { q.excludedTags = []int64{1, 2} }, 3 * 101},
		{"word in all", func(q *query) { q.words = []string{"kampanja"} }, lookAt},
		{"word in some", func(q *query) { q.words = []string{"sauna"} }, lookAt},
		{"word in none", func(q *query) { q.words = []string{"zyxwv"} }, lookAt},
		{"word in all of a tag", func(q *query) { q.words, q.tags, q.sort = []string{"kampanja"}, []int64{1}, SortMostFunded }, lookAt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := base
			tt.change(&q)
			walk := q.walk(time.Now(), q.end())
			if len(q.words) > 0 {
				walk = q.walk(time.Now(), lookAt)
			}
			for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
				text := explained(t, db, mode, "EXPLAIN (ANALYZE, FORMAT JSON)", walk)
				var plans []struct{ Plan planNode }
				if err := json.Unmarshal([]byte(text), &plans); err != nil {
					t.Fatal(err)
				}
				if most := plans[0].Plan.mostRows(); most > tt.most || most < 24 {
					t.Errorf("%s reads %v rows, want at most %v:\n%s", mode, most, tt.most, text)
				}
			}
		})
	}
	t.Run("the index gives few campaigns for a rare word", func(t *testing.T) {
		q := base
		q.words = []string{"numero", "4242"}
		var plans []struct{ Plan planNode }
		if err := json.Unmarshal([]byte(explained(t, db, "force_generic_plan", "EXPLAIN (ANALYZE, FORMAT JSON)", q.pick(time.Now()))), &plans); err != nil {
			t.Fatal(err)
		}
		if most := plans[0].Plan.mostRows(); most > 10 {
			t.Errorf("%v rows", most)
		}
	})
}

func TestPageAndBackers_ReadNoGrowingTableWhole(t *testing.T) {
	db := bulk.New(t)
	params := map[string]any{"id": 42, "language": "sv", "user": 17, "limit": 24, "offset": 0}
	for name, statement := range map[string]string{"page": pageSQL, "backers": backersSQL, "supporters": supportersSQL, "access": accessSQL} {
		if scanned, text := plan(t, db, statement, params); len(scanned) > 0 {
			t.Errorf("%s reads %v whole:\n%s", name, scanned, text)
		}
	}
}

func TestTable_ReadsNoGrowingTableWhole(t *testing.T) {
	db := bulk.New(t)
	for sort := range tableOrders {
		for _, f := range []tableFilter{
			{}, {stages: []int64{2}}, {stages: []int64{1, 2, 6}}, {isAscending: true, offset: 500}, {words: []string{"4242"}},
			{words: []string{"aino"}, stages: []int64{2}}, {words: []string{"aino"}, stages: []int64{1, 2, 6}},
		} {
			f.language, f.sort, f.limit = "fi", sort, 10
			ctx, ran := dbx.CountStatements(t.Context())
			if _, _, err := table(ctx, db, f); err != nil {
				t.Fatal(err)
			}
			if got := len(ran.List()); got != 2 {
				t.Errorf("%+v: %d statements", f, got)
			}
			bulk.MustNotReadWhole(t, db, ran.List())
		}
	}
}
