package ratelimit

import (
	"context"
	"net/netip"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
)

// ipv6Network is the prefix length of one subscriber's IPv6 network; counting single addresses would limit nobody.
const ipv6Network = 64

// Address is the key under which a caller's address is counted: an IPv4 address (also in IPv6 notation), or the /64
// network of an IPv6 address. A text that is not an address is returned as it is.
func Address(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	if address = address.Unmap().WithZone(""); address.Is4() {
		return address.String()
	}
	network, err := address.Prefix(ipv6Network)
	if err != nil {
		return ip
	}
	return network.String()
}

// Rule is a limit of one caller. Calls whose rules have the same name are counted together.
type Rule struct {
	Name  string
	Limit Limit
	// When reports whether a request counts; all do when nil.
	When func(echo.Context) bool
}

// Rules are the limits of calls, which are named as in Echo: "POST /campaigns/:campaign_id/pledges".
type Rules map[string][]Rule

// ByAddress is a middleware that counts calls by the caller's address. It runs before validation, so that invalid
// requests count too. Error: TooManyRequests, with the time to wait.
func (l *Limiter) ByAddress(rules Rules) echo.MiddlewareFunc {
	return l.By(rules, func(ctx context.Context) string { return "address:" + Address(httpx.ClientIP(ctx)) })
}

// By is ByAddress with another key than the address; calls for which it is empty are not counted.
func (l *Limiter) By(rules Rules, key func(context.Context) string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx := c.Request().Context()
			for _, rule := range rules[c.Request().Method+" "+c.Path()] {
				who := key(ctx)
				if who == "" {
					break
				}
				if rule.When != nil && !rule.When(c) {
					continue
				}
				if d := l.Allow(ctx, rule.Name, who, rule.Limit); !d.Allowed {
					return apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
				}
			}
			return next(c)
		}
	}
}
