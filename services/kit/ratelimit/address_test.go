package ratelimit

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/httpx"
)

func TestAddress_IPv6CountsByItsNetwork(t *testing.T) {
	for ip, want := range map[string]string{
		"203.0.113.9":              "203.0.113.9",
		"::ffff:203.0.113.9":       "203.0.113.9",
		"2001:db8:1:2::1":          "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::9":     "2001:db8:1:2::/64",
		"2001:db8:1:3::1":          "2001:db8:1:3::/64",
		"fe80::1%eth0":             "fe80::/64",
		"::1":                      "::/64",
		"":                         "",
		"no address":               "no address",
		"2001:0DB8:1:2:0:0:0:0001": "2001:db8:1:2::/64",
	} {
		if got := Address(ip); got != want {
			t.Errorf("%q counts as %q, want %q", ip, got, want)
		}
	}
}

func TestByAddress_CountsCallersAndCallsApart(t *testing.T) {
	limiter := NewLocal(func() time.Time { return time.Unix(1000, 0) })
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now, Name: "test"})
	once := Per(1, time.Minute)
	routes := httpx.Routes(e, limiter.ByAddress(Rules{
		"POST /orders": {{Name: "order", Limit: once}},
		"GET /lists":   {{Name: "list", Limit: once, When: func(c echo.Context) bool { return c.QueryParam("dear") != "" }}},
	}))
	fine := func(c echo.Context) error { return c.NoContent(http.StatusNoContent) }
	routes.POST("/orders/", fine)
	routes.GET("/lists/", fine)
	for i, c := range []struct {
		method, path, from string
		want               int
	}{
		{"POST", "/orders/", "[2001:db8:1:2::1]:1", 204},
		{"POST", "/orders", "[2001:db8:1:2::7]:1", 429},
		{"POST", "/orders/", "[2001:db8:1:3::1]:1", 204},
		{"POST", "/orders/", "203.0.113.9:1", 204},
		{"POST", "/orders/", "[::ffff:203.0.113.9]:1", 429},
		{"POST", "/orders/", "203.0.113.10:1", 204},
		{"GET", "/lists/", "203.0.113.9:1", 204},
		{"GET", "/lists/?dear=1", "203.0.113.9:1", 204},
		{"HEAD", "/lists/?dear=1", "203.0.113.9:1", 429},
		{"GET", "/lists/", "203.0.113.9:1", 204},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.RemoteAddr = c.from
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != c.want || (c.want == 429) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%d: %s %s from %s: %d, Retry-After %q; want %d", i, c.method, c.path, c.from, w.Code, w.Header().Get("Retry-After"), c.want)
		}
	}
}
