package sessions

import (
	"context"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls about sessions.
type Handlers struct{ sessions *Service }

// Rules are rate limits by address of all attempts; for wrong passwords see begin.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{
		"POST /users":                            {{Name: "register", Limit: registrations(limit)}},
		"POST /users/tokens":                     {{Name: "sign_in", Limit: limit}},
		"POST /users/tokens/second_step":         {{Name: "second_step", Limit: limit}},
		"POST /users/tokens/passkey":             {{Name: "passkey", Limit: limit}},
		"POST /users/tokens/passkey/challenge":   {{Name: "passkey_challenge", Limit: limit}},
		"POST /users/password_resets":            {{Name: "password_reset", Limit: limit}},
		"POST /users/password_changes":           {{Name: "password_reset", Limit: limit}},
		"POST /users/me/password":                {{Name: "confirm", Limit: limit}},
		"POST /users/me/confirmations":           {{Name: "confirm", Limit: limit}},
		"POST /users/me/confirmations/challenge": {{Name: "confirm_challenge", Limit: limit}},
	}
}

// registrations is the limit of new accounts: two minutes' sign-ins in an hour. A school may register; but whoever signs in
// with what they have registered learns whether it is the password of an account that they do not know, and no such
// sign-in fails.
func registrations(limit ratelimit.Limit) ratelimit.Limit {
	limit = limit.Times(2)
	limit.Period *= 60
	return limit
}

// NewHandlers makes the handlers; Rules and Devices belong before them.
func NewHandlers(sessions *Service) *Handlers { return &Handlers{sessions: sessions} }

// Register makes an account and signs in to it.
func (h *Handlers) Register(ctx context.Context, r api.RegisterRequestObject) (api.RegisterResponseObject, error) {
	p, err := h.sessions.Register(ctx, Registration{Email: r.Body.Email, Password: r.Body.Password,
		FirstName: r.Body.FirstName, LastName: r.Body.LastName, Language: languages.OfQuery(ctx, r.Body.Language)}, originOf(ctx))
	if err != nil {
		return nil, err
	}
	return api.Register201JSONResponse(answerOf(ctx, p)), nil
}

// SignIn begins a session, or asks for the second step.
func (h *Handlers) SignIn(ctx context.Context, r api.SignInRequestObject) (api.SignInResponseObject, error) {
	p, err := h.sessions.SignIn(ctx, r.Body.Email, r.Body.Password, originOf(ctx))
	if err != nil {
		return nil, err
	}
	if p.SecondStep != nil {
		return api.SignIn202JSONResponse(askedOf(*p.SecondStep)), nil
	}
	return api.SignIn200JSONResponse(answerOf(ctx, p)), nil
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

func originOf(ctx context.Context) Origin {
	return Origin{Address: ratelimit.Address(httpx.ClientIP(ctx)), Device: deviceIn(ctx).has,
		Agent: deviceIn(ctx).agent}
}

func answerOf(ctx context.Context, p Person) api.TokenAnswer {
	deviceIn(ctx).gets = p.Device
	answer := api.TokenAnswer{
		Token: api.Token{String: p.Token, ExpiresAt: p.ExpiresAt},
		User: api.LocalUser{UserID: p.ID, FirstName: p.FirstName, LastName: p.LastName, Email: p.Email,
			Verified: p.Verified, Scope: api.ACL(p.Scope)},
	}
	if p.SecondStepMissing {
		answer.User.SecondStepMissing = &p.SecondStepMissing
	}
	return answer
}

// RequireLive is a middleware that refuses tokens whose session has ended or whose person is blocked, and sets the
// person's current scope.
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
