package sessions_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/sessions"
)

const (
	resets  = "/users/password_resets/"
	changed = "/users/password_changes/"
)

// link asks for a new password and makes the links, as the worker does; it returns the first.
func (w *world) link(t *testing.T, email string) string {
	t.Helper()
	if a := w.call(t, "POST", resets, fmt.Sprintf(`{"email": %q}`, email), ""); a.code != http.StatusAccepted {
		t.Fatal(a.code, a.Status)
	}
	links, err := sessions.IssueReset(t.Context(), w.db, email, w.now(), w.now())
	if err != nil || len(links) == 0 {
		t.Fatal(links, err)
	}
	return links[0].Token
}

func (w *world) reset(t *testing.T, email, token, password string) answer {
	t.Helper()
	return w.call(t, "POST", changed, fmt.Sprintf(`{"email": %q, "token": %q, "new_password": %q}`, email, token, password), "")
}

func (w *world) signsIn(t *testing.T, password string) int {
	t.Helper()
	return w.call(t, "POST", signIn, fmt.Sprintf(`{"email": "leena@example.fi", "password": %q}`, password), "").code
}

func TestReset_SetsThePasswordOnceAndEndsAllSessions(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	token, other := w.link(t, "leena@example.fi"), w.link(t, "Leena@Example.FI")
	if a := w.reset(t, "leena@example.fi", token, "leena"); a.code != 422 {
		t.Errorf("a password that is too short: %d %s", a.code, a.Status)
	}
	if a := w.reset(t, "leena@example.fi", token, "password1"); a.code != 422 || len(a.Fields) != 1 || a.Fields[0].Path != "new_password" {
		t.Errorf("a common password: %d %v", a.code, a.Fields)
	}
	if a := w.reset(t, " LEENA@example.fi", token, "seven grey stones"); a.code != http.StatusNoContent {
		t.Fatalf("%d %s", a.code, a.Status)
	}
	for name, token := range map[string]string{"the link again": token, "another link from before": other, "none": "nobodys"} {
		if a := w.reset(t, "leena@example.fi", token, "eight grey stones"); a.code != http.StatusGone || a.Status != "email_link_expired" {
			t.Errorf("%s: %d %s", name, a.code, a.Status)
		}
	}
	if a := w.call(t, "GET", "/users/me/sessions/", "", first); a.code != http.StatusUnauthorized {
		t.Errorf("a session from before: %d", a.code)
	}
	if got := []int{w.signsIn(t, "long enough"), w.signsIn(t, "seven grey stones")}; got[0] != 401 || got[1] != 200 {
		t.Errorf("the old and the new password: %v", got)
	}
	if n := w.count(t, `SELECT count(*) FROM outbox WHERE kind = 'mail.security' AND payload ->> 'event' = 'password_reset'`); n != 1 {
		t.Errorf("%d mails tell it", n)
	}
}

func (w *world) count(t *testing.T, query string) (n int) {
	t.Helper()
	if err := w.db.Raw(query).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestReset_TheLinkIsGoodForAnHourAndForItsOwnAddress(t *testing.T) {
	w := setup(t, plenty)
	w.register(t)
	if a := w.call(t, "POST", "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", "other@example.fi"), ""); a.code != 201 {
		t.Fatal(a.code)
	}
	token := w.link(t, "leena@example.fi")
	if a := w.reset(t, "other@example.fi", token, "seven grey stones"); a.code != http.StatusGone {
		t.Errorf("for another address: %d %s", a.code, a.Status)
	}
	w.advance(time.Hour + time.Second)
	if a := w.reset(t, "leena@example.fi", token, "seven grey stones"); a.code != http.StatusGone {
		t.Errorf("after an hour: %d %s", a.code, a.Status)
	}
	token = w.link(t, "leena@example.fi")
	if err := w.db.Exec(`UPDATE users SET email = 'new@example.fi' WHERE email = 'Leena@Example.fi'`).Error; err != nil {
		t.Fatal(err)
	}
	if a := w.reset(t, "new@example.fi", token, "seven grey stones"); a.code != http.StatusGone {
		t.Errorf("after the address changed: %d %s", a.code, a.Status)
	}
	token = w.link(t, "new@example.fi")
	if err := w.db.Exec(`UPDATE users SET blocked_at = now()`).Error; err != nil {
		t.Fatal(err)
	}
	if a := w.reset(t, "new@example.fi", token, "seven grey stones"); a.code != http.StatusGone {
		t.Errorf("of a blocked person: %d %s", a.code, a.Status)
	}
	if links, err := sessions.IssueReset(t.Context(), w.db, "new@example.fi", w.now(), w.now()); len(links) != 0 || err != nil {
		t.Errorf("a link to a blocked person: %v, %v", links, err)
	}
	if links, err := sessions.IssueReset(t.Context(), w.db, "nobody@example.fi", w.now(), w.now()); len(links) != 0 || err != nil {
		t.Errorf("a link to nobody: %v, %v", links, err)
	}
	w.advance(2 * time.Hour)
	if err := sessions.Prune(t.Context(), w.db, w.now()); err != nil || w.count(t, `SELECT count(*) FROM password_resets`) != 0 {
		t.Errorf("old links are kept: %v", err)
	}
}

// The link opens no account with two steps by itself, and who had not confirmed the address loses what they set up.
func TestReset_LeavesTwoStepsToWhomTheAddressIsAndTakesThemFromOthers(t *testing.T) {
	for _, verified := range []bool{true, false} {
		w := setup(t, plenty)
		_, _ = w.enrol(t, w.register(t))
		if err := w.db.Exec(`UPDATE users SET verified = ?`, verified).Error; err != nil {
			t.Fatal(err)
		}
		if a := w.reset(t, "leena@example.fi", w.link(t, "leena@example.fi"), "seven grey stones"); a.code != http.StatusNoContent {
			t.Fatal(a.code, a.Status)
		}
		want := map[bool]int{true: http.StatusAccepted, false: http.StatusOK}[verified]
		if got := w.signsIn(t, "seven grey stones"); got != want {
			t.Errorf("verified %v: signing in answers %d, want %d", verified, got, want)
		}
		if n := w.count(t, `SELECT count(*) FROM users WHERE verified`); n != 1 {
			t.Error("the address is not confirmed")
		}
	}
}

// What a stranger has written under an address that is not theirs would be public once its owner has confirmed it.
func TestReset_EmptiesTheProfileOfWhomTheAddressWasNotConfirmed(t *testing.T) {
	for _, verified := range []bool{true, false} {
		w := setup(t, plenty)
		w.register(t)
		if err := w.db.Exec(`UPDATE users SET verified = ?, short_description = 'I sell fake tickets', phone = '+358 40 1234567', skills = '{lies}',
			links = '[{"url": "https://evil.example/", "title": "mine"}]'`, verified).Error; err != nil {
			t.Fatal(err)
		}
		if err := w.db.Exec(`WITH t AS (INSERT INTO tags (key) VALUES ('valhe') RETURNING id) INSERT INTO user_tags (user_id, tag_id)
			SELECT u.id, t.id FROM users u, t`).Error; err != nil {
			t.Fatal(err)
		}
		if a := w.reset(t, "leena@example.fi", w.link(t, "leena@example.fi"), "seven grey stones"); a.code != http.StatusNoContent {
			t.Fatal(a.code, a.Status)
		}
		want := map[bool]int64{true: 1, false: 0}[verified]
		for _, part := range []string{`short_description <> ''`, `phone <> ''`, `skills <> '{}'`, `links <> '[]'`, `EXISTS (SELECT FROM user_tags)`} {
			if n := w.count(t, `SELECT count(*) FROM users WHERE `+part); int64(n) != want {
				t.Errorf("confirmed before %v: %s of %d, want %d", verified, part, n, want)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM users WHERE first_name = 'Leena' AND verified`); n != 1 {
			t.Error("the name is gone, or the address is not confirmed")
		}
		if n := w.count(t, `SELECT count(*) FROM audit_log WHERE action = 'empty_profile'`); int64(n) != 1-want {
			t.Errorf("the history has %d rows of it", n)
		}
	}
}

// Neither answer nor work tells whether an address has an account. Work is counted in passwords hashed and statements
// run, because clocks are noisy.
func TestEnumeration_UnknownAndKnownAddressesGetTheSameAnswerAfterTheSameWork(t *testing.T) {
	w := setupHashing(t, plenty)
	w.register(t)
	_, _ = w.enrol(t, w.call(t, "POST", "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", "two@example.fi"), "").Token.String)
	type work struct {
		code             int
		status           string
		hashes           int64
		statements, mail int
	}
	do := func(path, body string) work {
		t.Helper()
		hashes, mail := w.Hashes(), w.count(t, `SELECT count(*) FROM outbox`)
		ctx, ran := dbx.CountStatements(t.Context())
		a := w.callIn(ctx, t, "POST", path, body)
		return work{a.code, a.Status, w.Hashes() - hashes, len(ran.List()), w.count(t, `SELECT count(*) FROM outbox`) - mail}
	}
	for path, body := range map[string]string{
		signIn: `{"email": "%s", "password": "no such word"}`, resets: `{"email": "%s"}`,
		changed:   `{"email": "%s", "token": "nobodys", "new_password": "seven grey stones"}`,
		"/users/": `{"email": "%s", "password": "seven grey stones", "first_name": "Leena", "last_name": "H"}`,
	} {
		unknown := do(path, fmt.Sprintf(body, "nobody@example.fi"))
		for _, known := range []string{"leena@example.fi", "two@example.fi"} {
			if got := do(path, fmt.Sprintf(body, known)); got != unknown {
				t.Errorf("%s: %s takes %+v, an unknown address %+v", path, known, got, unknown)
			}
		}
		if (path == signIn || path == "/users/") && unknown.hashes != 1 {
			t.Errorf("%s hashes %d passwords", path, unknown.hashes)
		}
	}
}

func TestReset_AnAddressGetsFewMails_AndTheAnswerDoesNotTell(t *testing.T) {
	w := setup(t, plenty)
	for range 20 {
		if a := w.call(t, "POST", resets, `{"email": "leena@example.fi"}`, ""); a.code != http.StatusAccepted {
			t.Fatal(a.code, a.Status)
		}
	}
	if n := w.count(t, `SELECT count(*) FROM outbox`); n < 3 || n > 5 {
		t.Errorf("%d mails", n)
	}
}

func TestChangePassword_EndsTheOtherSessionsAndTellsIt(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	other := w.call(t, "POST", signIn, rightCredentials, "").Token.String
	token := w.link(t, "leena@example.fi")
	change := func(old, wanted string) answer {
		return w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": %q, "new_password": %q}`, old, wanted), first)
	}
	for _, c := range []struct{ old, wanted, path, rule string }{
		{"long enough", "long enough", "new_password", "password_same"},
		{"long enough", "password1", "new_password", "password_common"},
		{"long enough", "Leena1234", "new_password", "password_own"},
		{"long enougH", "seven grey stones", "old_password", "password_wrong"},
	} {
		if a := change(c.old, c.wanted); a.code != 422 || len(a.Fields) != 1 || a.Fields[0].Path != c.path || a.Fields[0].Rule != c.rule {
			t.Errorf("%s to %s: %d %v", c.old, c.wanted, a.code, a.Fields)
		}
	}
	if a := change("long enough", "seven grey stones"); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	if a := w.call(t, "GET", "/users/me/sessions/", "", first); a.code != 200 || len(a.Sessions) != 1 {
		t.Errorf("this session: %d, %d sessions", a.code, len(a.Sessions))
	}
	if a := w.call(t, "GET", "/users/me/sessions/", "", other); a.code != http.StatusUnauthorized {
		t.Errorf("the other session: %d", a.code)
	}
	if a := w.reset(t, "leena@example.fi", token, "eight grey stones"); a.code != http.StatusGone {
		t.Errorf("a link from before: %d", a.code)
	}
	if got := []int{w.signsIn(t, "long enough"), w.signsIn(t, "seven grey stones")}; got[0] != 401 || got[1] != 200 {
		t.Errorf("the old and the new password: %v", got)
	}
	if n := w.count(t, `SELECT count(*) FROM outbox WHERE kind = 'mail.security'`); n != 1 {
		t.Errorf("%d mails tell it", n)
	}
}

func TestChangePassword_WrongOldOnesAreStopped(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	last := 0
	for i := range 12 {
		last = w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": "wrong %d", "new_password": "seven grey stones"}`, i), first).code
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the twelfth guess: %d", last)
	}
}
