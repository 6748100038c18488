package forum

import (
	"context"
	"time"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// signIns limits the log-ins of one person: twenty at once, sixty an hour.
var signIns = ratelimit.Limit{Rate: 60, Period: time.Hour, Burst: 20}

const route = "POST /users/sso/discourse"

// Handlers answers the forum's call.
type Handlers struct{ service *Service }

// NewHandlers makes the handlers; Rules and PersonRules belong before them.
func NewHandlers(service *Service) *Handlers { return &Handlers{service} }

// Rules are the rate limits by address.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{route: {{Name: "forum", Limit: limit}}}
}

// PersonRules are the rate limits by signed-in person.
func PersonRules() ratelimit.Rules { return ratelimit.Rules{route: {{Name: "forum", Limit: signIns}}} }

// SignInToForum answers the forum's log-in request for the signed-in person. Errors: NotAuthenticated; those of SignIn.
func (h *Handlers) SignInToForum(ctx context.Context, r api.SignInToForumRequestObject) (
	api.SignInToForumResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := h.service.SignIn(ctx, who, r.Body.Sso, r.Body.Sig)
	if err != nil {
		return nil, err
	}
	return api.SignInToForum200JSONResponse{SsoString: answer.Query, ReturnURL: answer.ReturnURL}, nil
}
