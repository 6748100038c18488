package payments

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

const (
	// browserWait is how long a browser that asks how its payment stands waits for the provider; after that it gets what
	// we knew before.
	browserWait = 4 * time.Second
	// retryAfterSeconds is when a caller asks again for a page that is being made.
	retryAfterSeconds = 2
)

// looksPerPledge bounds how often whoever holds a pledge's id makes us ask the provider; beyond it they read what we
// know.
func looksPerPledge() ratelimit.Limit { return ratelimit.Per(60, time.Minute) }

// pledge is the subject of the public calls.
func pledge(id string) Subject { return Subject{Kind: string(contentclient.Pledge), ID: id} }

// onWire translates the domain's errors about paying into those of the contract.
func onWire(err error) error {
	switch {
	case errors.Is(err, ErrPaid):
		return apperr.New(apperr.PledgeAlreadyPaid)
	case errors.Is(err, ErrTooManyDeclines):
		return apperr.New(apperr.TooManyDeclines)
	case errors.Is(err, ErrNotPayable):
		return apperr.New(apperr.PledgeNotPayable)
	}
	return err
}

// Handlers answers the public calls about payments.
type Handlers struct {
	payments       *Service
	perPledge      ratelimit.Limit
	publishableKey string
}

// NewHandlers makes the handlers; Rules belong before them. perPledge bounds setup and payment-page together;
// publishableKey is the provider's, for browsers.
func NewHandlers(payments *Service, perPledge ratelimit.Limit, publishableKey string) *Handlers {
	return &Handlers{payments: payments, perPledge: perPledge, publishableKey: publishableKey}
}

// Rules are the limits by address, which belong before the handlers; calls is how many setups and pages together.
func Rules(calls ratelimit.Limit) ratelimit.Rules {
	rule := []ratelimit.Rule{{Name: "payment_address", Limit: calls}}
	return ratelimit.Rules{"POST /api/pledges/:pledge_id/setup": rule,
		"POST /api/pledges/:pledge_id/payment-page/:x": rule}
}

// SetupPledgePayment makes or gives the payment intent of a pledge.
func (h *Handlers) SetupPledgePayment(c echo.Context, pledgeID api.PledgeID,
	params api.SetupPledgePaymentParams) error {
	ctx := c.Request().Context()
	id, err := h.admit(ctx, pledgeID, c.Request().URL.Path, params.IdempotencyKey)
	if err != nil {
		return err
	}
	p, in, err := h.payments.Setup(ctx, pledge(id), networkOf(ctx))
	if err != nil {
		return onWire(err)
	}
	answer := api.SetupAnswer{Payment: wire(p)}
	answer.Stripe.PublishableKey = h.publishableKey
	answer.Stripe.PaymentIntent.ID, answer.Stripe.PaymentIntent.ClientSecret = in.ID, in.ClientSecret
	return c.JSON(http.StatusOK, answer)
}

// PledgePaymentPage makes or gives the hosted page of a pledge.
func (h *Handlers) PledgePaymentPage(c echo.Context, pledgeID api.PledgeID, x string,
	params api.PledgePaymentPageParams) error {
	if x != "stripe" && x != "card" {
		return apperr.New(apperr.PaymentMethodUnsupported)
	}
	ctx := c.Request().Context()
	id, err := h.admit(ctx, pledgeID, c.Request().URL.Path, params.IdempotencyKey)
	if err != nil {
		return err
	}
	address, err := h.payments.Page(ctx, pledge(id), networkOf(ctx))
	if err != nil {
		return onWire(err)
	}
	if address == "" {
		c.Response().Header().Set("Retry-After", strconv.Itoa(retryAfterSeconds))
		return c.JSON(http.StatusAccepted, api.PaymentPagePending{Status: api.Pending, RetryAfter: retryAfterSeconds})
	}
	answer := api.PaymentPageAnswer{PaymentPageURL: address}
	answer.PaymentPage.URL = address
	return c.JSON(http.StatusOK, answer)
}

// PledgePayment tells how the payment stands, and asks the provider first while it is open.
func (h *Handlers) PledgePayment(c echo.Context, pledgeID api.PledgeID) error {
	ctx := c.Request().Context()
	id, err := parseID(pledgeID)
	if err != nil {
		return err
	}
	p, found, err := h.payments.PaymentOf(ctx, pledge(id))
	if err != nil {
		return err
	}
	if !found {
		return apperr.New(apperr.NotFound)
	}
	if p.Status.IsOpen() && h.payments.limiter.Allow(ctx, "payment_look", id, looksPerPledge()).Allowed {
		waiting, cancel := context.WithTimeout(ctx, browserWait)
		defer cancel()
		now, err := h.payments.AdvanceFound(waiting, p, SignalBrowser, "")
		switch {
		case err == nil:
			p = now
		case isProviders(err):
			h.payments.log.WarnContext(ctx, "answered without the provider", "payment_id", p.ID, "error", err)
		default:
			return err
		}
	}
	return c.JSON(http.StatusOK, api.PaymentAnswer{Payment: wire(p)})
}

// isProviders reports whether an error came from asking the provider; then the payment is shown as we last knew it.
func isProviders(err error) bool {
	return errors.Is(err, apperr.New(apperr.ProviderUnavailable)) ||
		errors.Is(err, apperr.New(apperr.ConfigurationError)) ||
		errors.Is(err, provider.ErrRefused)
}

// admit checks the pledge's id, its rate limit and the idempotency key of a call that reaches the provider.
func (h *Handlers) admit(ctx context.Context, pledgeID, path string, key *string) (string, error) {
	id, err := parseID(pledgeID)
	if err != nil {
		return "", err
	}
	if d := h.payments.limiter.Allow(ctx, "payment_pledge", id, h.perPledge); !d.Allowed {
		return "", apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
	}
	if key == nil {
		return id, nil
	}
	return id, h.bind(ctx, *key, path)
}

// bind refuses an idempotency key that its caller has used for another path. The answer is not stored with the key: a
// repeat gets the same one from the payment's rows, and no client secret is kept.
func (h *Handlers) bind(ctx context.Context, key, path string) error {
	return dbx.InTx(ctx, h.payments.db, func(tx *gorm.DB) error {
		_, _, err := idem.Claim(ctx, tx, idem.Key{Scope: idem.Scope("card", networkOf(ctx)), Key: key,
			Hash: idem.Hash([]byte(path))}, path)
		return err
	})
}

// networkOf is where a call comes from.
func networkOf(ctx context.Context) string { return ratelimit.Address(httpx.ClientIP(ctx)) }

func parseID(pledgeID string) (string, error) {
	id, err := ids.Parse(pledgeID)
	if err != nil {
		return "", apperr.New(apperr.NotFound).Wrap(err)
	}
	return id, nil
}

func wire(p Payment) api.Payment {
	out := api.Payment{
		PaymentID: p.ID, PledgeID: p.Subject.ID, Status: api.PaymentStatus(p.Status), AmountMinor: p.Amount.Minor,
		Currency: string(p.Amount.Currency),
	}
	if p.FailureCode != "" {
		out.FailureCode = &p.FailureCode
	}
	if p.Method != "" {
		out.Method = &p.Method
	}
	return out
}
