// Package spendinglimits lets people say how much they want to be charged in a calendar month. The payment service keeps the
// limits and holds charges to them; here is who asks: the signed-in person, about themselves.
package spendinglimits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/paymentsclient"
)

const (
	// callTimeout bounds one call to the payment service: somebody waits for the answer.
	callTimeout = 3 * time.Second
	// retryAfter is what callers are told while the payment service does not answer.
	retryAfter = 2 * time.Second
	// maxAnswer bounds what is read of an answer, in bytes.
	maxAnswer = 64 << 10
	// currency is that of campaigns; nothing is charged in another one.
	currency = money.EUR
)

// Handlers answers the calls about spending limits.
type Handlers struct {
	payments  *paymentsclient.Client
	confirmed func(context.Context, session.Identity) error
}

// NewHandlers makes the handlers; payments calls the payment service with a service token (closing.NewClient), confirmed is
// sessions.Service.Confirmed.
func NewHandlers(payments *paymentsclient.Client, confirmed func(context.Context, session.Identity) error) *Handlers {
	return &Handlers{payments, confirmed}
}

// hasConfirmed reports whether who is signed in has just shown that it is them, which loosening a limit takes.
func (h *Handlers) hasConfirmed(ctx context.Context, who session.Identity) (*bool, error) {
	err := h.confirmed(ctx, who)
	if err != nil && !errors.Is(err, ErrUnconfirmed) {
		return nil, err
	}
	has := err == nil
	return &has, nil
}

// ErrUnconfirmed refuses to loosen a limit whose person has not just shown that it is them.
var ErrUnconfirmed = apperr.New(apperr.ConfirmationRequired)

// changesOfPerson bounds how often one person changes their limits, in all their sessions.
var changesOfPerson = ratelimit.Per(60, time.Hour)

// PersonRules are the limits by person.
func PersonRules() ratelimit.Rules {
	rules := []ratelimit.Rule{{Name: "spending_limits", Limit: changesOfPerson}}
	return ratelimit.Rules{"PUT /users/me/spending-limits/:currency": rules, "DELETE /users/me/spending-limits/:currency": rules}
}

// OwnSpendingLimits are the signed-in person's. Errors: NotAuthenticated, Unavailable.
func (h *Handlers) OwnSpendingLimits(ctx context.Context, _ api.OwnSpendingLimitsRequestObject) (api.OwnSpendingLimitsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	limits, err := Of(ctx, h.payments, who.UserID)
	if err != nil {
		return nil, err
	}
	return api.OwnSpendingLimits200JSONResponse{SpendingLimits: limits}, nil
}

// Of are a person's limits, by currency. Error: Unavailable.
func Of(ctx context.Context, payments *paymentsclient.Client, userID int64) ([]api.SpendingLimit, error) {
	answer, err := ask(ctx, func(ctx context.Context) (*http.Response, error) { return payments.SpendingLimits(ctx, userID) })
	return answer.SpendingLimits, err
}

// SetOwnSpendingLimit sets one. Errors: NotAuthenticated; NotFound for a currency that no campaign has; a fault on amount;
// ErrUnconfirmed for a looser one; Unavailable.
func (h *Handlers) SetOwnSpendingLimit(ctx context.Context, r api.SetOwnSpendingLimitRequestObject) (api.SetOwnSpendingLimitResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if r.Currency != string(currency) {
		return nil, apperr.New(apperr.NotFound)
	}
	amount, faults := money.FromInput("amount", r.Body.Amount, currency)
	if faults != nil {
		return nil, apperr.New(apperr.InvalidFields).WithFields(faults)
	}
	has, err := h.hasConfirmed(ctx, who)
	if err != nil {
		return nil, err
	}
	choice := paymentsclient.SpendingLimitChoice{AmountMinor: amount.Minor, CountsPledges: r.Body.CountsPledges, HasConfirmed: has}
	answer, err := ask(ctx, func(ctx context.Context) (*http.Response, error) {
		return h.payments.SetSpendingLimit(ctx, who.UserID, r.Currency, choice)
	})
	if err != nil {
		return nil, err
	}
	return api.SetOwnSpendingLimit200JSONResponse(answer), nil
}

// EndOwnSpendingLimit takes one away; a repeat changes nothing. Errors: NotAuthenticated; NotFound for a currency that no
// campaign has; ErrUnconfirmed; Unavailable.
func (h *Handlers) EndOwnSpendingLimit(ctx context.Context, r api.EndOwnSpendingLimitRequestObject) (api.EndOwnSpendingLimitResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if r.Currency != string(currency) {
		return nil, apperr.New(apperr.NotFound)
	}
	has, err := h.hasConfirmed(ctx, who)
	if err != nil {
		return nil, err
	}
	answer, err := ask(ctx, func(ctx context.Context) (*http.Response, error) {
		return h.payments.EndSpendingLimit(ctx, who.UserID, r.Currency, &paymentsclient.EndSpendingLimitParams{HasConfirmed: has})
	})
	if err != nil {
		return nil, err
	}
	return api.EndOwnSpendingLimit200JSONResponse(answer), nil
}

// ask makes one call and reads the limits that it answers. Errors: ErrUnconfirmed; Unavailable, with when to ask again.
func ask(ctx context.Context, call func(ctx context.Context) (*http.Response, error)) (answer api.SpendingLimitsAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	limits, err := read(call(ctx))
	if errors.Is(err, ErrUnconfirmed) {
		return answer, err
	}
	if err != nil {
		return answer, apperr.New(apperr.Unavailable).RetryAfter(retryAfter).Wrap(fmt.Errorf("ask for spending limits: %w", err))
	}
	answer.SpendingLimits = make([]api.SpendingLimit, len(limits.SpendingLimits))
	for i, l := range limits.SpendingLimits {
		answer.SpendingLimits[i] = api.SpendingLimit{Currency: l.Currency, Amount: money.Decimal(l.AmountMinor), CountsPledges: l.CountsPledges}
	}
	return answer, nil
}

func read(response *http.Response, err error) (limits paymentsclient.SpendingLimits, _ error) {
	if err != nil {
		return limits, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return limits, err
	}
	if response.StatusCode == ErrUnconfirmed.HTTP() {
		var fault struct{ Status apperr.Status }
		if json.Unmarshal(body, &fault) == nil && fault.Status == ErrUnconfirmed.Status {
			return limits, ErrUnconfirmed
		}
	}
	if response.StatusCode != http.StatusOK {
		return limits, fmt.Errorf("the payment service answered %d", response.StatusCode)
	}
	if err = json.Unmarshal(body, &limits); err == nil && limits.SpendingLimits == nil { // another program answers at that address
		err = errors.New("the answer has no limits")
	}
	return limits, err
}
