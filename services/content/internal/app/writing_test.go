package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/app"
)

func TestWriting_IsLimitedByPerson(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) {
		o.Limits.Drafts, o.Limits.Uploads = ratelimit.Per(2, time.Hour), ratelimit.Per(2, time.Hour)
	})
	stranger, admin := p.tokenOf(t, "stranger", target{}), p.tokenOf(t, "admin", target{})
	for path, headers := range map[string][]string{"/v2/campaigns/": nil, "/files/images/": formOf("uploadImage")} {
		body := map[bool]string{true: bodyOf("uploadImage", ""), false: bodyOf("createCampaignV2", "")}[headers != nil]
		for i, want := range []int{201, 201, 429} {
			if answer := call(t.Context(), p.handler, http.MethodPost, path, body,
				append(bearer(stranger), headers...)...); answer.Code != want {
				t.Errorf("%s for the %d. time: %d %s", path, i+1, answer.Code, answer.Body)
			}
		}
		if answer := call(t.Context(), p.handler, http.MethodPost, path, body,
			append(bearer(admin), headers...)...); answer.Code != 201 {
			t.Errorf("%s by another person: %d", path, answer.Code)
		}
	}
}

func TestWriting_RefusesWhatTheDatabaseCannotKeep(t *testing.T) {
	p := setupDemo(t)
	draft := p.target(t, "torstain-puupaja")
	for path, body := range map[string]string{
		"language":           `{"fi": {"title": "a\u0000b"}}`,
		"custom_language/fi": `{"thanks": {"value": "a\u0000b"}}`,
		"settings":           `{"place": "a\u0000b"}`,
	} {
		answer := call(t.Context(), p.handler, http.MethodPatch, fmt.Sprintf("/campaigns/%d/%s/", draft.campaign, path), body,
			bearer(p.token(t, draft.creator))...)
		if answer.Code != 400 || !strings.Contains(answer.Body.String(), `"malformed_body"`) {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
}

// failing is a body that must not be read.
type failing struct{ t *testing.T }

func (f failing) Read([]byte) (int, error) {
	f.t.Error("an anonymous body was read")
	return 0, io.ErrUnexpectedEOF
}

func TestAnonymousBodies_AreNotReadWhereACallNeedsASession(t *testing.T) {
	p := setupDemo(t)
	for _, path := range []string{"/files/images/", "/campaigns/1/files/", "/v3/campaigns/", "/campaigns/1/categories/"} {
		for _, kind := range []string{"application/json", "multipart/form-data; boundary=x"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, path, failing{t})
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", kind)
			answer := httptest.NewRecorder()
			if p.handler.ServeHTTP(answer, r); answer.Code != 401 {
				t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
			}
		}
	}
}
