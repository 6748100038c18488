package places_test

import (
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/content/internal/discovery/places"
)

func TestSearch_FindsPlacesByEitherNameWithoutMarks(t *testing.T) {
	all, err := places.Load()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"tampere": "Tampere", "TAMMERF": "Tampere", "jyvaskyla": "Jyväskylä", " åbo ": "Turku", "Ekenäs": "Tammisaari",
		"maarianh": "Maarianhamina",
	} {
		found := all.Search(text)
		if len(found) == 0 || found[0].Finnish != want {
			t.Errorf("%q: %v, want %s first", text, found, want)
		}
	}
	for _, text := range []string{"", "  ", "atlantis", strings.Repeat("x", 100), "\x00", "%"} {
		if found := all.Search(text); len(found) > 0 {
			t.Errorf("%q finds %v", text, found)
		}
	}
	if found := all.Search("a"); len(found) != 8 || found[0].Population < found[7].Population {
		t.Errorf("%d found, want the eight largest: %v", len(found), found)
	}
}

// The map of the app has no other places.
func TestPlaces_AreInFinland(t *testing.T) {
	all, err := places.Load()
	if err != nil || len(all) < 400 {
		t.Fatalf("%d places, %v", len(all), err)
	}
	names := map[string]bool{}
	for _, p := range all {
		if p.Latitude < 59.7 || p.Latitude > 70.1 || p.Longitude < 19 || p.Longitude > 31.6 {
			t.Errorf("%s is at %f, %f", p.Finnish, p.Latitude, p.Longitude)
		}
		if names[p.Finnish] || p.In("sv") == "" {
			t.Errorf("%s: %s", p.Finnish, fmt.Sprint(p))
		}
		names[p.Finnish] = true
	}
}
