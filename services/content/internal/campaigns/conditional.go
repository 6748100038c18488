package campaigns

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"
)

type ifNoneMatchKey struct{}

// KeepIfNoneMatch carries a request's If-None-Match on to the handlers, which see no headers. Without it every answer is
// sent whole.
func KeepIfNoneMatch(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if have := r.Header.Get("If-None-Match"); have != "" {
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), ifNoneMatchKey{}, have)))
		}
		return next(c)
	}
}

func ifNoneMatch(ctx context.Context) string {
	have, _ := ctx.Value(ifNoneMatchKey{}).(string)
	return have
}

// matches compares as RFC 9110 (13.1.2) wants it: any of a list, weakly.
func matches(have, etag string) bool {
	for _, one := range strings.Split(have, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == etag || one == "*" {
			return true
		}
	}
	return false
}
