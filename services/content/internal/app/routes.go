package app

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/variations"
	"talkoot.fi/content/internal/web"
)

// routePublic registers the public contract. The outer middlewares run before the limits of reading lists, the inner
// ones after, and replica inside of the cache of shared answers. Addresses that match both a call and a page belong to the page.
func routePublic(e *echo.Echo, c *contract.Contract, public publicAPI, outer, inner []echo.MiddlewareFunc, replica echo.MiddlewareFunc, o Options) {
	shared := httpx.NewShared(o.Now, o.Shared, sharedBytes)
	e.Use(shared.NoteWrites(variations.VisitRoute)) // on all routes: the payment service's events write too
	reads := ratelimit.NewLocal(o.Now).ByAddress(mergeRules(o.Limits.Reads.rules(c), variations.Rules()))
	chain := slices.Concat(outer, []echo.MiddlewareFunc{reads}, inner,
		[]echo.MiddlewareFunc{shared.Middleware(isAnonymous, sharedRoutes(c)), replica, refuseAnonymous(c), c.Middleware()})
	routes := httpx.Routes(e, chain...)
	api.RegisterHandlers(routes, api.NewStrictHandler(public, nil))
}

// refuseAnonymous refuses anonymous callers of calls that need a session, before the body is read: bodies of stories
// and pictures are large, and validating them is expensive.
func refuseAnonymous(c *contract.Contract) echo.MiddlewareFunc {
	needs := map[string]bool{}
	for _, operation := range c.Operations() {
		needs[operation.Method+" "+operation.Route] = operation.NeedsSession
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if needs[c.Request().Method+" "+c.Path()] {
				if _, err := session.Require(c.Request().Context()); err != nil {
					return err
				}
			}
			return next(c)
		}
	}
}

// sharedBytes is the size of the cache of anonymous readers' answers.
const sharedBytes = 32 << 20

// sharedRoutes are the calls whose answers may be cached, each with its query parameters.
func sharedRoutes(c *contract.Contract) map[string][]string {
	routes := map[string][]string{}
	for _, operation := range c.Operations() {
		if operation.Shared {
			routes[operation.Route] = operation.Params
		}
	}
	return routes
}

func isAnonymous(ctx context.Context) bool {
	_, signedIn := session.From(ctx)
	return !signedIn
}

// routeInternal registers the calls that only the payment service may make.
func routeInternal(e *echo.Echo, calls internalAPI, o Options) error {
	c, err := loadContract(internalapi.GetSpecJSON)
	if err != nil {
		return err
	}
	verifier, err := servicetoken.NewVerifier(o.ServiceSecret, servicetoken.Payments, servicetoken.Content, o.Now, o.OlderSecrets...)
	if err != nil {
		return fmt.Errorf("service token: %w", err)
	}
	routes := httpx.Routes(e, servicetoken.Require(verifier), c.Middleware())
	internalapi.RegisterHandlers(routes, internalapi.NewStrictHandler(calls, nil))
	return nil
}

// routeFiles registers pictures and the built app's files.
func routeFiles(e *echo.Echo, o Options) {
	media := func(c echo.Context) error {
		// Pages of other sites show pictures in the widget, and some ask for leave to do so.
		c.Response().Header().Set("Access-Control-Allow-Origin", "*")
		c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		return o.Files.Serve(c.Response(), c.Request(), c.Param("size"), c.Param("name"))
	}
	assets := web.NewAssets(o.WebDir)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		e.Add(method, "/media/:size/:name", media)
		e.Add(method, "/assets/*", assets.Handle)
		e.Add(method, "/widget.js", assets.Widget)
	}
}
