package app

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/contract"

	"talkoot.fi/content/internal/web"
)

// pages answers the addresses that people see.
type pages struct {
	handle  echo.HandlerFunc
	sitemap *web.Sitemap
}

// first lets a page have its address where a call's pattern fits it too: /experiments/7/its-name is a page, although
// /experiments/{experiment_id}/{language} has the same form.
func (p pages) first(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if readOnly(c.Request().Method) && web.IsPage(c.Request().URL.Path) {
			return p.handle(c)
		}
		return next(c)
	}
}

// routePages registers everything that is nothing else. Below the first words of the API's paths, what is no page is
// no address at all: a program that asks there wants no HTML.
func routePages(e *echo.Echo, pack echo.MiddlewareFunc, p pages, public *contract.Contract) {
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
		e.Add(method, "/robots.txt", p.sitemap.Robots, pack)
		e.Add(method, "/sitemap.xml", p.sitemap.Handle, pack)
		e.Add(method, "/*", rest, pack)
	}
}

func firstSegment(path string) string {
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return segment
}

func readOnly(method string) bool { return method == http.MethodGet || method == http.MethodHead }
