//go:build unix

package search_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/writing/changes"
)

// found is what a search finds, as "group number" for each group, and what was searched if it was not what was typed.
func found(t *testing.T, w *contenttest.World, q, more string) string {
	t.Helper()
	var a api.SearchAnswer
	got := w.Get("/v6/search/fi/?q="+url.QueryEscape(q)+more, 0)
	got.JSON(&a)
	if len(got.Statements) > 12 {
		t.Errorf("%q: %d statements", q, len(got.Statements))
	}
	if a.Total == 0 {
		return ""
	}
	var parts []string
	for _, g := range a.Groups {
		parts = append(parts, fmt.Sprintf("%s %d", g.Name, g.Total))
	}
	return strings.Join(parts, ", ")
}

type made struct {
	*contenttest.World
	creator, category int64
}

func world(t *testing.T) made {
	t.Helper()
	w := contenttest.New(t)
	return made{w, w.Person("Rauha"), w.Category("Kirjat")}
}

func (m made) campaign(title, place string, stage campaigns.Stage, tags ...int64) int64 {
	return m.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: m.category, TeamUserIDs: []int64{m.creator}, Place: place, TagIDs: tags,
		FirstDay: campaigns.DayOf(contenttest.Start), LastDay: campaigns.DayOf(contenttest.Start.AddDate(0, 0, 9)),
		Texts: map[string]campaigns.Text{"fi": {Title: title}}}, stage)
}

func TestSearch_FollowsEveryChangeOfACampaign(t *testing.T) {
	m := world(t)
	tag := m.Tag("villa")
	id := m.campaign("Lautta", "Tampere", campaigns.StageDraft, tag)
	if got := found(t, m.World, "lautta", ""); got != "" {
		t.Errorf("a draft: %s", got)
	}
	for _, step := range []struct {
		to   campaigns.Stage
		want string
	}{{campaigns.StagePreparing, "coming 1, creators 1"}, {campaigns.StageFunding, "open 1, creators 1"}, {campaigns.StageSucceeded, "ended 1, creators 1"},
		{campaigns.StageClosed, "ended 1"}} { // a closed one is not on its creator's page, and they are not in the index
		m.Tx(func(ctx context.Context, tx *gorm.DB) error {
			return campaigns.MoveStage(ctx, tx, id, step.to, changes.Actor{Name: "seed"}, m.Now())
		})
		for _, q := range []string{"Lautta", "villa"} {
			want := step.want
			if got := found(t, m.World, q, ""); got != strings.Split(want, ",")[0] {
				t.Errorf("%s in stage %d: %s, want %s", q, step.to, got, want)
			}
		}
		for _, q := range []string{"Rauha", "tampere", "tammerfors"} {
			if got := found(t, m.World, q, ""); got != step.want && q != "Rauha" || q == "Rauha" && got != step.want {
				t.Errorf("%s in stage %d: %s, want %s", q, step.to, got, step.want)
			}
		}
	}
	m.Tx(func(ctx context.Context, tx *gorm.DB) error { return campaigns.RefreshPreviews(ctx, tx, id) })
	if got := found(t, m.World, "Kirjat", ""); got != "ended 1" {
		t.Errorf("its category: %s", got)
	}
}

func TestSearch_FindsACampaignOnHoldWhereItWas(t *testing.T) {
	m := world(t)
	id := m.campaign("Lautta", "Tampere", campaigns.StageFunding)
	m.Tx(func(ctx context.Context, tx *gorm.DB) error {
		if err := tx.Exec(`UPDATE campaigns SET hold = 'on_hold' WHERE id = ?`, id).Error; err != nil {
			return err
		}
		return campaigns.RefreshPreviews(ctx, tx, id)
	})
	if got := found(t, m.World, "lautta", ""); got != "open 1" {
		t.Errorf("found %s", got)
	}
}

func TestSearch_FindsPeopleByWhatTheirPageShows_AndForgetsThem(t *testing.T) {
	m := world(t)
	person := m.Person("Orvokki")
	for _, step := range []struct{ change, want string }{
		{"", ""},
		{"short_description = 'Neuloo'", "creators 1"},
		{"blocked_at = now()", ""},
		{"blocked_at = NULL", "creators 1"},
		{"verified = false", ""},
		{"verified = true", "creators 1"},
		{"first_name = 'Kielo'", ""},
	} {
		if step.change != "" {
			m.Exec("UPDATE users SET "+step.change+" WHERE id = ?", person)
		}
		if got := found(t, m.World, "Orvokki", ""); got != step.want {
			t.Errorf("after %s: %q, want %q", step.change, got, step.want)
		}
	}
	// A name that is nowhere any more is no suggestion for another.
	var left int
	if err := m.DB.Raw(`SELECT count(*) FROM search_vocabulary WHERE word = 'orvokki'`).Scan(&left).Error; err != nil || left != 0 {
		t.Errorf("the name is kept %d times: %v", left, err)
	}
}

func TestSearch_FindsExperimentsThatAreShown(t *testing.T) {
	m := world(t)
	var id int64
	m.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		id, err = experiments.Create(ctx, tx, experiments.New{Slug: "x", Language: "fi", Place: "Oulu", TeamUserIDs: []int64{m.creator},
			ShowIn: map[string]bool{"index": true}, Texts: map[string]experiments.Text{"fi": {Title: "Yökahvila"}}}, m.Now())
		return err
	})
	if got := found(t, m.World, "kahvila", ""); got != "experiments 1" {
		t.Errorf("shown: %q", got)
	}
	admin := m.Person("Ylläpitäjä", "admin")
	if got := m.Patch(fmt.Sprintf("/experiments/%d/settings/", id), `{"show_in": {"index": false}}`, admin); got.Status >= 300 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := found(t, m.World, "kahvila", ""); got != "" {
		t.Errorf("hidden: %q", got)
	}
}

func TestSearch_OfAPlaceSaysHowManyItLeavesOut(t *testing.T) {
	m := world(t)
	m.campaign("Sauna rantaan", "Tampere", campaigns.StageFunding)
	m.campaign("Saunan kiuas", "Oulu", campaigns.StageFunding)
	m.campaign("Sauna mäelle", "Oulu", campaigns.StageRecurring)
	for _, place := range []string{"Tampere", "Tammerfors", "tampere"} {
		var a api.SearchAnswer
		m.Get("/v6/search/sv/?q=sauna&place="+place, 0).JSON(&a)
		if a.Total != 1 || a.Elsewhere == nil || *a.Elsewhere != 2 {
			t.Errorf("%s: %d, elsewhere %v", place, a.Total, a.Elsewhere)
		}
		if !slices.Equal(a.Places, []api.SearchPlace{{Place: "Pohjois-Pohjanmaa", Label: "Norra Österbotten", IsRegion: true, Total: 2},
			{Place: "Pirkanmaa", Label: "Birkaland", IsRegion: true, Total: 1},
			{Place: "Oulu", Label: "Uleåborg", Total: 2}, {Place: "Tampere", Label: "Tammerfors", Total: 1}}) {
			t.Errorf("places: %+v", a.Places)
		}
	}
	var a api.SearchAnswer
	m.Get("/v6/search/fi/?q=sauna&place=Kuopio", 0).JSON(&a)
	if a.Total != 0 || *a.Elsewhere != 3 || len(a.Groups) != 6 {
		t.Errorf("nowhere: %+v", a)
	}
}

func TestSearch_OfARegionFindsWhatIsInItsMunicipalities(t *testing.T) {
	m := world(t)
	titled := m.campaign("Sauna Uudellemaalle", "Turku", campaigns.StageFunding)
	for _, place := range []string{"Espoo", "Kontula, Helsinki", "Ekenäs", "Nilsiä", "Kuopio", "Inari", "Pori", "Vaasa", "Kokkola", "Eckerö", "Kylä jossain"} {
		m.campaign("Sauna", place, campaigns.StageFunding)
	}
	for q, want := range map[string]int{
		"Uusimaa": 4, "uudellamaalla": 4, "UUDENMAAN": 4, "Nyland": 4, "Nylands": 4, "uusim": 4, "sauna uusimaa": 4, "Uusimaa sauna": 4,
		"Pohjois-Savo": 2, "pohjois savossa": 2, "Pohjois-Savoon": 2, "pohjoissavo": 2, "North Savo": 2, "norra savolax": 2, "kuopio pohjois-savo": 1,
		"Lappi": 1, "Lapissa": 1, "lapland": 1, "Lappland": 1, "Satakunta": 1, "satakunnassa": 1, "Pohjanmaa": 1, "Österbotten": 1,
		"Keski-Pohjanmaalla": 1, "Ahvenanmaa": 1, "Åland": 1, "Varsinais-Suomi": 1, "Egentliga Finland": 1,
		// Parts of a region's name are words like others.
		"uusi": 0, "maa": 0, "kunta": 0, "suomi": 0, "keski": 0, "pohja": 0, "savo": 0, "north": 0, "Kainuu": 0, "lapio": 0,
	} {
		var a api.SearchAnswer
		m.Get("/v6/search/fi/?exact=true&q="+url.QueryEscape(q), 0).JSON(&a)
		got := 0
		if a.Total > 0 {
			got = a.Groups[0].Total
		}
		if got != want {
			t.Errorf("%s: %d, want %d", q, got, want)
		}
		if q == "Uusimaa" && (*a.Groups[0].Campaigns)[0].CampaignID != titled {
			t.Error("what has the region in its title is not first")
		}
	}
	for _, place := range []string{"Uusimaa", "Nyland", "nyland"} {
		var a api.SearchAnswer
		m.Get("/v6/search/en/?q=sauna&place="+place, 0).JSON(&a)
		if a.Groups[0].Total != 3 || *a.Elsewhere != 9 {
			t.Errorf("in %s: %+v, elsewhere %v", place, a.Groups[0].Total, *a.Elsewhere)
		}
	}
	var a api.SearchAnswer
	m.Get("/v6/search/fi/?q=pirkanmma", 0).JSON(&a)
	if a.Total != 0 {
		t.Errorf("nothing is in Pirkanmaa: %+v", a)
	}
	m.Get("/v6/search/fi/?q=uusimma", 0).JSON(&a)
	if !a.IsCorrected || a.Searched != "uusimaa" || a.Groups[0].Total != 4 {
		t.Errorf("with a mistake: %+v", a)
	}
}

func TestSearch_PagesAGroup_AndCountsAll(t *testing.T) {
	m := world(t)
	for range 9 {
		m.campaign("Sauna", "Oulu", campaigns.StageFunding)
	}
	m.campaign("Sauna", "Oulu", campaigns.StageRecurring)
	seen := map[int64]bool{}
	for offset := 0; offset < 9; offset += 4 {
		var a api.SearchAnswer
		m.Get(fmt.Sprintf("/v6/search/fi/?q=sauna&group=open&limit=4&offset=%d", offset), 0).JSON(&a)
		if a.Total != 10 || len(a.Groups) != 2 || a.Groups[0].Total != 9 || a.Groups[1].Campaigns != nil {
			t.Fatalf("%+v", a)
		}
		for _, c := range *a.Groups[0].Campaigns {
			seen[c.CampaignID] = true
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d of 9", len(seen))
	}
}

func TestSearch_ForWhatWasLikelyMeant_UnlessItIsExact(t *testing.T) {
	m := world(t)
	m.campaign("Kirjasto kylään", "Oulu", campaigns.StageFunding)
	var a api.SearchAnswer
	m.Get("/v6/search/fi/?q=kirjatso", 0).JSON(&a)
	if a.Total != 1 || !a.IsCorrected || a.Searched != "kirjasto" {
		t.Errorf("%+v", a)
	}
	m.Get("/v6/search/fi/?q=kirjatso&exact=true", 0).JSON(&a)
	if a.Total != 0 || a.IsCorrected || a.Searched != "kirjatso" || a.Groups[0].Total != 1 {
		t.Errorf("exactly: %+v", a)
	}
}

func TestSearch_FindsBeginningsOfNumbers_AndOfWordsThatAHyphenJoins(t *testing.T) {
	m := world(t)
	m.campaign("Covid19-kirja ja sauna-lautta", "Oulu", campaigns.StageFunding)
	m.campaign("Åbolands skärgård", "Oulu", campaigns.StageFunding)
	m.campaign("Abonnemang", "Oulu", campaigns.StageFunding)
	for q, want := range map[string]string{"covid": "open 1", "covid1": "open 1", "saunalaut": "open 1", "lautta": "open 1", "åbo": "open 1", "abo": "open 2", "9": ""} {
		if got := found(t, m.World, q, "&exact=true"); got != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}

func TestSearch_RenamedTagsAreFoundByTheirNewNames(t *testing.T) {
	m := world(t)
	tag := m.Tag("villa")
	m.campaign("Lautta", "Oulu", campaigns.StageFunding, tag)
	m.Exec(`UPDATE users SET short_description = 'Neuloo' WHERE id = ?`, m.creator)
	m.Exec(`INSERT INTO user_tags VALUES (?, ?)`, m.creator, tag)
	admin := m.Person("Ylläpitäjä", "admin")
	if got := m.Patch(fmt.Sprintf("/campaigns/tags/%d/", tag), `{"labels": {"fi": "pellava", "en": "linen"}}`, admin); got.Status >= 300 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := found(t, m.World, "pellava", ""); got != "open 1, creators 1" {
		t.Errorf("the new name: %q", got)
	}
	if got := found(t, m.World, "villa", "&exact=true"); got != "" {
		t.Errorf("the old name: %q", got)
	}
}

func TestStemsOfWords_AreThoseOfEachOfThem(t *testing.T) {
	w := contenttest.New(t)
	var different []string
	err := w.DB.Raw(`WITH texts (words) AS (
			SELECT form FROM region_forms UNION SELECT place FROM region_places UNION SELECT string_agg(place, ' a ') FROM region_places
			UNION SELECT unnest(ARRAY['', ' ', ' leivat leipa mehilaiset k 12 ', 'bibliotekets lutrinen nten'])),
		one_by_one AS (
			SELECT words, coalesce(array_agg(DISTINCT stem) FILTER (WHERE stem IS NOT NULL), '{}') AS stems FROM texts
			LEFT JOIN LATERAL (SELECT stem FROM unnest(string_to_array(btrim(words), ' ')) AS word, unnest(search_stems(word)) AS stem
				WHERE word <> '') each ON true
			GROUP BY words)
		SELECT words FROM one_by_one WHERE search_stems_of(words) IS DISTINCT FROM stems`).Scan(&different).Error
	if err != nil || len(different) > 0 {
		t.Errorf("other stems: %q, %v", different, err)
	}
}

func TestSearch_ReadsNoTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	for _, address := range []string{"?q=kampanja", "?q=kampanja+4242", "?q=kampanja&place=Oulu", "?q=kampnaja", "?q=ka"} {
		bulk.MustNotReadWhole(t, w.DB, slices.DeleteFunc(w.Get("/v6/search/fi/"+address, 0).Statements, func(statement string) bool {
			return strings.Contains(statement, "search_group(c)") // reads the found campaigns by their ids
		}))
	}
}
