//go:build unix

package experiments_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/experiments"
)

func TestExperiments_AreSortedByEachColumnInBothDirections(t *testing.T) {
	w := contenttest.New(t)
	staff := w.Person("Editor", "view", "edit")
	make := func(owner, title, short string, likes int, front, index bool) int64 {
		id := create(w, experiments.New{TeamUserIDs: []int64{w.Person(owner)}, ShowIn: map[string]bool{"front_page": front, "index": index},
			Texts: map[string]experiments.Text{"fi": {Title: title, ShortDescription: short}}})
		like(w, id, likes)
		return id
	}
	a := make("Östen", "Öljylamppu", "beta", 2, false, false)
	b := make("Aino", "\"Zeppeliini\"", "Alfa", 2, true, true)
	c := make("Åke", "äiti oppii", "gamma", 3, false, true)
	for query, want := range map[string][]int64{
		"sort=alphabetical":                   {b, c, a},
		"sort=alphabetical&direction=desc":    {a, c, b},
		"sort=short_description":              {b, a, c},
		"sort=owner_name":                     {b, c, a},
		"sort=owner_name&direction=desc":      {a, c, b},
		"sort=likes":                          {c, b, a},
		"sort=likes&direction=asc":            {a, b, c},
		"sort=id":                             {a, b, c},
		"sort=id&direction=desc":              {c, b, a},
		"sort=show_in":                        {b, c, a},
		"sort=show_in&direction=asc":          {a, c, b},
		"show_in=index&sort=id":               {b, c},
		"show_in=front_page":                  {b},
		"keyword=ZEPPELIINI":                  {b},
		"keyword=aiti":                        {c},
		"keyword=gamma+oppii":                 {c},
		"keyword=testinen&sort=id":            {a, b, c},
		"keyword=osten":                       {a},
		"keyword=testinen+alfa&show_in=index": {b},
		"keyword=nothing":                     nil,
		"keyword=%25":                         {a, b, c}, // signs alone are no keyword
		"keyword=testi%25nen":                 nil,
		"keyword=t&sort=id&limit=2&offset=1":  {b, c},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := listFor(w, staff, values); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
		shown := slices.DeleteFunc(slices.Clone(want), func(id int64) bool { return id == a })
		if got, _ := list(w, values); !values.Has("limit") && fmt.Sprint(got) != fmt.Sprint(shown) {
			t.Errorf("%s, by a visitor: %v, want %v", query, got, shown)
		}
	}
	for _, query := range []string{"sort=karma", "direction=up", "show_in=moon", "stage=7", "limit=301", "offset=-1"} {
		if got := w.Get("/experiments/preview/fi/?"+query, 0).Status; got != 422 && got != 400 {
			t.Errorf("%s: %d", query, got)
		}
	}
}

func TestExperiments_AreSortedAndFoundInTheReadersLanguage(t *testing.T) {
	w := contenttest.New(t)
	owner := w.Person("Aino")
	make := func(fi, en string) int64 {
		return create(w, experiments.New{TeamUserIDs: []int64{owner}, Texts: map[string]experiments.Text{"fi": {Title: fi}, "en": {Title: en}}})
	}
	a, b := make("Aurinko", "Sun"), make("Kuu", "Moon")
	for path, want := range map[string][]int64{"fi/?sort=alphabetical": {a, b}, "en/?sort=alphabetical": {b, a}, "sv/?sort=alphabetical": {a, b},
		"en/?keyword=moon": {b}, "fi/?keyword=moon": nil, "sv/?keyword=kuu": {b}} {
		if got := listed(w, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	w.Patch("/users/me/profile", `{"first_name": "Ziggy"}`, owner) // lists follow their owner's name
	if got := listed(w, "fi/?keyword=ziggy"); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

func listed(w *contenttest.World, path string) (ids []int64) {
	var answer api.ExperimentPreviewsAnswer
	w.Get("/experiments/preview/"+path, 0).JSON(&answer)
	for _, p := range answer.Previews {
		ids = append(ids, p.ExperimentID)
	}
	return ids
}
