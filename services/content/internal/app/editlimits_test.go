package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/app"
)

// Each edit writes a history that is kept, and each request for a review mails all of the staff.
func TestEditing_IsLimitedByPerson(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) {
		o.Limits.Edits, o.Limits.Reviews = ratelimit.Per(3, time.Hour), ratelimit.Per(2, time.Hour)
	})
	draft := p.target(t, "torstain-puupaja")
	creator, admin := p.token(t, draft.creator), p.tokenOf(t, "admin", target{})
	at := fmt.Sprintf("/campaigns/%d/", draft.campaign)
	for i := range 3 {
		if answer := call(t.Context(), p.handler, http.MethodPost, at+"review/", "", bearer(creator)...); (answer.Code == 429) != (i == 2) {
			t.Errorf("the %d. request for a review: %d %s", i+1, answer.Code, answer.Body)
		}
	}
	for i, path := range []string{"language/", "settings/", "meta/", "language/"} {
		if answer := call(t.Context(), p.handler, http.MethodPatch, at+path, "{}", bearer(creator)...); (answer.Code == 429) != (i == 3) {
			t.Errorf("the %d. edit: %d %s", i+1, answer.Code, answer.Body)
		}
	}
	if answer := call(t.Context(), p.handler, http.MethodPatch, at+"language/", "{}", bearer(admin)...); answer.Code != 200 {
		t.Errorf("by another person: %d %s", answer.Code, answer.Body)
	}
	if answer := call(t.Context(), p.handler, http.MethodPost, at+"visits/", `{"visitor": "0123456789abcdefghijklmnop"}`, bearer(creator)...); answer.Code == 429 {
		t.Errorf("a visit counts as an edit: %s", answer.Body)
	}
}

// A change of oneself is kept in the log too, and counts with the others.
func TestChangesOfOneself_AreLimitedByPerson(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Limits.Edits = ratelimit.Per(3, time.Hour) })
	token := p.tokenOf(t, "stranger", target{})
	for i, c := range [][2]string{{http.MethodPatch, "/users/me/profile"}, {http.MethodPost, "/users/me/links/"}, {http.MethodPatch, "/users/me/settings/"}, {http.MethodPost, "/users/me/tags/"}} {
		if answer := call(t.Context(), p.handler, c[0], c[1], "{}", bearer(token)...); (answer.Code == 429) != (i == 3) {
			t.Errorf("%s: %d %s", c[1], answer.Code, answer.Body)
		}
	}
}
