//go:build unix

package taxonomy_test

import (
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

func TestCategoriesAndTags_OfAListAreThoseThatItHas_WithHowMany(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Aino")
	categories := []int64{w.Category("a"), w.Category("b"), w.Category("c")}
	tags := []int64{w.Tag("p"), w.Tag("q"), w.Tag("r"), w.Tag("s")}
	open := func(stage campaigns.Stage, category int64, with ...int64) {
		w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TagIDs: with, TeamUserIDs: []int64{creator},
			FirstDay: campaigns.DayOf(contenttest.Start), LastDay: campaigns.DayOf(contenttest.Start.AddDate(0, 0, 9)),
			Texts: map[string]campaigns.Text{"fi": {Title: "T"}}}, stage)
	}
	open(campaigns.StageFunding, categories[0], tags[0], tags[1])
	open(campaigns.StageRecurring, categories[1], tags[0])
	open(campaigns.StageSucceeded, categories[1], tags[2])
	open(campaigns.StageDraft, categories[2], tags[3])

	for query, want := range map[string]string{
		"categories/?stages=2,6":                                                       "a fi 1, b fi 1",
		"categories/?stages=3":                                                         "b fi 1",
		fmt.Sprintf("categories/?stages=2,6&tags=%d", tags[1]):                         "a fi 1",
		fmt.Sprintf("categories/?stages=2,3&excluded_tags=%d", tags[1]):                "b fi 1",
		"tags/?stages=2,6":                                                             "p fi 2, q fi 1",
		fmt.Sprintf("tags/?stages=2,6&categories=%d,%d", categories[0], categories[1]): "p fi 2, q fi 1",
		fmt.Sprintf("tags/?stages=2,6&categories=%d", categories[1]):                   "p fi 1",
		// A tag that is left out is still offered, so that it can be taken back.
		fmt.Sprintf("tags/?stages=2,6&excluded_tags=%d", tags[1]): "p fi 1, q fi 1",
		"tags/?stages=5": "",
	} {
		var answer struct {
			Categories []api.Category
			Tags       []api.Tag
		}
		got := w.Get("/campaigns/"+query+"&language=fi", 0)
		got.JSON(&answer)
		var offered []string
		for _, c := range answer.Categories {
			offered = append(offered, fmt.Sprintf("%s %d", c.Label, *c.Campaigns))
		}
		for _, tag := range answer.Tags {
			offered = append(offered, fmt.Sprintf("%s %d", tag.Label, *tag.Campaigns))
		}
		if text := strings.Join(offered, ", "); text != want || len(got.Statements) != 1 {
			t.Errorf("%s: %s in %d statements, want %s", query, text, len(got.Statements), want)
		}
	}
}
