package forum

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

const site = "http://localhost:8080"

// visit is a browser at a forum whose clock the test moves. Redirects to the platform are not followed.
type visit struct {
	*Forum
	server *httptest.Server
	client *http.Client
	now    time.Time
}

func open(t *testing.T) *visit {
	t.Helper()
	v := &visit{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	v.Forum = New(Options{Secret: "d836444a9e4084d5b224a60c208dce14", SiteURL: site, URL: "http://localhost:8090",
		Now: func() time.Time { return v.now }})
	v.server = httptest.NewServer(v.Handler())
	t.Cleanup(v.server.Close)
	v.client = newBrowser(t)
	return v
}

func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.Path, "/forum/sso/") || strings.HasPrefix(r.URL.Path, "/en/") {
			return http.ErrUseLastResponse
		}
		return nil
	}}
}

func (v *visit) get(t *testing.T, address string) (status int, body, location string) {
	t.Helper()
	res, err := v.client.Get(v.server.URL + address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header.Get("Location")
}

// begun begins a log-in and returns the nonce that the forum sends to the platform.
func (v *visit) begun(t *testing.T, query string) (nonce string, sentTo *url.URL) {
	t.Helper()
	_, _, location := v.get(t, "/forum/session/sso"+query)
	sentTo, err := url.Parse(location)
	if err != nil {
		t.Fatal(err)
	}
	asked := sentTo.Query()
	if v.signed(payloadOf(t, asked.Get("sso"))).Get("sig") != asked.Get("sig") {
		t.Fatalf("the request %s has a wrong signature", location)
	}
	return payloadOf(t, asked.Get("sso")).Get("nonce"), sentTo
}

// answer is where the platform sends the browser back to.
func (v *visit) answer(fields ...string) string {
	told := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		told.Set(fields[i], fields[i+1])
	}
	return returnPath + "?" + v.signed(told).Encode()
}

func payloadOf(t *testing.T, sso string) url.Values {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(sso)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := url.ParseQuery(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestForum_SendsTheBrowserToThePlatformInThePersonsLanguage(t *testing.T) {
	v := open(t)
	for query, want := range map[string]string{"": site + "/forum/sso/", "?language=en": site + "/en/forum/sso/", "?language=//evil": site + "/forum/sso/"} {
		_, to := v.begun(t, query)
		if got := to.Scheme + "://" + to.Host + to.Path; got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if got := payloadOf(t, to.Query().Get("sso")).Get("return_sso_url"); got != "http://localhost:8090/forum/session/sso_login" {
			t.Errorf("return address %s", got)
		}
	}
}

func TestForum_ShowsWhoLogsInUntilTheyLogOut(t *testing.T) {
	v := open(t)
	nonce, _ := v.begun(t, "")
	status, body, _ := v.get(t, v.answer("nonce", nonce, "external_id", "7", "email", "eeva@x.fi", "name", "Eeva <b>", "username", "eeva", "bio", "Sauna",
		"add_groups", "talkoot_editors,talkoot_admins", "admin", "true", "moderator", "false", "avatar_url", "javascript:alert(1)"))
	for _, part := range []string{"Eeva &lt;b&gt;", "eeva@x.fi", "<dd>talkoot_editors, talkoot_admins</dd>", "<dt>Admin</dt><dd>yes</dd>", "<dt>Moderator</dt><dd>no</dd>"} {
		if !strings.Contains(body, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if status != http.StatusOK || strings.Contains(body, "javascript:") {
		t.Errorf("%d %s", status, body)
	}
	res, err := v.client.PostForm(v.server.URL+"/forum/logout", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if _, body, _ := v.get(t, "/forum/"); !strings.Contains(body, "You are not logged in") {
		t.Errorf("after logging out: %s", body)
	}
}

func TestForum_TakesAnAnswerOnceFromTheBrowserThatAskedWithinTenMinutes(t *testing.T) {
	for name, c := range map[string]struct {
		before func(v *visit, nonce string)
		fields []string
		want   string
	}{
		"in time":         {func(v *visit, _ string) { v.now = v.now.Add(nonceLife) }, nil, ""},
		"late":            {func(v *visit, _ string) { v.now = v.now.Add(nonceLife + time.Second) }, nil, errNonce.Error()},
		"another browser": {func(v *visit, _ string) { v.client = newBrowser(t) }, nil, errNonce.Error()},
		"again": {func(v *visit, nonce string) {
			v.get(t, v.answer("nonce", nonce, "external_id", "7", "email", "a@b.fi"))
		}, nil, errNonce.Error()},
		"unproven": {func(*visit, string) {}, []string{"require_activation", "true"}, errMember.Error()},
	} {
		v := open(t)
		nonce, _ := v.begun(t, "")
		c.before(v, nonce)
		status, body, _ := v.get(t, v.answer(append([]string{"nonce", nonce, "external_id", "7", "email", "eeva@x.fi"}, c.fields...)...))
		if (status == http.StatusOK) != (c.want == "") || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}

func TestForum_RefusesAForgedAnswer(t *testing.T) {
	v := open(t)
	nonce, _ := v.begun(t, "")
	address := v.answer("nonce", nonce, "external_id", "7", "email", "eeva@x.fi")
	v.opts.Secret = "another secret"
	if status, body, _ := v.get(t, address); status != http.StatusForbidden || !strings.Contains(body, errSignature.Error()) {
		t.Errorf("%d %s", status, body)
	}
	if _, ok := v.member(""); ok {
		t.Error("somebody is logged in")
	}
}
