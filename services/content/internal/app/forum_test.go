package app_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/person/forum"
)

const (
	forumSecret = "d836444a9e4084d5b224a60c208dce14"
	forumReturn = "https://forum.test/session/sso_login"
	forumCall   = "/users/sso/discourse/"
)

// forumRequest is the body with a request of the forum.
func forumRequest(nonce string) string {
	sso := base64.StdEncoding.EncodeToString([]byte("nonce=" + nonce + "&return_sso_url=" + url.QueryEscape(forumReturn)))
	mac := hmac.New(sha256.New, []byte(forumSecret))
	mac.Write([]byte(sso))
	return fmt.Sprintf(`{"sso": %q, "sig": %q}`, sso, hex.EncodeToString(mac.Sum(nil)))
}

func TestForum_AnswersTheSignedInWhoAreNotBlockedOnceEach(t *testing.T) {
	p := setupDemo(t)
	h, id := p.checked(t), p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	token := bearer(p.token(t, id))
	expect := func(name string, want int, status, body string, headers ...string) {
		t.Helper()
		answer := call(t.Context(), h, http.MethodPost, forumCall, body, headers...)
		if answer.Code != want || !strings.Contains(answer.Body.String(), status) {
			t.Errorf("%s: %d %s, want %d %s", name, answer.Code, answer.Body, want, status)
		}
	}
	forged := fmt.Sprintf(`{"sso": "bm9uY2U9YQ==", "sig": "%064d"}`, 0)
	expect("anonymous", 401, "not_authenticated", forumRequest("n1"))
	expect("anonymous, forged", 401, "not_authenticated", forged)
	expect("forged", 400, "forum_link_invalid", forged, token...)
	expect("no hexadecimal", 400, "forum_link_invalid", `{"sso": "bm9uY2U9YQ==", "sig": "x"}`, token...)
	expect("too long", 422, "sso", `{"sso": "`+strings.Repeat("A", 4097)+`", "sig": "x"}`, token...)
	expect("empty", 422, "sig", `{"sso": "bm9uY2U9YQ==", "sig": ""}`, token...)
	expect("wrong type", 400, "malformed_body", `{"sso": 1, "sig": "x"}`, token...)
	expect("another field", 400, "unknown_field", `{"sso": "a", "sig": "x", "return_url": "https://evil.test/"}`, token...)
	expect("oversized", 413, "body_too_large", `{"sso": "`+strings.Repeat("A", 3<<20)+`", "sig": "x"}`, token...)
	expect("the first time", 200, forumReturn, forumRequest("n1"), token...)
	expect("again", 410, "forum_link_used", forumRequest("n1"), token...)
	if err := p.db.Exec(`UPDATE users SET verified = false WHERE id = ?`, id).Error; err != nil {
		t.Fatal(err)
	}
	expect("unconfirmed", 403, "address_unconfirmed", forumRequest("n2"), token...)
	if err := p.db.Exec(`UPDATE users SET verified = true, blocked_at = now() WHERE id = ?`, id).Error; err != nil {
		t.Fatal(err)
	}
	expect("blocked", 401, "token_expired", forumRequest("n2"), token...)
	if n := p.number(t, `SELECT count(*) FROM forum_nonces`); n != 1 {
		t.Errorf("%d requests count as answered, want the one that was", n)
	}
}

func TestForum_WithoutASecretThereIsNone(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Forum = forum.Config{} })
	token := bearer(p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)))
	answer := call(t.Context(), p.checked(t), http.MethodPost, forumCall, forumRequest("n1"), token...)
	if answer.Code != http.StatusNotFound || !strings.Contains(answer.Body.String(), "no_forum") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

func TestForum_IsLimitedByPersonAndByAddress(t *testing.T) {
	tries := func(p *platform, headers ...string) (taken int) {
		for i := range 30 {
			answer := call(t.Context(), p.checked(t), http.MethodPost, forumCall, forumRequest(fmt.Sprint("n", i)), headers...)
			if answer.Code == http.StatusTooManyRequests {
				break
			}
			taken++
		}
		return taken
	}
	p := setupDemo(t)
	if n := tries(p, bearer(p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)))...); n != 20 {
		t.Errorf("one person makes %d at once, want 20", n)
	}
	p = setup(t, func(o *app.Options, _ *dbtest.DB) { o.Limits.SignIn = ratelimit.Per(3, time.Minute) })
	if n := tries(p); n != 3 {
		t.Errorf("one address makes %d at once, want 3", n)
	}
}
