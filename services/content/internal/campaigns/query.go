package campaigns

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/lib/pq"
)

// Sort is the order of a list. Every order ends with the campaign's id, so it is total and pages never overlap.
type Sort string

// The orders of lists.
const (
	SortNewest     Sort = "newest"      // by the first funding day, latest first
	SortEnding     Sort = "ending"      // by the deadline, soonest first; those past it are left out
	SortMostFunded Sort = "most_funded" // by confirmed money
	SortPopular    Sort = "popular"     // by likes and backers together
	sortOpenFirst  Sort = "open_first"  // by stage, then newest
	sortMixed      Sort = "mixed"       // by chance, stable for a day
	sortLatest     Sort = "latest"      // by id, latest first
)

// query is one list that can be asked for.
type query struct {
	language      string
	stages        []int // sorted, without repeats; none gives an empty list
	categories    []int64
	tags          []int64
	excludedTags  []int64
	campaignIDs   []int64
	words         []string // each must occur
	teamMember    int64    // 0 is everyone's campaigns
	sort          Sort
	limit, offset int
}

// maxWords bounds what a keyword can cost; a longer one matches by its first words.
const maxWords = 8

// maxTotal is where counting ends, so that its cost is bounded.
const maxTotal = 1000

// wordsOf splits a keyword into the words that must occur, in lower case and without repeats. Control characters part
// words, as spaces do; what has neither letters nor digits is no word.
func wordsOf(keyword string) []string {
	words := strings.FieldsFunc(strings.ToLower(strings.ToValidUTF8(keyword, " ")), func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 })
	words = slices.DeleteFunc(words, func(word string) bool { return !strings.ContainsFunc(word, alphanumeric) })
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxWords)]
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// wanted is what a text has to contain for a word. The index finds three letters or digits in a row anywhere, fewer only
// where a word begins.
func wanted(word string) string {
	run := 0
	for _, r := range word {
		if run++; !alphanumeric(r) {
			run = 0
		}
		if run == 3 {
			return word
		}
	}
	return " " + word
}

// normal brings a query to the form that equal ones share.
func (q query) normal() query {
	for _, ids := range []*[]int64{&q.categories, &q.tags, &q.excludedTags, &q.campaignIDs} {
		*ids = slices.Clone(*ids)
		slices.Sort(*ids)
		*ids = slices.Compact(*ids)
	}
	q.stages = slices.Clone(q.stages)
	slices.Sort(q.stages)
	q.stages = slices.Compact(q.stages)
	return q
}

// filterKey names the rows that a query lists, whatever their order and page; at is the moment for orders that leave
// something out by it.
func (q query) filterKey() string {
	return fmt.Sprint(q.language, q.stages, q.categories, q.tags, q.excludedTags, q.campaignIDs, q.teamMember, q.sort == SortEnding) +
		fmt.Sprintf("%q", q.words)
}

// key names the query's answer.
func (q query) key() string { return fmt.Sprint(q.filterKey(), q.sort, q.limit, q.offset) }

// containsWord matches the column search against a word: folded like the column first, so that wildcards which folding
// brings are escaped too. The trigram index campaign_previews_search serves it.
const containsWord = `search LIKE '%%' || regexp_replace(searchable(@word%d), '([\\%%_])', '\\\1', 'g') || '%%'`

// where is the condition that a query's rows fulfil, stages apart, and its parameters.
func (q query) where(now time.Time) (string, map[string]any) {
	conditions := []string{"language = @language"}
	params := map[string]any{"language": q.language}
	arrays := []struct {
		name, condition string
		ids             []int64
	}{
		{"categories", "category_ids && CAST(@categories AS bigint[])", q.categories},
		{"tags", "tag_ids && CAST(@tags AS bigint[])", q.tags},
		{"excluded", "NOT tag_ids && CAST(@excluded AS bigint[])", q.excludedTags},
		{"ids", "campaign_id = ANY (CAST(@ids AS bigint[]))", q.campaignIDs},
	}
	for _, a := range arrays {
		if len(a.ids) > 0 {
			conditions = append(conditions, a.condition)
			params[a.name] = pq.Int64Array(a.ids)
		}
	}
	for i, word := range q.words {
		conditions = append(conditions, fmt.Sprintf(containsWord, i))
		params[fmt.Sprintf("word%d", i)] = wanted(word)
	}
	if q.teamMember != 0 {
		conditions = append(conditions, "campaign_id IN (SELECT campaign_id FROM campaign_team WHERE user_id = @member)")
		params["member"] = q.teamMember
	}
	if q.sort == SortEnding {
		conditions = append(conditions, "funding_deadline >= @now")
		params["now"] = now
	}
	return strings.Join(conditions, " AND "), params
}

// order is how a sort reads its index.
type order struct {
	key  string // what to select as k
	by   string // the index's columns after language and stage
	over string // the same over k and campaign_id
}

// orderOf gives a sort's order. Indexes: campaign_previews_newest, _ending, _most_funded, _popular, _mixed.
func orderOf(s Sort) order {
	switch s {
	case SortEnding:
		return order{"funding_deadline AS k", "funding_deadline, campaign_id", "k, campaign_id"}
	case SortMostFunded:
		return order{"funding_reached_minor AS k", "funding_reached_minor DESC, campaign_id DESC", "k DESC, campaign_id DESC"}
	case SortPopular:
		return order{"popularity AS k", "popularity DESC, campaign_id DESC", "k DESC, campaign_id DESC"}
	case sortMixed:
		return order{"hashint8(campaign_id) AS k", "hashint8(campaign_id), campaign_id", "k, campaign_id"}
	case sortLatest:
		return order{"0 AS k", "campaign_id DESC", "campaign_id DESC"}
	case SortNewest, sortOpenFirst:
	}
	return order{"funding_start AS k", "funding_start DESC NULLS LAST, campaign_id DESC", "k DESC NULLS LAST, campaign_id DESC"}
}

// branch is a part of a list that one range of an index gives in order.
type branch struct {
	rank      int // branches of a lower rank come first as a whole
	condition string
}

// branches parts a list so that each part is a range of its sort's index, which begins with language and stage. The
// mixed order is a ring of the ids' hashes, entered at a place that the day decides: a list of a million has the cost of
// a short one, and tomorrow it begins elsewhere.
func (q query) branches() []branch {
	if q.teamMember != 0 { // a person's few campaigns come by the index of the team
		return []branch{{0, "stage IN @stages"}}
	}
	var list []branch
	for _, stage := range q.stages {
		in := fmt.Sprintf("stage = %d", stage)
		switch q.sort {
		case sortMixed:
			list = append(list, branch{0, in + " AND hashint8(campaign_id) >= @start"}, branch{1, in + " AND hashint8(campaign_id) < @start"})
		case sortOpenFirst:
			list = append(list, branch{stage, in})
		case SortNewest, SortEnding, SortMostFunded, SortPopular, sortLatest:
			list = append(list, branch{0, in})
		}
	}
	return list
}

// page is the statement that gives the ready texts of a query's page in order. Each branch reads no more of its index than
// the page needs, ids first; the texts come by primary key for the rows of the page alone.
func (q query) page(now time.Time) (string, map[string]any) {
	where, params := q.where(now)
	params["stages"], params["limit"], params["offset"], params["enough"] = q.stages, q.limit, q.offset, q.limit+q.offset
	if q.sort == sortMixed {
		params["start"] = ringStart(now)
	}
	o := orderOf(q.sort)
	var parts []string
	for _, b := range q.branches() {
		parts = append(parts, fmt.Sprintf("(SELECT %d AS rank, %s, campaign_id FROM campaign_previews WHERE %s AND %s ORDER BY %s LIMIT @enough)",
			b.rank, o.key, where, b.condition, o.by))
	}
	return `WITH page AS MATERIALIZED (
			SELECT rank, k, campaign_id FROM (` + strings.Join(parts, " UNION ALL ") + `) parts
			ORDER BY rank, ` + o.over + ` LIMIT @limit OFFSET @offset)
		SELECT (SELECT v.preview FROM campaign_previews v WHERE v.campaign_id = page.campaign_id AND v.language = @language) AS preview
		FROM page ORDER BY rank, ` + o.over, params
}

// countEnds is where counting ends: after maxTotal, or just after the page when that is further, so that a reader can
// tell whether there is another one.
func (q query) countEnds() int { return max(maxTotal, q.offset+q.limit+1) }

// total is the statement that counts what a query lists on all its pages, up to countEnds.
func (q query) total(now time.Time) (string, map[string]any) {
	where, params := q.where(now)
	params["stages"] = q.stages
	// The bound is written out because the planner reckons a parameter as a tenth of all rows.
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT FROM campaign_previews WHERE stage IN @stages AND %s LIMIT %d) counted`, where, q.countEnds()), params
}

// ringStart is where the mixed order begins on the day of a moment (UTC).
func ringStart(now time.Time) int32 {
	day := now.UTC().Unix() / int64((24 * time.Hour).Seconds())
	// Multiplying by the golden ratio in 64 bits spreads following days over the ring (Knuth, vol. 3, 6.4).
	return int32(uint32((uint64(day) * 0x9E3779B97F4A7C15) >> 32)) //nolint:gosec // the bits are what is wanted
}
