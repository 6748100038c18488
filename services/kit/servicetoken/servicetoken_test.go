package servicetoken_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/servicetoken"
)

var (
	secret = []byte("0123456789abcdef0123456789abcdef")
	noon   = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

func at(d time.Duration) func() time.Time { return func() time.Time { return noon.Add(d) } }

func TestRequire_LetsOnlyTheOtherServiceIn(t *testing.T) {
	t.Parallel()
	sign := func(secret, issuer, audience string, skew time.Duration) string {
		s, err := servicetoken.NewSigner([]byte(secret), issuer, at(skew))
		if err != nil {
			t.Fatal(err)
		}
		token, err := s.Sign(audience)
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + token
	}
	raw := func(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
		token, err := jwt.NewWithClaims(method, claims).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + token
	}
	claims := func(iat, exp any) jwt.MapClaims {
		c := jwt.MapClaims{"iss": "payments", "aud": "content"}
		if iat != nil {
			c["iat"] = iat
		}
		if exp != nil {
			c["exp"] = exp
		}
		return c
	}
	s := string(secret)
	cases := []struct {
		who, header string
		status      int
	}{
		{"payments", sign(s, "payments", "content", 0), 204},
		{"payments with a clock 5 minutes behind", sign(s, "payments", "content", -5*time.Minute), 204},
		{"payments with a clock 5 minutes ahead", sign(s, "payments", "content", 5*time.Minute), 204},
		{"a token of long ago", sign(s, "payments", "content", -7*time.Minute), 401},
		{"a token from the future", sign(s, "payments", "content", 6*time.Minute), 401},
		{"another caller", sign(s, "content", "content", 0), 401},
		{"a token for another service", sign(s, "payments", "payments", 0), 401},
		{"another secret", sign(strings.Repeat("x", 32), "payments", "content", 0), 401},
		{"nobody", "", 401},
		{"another scheme", strings.Replace(sign(s, "payments", "content", 0), "Bearer", "Basic", 1), 401},
		{"no signature", raw(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(noon.Unix(), noon.Add(time.Minute).Unix())), 401},
		{"another algorithm", raw(jwt.SigningMethodHS512, secret, claims(noon.Unix(), noon.Add(time.Minute).Unix())), 401},
		{"a token that lives for a day", raw(jwt.SigningMethodHS256, secret, claims(noon.Unix(), noon.Add(24*time.Hour).Unix())), 401},
		{"a token without a beginning", raw(jwt.SigningMethodHS256, secret, claims(nil, noon.Add(time.Minute).Unix())), 401},
		{"a token without an end", raw(jwt.SigningMethodHS256, secret, claims(noon.Unix(), nil)), 401},
	}
	v, err := servicetoken.NewVerifier(secret, servicetoken.Payments, servicetoken.Content, at(0))
	if err != nil {
		t.Fatal(err)
	}
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: at(0)})
	e.GET("/internal", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) }, servicetoken.Require(v))
	for _, tc := range cases {
		t.Run(tc.who, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequest(http.MethodGet, "/internal/", nil)
			if tc.header != "" {
				req.Header.Set("Authorization", tc.header)
			}
			res := httptest.NewRecorder()
			e.ServeHTTP(res, req)
			body := res.Body.String()
			if res.Code != tc.status || (tc.status == 401 && !strings.Contains(body, `"not_authenticated"`)) {
				t.Errorf("%d %s, want %d", res.Code, body, tc.status)
			}
		})
	}
}

func TestTransport_CarriesTokenAndRequestID(t *testing.T) {
	t.Parallel()
	v, err := servicetoken.NewVerifier(secret, servicetoken.Payments, servicetoken.Content, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now})
	e.GET("/internal", func(c echo.Context) error {
		return c.String(http.StatusOK, httpx.RequestID(c.Request().Context()))
	}, servicetoken.Require(v))
	srv := httptest.NewServer(e)
	t.Cleanup(srv.Close)
	signer, err := servicetoken.NewSigner(secret, servicetoken.Payments, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: servicetoken.Transport(http.DefaultTransport, signer, servicetoken.Content)}
	req, err := http.NewRequestWithContext(httpx.WithRequestID(t.Context(), "request-0001"), http.MethodGet, srv.URL+"/internal", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || string(body) != "request-0001" {
		t.Errorf("%d %s %v", res.StatusCode, body, err)
	}
	if req.Header.Get("Authorization") != "" {
		t.Error("the caller's request was changed")
	}
}

func TestNewSigner_RefusesAShortSecret(t *testing.T) {
	t.Parallel()
	short := secret[:31]
	if _, err := servicetoken.NewSigner(short, servicetoken.Content, time.Now); err == nil {
		t.Error("a signer was made")
	}
	if _, err := servicetoken.NewVerifier(short, servicetoken.Content, servicetoken.Payments, time.Now); err == nil {
		t.Error("a verifier was made")
	}
}

// While the secret is replaced, each service takes both.
func TestVerify_WhileTheSecretIsReplaced_TakesBoth(t *testing.T) {
	t.Parallel()
	next := []byte("the next secret of the two services")
	sign := func(secret []byte) string {
		t.Helper()
		signer, err := servicetoken.NewSigner(secret, servicetoken.Payments, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		token, err := signer.Sign(servicetoken.Content)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	both, err := servicetoken.NewVerifier(next, servicetoken.Payments, servicetoken.Content, time.Now, secret)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := servicetoken.NewVerifier(next, servicetoken.Payments, servicetoken.Content, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := both.Verify(sign(next)); err != nil {
		t.Error(err)
	}
	if err := both.Verify(sign(secret)); err != nil {
		t.Error(err)
	}
	if err := both.Verify(sign([]byte("a secret that neither of them has had"))); err == nil {
		t.Error("a third secret is taken")
	}
	if err := alone.Verify(sign(secret)); err == nil {
		t.Error("a secret that is gone is taken")
	}
	if _, err := servicetoken.NewVerifier(next, servicetoken.Payments, servicetoken.Content, time.Now, []byte("short")); err == nil {
		t.Error("a short one beside a good one is taken")
	}
}
