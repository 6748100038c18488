package campaigns

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/content/internal/discovery/frontpage"
	"talkoot.fi/content/internal/discovery/keywords"
)

const (
	// exactTotal is the largest total that is counted exactly. A list is read that far, or to the end of its page, plus
	// one campaign.
	exactTotal = 100
	// samplePages is the number of disk pages that a search samples of campaign_search, with some 50 campaigns each.
	samplePages = 20
	// pickCost is how many times as much a campaign costs when the trigram index finds it as when the walk compares it.
	pickCost = 2
	// maxBudget bounds the campaigns that a search compares on its walk, in all branches together.
	maxBudget = 24_000
	// maxPairs is the largest number of (tag, category) pairs that are walked one by one; above it each tag is walked and
	// the categories are filtered.
	maxPairs = 60
)

// order is the SQL of a sort.
type order struct {
	key  string // of campaign_listings
	by   string // the index's columns after tag, category and stage
	over string // the same order over the columns k (the key) and campaign_id
}

// orderOf gives a sort's order. Indexes: campaign_listings_newest, _ending, _most_funded, _popular, _mixed; latest
// needs none: it is for the few campaigns of one person.
func orderOf(s Sort) order {
	switch s {
	case SortEnding:
		return order{"funding_deadline", "funding_deadline, campaign_id", "k, campaign_id"}
	case SortMostFunded:
		return order{"funding_reached_minor", "funding_reached_minor DESC, campaign_id DESC", "k DESC, campaign_id DESC"}
	case SortPopular, SortFrontPage:
		return order{"popularity", "popularity DESC, campaign_id DESC", "k DESC, campaign_id DESC"}
	case sortMixed:
		return order{"hashint8(campaign_id)", "hashint8(campaign_id), campaign_id", "k, campaign_id"}
	case sortLatest:
		return order{"0", "campaign_id DESC", "campaign_id DESC"}
	case SortNewest, sortOpenFirst:
	}
	return order{"funding_start", "funding_start DESC NULLS LAST, campaign_id DESC", "k DESC NULLS LAST, campaign_id DESC"}
}

// statement is SQL with its named parameters. The text depends on which filters are set, never on their values, so
// that PostgreSQL can reuse the prepared plan.
type statement struct {
	sql    string
	params pgx.NamedArgs
}

// branches are the index ranges that together make up a list, as parallel columns: tag and category (0 for any),
// stage, and for the mixed order the range of hashes. All of a lower rank comes before all of a higher one.
type branches struct{ tags, categories, stages, ranks, lows, highs []int64 }

func (b *branches) add(tag, category, stage, rank, low, high int64) {
	b.tags, b.categories, b.stages = append(b.tags, tag), append(b.categories, category), append(b.stages, stage)
	b.ranks, b.lows, b.highs = append(b.ranks, rank), append(b.lows, low), append(b.highs, high)
}

// branches splits a list into ranges of its sort's index. The mixed order goes through the hashes of the ids like a
// ring, from a start that changes daily.
func (q query) branches(now time.Time) (b branches) {
	categories := q.categories
	if q.tooManyPairs() {
		categories = nil
	}
	for _, tag := range orAny(q.tags) {
		for _, category := range orAny(categories) {
			for _, stage := range q.stages {
				switch q.sort {
				case sortMixed:
					start := int64(ringStart(now))
					b.add(tag, category, stage, 0, start, math.MaxInt32)
					b.add(tag, category, stage, 1, math.MinInt32, start-1)
				case sortOpenFirst:
					b.add(tag, category, stage, openRank(stage), 0, 0)
				case SortNewest, SortEnding, SortMostFunded, SortPopular, SortFrontPage, sortLatest:
					b.add(tag, category, stage, 0, 0, 0)
				}
			}
		}
	}
	return b
}

// openRank puts monthly campaigns, which are open, among those in funding.
func openRank(stage int64) int64 {
	if Stage(stage) == StageRecurring {
		return int64(StageFunding)
	}
	return stage
}

func (q query) tooManyPairs() bool { return len(q.tags)*len(q.categories) > maxPairs }

// orAny returns the ids of a filter, and 0 (any) when it is empty.
func orAny(ids []int64) []int64 {
	if len(ids) == 0 {
		return []int64{0}
	}
	return ids
}

// ringStart is the hash at which the mixed order begins on a day (UTC).
func ringStart(now time.Time) int32 {
	day := now.UTC().Unix() / int64((24 * time.Hour).Seconds())
	// Multiplying by the golden ratio in 64 bits spreads consecutive days over the ring (Knuth, vol. 3, 6.4).
	return int32(uint32((uint64(day) * 0x9E3779B97F4A7C15) >> 32)) //nolint:gosec // the bits are what is wanted
}

// end is how far a list is read: one campaign beyond exactTotal and beyond the page, which tells whether there are
// more.
func (q query) end() int { return max(exactTotal, q.offset+q.limit) + 1 }

// pageEnd is how far a search walks, where reading on is expensive: one campaign beyond the page.
func (q query) pageEnd() int { return q.offset + q.limit + 1 }

// budget estimates from known how many campaigns a walk has to compare to fill the page. It is 0 when the trigram
// index is cheaper, as it is for rare words.
func (q query) budget(now time.Time, known found) int {
	if known.Total == 0 {
		return 0
	}
	enough := known.Looked * q.pageEnd() / known.Total
	hits := known.All * known.Total / known.Looked
	budget := max(exactTotal, 2*enough) // twice, because words are not spread evenly
	if enough > pickCost*hits || budget > maxBudget/len(q.branches(now).tags) {
		return 0
	}
	return budget
}

// sample is the statement that estimates how common a search's words are, from random pages of campaign_search.
func (q query) sample() statement {
	s := statement{params: pgx.NamedArgs{"language": q.language}}
	s.sql = fmt.Sprintf(`
		SELECT looked, total, CAST(looked * greatest(1, pages / %[1]d) AS bigint) AS "all", '' AS previews
		FROM (SELECT pg_relation_size(CAST('campaign_search_' || @language AS regclass)) / 8192.0 AS pages) size
		CROSS JOIN LATERAL (
			SELECT count(*) AS looked, count(*) FILTER (WHERE %[2]s) AS total
			FROM campaign_search TABLESAMPLE SYSTEM (100 * least(1, %[1]d / greatest(1, (
				SELECT pg_relation_size(CAST('campaign_search_' || @language AS regclass)) / 8192.0))))
			WHERE language = @language) sampled`, samplePages, q.containsWords(&s))
	return s
}

// walk is the statement that reads the index range of each branch in the list's order. With words it compares at most
// length campaigns, and returns in looked how many it has compared.
//
// The branches are passed as subqueries, which hides their number from the planner; otherwise it would make a new plan
// for each query. OFFSET 0 keeps the planner from moving a condition: it is checked campaign by campaign, in order,
// until there are enough.
func (q query) walk(now time.Time, length int) statement {
	o, b := orderOf(q.sort), q.branches(now)
	s := statement{params: pgx.NamedArgs{"tags": b.tags, "categories": b.categories, "stages": b.stages, "ranks": b.ranks}}
	arrays := "(SELECT CAST(@tags AS bigint[])), (SELECT CAST(@categories AS bigint[])), " +
		"(SELECT CAST(@stages AS bigint[])), (SELECT CAST(@ranks AS bigint[]))"
	columns := "tag, category, stage, rank"
	conditions := []string{"tag_id = b.tag", "category_id = b.category", "stage = b.stage"}
	if q.sort == sortMixed {
		arrays += ", (SELECT CAST(@lows AS bigint[])), (SELECT CAST(@highs AS bigint[]))"
		columns += ", low, high"
		conditions = append(conditions, "hashint8(campaign_id) BETWEEN b.low AND b.high")
		s.params["lows"], s.params["highs"] = b.lows, b.highs
	}
	if q.sort == SortEnding {
		conditions = append(conditions, "funding_deadline >= @now")
		s.params["now"] = now
	}
	if len(q.words) == 0 && len(q.excludedTags) > 0 {
		conditions = append(conditions, q.lacksTags(&s))
	}
	if q.tooManyPairs() {
		conditions = append(conditions, `EXISTS (SELECT FROM campaign_listings c WHERE c.campaign_id = l.campaign_id AND c.tag_id = 0
			AND c.category_id = ANY (CAST(@filter AS bigint[])) OFFSET 0)`)
		s.params["filter"] = q.categories
	}
	end := q.bound(&s, "end", length)
	found := fmt.Sprintf(`SELECT DISTINCT b.rank, l.k, l.campaign_id
			FROM unnest(%s) AS b (%s)
			CROSS JOIN LATERAL (SELECT %s AS k, campaign_id FROM campaign_listings l WHERE %s ORDER BY %s LIMIT %s) l
			ORDER BY rank, %s LIMIT %s`, arrays, columns, o.key, strings.Join(conditions, " AND "), o.by, end, o.over, end)
	if q.sort == SortFrontPage {
		s.params["now"] = now
		s.sql = fmt.Sprintf(pickedFirst, found, end) + q.answer(&s, o, "0")
		return s
	}
	if len(q.words) == 0 {
		s.sql = "WITH found AS MATERIALIZED (" + found + ")" + q.answer(&s, o, "0")
		return s
	}
	matches := q.hasWords(&s)
	if len(q.excludedTags) > 0 {
		matches += " AND " + q.lacksTags(&s)
	}
	s.params["enough"] = q.pageEnd()
	s.sql = fmt.Sprintf(`WITH walked AS MATERIALIZED (%s), found AS MATERIALIZED (
			SELECT l.* FROM (SELECT * FROM walked ORDER BY rank, %s) l WHERE %s LIMIT @enough)`, found, o.over, matches) +
		q.answer(&s, o, "(SELECT count(*) FROM walked)")
	return s
}

// pickedFirst puts what staff have chosen for the home page before a list, which has no ranks, and ends the list where it
// ended before.
const pickedFirst = `WITH picked AS MATERIALIZED (
		SELECT p.campaign_id, p.position FROM front_page_picks p CROSS JOIN LATERAL (
			SELECT stage, funding_deadline FROM campaign_listings l
			WHERE l.campaign_id = p.campaign_id AND l.tag_id = 0 AND l.category_id = 0 LIMIT 1) l
		WHERE l.stage = ANY (CAST(@stages AS bigint[])) AND coalesce(l.funding_deadline >= @now, true) AND ` + frontpage.Shown + `),
	listed AS MATERIALIZED (%[1]s),
	found AS MATERIALIZED (
		SELECT position - 1000 AS rank, 0 AS k, campaign_id FROM picked
		UNION ALL SELECT rank, k, campaign_id FROM listed WHERE campaign_id NOT IN (SELECT campaign_id FROM picked)
		ORDER BY rank, k DESC, campaign_id DESC LIMIT %[2]s)`

// pick is the statement that first finds a small set of campaigns (by ids, by team member, or by the trigram index)
// and then filters and sorts it.
func (q query) pick(now time.Time) statement {
	o := orderOf(q.sort)
	s := statement{params: pgx.NamedArgs{"tags": orAny(q.tags), "categories": orAny(q.categories),
		"stages": q.stages}}
	conditions := []string{"l.campaign_id = hits.campaign_id", "tag_id = ANY (CAST(@tags AS bigint[]))",
		"category_id = ANY (CAST(@categories AS bigint[]))", "stage = ANY (CAST(@stages AS bigint[]))"}
	if q.sort == SortEnding {
		conditions = append(conditions, "funding_deadline >= @now")
		s.params["now"] = now
	}
	if len(q.excludedTags) > 0 {
		conditions = append(conditions, q.lacksTags(&s))
	}
	var hits string
	switch {
	case q.teamMember != 0:
		hits = "SELECT campaign_id FROM campaign_team WHERE user_id = @member"
		s.params["member"] = q.teamMember
		if len(q.campaignIDs) > 0 {
			conditions = append(conditions, "l.campaign_id = ANY (CAST(@ids AS bigint[]))")
			s.params["ids"] = q.campaignIDs
		}
	case len(q.campaignIDs) > 0:
		hits = "SELECT unnest(CAST(@ids AS bigint[])) AS campaign_id"
		s.params["ids"] = q.campaignIDs
	default:
		hits = "SELECT campaign_id FROM campaign_search WHERE language = @language AND " + q.containsWords(&s)
	}
	if len(q.words) > 0 && q.isSmallSet() {
		conditions = append(conditions, q.hasWords(&s))
	}
	rank := "0"
	switch q.sort {
	case sortMixed:
		rank = "CASE WHEN hashint8(campaign_id) < @start THEN 1 ELSE 0 END"
		s.params["start"] = ringStart(now)
	case sortOpenFirst:
		rank = "CASE WHEN stage = 6 THEN 2 ELSE stage END" // as openRank
	case SortNewest, SortEnding, SortMostFunded, SortPopular, SortFrontPage, sortLatest:
	}
	s.sql = fmt.Sprintf(`WITH hits AS MATERIALIZED (%s), found AS MATERIALIZED (
			SELECT DISTINCT l.rank, l.k, l.campaign_id FROM hits
			CROSS JOIN LATERAL (SELECT %s AS rank, %s AS k, campaign_id FROM campaign_listings l WHERE %s OFFSET 0) l
			ORDER BY rank, %s LIMIT %s)`, hits, rank, o.key, strings.Join(conditions, " AND "), o.over, q.bound(&s, "end", q.end())) +
		q.answer(&s, o, "0")
	return s
}

// isSmallSet reports whether the ids or the team member limit a query to a small set.
func (q query) isSmallSet() bool { return q.teamMember != 0 || len(q.campaignIDs) > 0 }

// lacksTags is the condition that the campaign of row l has none of the excluded tags. The bounds are for PostgreSQL
// before 17, which otherwise reads all tags of a campaign for a list of them.
func (q query) lacksTags(s *statement) string {
	s.params["excluded"], s.params["lowest"], s.params["highest"] = q.excludedTags, slices.Min(q.excludedTags), slices.Max(q.excludedTags)
	return `NOT EXISTS (SELECT FROM campaign_tags g WHERE g.campaign_id = l.campaign_id
			AND g.tag_id BETWEEN @lowest AND @highest AND g.tag_id = ANY (CAST(@excluded AS bigint[])) OFFSET 0)`
}

// bound writes the most common limit as a literal, which the planner can use; others are parameters.
func (q query) bound(s *statement, name string, value int) string {
	if value == exactTotal+1 {
		return fmt.Sprint(value)
	}
	s.params[name] = value
	return "@" + name
}

// hasWords is the condition that the campaign of row l contains all words; it reads campaign_search by primary key.
func (q query) hasWords(s *statement) string {
	s.params["language"] = q.language
	return "EXISTS (SELECT FROM campaign_search s WHERE s.campaign_id = l.campaign_id AND s.language = @language AND " +
		q.containsWords(s) + " OFFSET 0)"
}

// containsWords is the condition that the column search contains all words. The index campaign_search_trigrams serves it.
func (q query) containsWords(s *statement) string {
	return strings.Join(keywords.Conditions("search", q.words, s.params), " AND ")
}

// answer completes a statement whose CTE found has the beginning of a list: it counts it, and reads the page's
// previews by primary key, joined by commas.
func (q query) answer(s *statement, o order, looked string) string {
	s.params["language"], s.params["limit"], s.params["offset"] = q.language, q.limit, q.offset
	return fmt.Sprintf(`
		SELECT %[1]s AS looked, (SELECT count(*) FROM found) AS total, 0 AS "all", coalesce((
			SELECT string_agg(CAST(v.preview AS text), ',' ORDER BY rank, %[2]s)
			FROM (SELECT rank, k, campaign_id AS id FROM found ORDER BY rank, %[2]s LIMIT @limit OFFSET @offset) page
			CROSS JOIN LATERAL (SELECT preview, campaign_id FROM campaign_previews WHERE campaign_id = page.id AND language = @language) v
		), '') AS previews`, looked, o.over)
}
