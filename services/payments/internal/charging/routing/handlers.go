package routing

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/provider"
)

// Kept gives the cards that a person has kept where a provider takes cards; the one used last comes first.
type Kept func(ctx context.Context, userID int64, provider string) ([]api.KeptCard, error)

// Handlers answers how a campaign can be paid.
type Handlers struct {
	db     *gorm.DB
	routes *Routes
	payees *payees.Service
	whose  holders.Whose
	kept   Kept
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB, routes *Routes, accounts *payees.Service, whose holders.Whose, kept Kept) *Handlers {
	return &Handlers{db, routes, accounts, whose, kept}
}

// Rules are the limits by address.
func Rules() ratelimit.Rules {
	return ratelimit.Rules{"GET /api/campaigns/:campaign_id/methods": {{Name: "methods_address", Limit: ratelimit.Per(240, time.Minute)}}}
}

// CampaignMethods tells by which methods a campaign can be paid now.
func (h *Handlers) CampaignMethods(c echo.Context, campaignID int64, params api.CampaignMethodsParams) error {
	ctx := c.Request().Context()
	amount := zero("EUR")
	if params.Currency != nil {
		amount = zero(*params.Currency)
	}
	if params.AmountMinor != nil {
		amount.Minor = *params.AmountMinor
	}
	if err := h.payees.FreshFor(ctx, campaignID); err != nil {
		return err
	}
	facts, err := h.routes.Facts(ctx, h.db, campaignID)
	if err != nil {
		return err
	}
	list, reason := Offered(facts, amount)
	answer := api.MethodsAnswer{Methods: make([]api.PaymentMethod, 0, len(list)), SavedCards: []api.KeptCard{}}
	for _, o := range list {
		m := api.PaymentMethod{Method: wire(o.Method), Provider: api.PaymentMethodProvider(o.Provider)}
		if o.MaxMinor > 0 {
			m.MaxMinor = &o.MaxMinor
		}
		answer.Methods = append(answer.Methods, m)
		if o.Method == provider.MethodCard {
			if answer.SavedCards, err = h.keptOf(ctx, c.Request().Header.Get(echo.HeaderAuthorization), o.Provider); err != nil {
				return err
			}
		}
	}
	if reason != None {
		why := api.MethodsAnswerReason(reason)
		answer.Reason = &why
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.JSON(http.StatusOK, answer)
}

// keptOf gives the cards of whose a session is; none without one that is live.
func (h *Handlers) keptOf(ctx context.Context, authorization, name string) ([]api.KeptCard, error) {
	if authorization == "" {
		return []api.KeptCard{}, nil
	}
	who, err := h.whose(ctx, authorization)
	if err != nil {
		return nil, err
	}
	return h.kept(ctx, who.UserID, name)
}

// wire is a method in the contract's words, where a debit is the bank's.
func wire(m provider.Method) api.PaymentMethodMethod {
	if m == provider.MethodDebit {
		return api.PaymentMethodMethodBank
	}
	return api.PaymentMethodMethod(m)
}
