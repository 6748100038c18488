//go:build unix

package experiments_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/experiments"
)

// A public one, unless it says where it is shown.
func create(w *contenttest.World, n experiments.New) (id int64) {
	n.Slug, n.Language = "koe", "fi"
	if n.ShowIn == nil {
		n.ShowIn = map[string]bool{"index": true}
	}
	if n.Texts == nil {
		n.Texts = map[string]experiments.Text{"fi": {Title: "Koe", ShortDescription: "Lyhyt"}}
	}
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		id, err = experiments.Create(ctx, tx, n, w.Now())
		return err
	})
	return id
}

// like has so many people like an experiment.
func like(w *contenttest.World, id int64, likes int) {
	people := make([]int64, likes)
	for i := range people {
		people[i] = w.Person("Tykkääjä")
	}
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return experiments.AddLikes(ctx, tx, id, people, w.Now())
	})
}

func list(w *contenttest.World, query url.Values) (ids []int64, total int) {
	return listFor(w, 0, query)
}

func listFor(w *contenttest.World, reader int64, query url.Values) (ids []int64, total int) {
	var answer api.ExperimentPreviewsAnswer
	w.Get("/experiments/preview/fi/?"+query.Encode(), reader).JSON(&answer)
	for _, p := range answer.Previews {
		ids = append(ids, p.ExperimentID)
	}
	return ids, answer.Total
}

func TestExperiments_AreListedByStageThenIdWithoutDisabledOnes(t *testing.T) {
	w := contenttest.New(t)
	a, b := w.Person("Aino"), w.Person("Berit")
	late := create(w, experiments.New{Stage: 3, Place: "Jyväskylä", TeamUserIDs: []int64{a}})
	early := create(w, experiments.New{Stage: 1, Place: "Oulu", TeamUserIDs: []int64{b}})
	same := create(w, experiments.New{Stage: 1, Place: "Jyväskylä", TeamUserIDs: []int64{b, a}})
	create(w, experiments.New{Stage: 1, Place: "Oulu", Disabled: true, TeamUserIDs: []int64{a}})

	for _, tt := range []struct {
		query url.Values
		want  []int64
		total int
	}{
		{url.Values{}, []int64{early, same, late}, 3},
		{url.Values{"limit": {"1"}, "offset": {"1"}}, []int64{same}, 3},
		{url.Values{"stage": {"1"}}, []int64{early, same}, 2},
		{url.Values{"place": {"jyvaskyla"}}, []int64{same, late}, 2},
		{url.Values{"team_member_id": {fmt.Sprint(a)}}, []int64{same, late}, 2},
		{url.Values{"team_member_id": {fmt.Sprint(a)}, "stage": {"3"}, "place": {"Oulu"}}, nil, 0},
	} {
		if got, total := list(w, tt.query); fmt.Sprint(got) != fmt.Sprint(tt.want) || total != tt.total {
			t.Errorf("%s: %v of %d, want %v of %d", tt.query.Encode(), got, total, tt.want, tt.total)
		}
	}
	if got := w.Get("/experiments/preview/fi/?limit=2", 0).Statements; len(got) > 2 {
		t.Errorf("%d statements", len(got))
	}
}

func TestExperiments_AreFoundByThePlacesNameInTheReadersLanguage(t *testing.T) {
	w := contenttest.New(t)
	team := []int64{w.Person("Aino")}
	create(w, experiments.New{Stage: 1, Place: "Turku", TeamUserIDs: team})
	create(w, experiments.New{Stage: 1, Place: "Ekenäs", TeamUserIDs: team})
	create(w, experiments.New{Stage: 1, Place: "Hervanta", TeamUserIDs: team})
	for query, want := range map[string]string{
		"fi/":                 "[Turku Tammisaari Hervanta]",
		"sv/":                 "[Åbo Ekenäs Hervanta]",
		"en/":                 "[Turku Ekenäs Hervanta]",
		"sv/?place=abo":       "[Åbo]",
		"sv/?place=Turku":     "[Åbo]",
		"fi/?place=%C3%85bo":  "[]",
		"fi/?place=tammisaar": "[]",
	} {
		var answer api.ExperimentPreviewsAnswer
		w.Get("/experiments/preview/"+query, 0).JSON(&answer)
		places := []string{}
		for _, p := range answer.Previews {
			places = append(places, p.Place)
		}
		if fmt.Sprint(places) != want || answer.Total != len(places) {
			t.Errorf("%s: %v of %d, want %s", query, places, answer.Total, want)
		}
	}
}

func TestExperiments_ByActivityBeginWithWhatIsRunning(t *testing.T) {
	w := contenttest.New(t)
	team := []int64{w.Person("Aino")}
	inStage := map[int]int64{}
	for stage := range 7 {
		inStage[stage] = create(w, experiments.New{Stage: stage, TeamUserIDs: team})
	}
	alsoRunning := create(w, experiments.New{Stage: 2, TeamUserIDs: team})
	want := []int64{inStage[2], alsoRunning, inStage[3], inStage[4], inStage[1], inStage[0], inStage[5], inStage[6]}
	for offset := 0; offset < len(want); offset += 3 {
		page := want[offset:min(offset+3, len(want))]
		query := url.Values{"sort": {"activity"}, "limit": {"3"}, "offset": {fmt.Sprint(offset)}}
		if got, total := list(w, query); fmt.Sprint(got) != fmt.Sprint(page) || total != len(want) {
			t.Errorf("at %d: %v of %d, want %v of %d", offset, got, total, page, len(want))
		}
	}
}

func TestExperiment_ShowsItselfWithItsRights(t *testing.T) {
	w := contenttest.New(t)
	owner, admin := w.Person("Aino"), w.Person("Admin", "view", "admin")
	id := create(w, experiments.New{Stage: 2, Place: "Oulu", TeamUserIDs: []int64{owner}, TagIDs: []int64{w.Tag("sauna")}, GoalMinor: 100_050, RaisedMinor: 5,
		ShowIn: map[string]bool{"front": true, "index": true}, Links: []experiments.Link{{URL: "https://a.fi", Title: "A"}},
		Texts: map[string]experiments.Text{"fi": {Title: "Koe"}, "sv": {Title: "Försök"}}})
	like(w, id, 4)
	read := func(language string, as int64) api.ExperimentAnswer {
		var answer api.ExperimentAnswer
		w.Get(fmt.Sprintf("/experiments/%d/%s/", id, language), as).JSON(&answer)
		return answer
	}
	e := read("en", 0).Experiment
	if e.Title != "Koe" || e.Language != "fi" || e.Image != "scene-koe.svg" || e.OwnerName != "Aino Testinen" || !e.ShowIn["front"] ||
		len(e.Links) != 1 || e.Links[0].Title != "A" || len(e.Tags) != 1 || e.Tags[0].Label != "sauna en" || e.LikeCount != 4 ||
		e.Funding == nil || e.Funding.Goal != 100_050 || e.Funding.Raised != 5 || e.Funding.Currency != "EUR" {
		t.Errorf("experiment %+v", e)
	}
	if sv := read("SV", 0).Experiment; sv.Title != "Försök" {
		t.Errorf("sv: %q", sv.Title)
	}
	for as, want := range map[int64]string{0: "[view]", w.Person("Stranger"): "[view]", owner: "[view edit]", admin: "[view edit admin]"} {
		if got := fmt.Sprint(read("fi", as).ACL); got != want {
			t.Errorf("rights of %d: %s, want %s", as, got, want)
		}
	}
}

func TestExperiment_DisabledOrUnknownIsNotFound(t *testing.T) {
	w := contenttest.New(t)
	owner := w.Person("Aino")
	id := create(w, experiments.New{Disabled: true, TeamUserIDs: []int64{owner}})
	for path, want := range map[string]int{fmt.Sprintf("/experiments/%d/fi/", id): http.StatusNotFound, "/experiments/4711/fi/": http.StatusNotFound} {
		if got := w.Get(path, 0).Status; got != want {
			t.Errorf("%s: %d", path, got)
		}
	}
	var answer api.ExperimentAnswer
	w.Get(fmt.Sprintf("/experiments/%d/fi/", id), owner).JSON(&answer)
	if !answer.Experiment.Disabled {
		t.Error("the owner does not see that it is disabled")
	}
}

func TestExperiments_ReadNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	for _, path := range []string{"preview/fi/", "preview/fi/?stage=2", "preview/fi/?sort=activity", "preview/fi/?team_member_id=7", "7/en/",
		"preview/fi/?sort=likes", "preview/fi/?sort=id&direction=desc", "preview/fi/?sort=show_in", "preview/en/?sort=alphabetical",
		"preview/fi/?sort=short_description&direction=desc", "preview/fi/?sort=owner_name", "preview/fi/?keyword=kokeilu+c4ca4",
		"preview/fi/?keyword=c4ca4&sort=id&direction=desc", "preview/fi/?sort=alphabetical&stage=2&show_in=index"} {
		bulk.MustNotReadWhole(t, w.DB, w.Get("/experiments/"+path, 0).Statements)
	}
}
