package campaigns

import "slices"

// Sort is the order of a list. Every order ends with the campaign's id, so it is total and pages never overlap.
type Sort string

// The orders of lists.
const (
	SortNewest     Sort = "newest"      // by the first funding day, latest first
	SortEnding     Sort = "ending"      // by the deadline, soonest first; those past it are left out
	SortMostFunded Sort = "most_funded" // by confirmed money
	SortPopular    Sort = "popular"     // by the sum of likes and backers
	SortFrontPage  Sort = "front_page"  // what staff have chosen for the home page, then as popular
	sortOpenFirst  Sort = "open_first"  // by stage, then newest
	sortMixed      Sort = "mixed"       // random, the same for a day
	sortLatest     Sort = "latest"      // by id, latest first
)

// query is one list with its filters, order and page.
type query struct {
	language      string
	stages        []int64 // sorted, without repeats; none gives an empty list
	categories    []int64
	tags          []int64
	excludedTags  []int64
	campaignIDs   []int64
	words         []string // of keywords.Words
	teamMember    int64    // 0 is everyone's campaigns
	sort          Sort
	limit, offset int
}

// normalised sorts the ids, and removes repeated ones and tags that are excluded.
func (q query) normalised() query {
	for _, ids := range []*[]int64{&q.stages, &q.categories, &q.tags, &q.excludedTags, &q.campaignIDs} {
		*ids = slices.Clone(*ids)
		slices.Sort(*ids)
		*ids = slices.Compact(*ids)
	}
	if len(q.tags) > 0 {
		q.tags = slices.DeleteFunc(q.tags, func(id int64) bool { return slices.Contains(q.excludedTags, id) })
		if len(q.tags) == 0 { // every wanted tag is excluded: an empty list
			q.stages = nil
		}
	}
	if q.sort == SortFrontPage && (q.isFiltered() || q.isSmallSet() || len(q.words) > 0) {
		q.sort = SortPopular
	}
	return q
}

func (q query) isFiltered() bool { return len(q.categories)+len(q.tags)+len(q.excludedTags) > 0 }
