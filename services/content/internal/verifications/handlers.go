package verifications

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// mailsOfPerson bounds the links that one person has mailed: three at once, five a day.
var mailsOfPerson = ratelimit.Limit{Rate: 5, Period: 24 * time.Hour, Burst: 3}

// Handlers answers the calls about links.
type Handlers struct {
	db      *gorm.DB
	limiter *ratelimit.Limiter
	now     func() time.Time
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB, limiter *ratelimit.Limiter, now func() time.Time) *Handlers {
	return &Handlers{db: db, limiter: limiter, now: now}
}

// Rules are the limits by address.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{
		"POST /users/verifications":   {{Name: "verify", Limit: limit}},
		"POST /users/me/verification": {{Name: "verification", Limit: limit}},
	}
}

// SendVerification mails the signed-in person another link, nothing to who is verified. Errors: NotAuthenticated,
// TooManyRequests.
func (h *Handlers) SendVerification(ctx context.Context, _ api.SendVerificationRequestObject) (api.SendVerificationResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if d := h.limiter.Allow(ctx, "verification", fmt.Sprintf("user:%d", who.UserID), mailsOfPerson); !d.Allowed {
		return nil, apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
	}
	if err := Ask(ctx, h.db, who.UserID); err != nil {
		return nil, err
	}
	return api.SendVerification202Response{}, nil
}

// ConfirmEmail uses a link up; no session is needed. Error: ErrLink.
func (h *Handlers) ConfirmEmail(ctx context.Context, r api.ConfirmEmailRequestObject) (api.ConfirmEmailResponseObject, error) {
	if err := Confirm(ctx, h.db, r.Body.Token, h.now().UTC()); err != nil {
		return nil, err
	}
	return api.ConfirmEmail204Response{}, nil
}
