package verifications

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// mailsOfPerson limits the mails that one person can request: three at once, five a day.
var mailsOfPerson = ratelimit.Limit{Rate: 5, Period: 24 * time.Hour, Burst: 3}

// Handlers answers the calls about confirming e-mail addresses.
type Handlers struct {
	db    *gorm.DB
	now   func() time.Time
	ask   func(ctx context.Context, userID int64) error
	merge Merge
}

// NewHandlers makes the handlers; Rules and PersonRules belong before them.
// Ask queues a mail, unless the address has had many.
func NewHandlers(db *gorm.DB, now func() time.Time, ask func(ctx context.Context, userID int64) error, merge Merge) *Handlers {
	return &Handlers{db: db, now: now, ask: ask, merge: merge}
}

// PersonRules are the rate limits by signed-in person.
func PersonRules() ratelimit.Rules {
	return ratelimit.Rules{"POST /users/me/verification": {{Name: "verification", Limit: mailsOfPerson}}}
}

// Rules are the rate limits by address.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{
		"POST /users/verifications":   {{Name: "verify", Limit: limit}},
		"POST /users/me/verification": {{Name: "verification", Limit: limit}},
	}
}

// SendVerification mails the signed-in person another link, unless they are verified already. Error: NotAuthenticated.
func (h *Handlers) SendVerification(ctx context.Context, _ api.SendVerificationRequestObject) (api.SendVerificationResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.ask(ctx, who.UserID); err != nil {
		return nil, err
	}
	return api.SendVerification202Response{}, nil
}

// ConfirmEmail uses a mailed link. Errors: NotAuthenticated; those of Confirm.
func (h *Handlers) ConfirmEmail(ctx context.Context, r api.ConfirmEmailRequestObject) (api.ConfirmEmailResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	var merge Merge
	if r.Body.Merge != nil && *r.Body.Merge {
		merge = h.merge
	}
	outcome, err := Confirm(ctx, h.db, who.UserID, r.Body.Token, h.now().UTC(), merge)
	if err != nil {
		return nil, err
	}
	return api.ConfirmEmail200JSONResponse{Outcome: api.ConfirmEmail200JSONResponseBodyOutcome(outcome)}, nil
}
