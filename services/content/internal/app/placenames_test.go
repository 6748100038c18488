package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/discovery/places"
)

// A place that somebody picks by one name is shown, found and counted to its region by both.
func TestPlaceNames_AreThoseThatPeoplePick(t *testing.T) {
	p := setupDemo(t)
	all, err := places.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range all {
		if place.Finnish == place.Swedish {
			continue
		}
		for _, written := range []string{place.Finnish, place.Swedish} {
			var shown struct {
				Fi, Sv  string
				Regions int
			}
			err := p.db.Raw(`SELECT place_in(@place, 'fi') AS fi, place_in(@place, 'sv') AS sv, cardinality(regions_of(@place)) AS regions`,
				map[string]any{"place": written}).Scan(&shown).Error
			if err != nil || shown.Fi != place.Finnish || shown.Sv != place.Swedish || shown.Regions != 1 {
				t.Errorf("%s is shown as %s and %s, in %d regions, %v", written, shown.Fi, shown.Sv, shown.Regions, err)
			}
		}
	}
}

// What was written by one name is found by the other.
func TestPlaceNames_AreFoundByBoth(t *testing.T) {
	p := setupDemo(t)
	id := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	if err := p.db.Exec(`UPDATE campaigns SET place = 'Letala' WHERE id = ?`, id).Error; err != nil {
		t.Fatal(err)
	}
	if err := p.db.Exec(`SELECT search_refresh(ARRAY[CAST(? AS bigint)], '{}', '{}')`, id).Error; err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Laitila", "Letala", "Laitilasta"} {
		answer := call(t.Context(), p.handler, http.MethodGet, "/v6/search/fi/?q="+url.QueryEscape(name), "")
		var found api.SearchAnswer
		if err := json.Unmarshal(answer.Body.Bytes(), &found); err != nil || firstHits(found, false) == "-" {
			t.Errorf("%s finds %s, %v", name, firstHits(found, false), err)
		}
	}
}
