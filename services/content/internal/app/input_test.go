package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/app"
)

// maxRefusal is the largest answer to a request that is refused, in bytes.
const maxRefusal = 16 << 10

// badRequests are requests with n faults.
func badRequests(n int) map[string]struct{ method, address, body string } {
	unknown := func(i int) string { return fmt.Sprintf(`"k%d":1`, i) }
	list := func(n int, separator string, one func(int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = one(i)
		}
		return strings.Join(parts, separator)
	}
	zero := func(int) string { return "0" }
	type request = struct{ method, address, body string }
	return map[string]request{
		"unknown fields":           {"POST", "/users/tokens/", "{" + list(n, ",", unknown) + "}"},
		"unknown fields of a part": {"POST", "/campaigns/1/pledges/", `{"amount":1,"pledge_meta":{` + list(n, ",", unknown) + "}}"},
		"answers of a wrong type":  {"POST", "/campaigns/1/pledges/", `{"amount":1,"pledge_meta":{"custom_questions":{` + list(n, ",", unknown) + "}}}"},
		"a long name":              {"POST", "/users/tokens/", `{"` + strings.Repeat("<k", 5*n) + `":1}`},
		"deep lists":               {"POST", "/users/tokens/", strings.Repeat("[", 5*n) + strings.Repeat("]", 5*n)},
		"a list of lists":          {"POST", "/users/tokens/", "[" + list(n, ",", func(int) string { return "[[]]" }) + "]"},
		"a long list in a query":   {"GET", "/campaigns/preview/fi/?tags=" + list(n, ",", zero), ""},
		"a parameter many times":   {"GET", "/campaigns/preview/fi/?tags=" + list(n, "&tags=", zero), ""},
		"parameters nobody knows":  {"GET", "/campaigns/preview/fi/?limit=0&" + list(n, "&", func(i int) string { return fmt.Sprintf("k%d=1", i) }), ""},
	}
}

// worked is how long processors have worked for this process: unlike a clock, it does not see what else the machine does.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestBadInput_CostsNoMoreThanItsBytes_AndIsAnsweredShortly(t *testing.T) {
	p := setup(t)
	for name := range badRequests(1) {
		cost := func(n int) time.Duration {
			r := badRequests(n)[name]
			best := time.Hour
			for range 5 {
				began := worked(t)
				answer := call(t.Context(), p.handler, r.method, r.address, r.body)
				best = min(best, worked(t)-began)
				if answer.Code < 400 || answer.Code >= 500 || answer.Body.Len() > maxRefusal {
					t.Errorf("%s, %d times: %d with %d bytes", name, n, answer.Code, answer.Body.Len())
				}
			}
			return best
		}
		within, few, many := cost(80), cost(5_000), cost(20_000)
		t.Logf("%s: 80 times %v, 5,000 times %v, 20,000 times %v", name, within, few, many)
		// Smaller differences are noise; with a quadratic cost, 20,000 faults took nine seconds.
		if limit := 20 * time.Millisecond; within > limit || many > 6*few && many > limit {
			t.Errorf("%s: 80 times cost %v, 5,000 times %v, 20,000 times %v", name, within, few, many)
		}
	}
}

func TestAddressLimits_CountRequestsThatAreWrongToo(t *testing.T) {
	few := ratelimit.Per(2, time.Hour)
	p := setup(t, func(o *app.Options, _ *dbtest.DB) {
		o.Limits.Pledges, o.Limits.SignIn = few, few
	})
	for _, c := range []struct {
		address string
		want    []int
	}{
		{"/users/", []int{400, 400, 400, 400, 429}}, // twice as many, in an hour for a minute
		{"/users/tokens/", []int{400, 400, 429}}, {"/campaigns/1/pledges/", []int{400, 400, 429}},
		{"/campaigns/2/pledges", []int{429, 429, 429}}, // the same call
	} {
		var got []int
		for range c.want {
			got = append(got, call(t.Context(), p.handler, "POST", c.address, `{"what": 1}`).Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.address, got, c.want)
		}
	}
}

// Behind an ingress every connection is the ingress's own. Whom it names last counts, not what a client has written before; an
// installation that does not name its ingress has one limit for everybody.
func TestAddressLimits_BehindAnIngress_AreEachClientsOwn(t *testing.T) {
	ingress := netip.MustParsePrefix("10.1.0.0/16")
	for name, c := range map[string]struct {
		proxies []netip.Prefix
		last    int
	}{
		"named": {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/24"), ingress}, 400}, "not named": {nil, 429},
	} {
		p := setup(t, func(o *app.Options, _ *dbtest.DB) {
			o.Limits.SignIn, o.TrustedProxies = ratelimit.Per(2, time.Hour), c.proxies
		})
		try := func(forwarded string) int {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/users/tokens/", strings.NewReader(`{"what": 1}`))
			r.RemoteAddr = "10.1.2.3:4567"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Forwarded-For", forwarded)
			w := httptest.NewRecorder()
			p.handler.ServeHTTP(w, r)
			return w.Code
		}
		for n, want := range []int{400, 400, 429} { // one client, who claims to be others
			if got := try(fmt.Sprintf("198.51.100.%d, 203.0.113.9", n)); got != want {
				t.Errorf("%s: try %d: %d, want %d", name, n, got, want)
			}
		}
		if got := try("203.0.113.10"); got != c.last {
			t.Errorf("%s: another client: %d, want %d", name, got, c.last)
		}
	}
}

func TestReads_AreBoundedByAddress_SearchesAndFarPagesMore(t *testing.T) {
	p := setup(t, func(o *app.Options, _ *dbtest.DB) {
		o.Limits.Reads = app.ReadLimits{Lists: ratelimit.Per(8, time.Hour), Searches: ratelimit.Per(2, time.Hour)}
		o.Shared = time.Hour // cached answers count too
	})
	for i, c := range []struct {
		address, from string
		want          int
	}{
		{"/campaigns/preview/fi/?keyword=sauna", "[2001:db8::1]:1", 200},
		{"/campaigns/preview/fi/?offset=1000", "[2001:db8::2]:1", 200},
		{"/v2/campaigns/preview/fi/?keyw%6Frd=sauna", "[2001:db8::3]:1", 429},
		{"/v2/campaigns/preview/fi/?keyword=sauna", "203.0.113.9:1", 200},
		{"/v2/campaigns/preview/fi/?keyword=&offset=999", "[2001:db8::1]:1", 200},
		{"/experiments/preview/fi/", "[2001:db8::1]:1", 200},
		{"/experiments/preview/fi/", "[2001:db8::1]:1", 200},
		{"/campaigns/preview/fi/", "[2001:db8::1]:1", 200},
		{"/campaigns/preview/fi/", "[2001:db8::1]:1", 200},
		{"/campaigns/preview/fi/", "[2001:db8::1]:1", 429},
		{"/campaigns/categories/", "[2001:db8::1]:1", 200},
		{"/", "[2001:db8::1]:1", 200},
		{"/sitemap.xml", "[2001:db8::1]:1", 200},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.address, http.NoBody)
		r.RemoteAddr = c.from
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%d: %s: %d, want %d", i, c.address, w.Code, c.want)
		}
	}
	if page := call(t.Context(), p.handler, "GET", "/campaigns/", "").Body.String(); !strings.Contains(page, `/preview/fi/?limit=24`) {
		t.Error("the pages' own lists are limited")
	}
}

func TestLists_EndAtABoundedOffset(t *testing.T) {
	p := setup(t)
	for _, list := range []string{"/campaigns/preview/fi/", "/v6/campaigns/preview/fi/", "/experiments/preview/fi/", "/campaigns/1/backers/", "/campaigns/1/posts/"} {
		for offset, want := range map[string]int{"20001": 422, "9223372036854775807": 422, "99999999999999999999": 422, "-1": 422, "1e99": 422} {
			answer := call(t.Context(), p.handler, "GET", list+"?offset="+offset, "")
			if answer.Code != want || !strings.Contains(answer.Body.String(), `"path":"offset"`) {
				t.Errorf("%s?offset=%s: %d %s", list, offset, answer.Code, answer.Body)
			}
		}
	}
}

// A like changes a campaign's rows in lists, so liking and unliking is limited by person and by address.
func TestLikes_AreLimitedByPersonAndByAddress(t *testing.T) {
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) { o.Limits.Likes = ratelimit.Per(2, time.Hour) })
	id := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	path := fmt.Sprintf("/campaigns/%d/likes/", id)
	like := func(method, from, token string) int {
		r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		r.RemoteAddr = from + ":1"
		r.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		p.checked(t).ServeHTTP(answer, r)
		if wait := answer.Header().Get("Retry-After"); (answer.Code == http.StatusTooManyRequests) != (wait != "") {
			t.Errorf("%d, Retry-After %q", answer.Code, wait)
		}
		return answer.Code
	}
	var people []int64
	if err := p.db.Raw(`SELECT id FROM users ORDER BY id LIMIT 7`).Scan(&people).Error; err != nil {
		t.Fatal(err)
	}
	first := people[0]
	for i, want := range []int{200, 200, 429} { // in new sessions, from any address, liking or unliking
		method := []string{"POST", "DELETE", "POST"}[i]
		if got := like(method, fmt.Sprintf("198.51.100.%d", i+1), p.token(t, first)); got != want {
			t.Errorf("%s %d of one person: %d, want %d", method, i, got, want)
		}
	}
	likes := p.number(t, `SELECT count(*) FROM campaign_likes WHERE campaign_id = ? AND user_id = ?`, id, first)
	if likes != 0 {
		t.Error("a like that was refused is there")
	}
	for i := range 11 {
		want := http.StatusOK
		if i >= 10 {
			want = http.StatusTooManyRequests
		}
		if got := like("POST", "203.0.113.9", p.token(t, people[1+i/2])); got != want {
			t.Errorf("like %d from one address: %d, want %d", i, got, want)
		}
	}
}
