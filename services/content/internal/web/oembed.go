package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"

	"talkoot.fi/content/internal/api"
)

// oEmbed (oembed.com, version 1.0) of campaigns' pages. The type is rich, and its HTML is a picture with links and words:
// no script, no frame, no style, so it works under any policy of the page that embeds it. Where that has no room, the type
// is link, without HTML and picture.
type oEmbed struct {
	Type            string `json:"type"`
	Version         string `json:"version"`
	Title           string `json:"title"`
	AuthorName      string `json:"author_name,omitempty"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"` // seconds
	ThumbnailURL    string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"` // pixels, as are all
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
	HTML            string `json:"html,omitempty"`
	Width           int    `json:"width,omitempty"`
	Height          int    `json:"height,omitempty"`
}

const (
	oEmbedCacheAge = 3600
	// oEmbedWords is the height of the words below a picture, in pixels.
	oEmbedWords = 96
	// oEmbedThumbnail is the size of the picture that is made for link previews.
	oEmbedThumbnailWidth, oEmbedThumbnailHeight = 1200, 630
)

// oEmbedWidths are the widths of pictures to choose from, in pixels: those that are served as asked for. They are 16:10.
var oEmbedWidths = []int{640, 480, 320, 160}

func oEmbedPath(page string) string { return "/oembed?format=json&url=" + url.QueryEscape(page) }

var oEmbedHTML = template.Must(template.New("oembed").Parse(`<figure class="talkoot-campaign" lang="{{.Language}}">` +
	`<a href="{{.Page}}"><img src="{{.Picture}}" width="{{.Width}}" height="{{.Height}}" alt=""></a>` +
	`<figcaption><a href="{{.Page}}">{{.Title}}</a><br>{{.Text}}{{with .Line}}<br>{{.}}{{end}}</figcaption></figure>`))

// OEmbed serves /oembed?url=…. Errors: apperr.MalformedBody without an address, NotFound for what is no public
// campaign of ours. A format other than JSON is 501, as the specification of oEmbed has it.
func (s *Shell) OEmbed(c echo.Context) error {
	if format := c.QueryParam("format"); format != "" && format != "json" {
		return c.NoContent(http.StatusNotImplemented)
	}
	language, id, err := s.campaignAt(c.QueryParam("url"))
	if err != nil {
		return err
	}
	w := s.built.in(language)
	answer, err := asked[api.CampaignAnswer](s, c, fmt.Sprintf("/campaigns/%s/%s/", id, language))
	if err != nil {
		return err
	}
	it := answer.Campaign
	embed := oEmbed{Type: "link", Version: "1.0", Title: it.Title, AuthorName: it.Creator.Name, ProviderName: w.T("site.name"),
		ProviderURL: s.config.PublicURL + "/", CacheAge: oEmbedCacheAge}
	maxWidth, maxHeight := atMost(c.QueryParam("maxwidth")), atMost(c.QueryParam("maxheight"))
	for _, width := range oEmbedWidths {
		if width <= maxWidth && heightOf(width)+oEmbedWords <= maxHeight {
			if err := s.enrich(&embed, it, w, width); err != nil {
				return err
			}
			break
		}
	}
	// A drawn cover is an SVG, which consumers of thumbnails do not take; the one for link previews is a JPEG of one size.
	if embed.Type == "rich" && oEmbedThumbnailWidth <= maxWidth && oEmbedThumbnailHeight <= maxHeight {
		embed.ThumbnailURL = s.config.PublicURL + s.share(cmp.Or(it.ProjectPic, platformPicture))
		embed.ThumbnailWidth, embed.ThumbnailHeight = oEmbedThumbnailWidth, oEmbedThumbnailHeight
	}
	body, err := json.Marshal(embed)
	if err != nil {
		return fmt.Errorf("write oEmbed: %w", err)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Access-Control-Allow-Origin", "*")
	return httpx.SendTagged(c, echo.MIMEApplicationJSON, body)
}

func heightOf(width int) int { return width * 5 / 8 }

// enrich makes an answer of the type rich, with a picture of the width.
func (s *Shell) enrich(embed *oEmbed, it api.Campaign, w words, width int) error {
	height := heightOf(width)
	embed.Type, embed.Width, embed.Height = "rich", width, height+oEmbedWords
	var html bytes.Buffer
	err := oEmbedHTML.Execute(&html, map[string]any{"Language": it.Language, "Picture": s.config.PublicURL + mediaPath(it.ProjectPic, width, height), "Width": width, "Height": height,
		"Page":  address(s.config.PublicURL, w.language, fmt.Sprintf("/%d/%s/", it.CampaignID, it.Slug)),
		"Title": it.Title, "Text": cmp.Or(it.Tagline, it.ShortDescription),
		"Line": w.progress(standingOf(it))})
	if err != nil {
		return fmt.Errorf("write oEmbed: %w", err)
	}
	embed.HTML = html.String()
	return nil
}

// campaignAt is the language and id of the campaign that an address of ours is the page of.
func (s *Shell) campaignAt(text string) (language, id string, err error) {
	asked, err := url.Parse(text)
	own, err2 := url.Parse(s.config.PublicURL)
	switch {
	case text == "" || err != nil:
		return "", "", apperr.New(apperr.MalformedBody)
	case err2 != nil || asked.Host != own.Host || asked.Scheme != "https" && asked.Scheme != own.Scheme:
		return "", "", apperr.New(apperr.NotFound)
	}
	language, rest := splitLanguage(asked.Path)
	e, params := find(rest)
	if e == nil || e.Name != "campaign" {
		return "", "", apperr.New(apperr.NotFound)
	}
	return language, params["campaignId"], nil
}

// atMost is a limit that a caller gave, in pixels; none is very much.
func atMost(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return math.MaxInt
	}
	return n
}
