// Package payins answers provider B's calls for pledges in that provider's words: cards that are registered before they pay, bank accounts,
// mandates, and pay-ins. The rules of paying are those of package payments.
//
// Invariants: the pledge of a call is the one that package holders has let its caller through for; what a caller says and we know is
// compared and never used; a card's number never comes here.
package payins

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// Options are what the handlers need of others; all are needed.
type Options struct {
	Payments *payments.Service
	// WalletOf is where the money of a campaign goes. Error: PaymentMethodUnsupported when it takes none here.
	WalletOf func(ctx context.Context, campaignID int64) (provider.Wallet, error)
	// Whose is the account of a session, by its Authorization header. Errors: TokenInvalid, TokenExpired, Unavailable.
	Whose func(ctx context.Context, authorization string) (userID int64, err error)
	// PerPledge bounds the calls about one pledge, with its setups and pages.
	PerPledge ratelimit.Limit
	// PublicURL is the web app's.
	PublicURL string
}

// Handlers answers the calls.
type Handlers struct{ Options }

// NewHandlers makes the handlers; Rules and the guard of package holders belong before them.
func NewHandlers(o Options) *Handlers { return &Handlers{o} }

// Rules are the limits by address, which belong before the handlers; calls is how many with setups and pages together.
func Rules(calls ratelimit.Limit) ratelimit.Rules {
	rule := []ratelimit.Rule{{Name: "payment_address", Limit: calls}}
	rules := ratelimit.Rules{"DELETE /api/users/me/cards/:card_id": rule}
	for _, call := range []string{"card-registration-data", "finish-card-registration", "payin", "get-bank-accounts", "create-bank-account",
		"create-mandate", "payin-direct-debit"} {
		rules["POST /api/pledges/mangopay/"+call] = rule
	}
	return rules
}

// begin reads a call's body and gives the pledge that it is about. Errors: NotYourOrder, TooManyRequests, those of the body.
func (h *Handlers) begin(c echo.Context, body any) (context.Context, payments.Subject, error) {
	ctx := c.Request().Context()
	id, err := h.Payments.Admit(ctx, holders.Of(ctx).Order, h.PerPledge)
	if err == nil {
		err = c.Bind(body)
	}
	return ctx, payments.Subject{Kind: string(contentclient.Pledge), ID: id}, err
}

// checkReturn lets a payer be sent back to our own web app only. Error: InvalidFields.
func (h *Handlers) checkReturn(field, address string) error {
	if !httpx.IsOfSite(h.PublicURL, address) {
		return apperr.New(apperr.InvalidFields).WithField(field, apperr.RuleOfThisSite)
	}
	return nil
}

// keyOf is the caller's idempotency key with a body.
func keyOf(sent *string, act string, sub payments.Subject, body any) (idem.Key, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return idem.Key{}, fmt.Errorf("hash a %s: %w", act, err)
	}
	return payments.KeyOf(sent, act, sub.ID, raw), nil
}

// payInAnswer is what a try has come to.
func payInAnswer(p payments.Payment, try payments.Try) api.PayInAnswer {
	out := api.PayInAnswer{Payment: payments.Wire(p), Payin: api.PayIn{ID: text(try.Object), Status: api.PayInStatusCREATED}}
	switch try.State {
	case provider.Succeeded:
		out.Payin.Status = api.PayInStatusSUCCEEDED
	case provider.Ended:
		out.Payin.Status = api.PayInStatusFAILED
	case provider.NeedsPayer:
		out.Payin.SecureModeNeeded, out.Payin.SecureModeRedirectURL = true, text(provider.AddressOf(try.Next))
	case provider.Open, provider.Processing:
	}
	out.Payin.ResultCode, out.Payin.ResultMessage = text(try.Result.Code), text(try.Result.Message)
	return out
}

// text is one that an answer leaves out when it is empty.
func text(t string) *string {
	if t == "" {
		return nil
	}
	return &t
}

// kept is a registered instrument as the wire names it.
func kept(i *provider.Instrument) (id, label *string) {
	if i == nil {
		return nil, nil
	}
	return text(mangopay.IDIn(i.Ref)), text(i.Label)
}

// WireCard is a kept card in the contract's words.
func WireCard(c vault.Card) api.KeptCard {
	out := api.KeptCard{CardID: mangopay.IDIn(c.Ref), Provider: api.KeptCardProvider(c.Provider), Label: c.Label, UsedAt: c.UsedAt}
	if c.ExpYear > 0 {
		out.ExpYear, out.ExpMonth = &c.ExpYear, &c.ExpMonth
	}
	return out
}
