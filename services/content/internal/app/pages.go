package app

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/contract"

	"talkoot.fi/content/internal/web"
)

// pages serves the web app's pages.
type pages struct {
	handle  echo.HandlerFunc
	sitemap *web.Sitemap
	shell   *web.Shell // nil while the app is not built
}

// serveFirst serves a page where its address matches the route of a call too: /experiments/7/its-name is a page, although
// /experiments/{experiment_id}/{language} has the same form.
func (p pages) serveFirst(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if readOnly(c.Request().Method) && web.IsPage(c.Request().URL.Path) {
			return p.handle(c)
		}
		return next(c)
	}
}

// routePages registers the pages as the fallback for all other addresses. Under the first path segments of the API an
// address that is no page is a JSON 404: a program that calls there does not want HTML.
func routePages(e *echo.Echo, compress echo.MiddlewareFunc, p pages, public *contract.Contract) {
	families := map[string]bool{"internal": true, "media": true, "assets": true, "content": true, "payments": true}
	for _, operation := range public.Operations() {
		families[firstSegment(operation.Path)] = true
	}
	rest := func(c echo.Context) error {
		path := c.Request().URL.Path
		if families[firstSegment(path)] && !web.IsPage(path) {
			return apperr.New(apperr.NotFound)
		}
		return p.handle(c)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		e.Add(method, "/robots.txt", p.sitemap.Robots, compress)
		e.Add(method, "/sitemap.xml", p.sitemap.Handle, compress)
		if p.shell != nil {
			e.Add(method, "/feeds/:language/campaigns.atom", p.shell.CampaignFeed, compress)
			e.Add(method, "/feeds/:language/campaigns/:campaign/updates.atom", p.shell.UpdatesFeed, compress)
			e.Add(method, "/oembed", p.shell.OEmbed, compress)
		}
		e.Add(method, "/*", rest, compress)
	}
}

func firstSegment(path string) string {
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return segment
}

func readOnly(method string) bool { return method == http.MethodGet || method == http.MethodHead }
