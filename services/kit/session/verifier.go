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

// Verify checks a token and tells whose it is. Errors: TokenExpired; TokenInvalid for anything forged, foreign or
// broken.
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

const bearerPrefix = "bearer "

// Authenticate puts the identity of a bearer token into the request's context. A request without an Authorization
// header goes on as anonymous, the answer to one with a token is kept by nobody; one with a token that does not hold answers 401 even where none is needed, because the
// client believes that it is signed in. Whether the session still lives and what its person may do is asked by whoever
// keeps sessions, behind this. Errors: TokenInvalid, TokenExpired, Busy.
func Authenticate(v *Verifier) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			header := r.Header.Get(echo.HeaderAuthorization)
			if header == "" {
				return next(c)
			}
			if len(header) <= len(bearerPrefix) || !strings.EqualFold(header[:len(bearerPrefix)], bearerPrefix) {
				return apperr.New(apperr.TokenInvalid)
			}
			id, err := v.Verify(strings.TrimSpace(header[len(bearerPrefix):]))
			if err != nil {
				return err
			}
			c.SetRequest(r.WithContext(With(r.Context(), id)))
			// What is said to who is signed in is theirs, whatever the handler says about the same to everybody.
			c.Response().Before(func() { c.Response().Header().Set("Cache-Control", "no-store") })
			return next(c)
		}
	}
}
