package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
)

// group is a partition of search_documents.
type group int

// The groups, in the order in which they are shown.
const (
	ofOpen group = iota
	ofMonthly
	ofComing
	ofEnded
	ofCreators
	ofExperiments
)

// names are the groups' in the contract, in their order.
func names() []api.SearchGroupName {
	return []api.SearchGroupName{api.SearchOpen, api.SearchMonthly, api.SearchComing, api.SearchEnded, api.SearchCreators, api.SearchExperiments}
}

const (
	// mostCounted is how many hits of a group are counted and ordered; more than that nobody looks through.
	mostCounted = 200
	// mostOfAll is how many of everything are counted.
	mostOfAll = 1000
	// mostPlaces is how many places there are to choose from.
	mostPlaces = 50
	// sampled is how many documents of each group a sample has.
	sampled = 50
	// walked is how many documents of each group are looked through for words that are common.
	walked = 500
	// common is one in how many documents have a word that is common.
	common = 5
	// enough is how many hits a walk has to find; fewer may not be the best ones.
	enough = 50
)

// query is one search.
type query struct {
	language      string
	words         []word
	place         string // empty for anywhere
	group         group  // whose hits are wanted; -1 for all groups'
	limit, offset int
	isCommon      []bool     // of each word, once it is known
	isFilter      []bool     // of each word, whether the index is asked about the others only
	having        [][]string // of each word, once they are known: the words of documents that have it
}

// counted is how many hits a group has, or at least has.
type counted struct {
	Total  int
	IsMore bool
}

// found is what a search has found.
type found struct {
	totals map[group]counted
	ids    map[group][]int64
	places []api.SearchPlace
}

// total is how many hits there are in all, and whether it is less than there are.
func (f found) total() (sum int, isMore bool) {
	for _, of := range f.totals {
		sum += of.Total
		isMore = isMore || of.IsMore
	}
	return sum, isMore
}

// find searches by the index of the place and of the words that a sample shows to be rare. An index would name most of what there is
// for common words: when there is nothing else, it looks through the newest of each group, and only then by the index.
func (q *query) find(ctx context.Context, db *gorm.DB) (found, error) {
	if q.isCommon == nil { // else everywhere has been searched before
		var err error
		if q.isCommon, err = q.sample(ctx, db); err != nil {
			return found{}, err
		}
	}
	q.isFilter = q.isCommon
	if q.place == "" && !slices.Contains(q.isCommon, false) {
		q.isFilter = make([]bool, len(q.words))
		f, err := q.read(ctx, db, eachGroup(q.walk()))
		if sum, isMore := f.total(); err != nil || sum >= enough || !isMore {
			return f, err
		}
	}
	if q.having == nil {
		var err error
		if q.having, err = vocabulary(ctx, db, q.words); err != nil {
			return found{}, err
		}
	}
	f, err := q.read(ctx, db, eachGroup(q.indexed("title_stems"), q.indexed("stems")))
	if slices.ContainsFunc(q.having, func(words []string) bool { return len(words) == mostHaving }) {
		for of, total := range f.totals {
			f.totals[of] = counted{total.Total, true}
		}
	}
	return f, err
}

// sample says which words are common.
func (q *query) sample(ctx context.Context, db *gorm.DB) (isCommon []bool, err error) {
	type row struct{ Common []bool }
	var words []string
	for i := range q.words {
		words = append(words, "count(*) FILTER (WHERE "+has("search", "stems", i)+`) * `+strconv.Itoa(common)+` > count(*)`)
	}
	rows, err := dbx.Select[row](ctx, db, "SELECT ARRAY["+strings.Join(words, ", ")+"] AS common FROM ("+eachGroup(newest(sampled))+") d", q.params())
	if err != nil {
		return nil, fmt.Errorf("sample a search: %w", err)
	}
	return rows[0].Common, nil
}

// read reads the hits that a statement has, their totals and places.
func (q *query) read(ctx context.Context, db *gorm.DB, hits string) (f found, err error) {
	type row struct{ Totals, Hits, Places json.RawMessage }
	rows, err := dbx.Select[row](ctx, db, "WITH hits AS MATERIALIZED (SELECT DISTINCT grp, subject_id, place, regions, cost, is_more FROM ("+hits+") parts)"+toldSQL, q.params())
	if err != nil {
		return f, fmt.Errorf("search: %w", err)
	}
	var ids [][2]int64
	for _, part := range []struct {
		encoded json.RawMessage
		to      any
	}{{rows[0].Totals, &f.totals}, {rows[0].Hits, &ids}, {rows[0].Places, &f.places}} {
		if err := json.Unmarshal(part.encoded, part.to); err != nil {
			return f, fmt.Errorf("decode hits: %w", err)
		}
	}
	f.ids = map[group][]int64{}
	for _, hit := range ids {
		f.ids[group(hit[0])] = append(f.ids[group(hit[0])], hit[1])
	}
	return f, nil
}

// toldSQL makes of the hits how many there are of each group, a page of each and where they are.
const toldSQL = `
	SELECT (SELECT coalesce(jsonb_object_agg(grp, jsonb_build_object('Total', least(total, CAST(@most AS bigint) - 1), 'IsMore', is_more OR total >= CAST(@most AS bigint))), '{}')
	        FROM (SELECT grp, count(*) AS total, bool_or(is_more) AS is_more FROM hits GROUP BY grp) counted) AS totals,
	       (SELECT coalesce(jsonb_agg(jsonb_build_array(grp, subject_id) ORDER BY grp, n), '[]') FROM (
	           SELECT grp, subject_id, row_number() OVER (PARTITION BY grp ORDER BY cost, subject_id DESC) AS n FROM hits
	           WHERE CAST(@group AS int) IN (-1, grp)) ranked
	        WHERE n > CAST(@offset AS bigint) AND n <= CAST(@offset AS bigint) + CAST(@limit AS bigint)) AS hits,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('place', place, 'label', label, 'is_region', is_region, 'total', total)
	            ORDER BY is_region DESC, total DESC, place), '[]') FROM (
	           (SELECT g.fi AS place, CASE CAST(@language AS text) WHEN 'fi' THEN g.fi WHEN 'sv' THEN g.sv ELSE g.en END AS label, true AS is_region, count(*) AS total
	            FROM hits CROSS JOIN unnest(hits.regions) AS region JOIN regions g ON g.key = region GROUP BY g.key)
	           UNION ALL (SELECT place, place_in(place, CAST(@language AS text)), false, count(*) FROM hits
	            WHERE place <> '' GROUP BY place ORDER BY 4 DESC, place LIMIT @places)) placed) AS places`

// params are the values of a search's statements. Their text depends on the number of words alone, and values are hidden from the
// planner, so that PostgreSQL reuses its plans.
func (q *query) params() pgx.NamedArgs {
	params := pgx.NamedArgs{"language": q.language, "group": int(q.group), "limit": q.limit, "offset": q.offset, "most": mostCounted + 1,
		"phrase": "% " + textOf(q.words) + " %", "places": mostPlaces, "place": q.place}
	for i, w := range q.words {
		pattern := w.pattern()
		params[fmt.Sprintf("stems%d", i)], params[fmt.Sprintf("like%d", i)], params[fmt.Sprintf("within%d", i)] = w.Stems, pattern.like, pattern.within
		if q.having != nil {
			params[fmt.Sprintf("having%d", i)] = slices.Concat(w.Stems, q.having[i])
		}
	}
	return params
}

// has is the condition that a document d has a word in a column, or in its column of stems. No index serves it.
func has(column, stems string, i int) string {
	return fmt.Sprintf("(d.%[2]s && (SELECT CAST(@stems%[3]d AS text[])) OR d.%[1]s LIKE (SELECT CAST(@like%[3]d AS text)) AND regexp_like(d.%[1]s, (SELECT CAST(@within%[3]d AS text))))",
		column, stems, i)
}

// indexedConditions are that a document has all words, in the place: by the index of a column of stems, except for words that are
// filters. In titles no word is common.
func (q *query) indexedConditions(stems string) string {
	var all []string
	for i := range q.words {
		condition := fmt.Sprintf("d.%s && (SELECT CAST(@having%d AS text[]))", stems, i)
		if q.isFilter[i] && stems == "stems" {
			condition = has("search", stems, i) + " IS TRUE"
		}
		all = append(all, condition)
	}
	if q.place != "" {
		all = append(all, "d.stems && (SELECT search_marked(ARRAY[searchable(CAST(@place AS text))]))")
	}
	return strings.Join(all, " AND ")
}

// cost orders the hits: the words in the title before elsewhere, and whole before in a compound.
func (q *query) cost() string {
	costs := []string{"CASE WHEN d.title LIKE (SELECT CAST(@phrase AS text)) THEN -1 ELSE 0 END"}
	for i := range q.words {
		stems := fmt.Sprintf("(SELECT CAST(@stems%d AS text[]))", i)
		costs = append(costs, "CASE WHEN d.title_stems && "+stems+" THEN 0 WHEN "+has("title", "title_stems", i)+" THEN 1 WHEN d.stems && "+stems+" THEN 3 ELSE 4 END")
	}
	return strings.Join(costs, " + ")
}

// indexed are the hits of a group by a column of stems, at most so many that there are more than are counted.
func (q *query) indexed(stems string) string {
	return `(SELECT d.grp, d.subject_id, d.place, d.regions, ` + q.cost() + ` AS cost, false AS is_more FROM search_documents d
		WHERE d.grp = %[1]d AND ` + q.indexedConditions(stems) + ` LIMIT @most)`
}

// walk are the hits among the newest of a group.
func (q *query) walk() string {
	conditions := make([]string, len(q.words))
	for i := range q.words {
		conditions[i] = has("search", "stems", i)
	}
	return `(SELECT d.grp, d.subject_id, d.place, d.regions, ` + q.cost() + ` AS cost, d.looked = ` + strconv.Itoa(walked) + ` AS is_more
		FROM (SELECT *, count(*) OVER () AS looked FROM ` + newest(walked) + ` n) d WHERE ` + strings.Join(conditions, " AND ") + `)`
}

// newest are the latest documents of a group.
func newest(count int) string {
	return `(SELECT * FROM search_documents WHERE grp = %[1]d ORDER BY subject_id DESC LIMIT ` + strconv.Itoa(count) + `)`
}

// eachGroup is statements for each of the groups, together.
func eachGroup(statements ...string) string {
	var all []string
	for g := range len(names()) {
		for _, statement := range statements {
			all = append(all, fmt.Sprintf(statement, g))
		}
	}
	return strings.Join(all, " UNION ALL ")
}

// everything is how many campaigns, creators and experiments there are to be found, by group.
func everything(ctx context.Context, db *gorm.DB) (map[group]counted, error) {
	type row struct{ Grp, Total int }
	rows, err := dbx.Select[row](ctx, db, eachGroup(
		`SELECT %[1]d AS grp, count(*) AS total FROM (SELECT FROM search_documents WHERE grp = %[1]d LIMIT @most) documents`),
		pgx.NamedArgs{"most": mostOfAll + 1})
	if err != nil {
		return nil, fmt.Errorf("count what there is to be found: %w", err)
	}
	totals := map[group]counted{}
	for _, r := range rows {
		totals[group(r.Grp)] = counted{min(r.Total, mostOfAll), r.Total > mostOfAll}
	}
	return totals, nil
}
