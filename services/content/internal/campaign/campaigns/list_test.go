//go:build unix

package campaigns_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// listed is a campaign of the reference implementation.
type listed struct {
	id              int64
	stage           campaigns.Stage
	category        int64
	tags            []int64
	title           string
	start, deadline time.Time
	reached         int64
	popularity      int
}

// someCampaigns makes random campaigns, many with the same values so that ties have to be broken.
func someCampaigns(w *contenttest.World, r *rand.Rand, count int) (list []listed, categories, tags []int64) {
	creator := w.Person("Reijo")
	for i := range 3 {
		categories = append(categories, w.Category(fmt.Sprintf("c%d", i)))
		tags = append(tags, w.Tag(fmt.Sprintf("t%d", i)), w.Tag(fmt.Sprintf("u%d", i)))
	}
	titles := []string{"Järven 100% ranta", "Kylän sauna", "Sauna järvellä", "Metsän_polku", "ÅNGBÅT på sjön"}
	today := contenttest.Start
	for range count {
		var c listed
		c.stage, c.category = campaigns.Stage(r.IntN(7)), categories[r.IntN(3)]
		for _, tag := range tags {
			if r.IntN(3) == 0 {
				c.tags = append(c.tags, tag)
			}
		}
		c.title = titles[r.IntN(len(titles))]
		first, last := today.AddDate(0, 0, -r.IntN(6)), today.AddDate(0, 0, r.IntN(8)-3)
		// Helsinki is at UTC+2 on all of these days.
		day := 24 * time.Hour
		c.start, c.deadline = first.Truncate(day).Add(-2*time.Hour), last.Truncate(day).Add(22*time.Hour-time.Second)
		change := campaigns.TotalsChange{ReachedMinor: int64(r.IntN(4)) * 100, Backers: r.IntN(3), Likes: r.IntN(2)}
		c.reached, c.popularity = change.ReachedMinor, change.Backers+change.Likes
		c.id = w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: c.category, TagIDs: c.tags, TeamUserIDs: []int64{creator},
			FirstDay: campaigns.DayOf(first), LastDay: campaigns.DayOf(last), Texts: map[string]campaigns.Text{"fi": {Title: c.title}}}, c.stage)
		w.Tx(func(ctx context.Context, tx *gorm.DB) error {
			_, err := campaigns.AddToTotals(ctx, tx, c.id, campaigns.Backing{}, change)
			return err
		})
		list = append(list, c)
	}
	return list, categories, tags
}

func idsOf(w *contenttest.World, path string, query url.Values) (list []int64, total int) {
	var answer api.CampaignPreviewsAnswer
	w.Get(path+"?"+query.Encode(), 0).JSON(&answer)
	for _, p := range answer.Previews {
		list = append(list, p.CampaignID)
	}
	return list, answer.Total
}

// reference is a slow and simple implementation of lists.
func reference(all []listed, keep func(listed) bool, sort string) (list []int64) {
	kept := slices.Clone(all)
	kept = slices.DeleteFunc(kept, func(c listed) bool {
		return !keep(c) || c.stage == campaigns.StageDraft || sort == "ending" && c.deadline.Before(contenttest.Start)
	})
	slices.SortFunc(kept, func(a, b listed) int {
		switch sort {
		case "ending":
			return cmp.Or(a.deadline.Compare(b.deadline), cmp.Compare(a.id, b.id))
		case "most_funded":
			return cmp.Or(cmp.Compare(b.reached, a.reached), cmp.Compare(b.id, a.id))
		case "popular":
			return cmp.Or(cmp.Compare(b.popularity, a.popularity), cmp.Compare(b.id, a.id))
		case "open_first":
			rank := func(c listed) campaigns.Stage { // monthly campaigns are open
				if c.stage == campaigns.StageRecurring {
					return campaigns.StageFunding
				}
				return c.stage
			}
			return cmp.Or(cmp.Compare(rank(a), rank(b)), b.start.Compare(a.start), cmp.Compare(b.id, a.id))
		}
		return cmp.Or(b.start.Compare(a.start), cmp.Compare(b.id, a.id))
	})
	for _, c := range kept {
		list = append(list, c.id)
	}
	return list
}

func text(list []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

func TestLists_FilterAndSortLikeTheReference(t *testing.T) {
	w := contenttest.New(t)
	r := rand.New(rand.NewPCG(1, 2))
	all, categories, tags := someCampaigns(w, r, 120)

	for i := range 250 {
		stages := map[int]bool{}
		query := url.Values{"limit": {"300"}}
		if r.IntN(2) == 0 {
			var list []int64
			for range 1 + r.IntN(4) {
				s := r.IntN(7)
				stages[s] = true
				list = append(list, int64(s))
			}
			query.Set("stages", text(list))
		} else {
			stages[2] = true
		}
		some := func(name string, from []int64) (chosen []int64) {
			if r.IntN(3) != 0 {
				return nil
			}
			for range 1 + r.IntN(2) {
				chosen = append(chosen, from[r.IntN(len(from))])
			}
			query.Set(name, text(chosen))
			return chosen
		}
		inCategories, inTags, notTags := some("categories", categories), some("tags", tags), some("excluded_tags", tags)
		var inIDs []int64
		if r.IntN(6) == 0 {
			for range 30 {
				inIDs = append(inIDs, all[r.IntN(len(all))].id)
			}
			query.Set("campaign_ids", text(inIDs))
		}
		// keyword and the text that the title must contain
		keywords := [][2]string{{"", ""}, {"jarvi", "\x00"}, {"JÄRVE", "järve"}, {"  sauna ", "sauna"}, {"100%", "100%"}, {"tsan_p", "tsän_p"}, {"sa_na", "\x00"}, {"s%a", "\x00"}, {"& sauna !", "sauna"}, {"%", ""}, {"ky", "ky"}, {"Kä", "\x00"}, {"angbat", "ångbåt"}}
		keyword := [2]string{}
		if r.IntN(2) == 0 {
			keyword = keywords[r.IntN(len(keywords))]
			query.Set("keyword", keyword[0])
		}
		sort := []string{"", "newest", "ending", "most_funded", "popular"}[r.IntN(5)]
		if sort != "" {
			query.Set("sort", sort)
		}
		overlap := func(wanted, has []int64) bool {
			return slices.ContainsFunc(wanted, func(id int64) bool { return slices.Contains(has, id) })
		}
		want := reference(all, func(c listed) bool {
			return stages[int(c.stage)] && (inCategories == nil || slices.Contains(inCategories, c.category)) &&
				(inTags == nil || overlap(inTags, c.tags)) && !overlap(notTags, c.tags) && (inIDs == nil || slices.Contains(inIDs, c.id)) &&
				strings.Contains(strings.ToLower(c.title), keyword[1])
		}, sort)
		got, total := idsOf(w, "/campaigns/preview/en/", query)
		if !slices.Equal(got, want) || total != len(want) {
			t.Fatalf("%d: %s\n got %v of %d\nwant %v of %d", i, query.Encode(), got, total, want, len(want))
		}
		w.Advance(2 * time.Millisecond) // so that repeated queries are not the same moment
	}
}

func TestLists_EachVariantListsItsStages(t *testing.T) {
	w := contenttest.New(t)
	all, _, _ := someCampaigns(w, rand.New(rand.NewPCG(3, 4)), 60)
	in := func(stages ...campaigns.Stage) func(listed) bool {
		return func(c listed) bool { return slices.Contains(stages, c.stage) }
	}
	everything := in(0, 1, 2, 3, 4, 5, 6)
	for _, tt := range []struct {
		path string
		keep func(listed) bool
		sort string
	}{
		{"/campaigns/preview/fi/", in(2), "newest"},
		{"/v2/campaigns/preview/fi/", in(2, 3, 4), "open_first"},
		{"/campaigns/preview/fi/most_funded/", in(2), "most_funded"},
		{"/campaigns/preview/subscriptions/fi/", in(6), "newest"},
		{"/v2/campaigns/preview/preparing/fi/", in(1), "newest"},
		{"/v3/campaigns/preview/preparing/fi/", in(1), "newest"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			want := reference(all, tt.keep, tt.sort)
			if got, total := idsOf(w, tt.path, url.Values{"limit": {"300"}}); !slices.Equal(got, want) || total != len(want) {
				t.Errorf("got %v of %d, want %v", got, total, want)
			}
			// Asking for every stage never shows a draft.
			asked := everything
			if strings.Contains(tt.path, "preparing") || strings.Contains(tt.path, "subscriptions") {
				asked = tt.keep
			}
			got, _ := idsOf(w, tt.path, url.Values{"limit": {"300"}, "stages": {"0,1,2,3,4,5,6"}})
			want = reference(all, asked, tt.sort)
			if !slices.Equal(got, want) {
				t.Errorf("all stages: got %v, want %v", got, want)
			}
			if got, total := idsOf(w, tt.path, url.Values{"stages": {"0"}}); len(got) != 0 || total != 0 {
				t.Errorf("drafts: %v of %d", got, total)
			}
		})
	}
}

func TestLists_PagesNeverOverlapAndMakeUpTheWhole(t *testing.T) {
	w := contenttest.New(t)
	someCampaigns(w, rand.New(rand.NewPCG(5, 6)), 60)
	for _, path := range []string{"/campaigns/preview/fi/", "/v2/campaigns/preview/fi/", "/v6/campaigns/preview/fi/"} {
		for _, sort := range []string{"", "newest", "ending", "most_funded", "popular"} {
			query := url.Values{"limit": {"300"}, "stages": {"1,2,3,4,5,6"}}
			if sort != "" {
				query.Set("sort", sort)
			}
			whole, total := idsOf(w, path, query)
			if len(whole) != total || total < 20 {
				t.Fatalf("%s %s: %d of %d", path, sort, len(whole), total)
			}
			var paged []int64
			for offset := 0; offset <= total; offset += 7 {
				query.Set("limit", "7")
				query.Set("offset", fmt.Sprint(offset))
				page, n := idsOf(w, path, query)
				if n != total {
					t.Errorf("%s %s: the page at %d says %d in all, want %d", path, sort, offset, n, total)
				}
				paged = append(paged, page...)
			}
			if !slices.Equal(paged, whole) {
				t.Errorf("%s %s: pages %v, whole %v", path, sort, paged, whole)
			}
		}
	}
}

func TestMixedList_KeepsItsOrderForADayAndChangesItTheNext(t *testing.T) {
	w := contenttest.New(t)
	all, _, _ := someCampaigns(w, rand.New(rand.NewPCG(7, 8)), 60)
	read := func() []int64 {
		list, _ := idsOf(w, "/v6/campaigns/preview/fi/", url.Values{"limit": {"300"}})
		return list
	}
	morning := read()
	w.Advance(11 * time.Hour)
	if evening := read(); !slices.Equal(evening, morning) {
		t.Errorf("evening %v, morning %v", evening, morning)
	}
	w.Advance(2 * time.Hour)
	tomorrow := read()
	if slices.Equal(tomorrow, morning) {
		t.Error("the next day has the same order")
	}
	want := reference(all, func(c listed) bool { return c.stage == 2 || c.stage == 6 }, "newest")
	slices.Sort(want)
	slices.Sort(tomorrow)
	if !slices.Equal(tomorrow, want) {
		t.Errorf("members %v, want %v", tomorrow, want)
	}
	stages := map[int64]campaigns.Stage{}
	for _, c := range all {
		stages[c.id] = c.stage
	}
	changes := 0
	for i := range morning[1:] {
		if stages[morning[i]] != stages[morning[i+1]] {
			changes++
		}
	}
	if changes < 3 {
		t.Errorf("monthly campaigns stand apart: %v", morning)
	}
}

func TestKeyword_NeedsEveryWordWithoutAccentsAndCase(t *testing.T) {
	w := contenttest.New(t)
	category, creator := w.Category("c"), w.Person("Reijo")
	open := func(title, description string) int64 {
		return w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, LastDay: "2026-12-01",
			Texts: map[string]campaigns.Text{"fi": {Title: title, ShortDescription: description}}}, campaigns.StageFunding)
	}
	lake, raft, percent := open("Kaunis JÄRVI", "Ranta kaikille"), open("Lautta", "Järven yli, 50 hengelle"), open("Sata 50% alella", "a\\b")
	for keyword, want := range map[string][]int64{
		"jarvi": {lake}, "järvi": {lake}, "JARV": {raft, lake}, "ranta jarvi": {lake}, "jarvi lautta": nil, "50%": {percent},
		"50": {percent, raft}, "5_%": nil, "a\\b": {percent}, "\\": {percent, raft, lake}, "５０": {percent, raft}, "\x00\x01": {percent, raft, lake},
		strings.Repeat("a ", 50): {percent}, "lell": {percent}, "al": {percent}, "el": nil, "jar lautta": {raft},
	} {
		got, total := idsOf(w, "/campaigns/preview/fi/", url.Values{"keyword": {keyword}})
		if !slices.Equal(got, want) || total != len(want) {
			t.Errorf("%q: %v of %d, want %v", keyword, got, total, want)
		}
	}
}
