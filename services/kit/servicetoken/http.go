package servicetoken

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/tracing"
)

const scheme = "Bearer "

// transport adds a fresh token and the request id to each call.
type transport struct {
	base     http.RoundTripper
	signer   *Signer
	audience string
}

// Transport makes calls to the service named audience: each carries a fresh token, and X-Request-Id of the request that
// caused it. Use it only in a client that calls that service and nobody else.
func Transport(base http.RoundTripper, signer *Signer, audience string) http.RoundTripper {
	return transport{base: tracing.ToService(base, audience), signer: signer, audience: audience}
}

// RoundTrip makes one call.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := t.signer.Sign(t.audience)
	if err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // a RoundTripper must close it, also on errors
		}
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set(echo.HeaderAuthorization, scheme+token)
	if id := httpx.RequestID(r.Context()); id != "" {
		r.Header.Set(httpx.RequestIDHeader, id)
	}
	return t.base.RoundTrip(r)
}

// Require is a middleware that needs a valid service token. Errors: NotAuthenticated for all others.
func Require(v *Verifier) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			token, ok := strings.CutPrefix(c.Request().Header.Get(echo.HeaderAuthorization), scheme)
			if !ok {
				return apperr.New(apperr.NotAuthenticated)
			}
			if err := v.Verify(token); err != nil {
				return err
			}
			httpx.InternalTrace(c)
			return next(c)
		}
	}
}
