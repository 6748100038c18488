package web_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/web"
)

const ours = "https://talkoot.test"

// served is the answer of the real routes of feeds and oEmbed, to a reader who may have an answer already.
func served(t *testing.T, address string, have ...string) (status int, header http.Header, body string) {
	t.Helper()
	s := shellOf(t, web.Config{PublicURL: ours})
	e := echo.New()
	e.GET("/feeds/:language/campaigns.atom", s.CampaignFeed)
	e.GET("/feeds/:language/campaigns/:campaign/updates.atom", s.UpdatesFeed)
	e.GET("/oembed", s.OEmbed)
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		c.Response().WriteHeader(apperr.From(err).HTTP())
	}
	w, err := get(t, func(c echo.Context) error {
		for _, etag := range have {
			c.Request().Header.Set("If-None-Match", etag)
		}
		e.ServeHTTP(c.Response(), c.Request())
		return nil
	}, address)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, w.Header(), w.Body.String()
}

// atom is what RFC 4287 requires of a feed.
type atom struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Entries []struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Summary string `xml:"summary"`
		Link    struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"entry"`
}

func feedOf(t *testing.T, path string) (f atom) {
	t.Helper()
	status, header, body := served(t, path)
	if status != http.StatusOK || header.Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Fatalf("%s: %d %v", path, status, header)
	}
	if err := xml.Unmarshal([]byte(body), &f); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	times := []string{f.Updated}
	for _, e := range f.Entries {
		times = append(times, e.Updated)
		if e.ID == "" || !strings.HasPrefix(e.Link.Href, ours+"/") {
			t.Errorf("%s: entry %+v", path, e)
		}
	}
	for _, at := range times {
		if _, err := time.Parse(time.RFC3339, at); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if f.ID != ours+path || f.Title == "" || f.Author == "" || len(f.Links) != 2 || f.Links[0].Rel != "self" || f.Links[0].Href != ours+path ||
		!strings.HasPrefix(f.Links[1].Href, ours+"/") {
		t.Errorf("%s: %+v", path, f)
	}
	return f
}

func TestFeeds_AreAtom_NothingEscapes(t *testing.T) {
	f := feedOf(t, "/feeds/sv/campaigns.atom")
	if len(f.Entries) != 2 || f.Entries[0].Title != nasty || f.Entries[0].Summary != "\uFFFDT" || f.Updated != "2026-11-02T00:00:00Z" ||
		f.Entries[0].Link.Href != ours+"/sv/1/lautta/" || f.Entries[0].ID == f.Entries[1].ID {
		t.Errorf("%+v", f)
	}
	f = feedOf(t, "/feeds/fi/campaigns/1/updates.atom")
	if len(f.Entries) != 1 || f.Entries[0].Title != nasty || f.Entries[0].Updated != "2026-11-03T08:00:00Z" ||
		f.Entries[0].Link.Href != ours+"/1/lautta/posts/5/" {
		t.Errorf("%+v", f)
	}
	if f = feedOf(t, "/feeds/fi/campaigns/7/updates.atom"); len(f.Entries) != 0 {
		t.Errorf("%+v", f)
	}
}

func TestFeeds_OfNothing(t *testing.T) {
	for path, want := range map[string]int{
		"/feeds/de/campaigns.atom": 404, "/feeds/fi/campaigns/2/updates.atom": 404, "/feeds/fi/campaigns/01/updates.atom": 404,
		"/feeds/fi/campaigns/1%3Fx/updates.atom": 404, "/feeds/fi/campaigns/500/updates.atom": 503,
		"/feeds/fi/campaigns/" + strings.Repeat("9", 10_000) + "/updates.atom": 404,
	} {
		if status, _, _ := served(t, path); status != want {
			t.Errorf("%.60s: %d, want %d", path, status, want)
		}
	}
}

func TestOEmbed_IsRichWithoutScript(t *testing.T) {
	status, _, body := served(t, "/oembed?url="+url.QueryEscape(ours+"/en/1/lautta/?utm_source=x")+"&maxwidth=1200&maxheight=700")
	var got struct {
		Type, Version, Title, HTML string
		ProviderURL                string `json:"provider_url"`
		ThumbnailURL               string `json:"thumbnail_url"`
		Width, Height              int
		ThumbnailWidth             int `json:"thumbnail_width"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK {
		t.Fatalf("%d %v: %s", status, err, body)
	}
	if got.Type != "rich" || got.Version != "1.0" || got.Title != nasty || got.ProviderURL != ours+"/" || got.Width != 640 || got.Height != 496 ||
		got.ThumbnailURL != ours+"/share/art.svg" || got.ThumbnailWidth != 1200 {
		t.Errorf("%+v", got)
	}
	if strings.Contains(got.HTML, "<script") || strings.Contains(got.HTML, "<!--") ||
		!strings.Contains(got.HTML, `<img src="https://talkoot.test/media/640x400/art.svg" width="640" height="400"`) || !strings.Contains(got.HTML, `<a href="https://talkoot.test/en/1/lautta/">Sauna &#34;lautta&#34; &lt;/script&gt;`) {
		t.Errorf("%s", got.HTML)
	}
}

func TestOEmbed_OfNothing(t *testing.T) {
	for query, want := range map[string]int{
		"": 400, "url=%3A%2F%2F": 400, "url=" + url.QueryEscape("https://other.test/1/lautta/"): 404,
		"url=" + url.QueryEscape(ours+"/campaigns/"): 404, "url=" + url.QueryEscape(ours+"/2/luonnos/"): 404,
		"url=" + url.QueryEscape("javascript://talkoot.test/1/lautta/"): 404, "format=xml&url=" + url.QueryEscape(ours+"/1/lautta/"): 501,
		"url=" + url.QueryEscape(ours+"/500/x/"): 503,
	} {
		if status, _, body := served(t, "/oembed?"+query); status != want {
			t.Errorf("%s: %d, want %d: %s", query, status, want, body)
		}
	}
}

func TestPages_NameTheirFeedsAndOEmbed(t *testing.T) {
	s := shellOf(t, web.Config{PublicURL: ours})
	for address, wants := range map[string][]string{
		"/en/1/lautta/": {`<link rel="alternate" type="application/atom+xml" title="Sauna &#34;lautta&#34; &lt;/script&gt;`,
			`href="https://talkoot.test/feeds/en/campaigns/1/updates.atom">`, `<link rel="alternate" type="application/json+oembed" title="`,
			`href="https://talkoot.test/oembed?format=json&amp;url=https%3A%2F%2Ftalkoot.test%2Fen%2F1%2Flautta%2F">`},
		"/sv/": {`href="https://talkoot.test/feeds/sv/campaigns.atom">`},
	} {
		page := page200(t, s, address)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s in\n%.3000s", address, want, page)
			}
		}
	}
}

// A reader who has the answer gets it only once.
func TestFeedsAndOEmbed_AnswerNotModified(t *testing.T) {
	for _, path := range []string{"/feeds/sv/campaigns.atom", "/feeds/fi/campaigns/1/updates.atom", "/oembed?url=" + url.QueryEscape(ours+"/1/lautta/")} {
		_, header, _ := served(t, path)
		etag := header.Get("ETag")
		if status, again, body := served(t, path, etag); status != http.StatusNotModified || body != "" || again.Get("ETag") != etag {
			t.Errorf("%s with %q: %d %q", path, etag, status, body)
		}
		if status, _, _ := served(t, path, `"another"`); status != http.StatusOK {
			t.Errorf("%s with another: %d", path, status)
		}
	}
}

// What is embedded is never larger than the page that embeds it allows; with too little room it is a link.
func TestOEmbed_FitsOrIsALink(t *testing.T) {
	for limits, want := range map[string]string{"": "rich", "&maxwidth=500": "rich", "&maxwidth=160": "rich", "&maxwidth=159": "link", "&maxheight=196": "rich",
		"&maxheight=90": "link", "&maxwidth=1&maxheight=1": "link", "&maxwidth=-5": "rich", "&maxwidth=wide": "rich"} {
		status, _, body := served(t, "/oembed?url="+url.QueryEscape(ours+"/1/lautta/")+limits)
		var got map[string]any
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %v", limits, status, err)
		}
		_, hasHTML := got["html"]
		_, hasWidth := got["width"]
		if got["type"] != want || got["version"] != "1.0" || hasHTML != (want == "rich") || hasWidth != hasHTML {
			t.Errorf("%s: %s", limits, body)
		}
		html, _ := got["html"].(string)
		_, hasThumbnail := got["thumbnail_url"]
		if limits == "&maxwidth=500" && (!strings.Contains(html, "/media/480x300/") || hasThumbnail) {
			t.Errorf("%s: a picture of a size that is not served, or a thumbnail that does not fit: %s", limits, body)
		}
	}
}
