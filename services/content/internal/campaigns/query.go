package campaigns

import (
	"slices"
	"strings"
	"unicode"
)

// Sort is the order of a list. Every order ends with the campaign's id, so it is total and pages never overlap.
type Sort string

// The orders of lists.
const (
	SortNewest     Sort = "newest"      // by the first funding day, latest first
	SortEnding     Sort = "ending"      // by the deadline, soonest first; those past it are left out
	SortMostFunded Sort = "most_funded" // by confirmed money
	SortPopular    Sort = "popular"     // by the sum of likes and backers
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
	words         []string // each must occur
	teamMember    int64    // 0 is everyone's campaigns
	sort          Sort
	limit, offset int
}

// maxWords bounds the cost of a keyword; of a longer one the first words count.
const maxWords = 8

// wordsOf splits a keyword into the words that must occur, in lower case and without repeats. Control characters
// separate words, as spaces do; words without a letter or digit are left out.
func wordsOf(keyword string) []string {
	words := strings.FieldsFunc(strings.ToLower(strings.ToValidUTF8(keyword, " ")), func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 })
	words = slices.DeleteFunc(words, func(word string) bool { return !strings.ContainsFunc(word, alphanumeric) })
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxWords)]
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// substringOf is the substring to search for a word. The trigram index serves three letters or digits in a row anywhere,
// fewer only at the beginning of a word.
func substringOf(word string) string {
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
	return q
}
