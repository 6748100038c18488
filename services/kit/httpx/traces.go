package httpx

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/trace"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/tracing"
)

const (
	spanKey = "span"
	// internalRoutes begins the routes of calls between the services, whose spans begin once the caller has shown who it is.
	internalRoutes = "/internal/"
)

// subjectParams are the parameters of routes that name what a trace is about.
var subjectParams = []string{"pledge_id", "subscription_id"}

// beginTrace begins the span of a request. begins are the routes, such as "POST /campaigns/:campaign_id/pledges", that make what a
// trace is about; its id is drawn here (ids.Drawn), because the trace's follows from it.
func beginTrace(c echo.Context, begins []string) {
	if isInternal(c.Path()) {
		return // see InternalTrace
	}
	r := c.Request()
	if !slices.Contains(begins, r.Method+" "+c.Path()) {
		beginSpan(c, tracing.Incoming{Subject: subjectOf(c)})
		return
	}
	ctx, id := ids.Draw(r.Context())
	c.SetRequest(r.WithContext(ctx))
	beginSpan(c, tracing.Incoming{Subject: id, Begins: true})
}

func endTrace(c echo.Context) {
	if span, ok := c.Get(spanKey).(trace.Span); ok {
		tracing.Answered(span, c.Response().Status)
	}
}

// InternalTrace goes on with the trace of the other service, once it has shown that the request is its own.
func InternalTrace(c echo.Context) {
	if tracing.On() && isInternal(c.Path()) {
		beginSpan(c, tracing.Incoming{IsInternal: true, Subject: subjectOf(c)})
	}
}

func beginSpan(c echo.Context, in tracing.Incoming) {
	r := c.Request()
	in.Method, in.Route, in.Header = knownMethod(r.Method), routeOf(c), r.Header
	ctx, span := tracing.Serve(r.Context(), in)
	if span != nil {
		c.Set(spanKey, span)
		c.SetRequest(r.WithContext(ctx))
	}
}

func isInternal(route string) bool { return strings.HasPrefix(route, internalRoutes) }

// subjectOf is what a request's path names, in its one spelling; "" for nothing.
func subjectOf(c echo.Context) string {
	for _, name := range subjectParams {
		if id, err := ids.Parse(c.Param(name)); err == nil {
			return id
		}
	}
	return ""
}
