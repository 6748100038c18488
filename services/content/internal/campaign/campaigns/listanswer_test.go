//go:build unix

package campaigns_test

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

func TestMyCampaigns_AreThoseOfTheTeamInAllStages(t *testing.T) {
	w := contenttest.New(t)
	category, creator, member := w.Category("c"), w.Person("Creator"), w.Person("Member")
	var want []int64
	for stage := range campaigns.StageRecurring + 1 {
		n := campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, LastDay: "2026-12-01",
			Texts: map[string]campaigns.Text{"fi": {Title: "Oma"}}}
		w.Campaign(n, stage)
		n.TeamUserIDs = append(n.TeamUserIDs, member)
		want = append([]int64{w.Campaign(n, stage)}, want...)
	}
	var answer api.CampaignPreviewsAnswer
	w.Get("/campaigns/mycampaigns/preview/fi/", member).JSON(&answer)
	var got []int64
	for _, p := range answer.Previews {
		got = append(got, p.CampaignID)
	}
	if !slices.Equal(got, want) || answer.Total != 7 {
		t.Errorf("got %v of %d, want %v", got, answer.Total, want)
	}
	w.Get("/campaigns/mycampaigns/preview/fi/?stages=0&sort=newest", member).JSON(&answer)
	if answer.Total != 1 || answer.Previews[0].Stage != 0 {
		t.Errorf("drafts: %+v", answer)
	}
	w.Get("/campaigns/mycampaigns/preview/fi/?limit=3&offset=5", member).JSON(&answer)
	if len(answer.Previews) != 2 || answer.Total != 7 {
		t.Errorf("last page: %d of %d", len(answer.Previews), answer.Total)
	}
	if got := w.Get("/campaigns/mycampaigns/preview/fi/", 0).Status; got != http.StatusUnauthorized {
		t.Errorf("anonymous: %d", got)
	}
}

func TestPreview_SaysWhoIsBehindTheCampaignOrElseTheCreatorsOwnWords(t *testing.T) {
	w := contenttest.New(t)
	category, creator := w.Category("c"), w.Person("Reijo")
	w.Exec(`UPDATE users SET short_description = 'Puuseppä' WHERE id = ?`, creator)
	w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Lautta", AboutCreator: "Kolmas kampanja"}, "sv": {Title: "Flotte"}}}, campaigns.StageFunding)
	for language, want := range map[string]string{"fi": "Kolmas kampanja", "en": "Kolmas kampanja", "sv": "Puuseppä"} {
		var answer api.CampaignPreviewsAnswer
		w.Get("/campaigns/preview/"+language+"/", 0).JSON(&answer)
		if got := answer.Previews[0].Creator.ShortDescription; got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
}

func TestPreview_NamesThePlaceInTheReadersLanguage(t *testing.T) {
	w := contenttest.New(t)
	category, creator := w.Category("c"), w.Person("Reijo")
	for written, want := range map[string]map[string]string{
		"Tampere":   {"fi": "Tampere", "sv": "Tammerfors", "en": "Tampere"},
		"Ekenäs":    {"fi": "Tammisaari", "sv": "Ekenäs", "en": "Ekenäs"},
		"Pielavesi": {"fi": "Pielavesi", "sv": "Pielavesi", "en": "Pielavesi"},
	} {
		id := w.Campaign(campaigns.New{Slug: written, Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, Place: written,
			LastDay: "2026-12-01", Texts: map[string]campaigns.Text{"fi": {Title: "Lautta"}}}, campaigns.StageFunding)
		for language, name := range want {
			if got := page(w, id, language, 0).Campaign.Place; got != name {
				t.Errorf("%s in %s: %q, want %q", written, language, got, name)
			}
		}
	}
}

func TestLists_TakeOneStatementHoweverLongAndSearchesAFew(t *testing.T) {
	w := contenttest.New(t)
	someCampaigns(w, rand.New(rand.NewPCG(9, 10)), 40)
	for path, most := range map[string]int{"/v2/campaigns/preview/fi/?limit=1": 1, "/v2/campaigns/preview/sv/?limit=15&offset=30": 1,
		"/campaigns/preview/sv/?tags=1,2&categories=1,3&excluded_tags=4": 1, "/v6/campaigns/preview/fi/?limit=10&keyword=sauna&sort=popular": 3} {
		if got := w.Get(path, 0).Statements; len(got) == 0 || len(got) > most {
			t.Errorf("%s: %d statements", path, len(got))
		}
	}
}

func TestLists_RefuseParametersOutsideTheContract(t *testing.T) {
	w := contenttest.New(t)
	for _, bad := range []string{"limit=0", "limit=301", "offset=-1", "stages=7", "stages=x", "sort=best", "tags=0", "keyword=" + strings.Repeat("a", 101)} {
		if got := w.Get("/campaigns/preview/fi/?"+bad, 0).Status; got != http.StatusBadRequest && got != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", bad, got)
		}
	}
	if got := w.Get("/campaigns/preview/de/", 0).Status; got < 400 || got >= 500 {
		t.Errorf("language de: %d", got)
	}
}
