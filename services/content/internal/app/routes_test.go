package app_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/servicetoken"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/web"
)

func TestRoutes_WhatIsAPageAndWhatIsACall(t *testing.T) {
	p := setupDemo(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	draft := p.number(t, `SELECT id FROM campaigns WHERE stage = 0`)
	experiment := p.number(t, `SELECT min(id) FROM experiments WHERE listed`)
	support := p.subscription(t, campaign)
	const page, data = "text/html", "application/json"
	for _, c := range []struct {
		address string
		status  int
		kind    string
	}{
		{"/", 200, page},
		{"/en", 200, page},
		{"/sv/", 200, page},
		{"/campaigns/", 200, page},
		{"/en/campaigns", 200, page},
		{fmt.Sprintf("/%d/hoyry/", campaign), 200, page},
		{fmt.Sprintf("/en/%d/", campaign), 200, page},
		{fmt.Sprintf("/%d/x/", draft), 404, page},
		{fmt.Sprintf("/%d/hoyry/pledge/", campaign), 200, page},
		{fmt.Sprintf("/experiments/%d/tyokaluseina/", experiment), 200, page},
		{fmt.Sprintf("/sv/experiments/%d/tyokaluseina", experiment), 200, page},
		{"/experiments/999999/x/", 404, page},
		{"/999999/x/", 404, page},
		{"/no-such-page", 404, page},
		{"/en/no/such/page", 404, page},
		{"/payment-return/", 200, page},
		{"/subscriptions/" + support + "/", 200, page},
		{"/" + support + "/_/subscription-success/", 200, page},
		{"/subscriptions/01JD0000000000000000000009/", 200, page}, // tells nobody whether there is one
		{"/subscriptions/nobodys/", 404, page},
		{"/v2/subscriptions/01JD0000000000000000000009/", 403, data},
		{fmt.Sprintf("/experiments/%d/fi/", experiment), 200, data},
		{fmt.Sprintf("/experiments/%d/EN", experiment), 200, data},
		{"/campaigns/categories", 200, data},
		{"/campaigns/1", 404, data},
		{"/campaigns/no-such-call/", 404, data},
		{"/v9/campaigns", 404, page},
		{"/v2/nothing", 404, data},
		{"/users/nobody", 404, data},
		{"/pledges/", 404, data},
		{"/internal/nothing", 404, data},
		{"/media/nothing", 404, data},
		{"/content/campaigns/categories/", 404, data},
		{"/robots.txt", 200, "text/plain"},
		{"/sitemap.xml", 200, "application/xml"},
		{"/healthz", 200, data},
		{"/readyz", 200, data},
	} {
		answer := call(t.Context(), p.handler, "GET", c.address, "")
		if answer.Code != c.status || !strings.HasPrefix(answer.Header().Get("Content-Type"), c.kind) {
			t.Errorf("GET %s: %d %s, want %d %s", c.address, answer.Code, answer.Header().Get("Content-Type"), c.status, c.kind)
		}
		if answer.Header().Get("X-Content-Type-Options") != "nosniff" || answer.Header().Get("Strict-Transport-Security") == "" {
			t.Errorf("GET %s: security headers are missing: %v", c.address, answer.Header())
		}
		if head := call(t.Context(), p.handler, "HEAD", c.address, ""); head.Code != c.status || head.Header().Get("Content-Type") != answer.Header().Get("Content-Type") {
			t.Errorf("HEAD %s: %d %s, want what GET has", c.address, head.Code, head.Header().Get("Content-Type"))
		}
	}
	if answer := call(t.Context(), p.handler, "POST", "/", "{}"); answer.Code != 405 && answer.Code != 404 {
		t.Errorf("POST to a page: %d", answer.Code)
	}
}

// Otherwise the page would be its answer, too.
func TestRoutes_NoCallHasTheAddressOfAPage(t *testing.T) {
	p := setupDemo(t)
	about := p.target(t, "hoyry-kylan-yhteinen-saunalautta")
	for _, operation := range operations(t) {
		if address := p.addressOf(t, operation.Path, about); operation.Method == http.MethodGet && web.IsPage(address) {
			t.Errorf("%s %s is a page", operation.ID, address)
		}
	}
}

func TestSitemap_ListsPublicCampaignsInEveryLanguage(t *testing.T) {
	p := setupDemo(t)
	answer := call(t.Context(), p.handler, "GET", "/sitemap.xml", "")
	var file struct {
		URLs []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(answer.Body.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	public := p.number(t, `SELECT count(*) FROM campaigns WHERE stage <> 0`)
	if want := int(3*public + 9); len(file.URLs) != want {
		t.Errorf("%d addresses, want %d", len(file.URLs), want)
	}
	if !strings.Contains(answer.Body.String(), "<loc>"+publicURL+"/sv/") || strings.Contains(answer.Body.String(), "torstain-puupaja") {
		t.Errorf("got %.400s", answer.Body)
	}
}

// A page's embedded data are the API's answers.
func TestPages_DataAreTheAnswersOfTheAPI(t *testing.T) {
	p := setupDemo(t)
	id := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	for _, address := range []string{"/", "/en/campaigns/", fmt.Sprintf("/sv/%d/hoyry/", id), "/experiments/"} {
		page := call(t.Context(), p.handler, "GET", address, "").Body.String()
		_, data, _ := strings.Cut(page, `id="tk-data">`)
		data, _, _ = strings.Cut(data, "</script>")
		var block struct {
			Responses map[string]json.RawMessage `json:"responses"`
		}
		if err := json.Unmarshal([]byte(data), &block); err != nil || len(block.Responses) == 0 {
			t.Fatalf("%s: %d responses, %v", address, len(block.Responses), err)
		}
		for asked, inPage := range block.Responses {
			direct := call(t.Context(), p.handler, "GET", strings.TrimPrefix(asked, "/content"), "")
			want, err := json.Marshal(json.RawMessage(direct.Body.Bytes())) // without spaces, and safe inside HTML
			if err != nil || direct.Code != 200 || string(inPage) != string(want) {
				t.Errorf("%s: %s: the page has %.200s, the API (%d) %.200s", address, asked, inPage, direct.Code, want)
			}
		}
	}
}

func TestPages_NameALinkPreviewThatIsThere(t *testing.T) {
	p := setupDemo(t)
	id := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	for _, address := range []string{"/", fmt.Sprintf("/%d/x/", id)} {
		_, rest, _ := strings.Cut(call(t.Context(), p.handler, "GET", address, "").Body.String(), `property="og:image" content="`+publicURL)
		picture, _, _ := strings.Cut(rest, `"`)
		answer := call(t.Context(), p.handler, "GET", picture, "")
		if answer.Code != 200 || answer.Header().Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %s is %d %s", address, picture, answer.Code, answer.Header().Get("Content-Type"))
		}
	}
}

func TestReads_AnswerNotModifiedToACurrentETag(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Shared = time.Second })
	id := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	for _, address := range []string{"/v2/campaigns/preview/fi/?limit=300", fmt.Sprintf("/campaigns/%d/fi/", id), fmt.Sprintf("/campaigns/%d/rewards/fi/", id),
		fmt.Sprintf("/campaigns/%d/backers/", id), fmt.Sprintf("/campaigns/%d/posts/", id), "/experiments/preview/fi/", "/campaigns/tags/"} {
		first := call(t.Context(), p.checked(t), "GET", address, "")
		again := call(t.Context(), p.checked(t), "GET", address, "", "If-None-Match", first.Header().Get("ETag"))
		if first.Code != 200 || again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%s: first %d, then %d with %d bytes", address, first.Code, again.Code, again.Body.Len())
		}
	}
}

func TestReads_AreSharedByAnonymousReadersOnly(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Shared = time.Hour })
	address := fmt.Sprintf("/campaigns/%d/fi/", p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`))
	token := p.token(t, p.number(t, `SELECT min(id) FROM users`))
	title := func(headers ...string) string {
		_, rest, _ := strings.Cut(call(t.Context(), p.handler, "GET", address, "", headers...).Body.String(), `"title":`)
		found, _, _ := strings.Cut(rest, ",")
		return strings.TrimSpace(found)
	}
	before := title()
	if err := p.db.Exec(`UPDATE campaign_previews SET preview = CAST(preview AS jsonb) || '{"title": "Uusi"}'`).Error; err != nil {
		t.Fatal(err)
	}
	if got := title(); got != before {
		t.Errorf("a second visitor gets %s, the first got %s", got, before)
	}
	if got := title(bearer(token)...); got != `"Uusi"` {
		t.Errorf("who is signed in gets %s", got)
	}
}

func TestUnbuilt_PagesSayHowToBuild_TheAPIWorks(t *testing.T) {
	p := setup(t, func(o *app.Options, _ *dbtest.DB) { o.WebDir = filepath.Join(o.WebDir, "missing") })
	if answer := call(t.Context(), p.handler, "GET", "/", ""); answer.Code != 503 || !strings.Contains(answer.Body.String(), "npm run build") {
		t.Errorf("page: %d %s", answer.Code, answer.Body)
	}
	if answer := call(t.Context(), p.handler, "GET", "/campaigns/categories/", ""); answer.Code != 200 {
		t.Errorf("API: %d %s", answer.Code, answer.Body)
	}
}

func TestNew_RefusesABrokenBuild(t *testing.T) {
	p := setup(t)
	o := p.options
	o.WebDir = t.TempDir()
	if err := os.WriteFile(filepath.Join(o.WebDir, "index.html"), []byte("<html></html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := app.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), "tk:head") {
		t.Errorf("got %v", err)
	}
}

func TestInternal_OnlyWithAServiceToken(t *testing.T) {
	p := setupDemo(t)
	signer, err := servicetoken.NewSigner([]byte(serviceSecret), servicetoken.Payments, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	good, err := signer.Sign(servicetoken.Content)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := signer.Sign(servicetoken.Payments)
	if err != nil {
		t.Fatal(err)
	}
	user := p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`))
	order := "/internal/orders/pledge/" + p.pledge(t, p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`))
	for _, address := range []string{order, order + "/"} {
		for name, c := range map[string]struct {
			token string
			want  int
		}{"none": {"", 401}, "a person's": {user, 401}, "for another service": {foreign, 401}, "good": {good, 200}} {
			if answer := call(t.Context(), p.handler, "GET", address, "", bearer(c.token)...); answer.Code != c.want {
				t.Errorf("%s with %s token: %d, want %d: %s", address, name, answer.Code, c.want, answer.Body)
			}
		}
	}
}

func TestDatabaseGone_IsUnavailableNotBroken(t *testing.T) {
	wire := &cuttable{}
	p := setup(t, func(o *app.Options, d *dbtest.DB) { o.DB = wire.open(t, d.URL) })
	if answer := call(t.Context(), p.handler, "GET", "/readyz", ""); answer.Code != 200 {
		t.Fatalf("before: %d", answer.Code)
	}
	wire.cut()
	for address, want := range map[string]string{"/campaigns/tags/": "unavailable", "/readyz": "failing"} {
		answer := call(t.Context(), p.handler, "GET", address, "")
		if answer.Code != 503 || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: %d %s", address, answer.Code, answer.Body)
		}
	}
	if answer := call(t.Context(), p.handler, "GET", "/7/some-campaign/", ""); answer.Code != 503 {
		t.Errorf("a page whose campaign nobody can look up: %d, want 503", answer.Code)
	}
	if answer := call(t.Context(), p.handler, "GET", "/healthz", ""); answer.Code != http.StatusOK {
		t.Errorf("healthz: %d", answer.Code)
	}
}

func TestTextThatCannotBeKept_IsTheCallersFault(t *testing.T) {
	p := setupDemo(t)
	handler := p.checked(t)
	id := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	for _, c := range []struct{ address, body string }{
		{"/users/tokens/", `{"email": "nul\u0000@new.example", "password": "x"}`},
		{fmt.Sprintf("/campaigns/%d/pledges/", id), `{"amount": 20, "pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": "B", "address_city": "\u0000"}}`},
	} {
		if answer := call(t.Context(), handler, "POST", c.address, c.body); answer.Code != 400 {
			t.Errorf("%s %s: %d %s", c.address, c.body, answer.Code, answer.Body)
		}
	}
}
