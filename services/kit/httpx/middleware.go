package httpx

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/tracing"
)

// observer logs and measures each request after its answer, and makes a span of it: all in one middleware, because Echo allocates for
// each at every request. It calls the error handler itself, so that it reports the status that was sent.
type observer struct {
	log    *slog.Logger
	now    func() time.Time
	m      *requestMetrics
	begins []string // see beginTrace
}

func (o *observer) middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := o.now()
		o.m.inFlight.Inc()
		defer o.m.inFlight.Dec()
		if tracing.On() && !isOps(c.Path()) {
			beginTrace(c, o.begins)
			defer endTrace(c)
		}
		if err := next(c); err != nil {
			c.Error(err)
		}
		r, status, took := c.Request(), c.Response().Status, o.now().Sub(began)
		route := routeOf(c)
		o.m.observe(r.Context(), route, r.Method, status, took)

		level := slog.LevelInfo
		if isOps(route) {
			level = slog.LevelDebug
		}
		o.log.LogAttrs(r.Context(), level, "request",
			slog.String("request_id", RequestID(r.Context())),
			slog.String("method", r.Method),
			slog.String("route", route),
			slog.Int("http_status", status),
			slog.Int64("bytes", c.Response().Size),
			slog.Duration("duration", took))
		return nil
	}
}

// routeOf is the route's pattern, so that logs and metrics hold no ids, tokens or names out of paths.
func routeOf(c echo.Context) string {
	if status := c.Response().Status; c.Path() == "" ||
		(status == http.StatusNotFound && strings.HasSuffix(c.Path(), "*")) {
		return "unmatched"
	}
	return c.Path()
}

// recoverPanics turns a panic into an error with its stack. http.ErrAbortHandler is passed on: it is how the standard
// library aborts an answer.
func recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler { //nolint:errorlint // compared by identity, as net/http does
					panic(p)
				}
				cause, ok := p.(error)
				if !ok {
					cause = fmt.Errorf("%v", p)
				}
				err = apperr.New(apperr.Internal).Wrap(fmt.Errorf("panic: %w\n%s", cause, debug.Stack()))
			}
		}()
		return next(c)
	}
}

// headAsGet runs a HEAD request as a GET, so that checks and headers are the same. The HTTP server still knows that it
// was HEAD: it sends no body, and sets Content-Length for a short one.
func headAsGet(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		asGet := *c.Request()
		asGet.Method = http.MethodGet
		c.SetRequest(&asGet)
		err := next(c)
		asHead := *c.Request() // inner middlewares may have set their own
		asHead.Method = http.MethodHead
		c.SetRequest(&asHead)
		return err
	}
}

// uploadTime is how long an upload may take, and writeTime how long its answer after that: 25 MiB in five minutes are
// 0.7 Mbit/s.
const (
	uploadTime = 5 * time.Minute
	writeTime  = time.Minute
)

// limitBody refuses a body whose Content-Length is too large, and stops reading one that turns out to be. Uploads are
// routes with limits of their own.
func limitBody(usual int64, uploads map[string]int64) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r, limit := c.Request(), usual
			if own, ok := uploads[r.Method+" "+c.Path()]; ok {
				limit = own
				giveTime(c)
			}
			if r.ContentLength > limit {
				return apperr.New(apperr.BodyTooLarge)
			}
			if r.Body != nil && r.Body != http.NoBody {
				r.Body = http.MaxBytesReader(c.Response().Writer, r.Body, limit)
			}
			return next(c)
		}
	}
}

// giveTime moves the connection's deadlines, which are meant for small bodies, to those of an upload. They are the
// connection's own clock. Without a connection (in tests) there are none to move.
func giveTime(c echo.Context) {
	now, connection := time.Now(), http.NewResponseController(c.Response()) //nolint:forbidigo // deadlines are real time
	_ = connection.SetReadDeadline(now.Add(uploadTime))
	_ = connection.SetWriteDeadline(now.Add(uploadTime + writeTime))
}

// Bounds of a query string. The longest needed, a list of 300 ids, has 6 kB.
const (
	maxQueryBytes  = 8 << 10
	maxQueryParams = 100
	maxQueryCommas = 500
)

// limitQuery refuses a query string that is too long or has too many parameters before it is parsed.
func limitQuery(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		query := c.Request().URL.RawQuery
		commas := strings.Count(query, ",") + strings.Count(query, "%2C") + strings.Count(query, "%2c")
		if len(query) > maxQueryBytes || strings.Count(query, "&") >= maxQueryParams || commas > maxQueryCommas {
			return apperr.New(apperr.MalformedBody)
		}
		return next(c)
	}
}

// preflightAge is how long a browser may cache the answer to a CORS preflight.
const preflightAge = 10 * time.Minute

func cors(origins []string) echo.MiddlewareFunc {
	if len(origins) == 0 {
		return func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	}
	return middleware.CORSWithConfig(middleware.CORSConfig{
		AllowOrigins: origins,
		AllowMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete},
		AllowHeaders: []string{
			echo.HeaderAuthorization, echo.HeaderContentType, echo.HeaderAccept, "Accept-Language", "Idempotency-Key",
			"If-Match", "Order-Token", RequestIDHeader,
		},
		ExposeHeaders: []string{RequestIDHeader, "Retry-After", "ETag"},
		MaxAge:        int(preflightAge.Seconds()),
	})
}
