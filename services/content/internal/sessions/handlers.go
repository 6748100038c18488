package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/profiles"
)

// Handlers answers the calls about sessions.
type Handlers struct {
	sessions *Service
	limiter  *ratelimit.Limiter
	limits   Limits
}

// Limits bound the tries of guessing: by address, and by account whoever asks.
type Limits struct{ PerAddress, PerAccount ratelimit.Limit }

// Rules are the limits by address.
func (l Limits) Rules() ratelimit.Rules {
	return ratelimit.Rules{
		"POST /users":        {{Name: "register", Limit: l.PerAddress}},
		"POST /users/tokens": {{Name: "sign_in", Limit: l.PerAddress}},
	}
}

// NewHandlers makes the handlers, which limit by account; Limits.Rules belong before them.
func NewHandlers(sessions *Service, limiter *ratelimit.Limiter, limits Limits) *Handlers {
	return &Handlers{sessions: sessions, limiter: limiter, limits: limits}
}

// Register makes an account and signs in to it.
func (h *Handlers) Register(ctx context.Context, r api.RegisterRequestObject) (api.RegisterResponseObject, error) {
	if err := h.allow(ctx, r.Body.Email); err != nil {
		return nil, err
	}
	p, err := h.sessions.Register(ctx, Registration{Email: r.Body.Email, Password: r.Body.Password,
		FirstName: r.Body.FirstName, LastName: r.Body.LastName, Language: languages.OfQuery(ctx, r.Body.Language)})
	if err != nil {
		return nil, err
	}
	return api.Register201JSONResponse(answerOf(p)), nil
}

// SignIn begins a session.
func (h *Handlers) SignIn(ctx context.Context, r api.SignInRequestObject) (api.SignInResponseObject, error) {
	if err := h.allow(ctx, r.Body.Email); err != nil {
		return nil, err
	}
	p, err := h.sessions.SignIn(ctx, r.Body.Email, r.Body.Password)
	if err != nil {
		return nil, err
	}
	return api.SignIn200JSONResponse(answerOf(p)), nil
}

// SignOut ends the session of the bearer token.
func (h *Handlers) SignOut(ctx context.Context, _ api.SignOutRequestObject) (api.SignOutResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.sessions.SignOut(ctx, who.SessionID); err != nil {
		return nil, err
	}
	return api.SignOut204Response{}, nil
}

// Jwks publishes the keys that tokens are signed with.
func (h *Handlers) Jwks(context.Context, api.JwksRequestObject) (api.JwksResponseObject, error) {
	var answer api.Jwks200JSONResponse
	for _, k := range h.sessions.signer.JWKS().Keys {
		answer.Keys = append(answer.Keys, struct {
			Alg string `json:"alg"`
			Crv string `json:"crv"`
			Kid string `json:"kid"`
			Kty string `json:"kty"`
			Use string `json:"use"`
			X   string `json:"x"`
		}{k.Algorithm, k.Curve, k.KeyID, k.KeyType, k.Use, k.X})
	}
	return answer, nil
}

// allow counts a try against the account. Guesses of an account's password count together, whichever call they come by:
// registering with the right one signs in.
func (h *Handlers) allow(ctx context.Context, account string) error {
	if d := h.limiter.Allow(ctx, "password", "account:"+accountKey(account), h.limits.PerAccount); !d.Allowed {
		return apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
	}
	return nil
}

func answerOf(p Person) api.TokenAnswer {
	return api.TokenAnswer{
		Token: api.Token{String: p.Token, ExpiresAt: p.ExpiresAt},
		User: api.LocalUser{UserID: p.ID, FirstName: p.FirstName, LastName: p.LastName, Email: p.Email,
			Verified: p.Verified, Scope: api.ACL(p.Scope)},
	}
}

// RequireLive refuses tokens whose session has been ended or whose person is blocked, and asks what the person may do now, on
// every signed-in request.
func (s *Service) RequireLive(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if who, ok := session.From(c.Request().Context()); ok {
			who, err := s.Live(c.Request().Context(), who)
			if err != nil {
				return err
			}
			c.SetRequest(c.Request().WithContext(session.With(c.Request().Context(), who)))
		}
		return next(c)
	}
}

// accountKey names an account in a rate limit without keeping its address.
func accountKey(email string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(profiles.NormalEmail(email))))
	return hex.EncodeToString(sum[:16])
}
