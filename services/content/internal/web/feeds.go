package web

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// atomType is the media type of feeds (RFC 4287).
const atomType = "application/atom+xml"

// feedEntries is how many entries a feed has.
const feedEntries = 30

// feed is an Atom feed (RFC 4287). Titles and texts are plain text, which encoding/xml escapes.
type feed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Language string      `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	Updated  string      `xml:"updated"`
	Author   *feedAuthor `xml:"author"`
	Links    []feedLink  `xml:"link"`
	Entries  []feedEntry `xml:"entry"`
}

type feedAuthor struct {
	Name string `xml:"name"`
}

type feedLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type feedEntry struct {
	Language  string      `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
	ID        string      `xml:"id"`
	Title     string      `xml:"title"`
	Published string      `xml:"published"`
	Updated   string      `xml:"updated"`
	Author    *feedAuthor `xml:"author"`
	Link      feedLink    `xml:"link"`
	Summary   string      `xml:"summary"`
}

// campaignFeedPath and updatesFeedPath are the feeds' addresses on the platform.
func campaignFeedPath(language string) string { return "/feeds/" + language + "/campaigns.atom" }

func updatesFeedPath(language string, campaign int64) string {
	return fmt.Sprintf("/feeds/%s/campaigns/%d/updates.atom", language, campaign)
}

// CampaignFeed serves the campaigns that have opened last, of /feeds/:language/campaigns.atom.
func (s *Shell) CampaignFeed(c echo.Context) error {
	w, err := s.feedWords(c)
	if err != nil {
		return err
	}
	list, err := asked[api.CampaignPreviewsAnswer](s, c, fmt.Sprintf("/campaigns/preview/%s/?limit=%d&sort=newest", w.language, feedEntries))
	if err != nil {
		return err
	}
	f := s.newFeed(w, campaignFeedPath(w.language), "/campaigns/", w.T("campaigns.title")+" – "+w.T("site.name"))
	f.Author = &feedAuthor{w.T("site.name")}
	for _, campaign := range list.Previews {
		path := fmt.Sprintf("/%d/%s/", campaign.CampaignID, campaign.Slug)
		f.add(feedEntry{Language: campaign.Language, ID: fmt.Sprintf("%s/%d", s.config.PublicURL, campaign.CampaignID),
			Title: campaign.Title, Author: &feedAuthor{cmp.Or(campaign.Creator.Name, w.T("site.name"))},
			Summary: cmp.Or(campaign.Tagline, campaign.ShortDescription),
			Link:    feedLink{"alternate", "text/html", address(s.config.PublicURL, w.language, path)}}, campaign.FundingStart)
	}
	return f.send(c)
}

// UpdatesFeed serves the updates of one campaign that everybody may read the beginning of, of
// /feeds/:language/campaigns/:campaign/updates.atom. Error: apperr.NotFound, also for drafts.
func (s *Shell) UpdatesFeed(c echo.Context) error {
	w, err := s.feedWords(c)
	if err != nil {
		return err
	}
	id := c.Param("campaign")
	if !isID(id) {
		return apperr.New(apperr.NotFound)
	}
	answer, err := asked[api.CampaignAnswer](s, c, fmt.Sprintf("/campaigns/%s/%s/", id, w.language))
	if err != nil {
		return err
	}
	list, err := asked[api.PostPreviewsAnswer](s, c,
		fmt.Sprintf("/campaigns/%s/posts/preview/?language=%s&limit=%d", id, w.language, feedEntries))
	if err != nil {
		return err
	}
	campaign := answer.Campaign
	page := fmt.Sprintf("/%d/%s/", campaign.CampaignID, campaign.Slug)
	f := s.newFeed(w, updatesFeedPath(w.language, campaign.CampaignID), page, campaign.Title+" – "+w.T("campaignPage.updates"))
	f.Author = &feedAuthor{cmp.Or(campaign.Creator.Name, w.T("site.name"))}
	f.Subtitle = cmp.Or(campaign.Tagline, campaign.ShortDescription)
	for _, post := range list.Previews {
		f.add(feedEntry{Language: post.Language, ID: fmt.Sprintf("%s/%d/posts/%d", s.config.PublicURL, campaign.CampaignID, post.ID),
			Title: post.Title, Summary: post.Intro, Link: feedLink{"alternate", "text/html",
				address(s.config.PublicURL, w.language, fmt.Sprintf("%sposts/%d/", page, post.ID))}}, post.PublishedAt)
	}
	return f.send(c)
}

// feedWords are the texts of the language in the address. Error: apperr.NotFound for an unknown one.
func (s *Shell) feedWords(c echo.Context) (words, error) {
	for _, l := range languages.All {
		if l == c.Param("language") {
			return s.built.in(l), nil
		}
	}
	return words{}, apperr.New(apperr.NotFound)
}

// isID reports whether a text is an id as addresses have it: 1 to 15 digits, the first not 0.
func isID(text string) bool {
	return text != "" && len(text) <= 15 && text[0] != '0' && strings.Trim(text, "0123456789") == ""
}

// asked is the answer of the service's own API to an anonymous reader. Errors: apperr.NotFound; apperr.Unavailable
// while the API fails.
func asked[T any](s *Shell, c echo.Context, address string) (answer T, err error) {
	status, body := ask(s.api, c.Request())(address)
	switch {
	case status == http.StatusNotFound:
		return answer, apperr.New(apperr.NotFound)
	case status != http.StatusOK:
		return answer, apperr.New(apperr.Unavailable)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return answer, fmt.Errorf("read %s: %w", address, err)
	}
	return answer, nil
}

func (s *Shell) newFeed(w words, path, page, title string) *feed {
	self := s.config.PublicURL + path
	return &feed{Language: w.language, ID: self, Title: title, Links: []feedLink{{"self", atomType, self},
		{"alternate", "text/html", address(s.config.PublicURL, w.language, page)}}}
}

// add adds an entry of a moment; one without a moment is left out, because Atom needs it.
func (f *feed) add(e feedEntry, at *time.Time) {
	if at == nil {
		return
	}
	e.Published = at.UTC().Format(time.RFC3339)
	e.Updated = e.Published
	f.Entries = append(f.Entries, e)
	f.Updated = max(f.Updated, e.Updated)
}

func (f *feed) send(c echo.Context) error {
	f.Updated = cmp.Or(f.Updated, time.Unix(0, 0).UTC().Format(time.RFC3339)) // of an empty feed: nothing has happened yet
	body, err := xml.Marshal(f)
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Access-Control-Allow-Origin", "*")
	return httpx.SendTagged(c, atomType+"; charset=utf-8", append([]byte(xml.Header), body...))
}
