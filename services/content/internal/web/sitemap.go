package web

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/content/internal/api"
)

const (
	// sitemapFresh is how long a sitemap is cached.
	sitemapFresh = 10 * time.Minute
	// sitemapPage is the API's largest limit of a list.
	sitemapPage = 300
	// sitemapCampaigns keeps the file below the 50,000 addresses of the protocol (sitemaps.org), three for a campaign.
	sitemapCampaigns = 16_000
)

// Sitemap lists the public campaigns' pages, in every language, for search engines.
type Sitemap struct {
	publicURL string
	api       http.Handler
	now       func() time.Time

	mu   sync.Mutex
	body []byte
	made time.Time
}

// NewSitemap makes the sitemap from the lists of the service's own API.
func NewSitemap(publicURL string, api http.Handler, now func() time.Time) *Sitemap {
	return &Sitemap{publicURL: publicURL, api: api, now: now}
}

// Robots serves /robots.txt, which allows everything but the pages of the pledge flow.
func (s *Sitemap) Robots(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=600")
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /content/\nDisallow: /payments/\nDisallow: /*/pledge/\nDisallow: /*/thanks/\n"+
		"Disallow: /payment-return/\n\nSitemap: "+s.publicURL+"/sitemap.xml\n")
}

// Handle serves /sitemap.xml. When it has expired one request makes it and the others wait; while the API fails, the
// last one is served.
func (s *Sitemap) Handle(c echo.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.now(); s.body == nil || now.Sub(s.made) >= sitemapFresh {
		body, err := s.build(c.Request())
		if err != nil && s.body == nil {
			return err
		}
		if err == nil {
			s.body = body
		}
		s.made = now
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=600")
	return c.Blob(http.StatusOK, "application/xml; charset=utf-8", s.body)
}

type sitemapURL struct {
	Address string `xml:"loc"`
}

func (s *Sitemap) build(outer *http.Request) ([]byte, error) {
	ask := ask(s.api, outer)
	file := struct {
		XMLName   xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Addresses []sitemapURL `xml:"url"`
	}{}
	add := func(path string) {
		for _, language := range []string{"fi", "en", "sv"} {
			file.Addresses = append(file.Addresses, sitemapURL{address(s.publicURL, language, path)})
		}
	}
	add("/")
	add("/campaigns/")
	add("/experiments/")
	for offset := 0; offset < sitemapCampaigns; offset += sitemapPage {
		status, body := ask(fmt.Sprintf("/content/v2/campaigns/preview/fi/?stages=1,2,3,4,5,6&sort=newest&limit=%d&offset=%d", sitemapPage, offset))
		var list api.CampaignPreviewsAnswer
		if status != http.StatusOK {
			return nil, fmt.Errorf("list campaigns for the sitemap: status %d", status)
		}
		if err := json.Unmarshal(body, &list); err != nil {
			return nil, fmt.Errorf("read campaigns for the sitemap: %w", err)
		}
		for _, campaign := range list.Previews {
			add(fmt.Sprintf("/%d/%s/", campaign.CampaignID, campaign.Slug))
		}
		if len(list.Previews) < sitemapPage {
			break
		}
	}
	body, err := xml.Marshal(file)
	if err != nil {
		return nil, fmt.Errorf("write sitemap: %w", err)
	}
	return append([]byte(strings.TrimSuffix(xml.Header, "\n")), body...), nil
}
