package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/contenttest/webtest"
	"talkoot.fi/content/internal/web"
)

// nasty is a title that tries to break out of HTML, attributes, scripts and comments.
const nasty = `Sauna "lautta" </script><script>alert('1')</script> & <!-- järvi`

// fakeAPI answers with a campaign for 1, an experiment for 1, and nothing else.
func fakeAPI(t *testing.T) http.Handler {
	t.Helper()
	title, err := json.Marshal(nasty)
	if err != nil {
		t.Fatal(err)
	}
	campaign := fmt.Sprintf(`{"campaign": {"campaign_id": 1, "slug": "lautta", "title": %s, "tagline": "T", "project_pic": "art.svg", "settings": {"contact_email": "a@b.fi"}}, "acl": ["view"]}`, title)
	const card = `{"campaign_id": 1, "slug": "lautta", "title": "Lautta", "project_pic": "art.svg", "language": "fi"}`
	answers := map[string]string{
		"/campaigns/1/fi/": campaign, "/campaigns/1/en/": campaign, "/campaigns/1/sv/": campaign,
		"/campaigns/1/rewards/fi/": `{"rewards": []}`,
		"/campaigns/preview/sv/": fmt.Sprintf(`{"previews": [{"campaign_id": 1, "slug": "lautta", "title": %s, "tagline": "\u0001T", "language": "fi",
			"funding_start": "2026-11-02T00:00:00Z", "creator": {"name": "Kylä & väki"}},
			{"campaign_id": 7, "slug": "kiuas", "title": "Kiuas", "language": "fi", "funding_start": "2026-11-01T00:00:00Z", "creator": {"name": "K"}}], "total": 2}`, title),
		"/campaigns/1/posts/preview/":             fmt.Sprintf(`{"previews": [{"id": 5, "title": %s, "intro": "I", "language": "fi", "published_at": "2026-11-03T10:00:00+02:00"}], "total": 1}`, title),
		"/campaigns/7/posts/preview/":             `{"previews": [], "total": 0}`,
		"/campaigns/7/fi/":                        `{"campaign": {"campaign_id": 7, "slug": "lautta", "title": "Lautta", "tagline": "T", "short_description": "Kaikille.", "project_pic": "art.svg"}}`,
		"/campaigns/1/posts/5/":                   `{"post": {"id": 5, "title": "Kirje", "intro": "Ingressi", "content": {"title": "Kirje", "html": "<p>x</p><iframe src=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ\" class=\"video\"></iframe>"}}}`,
		"/v6/campaigns/preview/fi/":               `{"previews": [` + strings.Repeat(card+",", 3) + card + `], "total": 4}`,
		"/campaigns/8/fi/":                        `{"campaign": {"campaign_id": 8, "slug": "kuoro", "title": "Kuoro", "stage": 6, "subscriptions": {"subscriptions_amount_total": 1290, "subscriptions_subscribers_count": 184, "subscriptions_goals": [{"goal_id": 1, "target": 150, "title": "Nuotit", "description": ""}, {"goal_id": 2, "target": 210, "title": "Piano", "description": "Vireessä."}, {"goal_id": 3, "target": 300, "title": "Johtaja", "description": ""}]}}}`,
		"/campaigns/8/rewards/fi/":                `{"rewards": [{"reward_id": 31, "title": "Pulla", "description": "Yksi.", "amount": 4}]}`,
		"/campaigns/9/fi/":                        `{"campaign": {"campaign_id": 9, "slug": "salaa", "title": "Salaa", "stage": 2, "hide_funding_amount": true, "hide_member_count": true}}`,
		"/v2/subscriptions/" + subscription + "/": `{"subscription": {"email": "leena@example.fi"}}`,
		"/experiments/1/sv/":                      `{"experiment": {"experiment_id": 1, "slug": "koe", "title": "Prov", "short_description": "S", "image": "photo.jpg"}}`,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			t.Error("something of the reader's session went into a page")
		}
		body, ok := answers[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, "/campaigns/500/") {
			http.Error(w, `{"status": "internal"}`, http.StatusInternalServerError)
			return
		}
		if !ok {
			http.Error(w, `{"status": "not_found"}`, http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(body + "\n"))
	})
}

// subscription is the id of one.
var subscription = strings.Repeat("0", 25) + "a"

func shellOf(t *testing.T, config web.Config) *web.Shell {
	t.Helper()
	s, err := web.NewShell(webtest.Built(t), config, fakeAPI(t), func(picture string) string { return "/share/" + picture })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get(t *testing.T, handle echo.HandlerFunc, address string, headers ...string) (*httptest.ResponseRecorder, error) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	r.Header.Set("Authorization", "Bearer mine")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	return w, handle(echo.New().NewContext(r, w))
}

func page200(t *testing.T, s *web.Shell, address string) string {
	t.Helper()
	w, err := get(t, s.Handle, address)
	if err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %v", address, w.Code, err)
	}
	return w.Body.String()
}

func TestShell_HeadOfACampaign_NothingEscapes(t *testing.T) {
	page := page200(t, shellOf(t, web.Config{PublicURL: "https://talkoot.test"}), "/en/1/lautta/")
	for _, want := range []string{
		`<html lang="en"`,
		`<title>Sauna &#34;lautta&#34; &lt;/script&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &lt;!-- järvi – Talkoot</title>`,
		`<meta property="og:title" content="Sauna &#34;lautta&#34;`,
		`<meta name="description" content="T">`,
		`<link rel="canonical" href="https://talkoot.test/en/1/lautta/">`,
		`<link rel="alternate" hreflang="fi" href="https://talkoot.test/1/lautta/">`,
		`<link rel="alternate" hreflang="sv" href="https://talkoot.test/sv/1/lautta/">`,
		`<meta property="og:image" content="https://talkoot.test/share/art.svg">`,
		`<meta property="og:locale" content="en_GB">`,
		`<link rel="preload" as="image" fetchpriority="high" imagesrcset="/media/640x400/art.svg 640w, /media/960x600/art.svg 960w, `,
		`<img src="/media/1552x970/art.svg" srcset="/media/640x400/art.svg 640w, `,
		`<h1>Sauna &#34;lautta&#34; &lt;/script&gt;`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if n := len(regexp.MustCompile(`(?i)<script`).FindAllString(page, -1)); n != 2 {
		t.Errorf("%d scripts, want the app and its data alone:\n%s", n, page)
	}
	if strings.Contains(page, "noindex") {
		t.Error("a public campaign is kept from search engines")
	}
}

func TestShell_AListsFirstPictureIsFetchedAhead_UnlessAFilterMayChangeIt(t *testing.T) {
	shell := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	const preload = `<link rel="preload" as="image" fetchpriority="high" imagesrcset="/media/400x250/art.svg 400w, /media/640x400/art.svg 640w, /media/800x500/art.svg 800w" imagesizes="(min-width: 68.75em) 24rem,`
	if page := page200(t, shell, "/campaigns/"); !strings.Contains(page, preload) {
		t.Errorf("no %s in\n%s", preload, page)
	}
	if page := page200(t, shell, "/campaigns/?categories=2"); strings.Contains(page, "imagesrcset") {
		t.Errorf("a picture is fetched ahead that a filter may leave out:\n%s", page)
	}
}

func TestShell_AListsFirstRowIsPainted_UnlessAFilterMayChangeIt(t *testing.T) {
	shell := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	const link, cover, lazy = `<li><a href="/1/lautta/">`, `<img src="/media/800x500/art.svg" srcset="/media/400x250/art.svg 400w, `, ` loading="lazy" alt=""><h2>Lautta</h2></a></li>`
	page := page200(t, shell, "/campaigns/")
	if strings.Count(page, link) != 3 || strings.Count(page, cover) != 3 || strings.Count(page, lazy) != 2 {
		t.Errorf("want three cards, and the first one's cover fetched at once, in\n%s", page)
	}
	if english := page200(t, shell, "/en/campaigns/"); strings.Contains(english, `<ul class="tk-first-cards">`) {
		t.Errorf("cards without campaigns in\n%s", english)
	}
	if filtered := page200(t, shell, "/campaigns/?categories=2"); strings.Contains(filtered, `<ul class="tk-first-cards">`) {
		t.Errorf("cards are painted that a filter may leave out:\n%s", filtered)
	}
}

func TestShell_TheAppWaitsForAPaintedPicture(t *testing.T) {
	shell := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	inert := regexp.MustCompile(`(?s)<template id="tk-app">.*</template>`)
	for address, waits := range map[string]bool{
		"/7/lautta/": true, "/campaigns/": true, "/sv/experiments/1/koe/": true,
		"/campaigns/?categories=2": false, "/7/lautta/pledge/": false, "/info/pricing/": false, "/verify-email/": false, "/1/lautta/posts/5/": false,
	} {
		page := page200(t, shell, address)
		if inert.MatchString(page) != waits {
			t.Errorf("%s: the app waits: %v\n%s", address, !waits, page)
		}
		for _, file := range []string{`<script defer src="/assets/main.js">`, `<link rel="preload" as="script"`, `<link rel="preload" as="style"`} {
			if !strings.Contains(page, file) || strings.Contains(inert.ReplaceAllString(page, ""), file) == waits {
				t.Errorf("%s: %s is not where the app waits %v in\n%s", address, file, waits, page)
			}
		}
	}
}

func TestShell_FirstPaintIsWhatTheAppShows(t *testing.T) {
	shell := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	page := page200(t, shell, "/7/lautta/")
	for _, want := range []string{`<main class="tk-first tk-first-campaign">`, `<h1>Lautta</h1>`, `<p>Kaikille.</p>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if pledge := page200(t, shell, "/7/lautta/pledge/7"); !strings.Contains(pledge, `class="tk-first tk-first-checkout"`) {
		t.Errorf("the checkout's narrow header is not announced in\n%s", pledge)
	}
	if back := page200(t, shell, "/payment-return/"); !strings.Contains(back, `<main class="tk-first tk-first-checkout">`) ||
		strings.Contains(back, "<h1") {
		t.Errorf("back from the bank: not the checkout's header, or a heading that the browser alone knows\n%s", back)
	}
	if thanks := page200(t, shell, "/7/lautta/thanks/"); strings.Contains(thanks, "tk-first-checkout") {
		t.Error("the thanks have the checkout's header")
	}
}

func TestShell_WithoutScriptACampaignSaysItsSum_AMonthlyOneToo_AndNothingThatIsHidden(t *testing.T) {
	shell := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	for path, want := range map[string]string{
		"/8/kuoro/": "<strong>Kuukausitalkoot · 1\u00a0290\u00a0€/kk · 184 tukijaa</strong>",
		"/9/salaa/": "<strong>Tekijä on piilottanut summan</strong>",
	} {
		if page := page200(t, shell, path); !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

// Without script, too, monthly support goes on to the checkout of its amount: /pledge/31 would be 31 euros a month.
func TestShell_WithoutScriptAMonthlyCampaignHasItsAmountsAndTheFirstGoalAboveWhatIsReached(t *testing.T) {
	page := page200(t, shellOf(t, web.Config{PublicURL: "https://talkoot.test"}), "/8/kuoro/")
	for _, want := range []string{"<a href=\"/8/kuoro/pledge/4\">Pulla</a> · 4\u00a0€/kk<br>Yksi.", `<a href="/8/kuoro/#goals">Seuraava askel: Piano, 210 tukijaa</a><br>Vireessä.`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

func TestShell_APlayerOfATextIsALinkUntilTheAppComes(t *testing.T) {
	page := page200(t, shellOf(t, web.Config{PublicURL: "https://talkoot.test"}), "/1/lautta/posts/5/")
	if strings.Contains(page, "<iframe") || !strings.Contains(page, `<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"`) {
		t.Errorf("the service is asked before the reader wants it:\n%s", page)
	}
}

func TestShell_Data(t *testing.T) {
	page := page200(t, shellOf(t, web.Config{PublicURL: "https://talkoot.test", SandboxURL: "http://localhost:8090", StripeScript: "http://localhost:8090/v3/"}), "/1/lautta/")
	_, text, _ := strings.Cut(page, `<script type="application/json" id="tk-data">`)
	text, _, _ = strings.Cut(text, "</script>")
	var data struct {
		Config struct {
			Sandbox      bool   `json:"sandbox"`
			StripeScript string `json:"stripe_script"`
		} `json:"config"`
		Responses map[string]json.RawMessage `json:"responses"`
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	if !data.Config.Sandbox || data.Config.StripeScript != "http://localhost:8090/v3/" {
		t.Errorf("config %+v", data.Config)
	}
	var campaign struct{ Campaign struct{ Title string } }
	if err := json.Unmarshal(data.Responses["/content/campaigns/1/fi/"], &campaign); err != nil || campaign.Campaign.Title != nasty {
		t.Errorf("title %q, %v", campaign.Campaign.Title, err)
	}
	if _, ok := data.Responses["/content/campaigns/1/backers/?limit=6"]; ok {
		t.Error("an answer that was no success is in the page")
	}
}

func TestShell_StatusAndIndexing(t *testing.T) {
	s := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	for _, c := range []struct {
		address   string
		status    int
		language  string
		noIndex   bool
		canonical string
	}{
		{"/", 200, "fi", false, "https://talkoot.test/"},
		{"/sv", 200, "sv", false, "https://talkoot.test/sv/"},
		{"/en/campaigns", 200, "en", false, "https://talkoot.test/en/campaigns/"},
		{"/1/another-slug/", 200, "fi", false, "https://talkoot.test/1/lautta/"},
		{"/1/lautta/posts/5", 200, "fi", false, "https://talkoot.test/1/lautta/posts/5/"},
		{"/sv/experiments/1/x", 200, "sv", false, "https://talkoot.test/sv/experiments/1/koe/"},
		{"/1/lautta/pledge/", 200, "fi", true, ""},
		{"/1/lautta/pledge/pay", 200, "fi", true, ""},
		{"/en/1/lautta/thanks", 200, "en", true, ""},
		{"/payment-return/", 200, "fi", true, ""},
		{"/2/unknown/", 404, "fi", true, ""},
		{"/1/lautta/posts/6/", 404, "fi", true, ""},
		{"/en/nothing", 404, "en", true, ""},
		{"/enough", 404, "fi", true, ""},
		{"/99999999999999999999/x", 404, "fi", true, ""},
		{"/500/x/", 503, "fi", true, ""},
		{"/subscriptions/" + subscription + "/", 200, "fi", true, ""},
		{"/en/" + subscription + "/_/subscription-success/", 200, "en", true, ""},
		{"/subscriptions/nobodys/", 404, "fi", true, ""},
	} {
		w, err := get(t, s.Handle, c.address)
		page := w.Body.String()
		if err != nil || w.Code != c.status || strings.Contains(page, `content="noindex"`) != c.noIndex || !strings.Contains(page, `<html lang="`+c.language+`"`) {
			t.Errorf("%s: %d %v\n%s", c.address, w.Code, err, page)
		}
		if strings.Contains(page, "leena@example.fi") {
			t.Errorf("%s: the page has who supports", c.address)
		}
		found := regexp.MustCompile(`rel="canonical" href="([^"]*)"`).FindStringSubmatch(page)
		if (found == nil) != (c.canonical == "") || found != nil && found[1] != c.canonical {
			t.Errorf("%s: canonical %v, want %q", c.address, found, c.canonical)
		}
	}
}

// A call with a mistyped address, such as an unknown language, may be the address of a page.
func TestShell_WhatCameAsACallIsNotAnsweredWithAPage(t *testing.T) {
	s := shellOf(t, web.Config{})
	for _, address := range []string{"/", "/experiments/1/de", "/nothing/"} {
		if w, err := get(t, s.Handle, address, "X-Forwarded-Prefix", "/content"); !errors.Is(err, apperr.New(apperr.NotFound)) || w.Body.Len() > 0 {
			t.Errorf("%s: %v %q", address, err, w.Body)
		}
	}
}

// A browser sends card numbers to provider B's own origin, and to no other.
func TestShell_Policy_LetsCardsGoToProviderB(t *testing.T) {
	for _, origin := range []string{"https://cards.example", ""} {
		w, err := get(t, shellOf(t, web.Config{CardURL: origin}).Handle, "/")
		if err != nil {
			t.Fatal(err)
		}
		for directive := range strings.SplitSeq(w.Header().Get("Content-Security-Policy"), "; ") {
			name, sources, _ := strings.Cut(directive, " ")
			has := slices.Contains(strings.Fields(sources), "https://cards.example")
			if has != (name == "connect-src" && origin != "") {
				t.Errorf("with %q: %s", origin, directive)
			}
		}
	}
}

func TestShell_Policy(t *testing.T) {
	for name, c := range map[string]struct {
		config web.Config
		has    bool
	}{"sandbox": {web.Config{SandboxURL: "http://localhost:8090"}, true}, "real": {web.Config{}, false}} {
		w, err := get(t, shellOf(t, c.config).Handle, "/")
		if err != nil {
			t.Fatal(err)
		}
		policy := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "object-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "https://js.stripe.com"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: no %s in %s", name, want, policy)
			}
		}
		if strings.Contains(policy, "http://localhost:8090") != c.has {
			t.Errorf("%s: %s", name, policy)
		}
		for directive := range strings.SplitSeq(policy, ";") {
			if strings.HasPrefix(strings.TrimSpace(directive), "script-src") && strings.Contains(directive, "unsafe") {
				t.Errorf("inline scripts run: %s", directive)
			}
		}
		if w.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("Cache-Control %q", w.Header().Get("Cache-Control"))
		}
	}
}

func TestIsPage(t *testing.T) {
	for path, want := range map[string]bool{
		"/": true, "/en": true, "/campaigns": true, "/experiments/7/name": true, "/experiments/7": true, "/7/slug/pledge/pay": true,
		"/sv/experiments/7/en": true, "/experiments/7/en": false, "/experiments/7/SV/": false, "/campaigns/7/fi": false,
		"/campaigns/categories": false, "/users/me/profile": false, "/v2/campaigns/preview/fi": false, "/experiments/preview/fi": false,
	} {
		if web.IsPage(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

func TestAssets(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"secret.txt": "secret", "assets/app.1.js": "plain", "assets/app.1.js.br": "brotli", "assets/app.1.js.gz": "gzip",
		"assets/photo.2.png": "picture", "assets/deep/font.3.woff2": "font",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "secret.txt"), filepath.Join(dir, "assets", "link.txt")); err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	e.GET("/assets/*", web.NewAssets(dir).Handle)
	e.HTTPErrorHandler = func(err error, c echo.Context) { _ = c.NoContent(apperr.From(err).HTTP()) }
	for _, c := range []struct {
		address, accepts string
		code             int
		body, encoding   string
	}{
		{"/assets/app.1.js", "gzip, deflate, br", 200, "brotli", "br"},
		{"/assets/app.1.js", "gzip", 200, "gzip", "gzip"},
		{"/assets/app.1.js", "br;q=0, gzip;q=0.5", 200, "gzip", "gzip"},
		{"/assets/app.1.js", "", 200, "plain", ""},
		{"/assets/photo.2.png", "br", 200, "picture", ""},
		{"/assets/deep/font.3.woff2", "br", 200, "font", ""},
		{"/assets/", "", 404, "", ""},
		{"/assets/deep", "", 404, "", ""},
		{"/assets/none.js", "", 404, "", ""},
		{"/assets/../secret.txt", "", 404, "", ""},
		{"/assets/%2e%2e/secret.txt", "", 404, "", ""},
		{"/assets/..%2fsecret.txt", "", 404, "", ""},
		{"/assets/deep/..%2f..%2f..%2fsecret.txt", "", 404, "", ""},
		{"/assets/..%5csecret.txt", "", 404, "", ""},
		{"/assets/app.1.js%00.png", "", 404, "", ""},
		{"/assets/link.txt", "", 404, "", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.address, http.NoBody)
		r.Header.Set("Accept-Encoding", c.accepts)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != c.code || w.Body.String() != c.body || w.Header().Get("Content-Encoding") != c.encoding {
			t.Errorf("%s (%s): %d %q %q", c.address, c.accepts, w.Code, w.Body, w.Header().Get("Content-Encoding"))
		}
		if c.code == 200 && (!strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Header().Get("Vary") != "Accept-Encoding") {
			t.Errorf("%s: headers %v", c.address, w.Header())
		}
		forAnyPage := w.Header().Get("Access-Control-Allow-Origin") == "*"
		if isFont := c.code == 200 && strings.HasSuffix(c.address, ".woff2"); forAnyPage != isFont {
			t.Errorf("%s: for any page %v, and only fonts are: the payment provider's frame writes in ours", c.address, forAnyPage)
		}
		if bytes.Contains(w.Body.Bytes(), []byte("secret")) {
			t.Errorf("%s leaves the folder", c.address)
		}
	}
}

func TestShell_WithoutScriptAFormSaysSo_InEachLanguage(t *testing.T) {
	s := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	for address, wants := range map[string][]string{
		"/1/lautta/pledge/":    {"Tähän tarvitaan JavaScript", `mailto:`, `href="https://talkoot.test/sv/1/lautta/pledge/"`},
		"/en/1/lautta/pledge/": {"This needs JavaScript", `mailto:`, `href="https://talkoot.test/1/lautta/pledge/"`},
		"/sv/profile/me/":      {"Det här kräver JavaScript", `href="https://talkoot.test/en/profile/me/"`},
		"/en/sign-in/":         {"This needs JavaScript"},
		"/en/create-campaign/": {"This needs JavaScript"},
		"/en/1/lautta/":        {"Paying needs JavaScript", `mailto:`},
	} {
		body := page200(t, s, address)
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s", address, want)
			}
		}
	}
	for _, address := range []string{"/", "/campaigns/", "/en/experiments/", "/en/info/terms/"} {
		if body := page200(t, s, address); strings.Contains(body, "JavaScript.") || strings.Contains(body, "JavaScript<") {
			t.Errorf("%s reads well without script, and says otherwise", address)
		}
	}
}
