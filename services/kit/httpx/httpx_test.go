package httpx_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
)

var errDatabase = errors.New("dial tcp 10.0.0.7:5432: connection refused")

func options(log io.Writer) httpx.Options {
	return httpx.Options{
		Log:         slog.New(slog.NewJSONHandler(log, nil)),
		Now:         time.Now,
		Name:        "test",
		BodyLimit:   100,
		CORSOrigins: []string{"https://app.example"},
		Classify: func(err error) *apperr.Error {
			if errors.Is(err, errDatabase) {
				return apperr.New(apperr.Busy).RetryAfter(1500 * time.Millisecond)
			}
			return nil
		},
	}
}

type order struct {
	Email string `json:"email"`
	Count int    `json:"count"`
}

func service(o httpx.Options) *echo.Echo {
	e := httpx.New(o)
	r := httpx.Routes(e)
	fail := func(path string, err error) {
		r.GET(path, func(echo.Context) error { return err })
	}
	fail("/fields/", apperr.New(apperr.InvalidFields).WithField("email", apperr.RuleRequired))
	fail("/wrapped/", fmt.Errorf("reserve reward 7: %w", apperr.New(apperr.RewardGone)))
	fail("/unknown/", errors.New("secret detail"))
	fail("/database/", fmt.Errorf("read campaign: %w", errDatabase))
	fail("/internal-database/", apperr.New(apperr.Internal).Wrap(errDatabase))
	fail("/deadline/", fmt.Errorf("read: %w", context.DeadlineExceeded))
	fail("/generated/", echo.NewHTTPError(http.StatusBadRequest, "Invalid format for parameter x"))
	fail("/limited/", apperr.New(apperr.TooManyRequests).RetryAfter(30*time.Second))
	r.GET("/panic/", func(echo.Context) error { panic("secret panic") })
	r.GET("/begun/", func(c echo.Context) error {
		if err := c.String(http.StatusOK, "half"); err != nil {
			return err
		}
		return errors.New("broke in the middle")
	})
	r.POST("/orders/", func(c echo.Context) error {
		var o order
		if err := c.Bind(&o); err != nil {
			return err
		}
		return c.JSON(http.StatusCreated, o)
	})
	r.GET("/things/:id/", func(c echo.Context) error { return c.String(http.StatusOK, "thing "+c.Param("id")) })
	r.GET("/", func(c echo.Context) error { return c.String(http.StatusOK, "root") })
	return e
}

func TestAnswers_AreOfOneForm(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, call, lang, body string
		status                 int
		contains, lacks        []string
		header                 string // "Name: value"
	}{
		{"field faults, in English", "GET /fields", "en", "", 422, []string{`"status":"invalid_fields"`, `"fields":[{"path":"email","rule":"required","message":"This is needed."}]`, `"request_id":"`}, nil, ""},
		{"field faults, in Swedish", "GET /fields", "de, sv-FI;q=0.8, en;q=0.1", "", 422, []string{"Det här behövs."}, nil, ""},
		{"field faults, in Finnish by default", "GET /fields", "", "", 422, []string{"Tämä tarvitaan."}, nil, ""},
		{"a language header that is noise", "GET /fields", ";;;q=", "", 422, []string{"Tämä tarvitaan."}, nil, ""},
		{"a wrapped error", "GET /wrapped", "en", "", 409, []string{"reward_gone"}, []string{"reserve", `"fields"`, `"code"`}, "Cache-Control: no-store"},
		{"an unknown error", "GET /unknown", "en", "", 500, []string{`"status":"internal"`}, []string{"secret"}, ""},
		{"a panic", "GET /panic", "en", "", 500, []string{`"status":"internal"`}, []string{"secret", "goroutine"}, ""},
		{"the database is away", "GET /database", "en", "", 503, []string{`"status":"busy"`}, []string{"10.0.0.7"}, "Retry-After: 2"},
		{"the database is away, named internal on the way", "GET /internal-database", "en", "", 503, []string{`"status":"busy"`}, []string{"10.0.0.7"}, ""},
		{"out of time", "GET /deadline", "en", "", 503, []string{`"status":"busy"`}, nil, "Retry-After: 2"},
		{"too many tries", "GET /limited", "en", "", 429, []string{`"too_many_requests"`}, nil, "Retry-After: 30"},
		{"an error of generated code", "GET /generated", "en", "", 400, []string{`"malformed_body"`}, []string{"Invalid format"}, ""},
		{"an answer that has begun", "GET /begun", "en", "", 200, []string{"half"}, []string{"internal"}, ""},
		{"no such path", "GET /nowhere", "en", "", 404, []string{`"not_found"`}, nil, "X-Content-Type-Options: nosniff"},
		{"no such method", "DELETE /orders/", "en", "", 405, []string{`"method_not_allowed"`}, nil, ""},
		{"with the final slash", "GET /things/7/", "", "", 200, []string{"thing 7"}, nil, "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'"},
		{"without the final slash", "GET /things/7", "", "", 200, []string{"thing 7"}, nil, "Referrer-Policy: strict-origin-when-cross-origin"},
		{"escaped, with the final slash", "GET /things/a%2Fb/", "", "", 200, []string{"thing a%2Fb"}, nil, ""},
		{"the root", "GET /", "", "", 200, []string{"root"}, nil, ""},
		{"a good body", "POST /orders", "", `{"email":"a@b.fi","count":2}`, 201, []string{"a@b.fi"}, nil, ""},
		{"a wrong type", "POST /orders", "en", `{"email":"a@b.fi","count":"2"}`, 400, []string{"malformed_body", `"path":"count","rule":"type"`}, []string{"json:"}, ""},
		{"an unknown field", "POST /orders", "en", `{"email":"a@b.fi","admin":1}`, 400, []string{"unknown_field", `"path":"admin"`}, nil, ""},
		{"trailing garbage", "POST /orders", "en", `{"email":"a@b.fi"} x`, 400, []string{"malformed_body"}, nil, ""},
		{"a second value", "POST /orders", "en", `{"email":"a@b.fi"}{}`, 400, []string{"malformed_body"}, nil, ""},
		{"no JSON", "POST /orders", "en", `email=a`, 400, []string{"malformed_body"}, nil, ""},
		{"bytes that are no text", "POST /orders", "en", "{\"email\":\"p\xe4ivi@b.fi\"}", 400, []string{"malformed_body"}, []string{"\ufffd"}, ""},
		{"too large", "POST /orders", "en", `{"email":"` + strings.Repeat("a", 200) + `"}`, 413, []string{"body_too_large"}, nil, ""},
		{"too large, length unknown", "POST /orders chunked", "en", `{"email":"` + strings.Repeat("a", 200) + `"}`, 413, []string{"body_too_large"}, nil, ""},
	}
	h := service(options(io.Discard))
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			call := strings.Fields(tc.call)
			req := httptest.NewRequest(call[0], call[1], strings.NewReader(tc.body))
			if len(call) > 2 {
				req.ContentLength = -1
			}
			req.Header.Set("Content-Type", "application/json")
			if tc.lang != "" {
				req.Header.Set("Accept-Language", tc.lang)
			}
			res := httptest.NewRecorder()
			h.ServeHTTP(res, req)
			if res.Code != tc.status {
				t.Errorf("status %d, want %d: %s", res.Code, tc.status, res.Body)
			}
			for _, want := range tc.contains {
				if !strings.Contains(res.Body.String(), want) {
					t.Errorf("answer lacks %s: %s", want, res.Body)
				}
			}
			for _, bad := range tc.lacks {
				if strings.Contains(res.Body.String(), bad) {
					t.Errorf("answer has %s: %s", bad, res.Body)
				}
			}
			if name, value, ok := strings.Cut(tc.header, ": "); ok && res.Header().Get(name) != value {
				t.Errorf("%s is %q, want %q", name, res.Header().Get(name), value)
			}
			if res.Header().Get(httpx.RequestIDHeader) == "" {
				t.Error("no request id")
			}
		})
	}
}

func TestRequestID_IsTakenWhenWellFormed(t *testing.T) {
	t.Parallel()
	h := service(options(io.Discard))
	for given, kept := range map[string]bool{"edge-12345678": true, "": false, "short": false, "bad id with\nlines": false, strings.Repeat("a", 65): false} {
		req := httptest.NewRequest(http.MethodGet, "/unknown", nil)
		req.Header[httpx.RequestIDHeader] = []string{given}
		res := httptest.NewRecorder()
		h.ServeHTTP(res, req)
		id := res.Header().Get(httpx.RequestIDHeader)
		if (id == given) != kept || id == "" || !strings.Contains(res.Body.String(), `"request_id":"`+id+`"`) {
			t.Errorf("given %q: header %q, body %s", given, id, res.Body)
		}
	}
}

func TestLog_HoldsCausesOnceAndNoSecrets(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := service(options(&log))
	for _, path := range []string{"/unknown?token=t0p", "/panic", "/nowhere/alice@example.org", "/things/p0cket?password=p4ss", "/wrapped", "/healthz"} {
		req := httptest.NewRequest(http.MethodGet, path, nil)
		req.Header.Set("Authorization", "Bearer b34rer")
		h.ServeHTTP(httptest.NewRecorder(), req)
	}
	text := log.String()
	for _, secret := range []string{"t0p", "p4ss", "b34rer", "alice", "p0cket"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %s:\n%s", secret, text)
		}
	}
	for want, times := range map[string]int{
		"secret detail": 1, "secret panic": 1, `"msg":"request failed"`: 2, `"msg":"request"`: 5,
		`"route":"unmatched"`: 1, `"route":"/things/:id"`: 1, `"http_status":409`: 1,
	} {
		if got := strings.Count(text, want); got != times {
			t.Errorf("%s stands %d times, want %d:\n%s", want, got, times, text)
		}
	}
}

func TestCORS_AnswersListedOriginsOnly(t *testing.T) {
	t.Parallel()
	h := service(options(io.Discard))
	for _, tc := range []struct{ origin, allowed string }{{"https://app.example", "https://app.example"}, {"https://evil.example", ""}} {
		req := httptest.NewRequest(http.MethodOptions, "/orders/", nil)
		req.Header.Set("Origin", tc.origin)
		req.Header.Set("Access-Control-Request-Method", "POST")
		res := httptest.NewRecorder()
		h.ServeHTTP(res, req)
		if got := res.Header().Get("Access-Control-Allow-Origin"); got != tc.allowed {
			t.Errorf("%s: allowed %q", tc.origin, got)
		}
	}
}

func TestClientIP_TrustsListedProxiesOnly(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, remote, forwarded, want string
		proxies                       []netip.Prefix
	}{
		{"no proxy", "203.0.113.9:1", "", "203.0.113.9", nil},
		{"a stranger who claims", "203.0.113.9:1", "1.2.3.4", "203.0.113.9", nil},
		{"loopback is trusted by default", "127.0.0.1:1", "1.2.3.4", "1.2.3.4", nil},
		{"a private network is not", "10.0.0.5:1", "1.2.3.4", "10.0.0.5", nil},
		{"a listed proxy", "10.0.0.5:1", "1.2.3.4", "1.2.3.4", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
		{"what the client itself wrote before it", "10.0.0.5:1", "6.6.6.6, 1.2.3.4", "1.2.3.4", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
		{"loopback, when others are listed", "127.0.0.1:1", "1.2.3.4", "127.0.0.1", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			o := options(io.Discard)
			o.TrustedProxies = tc.proxies
			e := httpx.New(o)
			e.GET("/ip", func(c echo.Context) error { return c.String(200, httpx.ClientIP(c.Request().Context())) })
			req := httptest.NewRequest(http.MethodGet, "/ip", nil)
			req.RemoteAddr = tc.remote
			if tc.forwarded != "" {
				req.Header.Set("X-Forwarded-For", tc.forwarded)
			}
			res := httptest.NewRecorder()
			e.ServeHTTP(res, req)
			if res.Body.String() != tc.want {
				t.Errorf("got %s, want %s", res.Body, tc.want)
			}
		})
	}
}

func TestOps_ReportHealthReadinessAndMetrics(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	fine := func(context.Context) error { return nil }
	for _, tc := range []struct {
		name   string
		checks []httpx.Check
		status int
		body   string
	}{
		{"nothing to wait for", nil, 200, `{"ready":true,"checks":{}}`},
		{"all well", []httpx.Check{{Name: "db", Run: fine}}, 200, `{"ready":true,"checks":{"db":"ok"}}`},
		{"one hangs", []httpx.Check{{Name: "db", Run: fine}, {Name: "redis", Timeout: time.Millisecond, Run: hang}}, 503, `{"ready":false,"checks":{"db":"ok","redis":"failing"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			o := options(io.Discard)
			o.Ready = tc.checks
			h := service(o)
			get := func(path string) (int, string) {
				res := httptest.NewRecorder()
				h.ServeHTTP(res, httptest.NewRequest(http.MethodGet, path, nil))
				return res.Code, strings.TrimSpace(res.Body.String())
			}
			if status, body := get("/readyz"); status != tc.status || body != tc.body {
				t.Errorf("ready: %d %s", status, body)
			}
			if status, _ := get("/healthz"); status != http.StatusOK {
				t.Errorf("health: %d", status)
			}
			get("/things/1")
			get("/things/2")
			_, metrics := get("/metrics")
			for _, want := range []string{
				`talkoot_http_request_duration_seconds_count{method="GET",route="/things/:id",service="test",status="200"} 2`,
				`talkoot_http_requests_in_flight{service="test"} 1`, "go_goroutines", "process_",
			} {
				if !strings.Contains(metrics, want) {
					t.Errorf("metrics lack %s", want)
				}
			}
		})
	}
}
