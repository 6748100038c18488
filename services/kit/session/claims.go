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

	// leeway covers clocks of machines that differ: a token made by a clock that runs ahead must work at once, and one
	// that ended by ours may still be good by its maker's. 5 minutes is the difference the platform is built to bear.
	leeway = 5 * time.Minute
)

// The scopes of a person on the platform itself. Each includes the ones before it in effect, and is listed in full.
const (
	ScopeView  = "view"
	ScopeEdit  = "edit"
	ScopeAdmin = "admin"
)

// Identity is who is asking.
type Identity struct {
	UserID int64
	// SessionID is what signing out ends.
	SessionID string
	// Scope is what the person may do on the platform as a whole: view, edit (staff), admin. It is of the live account, put
	// here at each request: no token has it. What they may do with a single campaign is decided where the campaign is.
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

// With puts an identity into ctx.
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
