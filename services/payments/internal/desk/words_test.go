package desk_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"talkoot.fi/payments/internal/book/ledger"
)

// Whatever a settlement run can wait for, wherever it can be, and each kind of movement has words on the desk in each language.
func TestWords_EachStateAndReasonOfARunHasThem_AndEachMovement(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../payout/settlements/state.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		text, err := os.ReadFile("../../../../frontend/src/i18n/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var words struct {
			Desk struct {
				RunState map[string]string `json:"runState"`
				Reason   map[string]string `json:"reason"`
				Movement map[string]string `json:"movement"`
			} `json:"desk"`
		}
		if err := json.Unmarshal(text, &words); err != nil {
			t.Fatal(err)
		}
		for _, rule := range ledger.Rules() {
			if words.Desk.Movement[string(rule.Kind)] == "" {
				t.Errorf("%s: movement %s has no words", language, rule.Kind)
			}
		}
		for kind, has := range map[string]map[string]string{"State": words.Desk.RunState, "Reason": words.Desk.Reason} {
			found := regexp.MustCompile(`\s`+kind+`\s+= "([a-z_]+)"`).FindAllSubmatch(source, -1)
			if len(found) < 9 {
				t.Errorf("%d constants of type %s are found", len(found), kind)
			}
			for _, match := range found {
				if name := string(match[1]); has[name] == "" {
					t.Errorf("%s: %s %s has no words", language, kind, name)
				}
			}
		}
	}
}
