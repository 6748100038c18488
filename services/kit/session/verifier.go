package session

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
)

// Verifier checks access tokens. It is safe for concurrent use.
type Verifier struct {
	keys   StaticKeys
	parser *jwt.Parser
}

// NewVerifier makes a Verifier of tokens whose keys are found in keys.
func NewVerifier(keys StaticKeys, now func() time.Time) *Verifier {
	return &Verifier{keys: keys, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer(Issuer),
		jwt.WithAudience(Audience),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(leeway),
		jwt.WithTimeFunc(now),
	)}
}

// Verify checks a token and returns its identity. Errors: TokenExpired; TokenInvalid for every other fault.
func (v *Verifier) Verify(token string) (Identity, error) {
	var c claims
	_, err := v.parser.ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		keyID, _ := t.Header["kid"].(string)
		return v.keys.Key(keyID)
	})
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return Identity{}, apperr.New(apperr.TokenExpired).Wrap(err)
	case err != nil:
		return Identity{}, apperr.New(apperr.TokenInvalid).Wrap(err)
	}
	id, err := c.identity()
	if err != nil {
		return Identity{}, apperr.New(apperr.TokenInvalid).Wrap(fmt.Errorf("claims: %w", err))
	}
	return id, nil
}

// VerifyHeader is Verify for the value of an Authorization header. Errors: as Verify.
func (v *Verifier) VerifyHeader(header string) (Identity, error) {
	if len(header) <= len(bearerPrefix) || !strings.EqualFold(header[:len(bearerPrefix)], bearerPrefix) {
		return Identity{}, apperr.New(apperr.TokenInvalid)
	}
	return v.Verify(strings.TrimSpace(header[len(bearerPrefix):]))
}

const bearerPrefix = "bearer "

// Authenticate is a middleware that puts the identity of a bearer token into the request's context. A request without
// an Authorization header is anonymous. An invalid token gets 401 also where none is needed, because the client
// believes that it is signed in. Answers to requests with a token are not cached. Whether the session still exists is
// checked by the content service (sessions.RequireLive). Errors: TokenInvalid, TokenExpired.
func Authenticate(v *Verifier) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			header := r.Header.Get(echo.HeaderAuthorization)
			if header == "" {
				return next(c)
			}
			id, err := v.VerifyHeader(header)
			if err != nil {
				return err
			}
			c.SetRequest(r.WithContext(With(r.Context(), id)))
			// Answers to signed-in people are not cached, also if the handler allows it for others.
			c.Response().Before(func() { c.Response().Header().Set("Cache-Control", "no-store") })
			return next(c)
		}
	}
}
