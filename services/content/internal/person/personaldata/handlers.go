package personaldata

import (
	"context"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// exports bounds how often a person takes their data: each reads all of it.
var exports = ratelimit.Per(10, time.Hour)

// Handlers answers the calls about one's own data.
type Handlers struct{ data *Service }

// NewHandlers makes the handlers; PersonRules belong before them.
func NewHandlers(data *Service) *Handlers { return &Handlers{data} }

// PersonRules are the rate limits by signed-in person.
func PersonRules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"GET /users/me/data": {{Name: "export", Limit: exports}},
		"POST /users/me/erasure": {{Name: "erase", Limit: limit}}}
}

// OwnData is everything about the signed-in person. Errors: NotAuthenticated; ConfirmationRequired.
func (h *Handlers) OwnData(ctx context.Context, _ api.OwnDataRequestObject) (api.OwnDataResponseObject, error) {
	who, err := session.Require(ctx)
	if err == nil {
		err = h.data.sessions.Confirmed(ctx, who)
	}
	if err != nil {
		return nil, err
	}
	return h.data.Export(ctx, who.UserID, languages.OfQuery(ctx, nil))
}

// OwnErasure is what erasing would do.
func (h *Handlers) OwnErasure(ctx context.Context, r api.OwnErasureRequestObject) (api.OwnErasureResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	o, err := h.data.Look(ctx, who.UserID, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	answer := api.OwnErasure200JSONResponse{Receipts: o.Receipts, GoingOn: make([]api.ErasureGoingOn, len(o.Ongoing)),
		Monthly: make([]api.ErasureMonthly, len(o.Monthly)), Blockers: make([]api.ErasureBlocker, len(o.Blockers))}
	if o.Until != nil {
		answer.ReceiptsUntil = &types.Date{Time: *o.Until}
	}
	for i, g := range o.Ongoing {
		answer.GoingOn[i] = api.ErasureGoingOn{Currency: string(g.Currency), Pledges: g.Pledges, Amount: money.Decimal(g.AmountMinor)}
	}
	for i, m := range o.Monthly {
		answer.Monthly[i] = api.ErasureMonthly{Currency: string(m.Currency), Supports: m.Supports, Amount: money.Decimal(m.AmountMinor)}
	}
	for i, b := range o.Blockers {
		answer.Blockers[i] = api.ErasureBlocker{Reason: api.ErasureBlockerReason(b.Reason)}
		if b.CampaignID != 0 {
			answer.Blockers[i].CampaignID, answer.Blockers[i].Slug, answer.Blockers[i].Title = &b.CampaignID, &b.Slug, &b.Title
		}
	}
	return answer, nil
}

// EraseAccount erases the signed-in person's account. Errors: those of Service.Erase.
func (h *Handlers) EraseAccount(ctx context.Context, r api.EraseAccountRequestObject) (api.EraseAccountResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	password := ""
	if r.Body.Password != nil {
		password = *r.Body.Password
	}
	if err := h.data.Erase(ctx, who, r.Body.Email, password); err != nil {
		return nil, err
	}
	return api.EraseAccount204Response{}, nil
}
