//go:build unix

package editing_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/kit/session"
)

// The history of a campaign and the audit trail name the people of a team; who has erased their account has no name.
func TestEditing_TheHistoryNamesWhoWasInTheTeamAndWhoIs(t *testing.T) {
	e := newEditing(t)
	admin := e.Person("Leena", session.ScopeView, session.ScopeEdit, session.ScopeAdmin)
	if got := e.Patch(e.admin, e.team(e.creator, e.second), e.creator); got.Status != http.StatusOK {
		t.Fatalf("change the team: %d %s", got.Status, got.Body)
	}
	e.Exec(`UPDATE users SET email = 'erased-' || id, password_hash = '', short_description = '', verified = false, scope = '{view}', blocked_at = now(),
		erased_at = now() WHERE id = ?`, e.third)
	for path, as := range map[string]int64{
		fmt.Sprintf("/campaigns/%d/history/", e.id):               e.creator,
		fmt.Sprintf("/audit/?entity=campaign&entity_id=%d", e.id): admin,
	} {
		got := e.Get(path, as)
		type change struct {
			Fields []struct {
				Path          string
				Before, After []string
			}
		}
		var answer struct{ Changes, Entries []change }
		if err := json.Unmarshal(got.Body, &answer); err != nil {
			t.Fatalf("%s: %v in %s", path, err, got.Body)
		}
		all := append(answer.Changes, answer.Entries...)
		if len(all) != 1 || len(all[0].Fields) != 1 {
			t.Fatalf("%s: want one change of one field, got %s", path, got.Body)
		}
		team := all[0].Fields[0]
		before, after := strings.Join(team.Before, "|"), strings.Join(team.After, "|")
		if team.Path != "team" || strings.Count(before, "|") != 2 || !strings.HasPrefix(before, "Pekka") ||
			!strings.Contains(before, "|Maija") || !strings.HasSuffix(before, "|") ||
			!strings.HasPrefix(after, "Pekka") || strings.Count(after, "|") != 1 {
			t.Errorf("%s: team %q became %q, want the names", path, before, after)
		}
	}
}
