package httpx

import (
	"context"
	"crypto/rand"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"regexp"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"talkoot.fi/kit/apperr"
)

// RequestIDHeader carries the request id in both directions and between the services.
const RequestIDHeader = "X-Request-Id"

type contextKey int

const (
	requestIDKey contextKey = iota
	langKey
	clientIPKey
)

// wellFormedID is the form of request ids that are accepted from callers, because ids go into logs.
var wellFormedID = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)

// RequestID is the id of the request that ctx belongs to, empty outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey).(string)
	return id
}

// WithRequestID sets the request id, for work that outlives its request (a job, a retry).
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey, id)
}

// Lang is the language to answer in: the one set by WithLang, else the best of Accept-Language, else Finnish.
func Lang(ctx context.Context) apperr.Lang {
	if lang, ok := ctx.Value(langKey).(apperr.Lang); ok {
		return lang
	}
	return apperr.Finnish
}

// WithLang sets the language to answer in.
func WithLang(ctx context.Context, lang apperr.Lang) context.Context {
	return context.WithValue(ctx, langKey, lang)
}

// ClientIP is the caller's IP address, for rate limits; empty outside of a request. Of X-Forwarded-For only what
// trusted proxies have written counts.
func ClientIP(ctx context.Context) string {
	ip, _ := ctx.Value(clientIPKey).(string)
	return ip
}

// requestContext sets the request's id, language and client address, and the answer's default headers. encrypted adds
// Strict-Transport-Security.
func requestContext(encrypted bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r, h := c.Request(), c.Response().Header()
			ctx := begin(h, r)
			if encrypted {
				h.Set("Strict-Transport-Security", "max-age=31536000")
			}
			c.SetRequest(r.WithContext(context.WithValue(ctx, clientIPKey, c.RealIP())))
			return next(c)
		}
	}
}

// defaultHeaders are those of every answer. The slices are shared: handlers replace them, and never append.
var defaultHeaders = http.Header{
	"X-Content-Type-Options": {"nosniff"},
	"Referrer-Policy":        {"strict-origin-when-cross-origin"},
	// The app uses none of these; popups are the payment provider's wallets.
	"Permissions-Policy":         {"camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), serial=(), usb=()"},
	"Cross-Origin-Opener-Policy": {"same-origin-allow-popups"},
	// Not cached unless the handler says so: most answers are for one person or one moment.
	"Cache-Control": {"no-store"},
	// An API answer is not a page: it loads nothing and cannot be framed. A handler that serves a page sets its own
	// policy.
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
}

// begin finds a request's id and language, and sets the default headers of its answer.
func begin(h http.Header, r *http.Request) context.Context {
	id := r.Header.Get(RequestIDHeader)
	if !wellFormedID.MatchString(id) {
		id = rand.Text()
	}
	h.Set(RequestIDHeader, id)
	maps.Copy(h, defaultHeaders)
	return WithLang(WithRequestID(r.Context(), id), acceptedLang(r.Header.Get("Accept-Language")))
}

// maxAcceptLanguage is the longest Accept-Language that is parsed, in bytes; browsers send far less.
const maxAcceptLanguage = 500

func acceptedLang(header string) apperr.Lang {
	if header == "" || len(header) > maxAcceptLanguage {
		return apperr.Finnish
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return apperr.Finnish
	}
	for _, tag := range tags {
		base, _ := tag.Base()
		switch lang := base.String(); lang {
		case apperr.Finnish, apperr.English, apperr.Swedish:
			return lang
		}
	}
	return apperr.Finnish
}

func clientIPExtractor(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPFromXFFHeader(echo.TrustLoopback(true), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false))
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		p = p.Masked()
		trust = append(trust, echo.TrustIPRange(&net.IPNet{
			IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}
