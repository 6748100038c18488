package session_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/session"
)

// clock is a clock that tests move.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.at.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}
func (c *clock) now() time.Time { return time.Unix(0, c.at.Load()).UTC() }

func key(fill byte) ed25519.PrivateKey {
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = fill
	}
	return ed25519.NewKeyFromSeed(seed)
}

// member has an id whose digits are in no request id, which are base32.
var member = session.Identity{UserID: 980, SessionID: "s1"}

func TestAuthenticate_IdentifiesTheCaller(t *testing.T) {
	t.Parallel()
	clk := newClock()
	signer := session.NewSigner(key(1), clk.now)
	sign := func(s *session.Signer, id session.Identity) string {
		token, _, err := s.Sign(id)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	at := func(d time.Duration) *session.Signer {
		return session.NewSigner(key(1), func() time.Time { return clk.now().Add(d) })
	}
	good := sign(signer, member)
	parts := strings.Split(good, ".")
	admin := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"980","sid":"s1","scope":["admin"],"iss":"talkoot-content","aud":"talkoot","exp":9999999999}`))
	custom := func(change func(jwt.MapClaims)) string {
		claims := jwt.MapClaims{"sub": "980", "sid": "s1", "iss": session.Issuer, "aud": session.Audience, "exp": clk.now().Add(time.Hour).Unix()}
		change(claims)
		token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims)
		for kid := range signer.Keys() {
			token.Header["kid"] = kid
		}
		text, err := token.SignedString(key(1))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	hmac := func() string {
		token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"sub": "980", "sid": "s1", "iss": session.Issuer, "aud": session.Audience, "exp": clk.now().Add(time.Hour).Unix()})
		var public ed25519.PublicKey
		for kid, k := range signer.Keys() {
			token.Header["kid"], public = kid, k
		}
		text, err := token.SignedString([]byte(public))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}

	cases := []struct {
		who, header string
		status      int
		contains    string
		lacks       string
	}{
		{"nobody", "", 401, `"not_authenticated"`, "token"},
		{"a member", "Bearer " + good, 200, `"UserID":980`, ""},
		{"a member, scheme in lower case", "bearer " + good, 200, `"SessionID":"s1"`, ""},
		{"a member whose token has just ended, by a clock within the leeway", "Bearer " + sign(at(-12*time.Hour-4*time.Minute), member), 200, "", ""},
		{"a member whose token has ended", "Bearer " + sign(at(-12*time.Hour-6*time.Minute), member), 401, `"token_expired"`, "980"},
		{"a token by a clock 4 minutes ahead", "Bearer " + sign(at(4*time.Minute), member), 200, "", ""},
		{"a token from the future", "Bearer " + sign(at(6*time.Minute), member), 401, `"token_invalid"`, ""},
		{"a token that names a scope, which counts for nothing", "Bearer " + custom(func(c jwt.MapClaims) { c["scope"] = []string{"admin"} }), 200, `"Scope":null`, "admin"},
		{"a forger with a key of their own", "Bearer " + sign(session.NewSigner(key(2), clk.now), member), 401, `"token_invalid"`, ""},
		{"a member who made themselves admin", "Bearer " + parts[0] + "." + admin + "." + parts[2], 401, `"token_invalid"`, ""},
		{"a forger without a signature", "Bearer " + base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + admin + ".", 401, `"token_invalid"`, ""},
		{"a forger who signs with the public key", "Bearer " + hmac(), 401, `"token_invalid"`, ""},
		{"a token for another audience", "Bearer " + custom(func(c jwt.MapClaims) { c["aud"] = "other" }), 401, `"token_invalid"`, ""},
		{"a token of another issuer", "Bearer " + custom(func(c jwt.MapClaims) { c["iss"] = "other" }), 401, `"token_invalid"`, ""},
		{"a token without an end", "Bearer " + custom(func(c jwt.MapClaims) { delete(c, "exp") }), 401, `"token_invalid"`, ""},
		{"a token without a session", "Bearer " + custom(func(c jwt.MapClaims) { delete(c, "sid") }), 401, `"token_invalid"`, ""},
		{"a token of no user", "Bearer " + custom(func(c jwt.MapClaims) { c["sub"] = "0" }), 401, `"token_invalid"`, ""},
		{"a password instead", "Basic dTpw", 401, `"token_invalid"`, ""},
		{"an empty token", "Bearer ", 401, `"token_invalid"`, ""},
		{"noise", "Bearer a.b.c", 401, `"token_invalid"`, ""},
	}
	e := httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: clk.now})
	r := httpx.Routes(e, session.Authenticate(session.NewVerifier(signer.Keys(), clk.now)))
	r.GET("/me", func(c echo.Context) error {
		id, err := session.Require(c.Request().Context())
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, id)
	})
	r.GET("/open", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	for _, tc := range cases {
		t.Run(tc.who, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequest(http.MethodGet, "/me", nil)
			if tc.header != "" {
				req.Header.Set("Authorization", tc.header)
			}
			res := httptest.NewRecorder()
			e.ServeHTTP(res, req)
			body := res.Body.String()
			if res.Code != tc.status || !strings.Contains(body, tc.contains) || (tc.lacks != "" && strings.Contains(body, tc.lacks)) {
				t.Errorf("%d %s, want %d with %s without %q", res.Code, body, tc.status, tc.contains, tc.lacks)
			}
		})
	}
	t.Run("a bad token is refused where none is needed", func(t *testing.T) {
		t.Parallel()
		req := httptest.NewRequest(http.MethodGet, "/open", nil)
		req.Header.Set("Authorization", "Bearer x")
		res := httptest.NewRecorder()
		e.ServeHTTP(res, req)
		if res.Code != http.StatusUnauthorized {
			t.Errorf("%d", res.Code)
		}
	})
}

func TestParseKey_TakesPEMAndSeed(t *testing.T) {
	t.Parallel()
	want := key(7)
	der, err := x509.MarshalPKCS8PrivateKey(want)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		text string
		ok   bool
	}{
		"PEM":            {string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), true},
		"seed":           {base64.StdEncoding.EncodeToString(want.Seed()) + "\n", true},
		"raw URL seed":   {base64.RawURLEncoding.EncodeToString(want.Seed()), true},
		"short seed":     {base64.StdEncoding.EncodeToString(want.Seed()[:16]), false},
		"broken PEM":     {"-----BEGIN PRIVATE KEY-----\nxx", false},
		"something else": {"!secret!", false},
	}
	for name, tc := range cases {
		got, err := session.ParseKey(tc.text)
		if (err == nil) != tc.ok || (tc.ok && !got.Equal(want)) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error holds the key: %v", name, err)
		}
	}
}

// The vector of RFC 8037, appendix A.3.
func TestJWKS_KeyIDIsTheThumbprint(t *testing.T) {
	t.Parallel()
	k, err := session.ParseKey("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
	if err != nil {
		t.Fatal(err)
	}
	set := session.NewSigner(k, time.Now).JWKS()
	body, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","use":"sig","alg":"EdDSA"}]}`
	if string(body) != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}
