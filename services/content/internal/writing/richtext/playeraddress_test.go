package richtext

import (
	"encoding/json"
	"os"
	"testing"
)

// The web app's tests read the same file.
func TestPlayerOf_TakesEveryFormOfTheShareButtons(t *testing.T) {
	var table struct {
		Players []struct{ Typed, Player, Page string }
		None    []string
	}
	data, err := os.ReadFile("testdata/players.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Players) < 40 || len(table.None) < 15 {
		t.Fatalf("%d forms of players, %d of others", len(table.Players), len(table.None))
	}
	for _, form := range table.Players {
		p, ok := playerOf(form.Typed)
		if !ok || p.src != form.Player {
			t.Errorf("%q: %q, %t; want %q", form.Typed, p.src, ok, form.Player)
		}
		if again, _ := playerOf(p.src); again != p {
			t.Errorf("%q is another player when it is read again: %q", p.src, again.src)
		}
		if p.class != "video" {
			continue
		}
		if p.video.Page != form.Page {
			t.Errorf("%q: page %q, want %q", form.Typed, p.video.Page, form.Page)
		}
		if again, _ := playerOf(p.video.Page); again != p {
			t.Errorf("the page %q plays %q, not %q", p.video.Page, again.src, p.src)
		}
	}
	for _, typed := range table.None {
		if p, ok := playerOf(typed); ok {
			t.Errorf("%q plays %q", typed, p.src)
		}
	}
}
