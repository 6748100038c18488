package sessions_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	firefoxPhone = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"
	chromeMac    = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
)

func TestSessions_AreListedByDeviceTheLatestFirst(t *testing.T) {
	w := setup(t, plenty)
	w.call(t, "POST", "/users/", leena, "", "User-Agent", firefoxPhone)
	w.advance(time.Hour)
	second := w.call(t, "POST", signIn, rightCredentials, "", "User-Agent", chromeMac).Token.String
	w.advance(time.Minute)
	third := w.call(t, "POST", signIn, rightCredentials, "", "User-Agent", "\x00\xff"+strings.Repeat("ä", 400)).Token.String
	list := w.call(t, "GET", "/users/me/sessions/", "", second).Sessions
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	for i, want := range []struct {
		kind, browser, system string
		current               bool
	}{{"unknown", "", "", false}, {"computer", "Chrome", "macOS", true}, {"phone", "Firefox", "Android", false}} {
		got := list[i]
		if got.Kind != want.kind || i > 0 && (got.Browser != want.browser || got.System != want.system) || got.IsCurrent != want.current {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
	}
	w.advance(6 * time.Minute)
	seen := w.now()
	w.call(t, "GET", "/users/me/sessions/", "", second)
	list = w.call(t, "GET", "/users/me/sessions/", "", third).Sessions
	for _, s := range list {
		if want := s.Kind != "phone"; s.SeenAt.Equal(seen) != want {
			t.Errorf("%s was seen at %s, now is %s", s.Browser, s.SeenAt, seen)
		}
	}
}

func TestSessions_EndOneByOneAndAllOthers(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	second := w.call(t, "POST", signIn, rightCredentials, "").Token.String
	third := w.call(t, "POST", signIn, rightCredentials, "").Token.String
	stranger := w.call(t, "POST", "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", "other@example.fi"), "").Token.String
	idOf := func(token string) string {
		for _, s := range w.call(t, "GET", "/users/me/sessions/", "", token).Sessions {
			if s.IsCurrent {
				return s.SessionID
			}
		}
		return ""
	}
	at := "/users/me/sessions/" + idOf(second) + "/"
	for _, c := range []struct {
		who, token string
		want       int
	}{{"a stranger", stranger, 404}, {"the person", first, 204}, {"again", first, 404}} {
		if a := w.call(t, "DELETE", at, "", c.token); a.code != c.want {
			t.Errorf("ended by %s: %d, want %d", c.who, a.code, c.want)
		}
	}
	if a := w.call(t, "GET", "/users/me/sessions/", "", second); a.code != http.StatusUnauthorized {
		t.Errorf("the ended session: %d", a.code)
	}
	if a := w.call(t, "DELETE", "/users/me/sessions/", "", first); a.code != http.StatusNoContent {
		t.Fatal(a.code)
	}
	for token, want := range map[string]int{first: 200, third: 401, stranger: 200} {
		if a := w.call(t, "GET", "/users/me/sessions/", "", token); a.code != want {
			t.Errorf("after signing out everywhere else: %d, want %d", a.code, want)
		}
	}
	w.advance(13 * time.Hour)
	if list, err := w.List(t.Context(), 1); err != nil || len(list) != 0 {
		t.Errorf("expired sessions are listed: %+v, %v", list, err)
	}
}
