package app_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokens_ThatAreInvalidAreRefusedEverywhere(t *testing.T) {
	p := setupDemo(t)
	handler := p.checked(t)
	stranger := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	ended := p.token(t, stranger)
	if answer := call(t.Context(), handler, "DELETE", "/users/tokens/", "", bearer(ended)...); answer.Code != 204 {
		t.Fatalf("sign out: %d", answer.Code)
	}
	good := p.token(t, stranger)
	for name, c := range map[string]struct{ header, status string }{
		"ended":      {"Bearer " + ended, "token_expired"},
		"forged":     {"Bearer " + good[:len(good)-6] + "AAAAAA", "token_invalid"},
		"none alg":   {"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "token_invalid"},
		"not bearer": {"Basic YTpi", "token_invalid"},
	} {
		for _, address := range []string{"/users/me/profile", "/campaigns/preview/fi/", "/v6/campaigns/preview/fi"} {
			answer := call(t.Context(), handler, "GET", address, "", "Authorization", c.header)
			if answer.Code != 401 || !strings.Contains(answer.Body.String(), `"`+c.status+`"`) {
				t.Errorf("%s at %s: %d %s", name, address, answer.Code, answer.Body)
			}
		}
	}
	if answer := call(t.Context(), handler, "GET", "/users/me/profile/", "", bearer(good)...); answer.Code != 200 {
		t.Errorf("good token: %d", answer.Code)
	}
}

// A token that was made for an admin gives no rights after the scope is removed or the account is blocked.
func TestScope_ThatIsRemovedIsGoneAtTheNextRequest(t *testing.T) {
	p := setupDemo(t)
	admin := p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`))
	draft := fmt.Sprintf("/campaigns/%d/fi/", p.target(t, "torstain-puupaja").campaign)
	for _, step := range []struct {
		change string
		want   int
	}{
		{"", 200}, {"scope = '{view}'", 404}, {"scope = '{view,edit}'", 200}, {"blocked_at = now()", 401},
		{"blocked_at = NULL", 200},
	} {
		if step.change != "" {
			if err := p.db.Exec(`UPDATE users SET ` + step.change + ` WHERE email = 'admin@talkoot.example'`).Error; err != nil {
				t.Fatal(err)
			}
		}
		if answer := call(t.Context(), p.handler, "GET", draft, "", bearer(admin)...); answer.Code != step.want {
			t.Errorf("after %q: %d, want %d", step.change, answer.Code, step.want)
		}
	}
}
