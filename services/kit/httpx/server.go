package httpx

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"talkoot.fi/kit/apperr"
)

// DefaultBodyLimit is the largest request body in bytes when Options.BodyLimit is 0.
const DefaultBodyLimit int64 = 1 << 20

// Options is what New needs. Log and Now are required.
type Options struct {
	Log *slog.Logger
	Now func() time.Time
	// Name of the service, a label on every metric: "content", "payments".
	Name string
	// CORSOrigins are the origins (scheme://host[:port]) whose pages may read answers. Empty: none but our own.
	CORSOrigins []string
	// PublicURL is the platform's public address; with https:// answers have Strict-Transport-Security.
	PublicURL string
	// BodyLimit is in bytes; 0 means DefaultBodyLimit.
	BodyLimit int64
	// Uploads are routes with a limit of their own, in bytes by "POST /files/images"; they also get uploadTime to be read.
	Uploads map[string]int64
	// TrustedProxies are the networks whose X-Forwarded-For is trusted. Empty: loopback only.
	TrustedProxies []netip.Prefix
	// Classify maps errors that only the service knows, such as an unreachable database; it returns nil for others. It
	// gets all errors that are not an apperr.Error, and those of status 500.
	Classify func(error) *apperr.Error
	// Metrics is the registry of this package's metrics and of /metrics; nil makes a new one.
	Metrics *prometheus.Registry
	// Security says which requests are security events.
	Security Security
	// Begins are the routes, by "POST /campaigns/:campaign_id/pledges", that make what a trace is about; see beginTrace.
	Begins []string
	// Ready are the checks behind /readyz.
	Ready []Check
}

// New makes the Echo instance of a service with all middlewares, the error handler and /healthz, /readyz and /metrics.
// Routes are registered through Routes(e), which makes them answer with and without a final slash, and HEAD as GET.
func New(o Options) *echo.Echo {
	if o.BodyLimit == 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.JSONSerializer = strictJSON{}
	e.IPExtractor = clientIPExtractor(o.TrustedProxies)
	e.HTTPErrorHandler = errorHandler(o.Log, o.Classify)

	e.Pre(trimSlash)
	e.Use(
		requestContext(strings.HasPrefix(o.PublicURL, "https://")),
		(&observer{log: o.Log, now: o.Now, m: newRequestMetrics(o.Metrics, o.Name), begins: o.Begins}).middleware,
		securityLog(o.Log, o.Security),
		recoverPanics,
		cors(o.CORSOrigins),
		limitQuery,
		limitBody(o.BodyLimit, o.Uploads),
	)
	mountOps(e, o)
	return e
}

// Router registers routes without their final slash; it fits the interface that generated code registers on.
type Router struct {
	echo       *echo.Echo
	middleware []echo.MiddlewareFunc
}

// Routes makes a router for generated handlers. The middlewares run for its routes only, the first one outermost, so
// that public and internal calls of one service can have different authentication:
//
//	api.RegisterHandlers(httpx.Routes(e, session.Authenticate(v), contract.Middleware()), handler)
//	internalapi.RegisterHandlers(httpx.Routes(e, servicetoken.Require(v), internal.Middleware()), handler)
func Routes(e *echo.Echo, m ...echo.MiddlewareFunc) Router { return Router{echo: e, middleware: m} }

func (r Router) add(method, path string, h echo.HandlerFunc, m []echo.MiddlewareFunc) *echo.Route {
	return r.echo.Add(method, trimmed(path), h, slices.Concat(r.middleware, m)...)
}

// CONNECT registers a route.
func (r Router) CONNECT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodConnect, path, h, m)
}

// DELETE registers a route.
func (r Router) DELETE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodDelete, path, h, m)
}

// GET registers a route for GET and HEAD.
func (r Router) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	r.echo.Add(http.MethodHead, trimmed(path), h, slices.Concat([]echo.MiddlewareFunc{headAsGet}, r.middleware, m)...)
	return r.add(http.MethodGet, path, h, m)
}

// HEAD registers a route, which replaces that of GET for the same path.
func (r Router) HEAD(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodHead, path, h, m)
}

// OPTIONS registers a route.
func (r Router) OPTIONS(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodOptions, path, h, m)
}

// PATCH registers a route.
func (r Router) PATCH(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodPatch, path, h, m)
}

// POST registers a route.
func (r Router) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodPost, path, h, m)
}

// PUT registers a route.
func (r Router) PUT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodPut, path, h, m)
}

// TRACE registers a route.
func (r Router) TRACE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodTrace, path, h, m)
}

func trimmed(path string) string {
	if len(path) > 1 {
		return strings.TrimSuffix(path, "/")
	}
	return path
}

// trimSlash makes /x/ and /x the same route, without a redirect: a redirected POST would lose its body in some clients.
// RawPath is trimmed too because Echo routes by it when the path holds escapes.
func trimSlash(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		u.Path, u.RawPath = trimmed(u.Path), trimmed(u.RawPath)
		return next(c)
	}
}
