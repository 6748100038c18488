package app_test

import (
	"fmt"
	"net/http"
	"testing"
)

// A session that somebody has taken over from an admin makes no other admins and blocks nobody: both take a second step that was shown
// in it lately, whatever the body is written like. What gives no rights does not.
func TestAdmins_ChangeRightsAndBlocksOnlyWhileTheyHaveJustShownThatItIsThem(t *testing.T) {
	p := setupDemo(t)
	id := func(email string) int64 { return p.number(t, `SELECT id FROM users WHERE email = ?`, email) }
	admin := p.token(t, id("admin@talkoot.example"))
	account := fmt.Sprintf("/users/%d/admin/", id("backer@talkoot.example"))
	for _, c := range []struct {
		shown, body string
		status      int
	}{
		{"NULL", `{"scope": ["admin"]}`, http.StatusForbidden},
		{"NULL", `{"blocked": true, "reason": "x"}`, http.StatusForbidden},
		{"NULL", `{"blocked": false}`, http.StatusForbidden},
		{"NULL", `{"settings": {"verified": false}, "scope": ["view"]}`, http.StatusForbidden},
		{"now() - interval '11 minutes'", `{"scope": ["admin"]}`, http.StatusForbidden},
		{"NULL", `{"settings": {"verified": true}}`, http.StatusOK},
		{"now()", `{"scope": ["edit"]}`, http.StatusOK},
		{"now()", `{"blocked": true, "reason": "x"}`, http.StatusOK},
	} {
		if err := p.db.Exec(`UPDATE sessions SET step_confirmed_at = ` + c.shown).Error; err != nil {
			t.Fatal(err)
		}
		if a := call(t.Context(), p.checked(t), http.MethodPatch, account, c.body, bearer(admin)...); a.Code != c.status {
			t.Errorf("shown %s, %s: %d, want %d: %s", c.shown, c.body, a.Code, c.status, a.Body)
		}
	}
	if n := p.number(t, `SELECT count(*) FROM users WHERE email = 'backer@talkoot.example' AND 'admin' = ANY (scope)`); n != 0 {
		t.Error("a session that has shown nothing has made an admin")
	}
}
