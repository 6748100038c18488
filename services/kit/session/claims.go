package session

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"talkoot.fi/kit/apperr"
)

// Lifetime of an access token.
const Lifetime = 12 * time.Hour

const (
	// Issuer of every access token: the content service.
	Issuer = "talkoot-content"
	// Audience of every access token: both services.
	Audience = "talkoot"

	// leeway is the difference of clocks that is tolerated: a token whose maker's clock is ahead works at once, and one
	// that has just expired by our clock still works.
	leeway = 5 * time.Minute
)

// The scopes of a person on the whole platform. A scope implies the ones before it; identities list all of them.
const (
	ScopeView  = "view"
	ScopeEdit  = "edit"
	ScopeAdmin = "admin"
)

// Identity is the signed-in caller.
type Identity struct {
	UserID int64
	// SessionID is the id of the session's row.
	SessionID string
	// Scope is what the person may do on the platform as a whole: view, edit (staff), admin. It is read from the account
	// at each request; the token does not have it. Rights to a single campaign are decided in the content service.
	Scope []string
	// ExpiresAt is when the token ends, in UTC.
	ExpiresAt time.Time
}

// Has reports whether the identity holds a scope.
func (id Identity) Has(scope string) bool {
	for _, s := range id.Scope {
		if s == scope {
			return true
		}
	}
	return false
}

type identityKey struct{}

// With returns a context with an identity.
func With(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// From is the identity of the request that ctx belongs to; false for an anonymous one.
func From(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}

// Require is From for calls that need a signed-in person. Errors: NotAuthenticated.
func Require(ctx context.Context) (Identity, error) {
	id, ok := From(ctx)
	if !ok {
		return Identity{}, apperr.New(apperr.NotAuthenticated)
	}
	return id, nil
}

type claims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

func (c *claims) identity() (Identity, error) {
	user, err := strconv.ParseInt(c.Subject, 10, 64)
	if err != nil || user <= 0 {
		return Identity{}, fmt.Errorf("subject %q is not a user id", c.Subject)
	}
	if c.SessionID == "" {
		return Identity{}, fmt.Errorf("user %d: no session id", user)
	}
	return Identity{UserID: user, SessionID: c.SessionID, ExpiresAt: c.ExpiresAt.UTC()}, nil
}
