package withdrawal_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// The terms that people read say as many days as the terms that decide, and so do the words with which a creator chooses.
func TestTexts_SayTheDaysOfTheTerms(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	var terms []struct {
		Kind string
		Days int
	}
	if err := db.Raw(`SELECT DISTINCT ON (kind) kind, days FROM withdrawal_terms ORDER BY kind, from_day DESC`).Scan(&terms).Error; err != nil || len(terms) != 5 {
		t.Fatalf("%d terms, %v", len(terms), err)
	}
	read := func(file string, into any) {
		text, err := os.ReadFile("../../../../../frontend/src/" + file)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, language := range []string{"fi", "en", "sv"} {
		var info struct {
			Terms struct {
				Sections []struct{ Text string }
			}
		}
		read("features/info/"+language+".json", &info)
		var texts struct {
			Editing struct {
				Reward struct{ KindHelp map[string]string }
			}
		}
		read("i18n/"+language+".json", &texts)
		all := ""
		for _, s := range info.Terms.Sections {
			all += s.Text + "\n"
		}
		for _, term := range terms {
			days := fmt.Sprintf("%d ", term.Days)
			if term.Days > 0 && !strings.Contains(all, days) {
				t.Errorf("%s: the terms do not say %d days", language, term.Days)
			}
			if help := texts.Editing.Reward.KindHelp[term.Kind]; term.Kind != "gift" && strings.Contains(help, "14 ") != (term.Days == 14) {
				t.Errorf("%s: of %s a creator is told %q, the term is %d days", language, term.Kind, help, term.Days)
			}
		}
	}
}
