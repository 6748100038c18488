package variations_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/variations"
)

// Somebody who makes visitors up, as slowly as they like, has as many a day as a busy network, not 86,400.
func TestVisits_OfANetworkAreBoundedByDay(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	clock := func() time.Time { return now }
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: clock, Name: "test"})
	httpx.Routes(e, ratelimit.NewLocal(clock).ByAddress(variations.Rules())).POST("/campaigns/:campaign_id/visits/",
		func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	counted := func(from string) (n int) {
		for range 24 * 60 { // a day
			for range 2 {
				r := httptest.NewRequest(http.MethodPost, "/campaigns/7/visits/", nil)
				r.RemoteAddr = from
				answer := httptest.NewRecorder()
				if e.ServeHTTP(answer, r); answer.Code == http.StatusNoContent {
					n++
				}
			}
			now = now.Add(time.Minute)
		}
		return n
	}
	// A full bucket at first, and what flows in meanwhile; from then on what flows in.
	first, second := counted("[2001:db8:1:2::1]:1"), counted("[2001:db8:1:2::7]:1")
	if first > 2000 || first < 1000 || second > 1000 {
		t.Errorf("%d visits count on the first day, %d on the second", first, second)
	}
	if other := counted("203.0.113.9:1"); other < 1000 {
		t.Errorf("%d of another network", other)
	}
}
