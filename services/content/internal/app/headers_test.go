package app_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/app"
)

func TestSecurityHeaders_AreOnEveryAnswer(t *testing.T) {
	for public, transport := range map[string]string{"https://talkoot.test": "max-age=31536000", "http://localhost:8080": ""} {
		p := setup(t, func(o *app.Options, _ *dbtest.DB) { o.Web.PublicURL = public })
		for _, c := range []struct{ method, address, body string }{
			{"GET", "/", ""}, {"GET", "/no-such-page", ""}, {"GET", "/campaigns/preview/fi/", ""}, {"GET", "/campaigns/1/fi/", ""},
			{"POST", "/users/tokens/", "{"}, {"GET", "/users/me/profile", ""}, {"GET", "/internal/orders/pledge/x", ""}, {"DELETE", "/", ""},
			{"GET", "/media/1x1/none.jpg", ""}, {"GET", "/media/320x180/scene-lake-a-b.svg", ""}, {"GET", "/assets/none.js", ""},
			{"GET", "/robots.txt", ""}, {"GET", "/sitemap.xml", ""}, {"GET", "/healthz", ""}, {"GET", "/metrics", ""},
		} {
			answer := call(t.Context(), p.handler, c.method, c.address, c.body)
			h := answer.Header()
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin",
				"Cross-Origin-Opener-Policy": "same-origin-allow-popups", "Strict-Transport-Security": transport,
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s %s (%d): %s is %q, want %q", c.method, c.address, answer.Code, name, got, want)
				}
			}
			if !strings.Contains(h.Get("Permissions-Policy"), "camera=()") || h.Get("Content-Security-Policy") == "" || h.Get("Cache-Control") == "" {
				t.Errorf("%s %s (%d): %v", c.method, c.address, answer.Code, h)
			}
		}
	}
}

func TestPersonalAnswers_AreNotCached(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Shared = time.Second })
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	token := bearer(p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)))
	pledge := p.pledge(t, campaign)
	for _, c := range []struct {
		method, address, body string
		headers               []string
		want                  string
	}{
		{"GET", "/campaigns/preview/fi/", "", nil, "no-cache"},
		{"GET", fmt.Sprintf("/campaigns/%d/fi/", campaign), "", nil, "no-cache"},
		{"GET", fmt.Sprintf("/campaigns/%d/rewards/fi/", campaign), "", nil, "no-cache"},
		{"GET", "/campaigns/tags/", "", nil, "public, max-age=60"},
		{"GET", "/campaigns/preview/fi/", "", token, "no-store"},
		{"GET", fmt.Sprintf("/campaigns/%d/fi/", campaign), "", token, "no-store"},
		{"GET", fmt.Sprintf("/campaigns/%d/rewards/fi/", campaign), "", token, "no-store"},
		{"GET", "/campaigns/tags/", "", token, "no-store"},
		{"GET", "/recommendations/fi/", "", nil, "public, max-age=300"},
		{"GET", fmt.Sprintf("/campaigns/%d/recommendations/fi/", campaign), "", nil, "no-cache"},
		{"GET", fmt.Sprintf("/campaigns/%d/recommendations/fi/", campaign), "", token, "no-store"},
		{"GET", "/users/me/recommendations/fi/", "", token, "no-store"},
		{"GET", "/campaigns/mycampaigns/preview/fi/", "", token, "no-store"},
		{"GET", "/users/me/profile/", "", token, "no-store"},
		{"GET", "/users/me/address/", "", token, "no-store"},
		{"POST", fmt.Sprintf("/campaigns/%d/likes/", campaign), "", token, "no-store"},
		{"POST", "/users/tokens/", bodyOf("signIn", ""), nil, "no-store"},
		{"POST", "/users/", bodyOf("register", "anybody"), nil, "no-store"},
		{"POST", fmt.Sprintf("/campaigns/%d/pledges/", campaign), bodyOf("createPledge", ""), nil, "no-store"},
		{"GET", "/pledges/" + pledge, "", nil, "no-store"},
		{"GET", "/pledges/" + strings.Repeat("0", 26), "", nil, "no-store"},
		{"DELETE", "/pledges/" + pledge, "", nil, "no-store"},
	} {
		answer := call(t.Context(), p.checked(t), c.method, c.address, c.body, c.headers...)
		if got := answer.Header().Values("Cache-Control"); answer.Code >= 500 || !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s %s, signed in %t: %d with Cache-Control %q, want %q", c.method, c.address, len(c.headers) > 0, answer.Code, got, c.want)
		}
	}
}

// A cached and compressed answer varies by what both depend on, and by the origin.
func TestVary_NamesAllThatAnAnswerDependsOn(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) {
		o.Shared, o.CORSOrigins = time.Hour, []string{"https://a.example", "https://b.example"}
	})
	for _, encoding := range []string{"", "gzip"} {
		for _, origin := range []string{"https://a.example", "https://b.example"} {
			h := call(t.Context(), p.handler, "GET", "/campaigns/tags/", "", "Accept-Encoding", encoding, "Origin", origin).Header()
			vary := strings.Join(h.Values("Vary"), ", ")
			for _, name := range []string{"Accept-Encoding", "Accept-Language", "Origin"} {
				if strings.Count(vary, name) != 1 {
					t.Errorf("Vary is %q, which has %s %d times", vary, name, strings.Count(vary, name))
				}
			}
			if got := h.Get("Access-Control-Allow-Origin"); got != origin {
				t.Errorf("%s is answered with the origin %s", origin, got)
			}
		}
	}
}

// Any site's page reads the widget's call and its pictures, and nothing else.
func TestOtherSites_ReadTheWidgetsCallAndPicturesOnly(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) {
		o.Shared, o.CORSOrigins = time.Hour, []string{"https://a.example"}
	})
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	token := p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`))
	for address, want := range map[string]string{
		"/recommendations/fi/": "*", "/media/320x200/scene-lake-kesayo-talkoot.svg": "*",
		"/campaigns/preview/fi/": "", fmt.Sprintf("/campaigns/%d/recommendations/fi/", campaign): "", "/users/me/recommendations/fi/": "",
	} {
		for range 2 { // made, and from the cache
			h := call(t.Context(), p.handler, "GET", address, "", append(bearer(token), "Origin", "https://other.example")...).Header()
			if h.Get("Access-Control-Allow-Origin") != want || h.Get("Access-Control-Allow-Credentials") != "" || h.Get("Set-Cookie") != "" {
				t.Errorf("%s: %v", address, h)
			}
		}
	}
}

func TestLogs_HoldNoPledgeIDs(t *testing.T) {
	var log bytes.Buffer
	wire := &cuttable{}
	p := setupDemo(t, func(o *app.Options, d *dbtest.DB) {
		o.Log, o.DB = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), wire.open(t, d.URL)
	})
	pledge := p.pledge(t, p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`))
	addresses := []string{"/pledges/" + pledge, "/pledges/" + pledge + "/", "/pledges/" + pledge + "/x", "/pledges/" + pledge + "?language=" + pledge,
		"/1/x/thanks/" + pledge, "/payment-return/?pledge_id=" + pledge, "/media/1x1/" + pledge, "/assets/" + pledge, "/internal/orders/pledge/" + pledge}
	keys, err := ordertoken.New([]byte(serviceSecret), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	token := keys.Make(ordertoken.Pledge, pledge, time.Now())
	ask := func() {
		for _, address := range addresses {
			for _, method := range []string{"GET", "HEAD", "DELETE", "POST"} {
				call(t.Context(), p.handler, method, address, "")
				call(t.Context(), p.handler, method, address, "", ordertoken.Header, token)
			}
		}
	}
	ask()
	wire.cut()
	ask()
	if text := log.String(); strings.Contains(text, pledge) || strings.Contains(text, token) || !strings.Contains(text, "route=/pledges/:pledge_id") || !strings.Contains(text, "request failed") {
		at := max(0, strings.Index(text, pledge))
		t.Errorf("the log holds the id of a pledge, or nothing: %.600s", text[max(0, at-300):])
	}
}

func TestSlowStatements_AreCancelled(t *testing.T) {
	p := setup(t, func(o *app.Options, d *dbtest.DB) {
		db, err := dbx.Open(t.Context(), dbx.Config{URL: d.URL, StatementTimeout: 200 * time.Millisecond}, o.Log)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = dbx.Close(db) })
		o.DB = db
		locked, err := dbx.Open(t.Context(), dbx.Config{URL: d.URL}, o.Log)
		if err != nil {
			t.Fatal(err)
		}
		holding := locked.Begin()
		if err := holding.Exec(`LOCK TABLE campaign_previews, tags, categories`).Error; err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { holding.Rollback(); _ = dbx.Close(locked) })
	})
	for _, address := range []string{"/campaigns/preview/fi/", "/campaigns/preview/fi/?keyword=sauna", "/campaigns/categories/"} {
		began := time.Now()
		answer := call(t.Context(), p.handler, "GET", address, "")
		if took := time.Since(began); answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" || took > 5*time.Second {
			t.Errorf("%s: %d after %v: %s", address, answer.Code, took, answer.Body)
		}
	}
}
