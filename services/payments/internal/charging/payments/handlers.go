package payments

import (
	"context"
	"encoding/hex"
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
	"talkoot.fi/payments/internal/charging/holders"
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

// looksPerSubject bounds how often whoever holds a pledge's or a subscription's id makes us ask the provider; beyond it
// they read what we know.
func looksPerSubject() ratelimit.Limit { return ratelimit.Per(60, time.Minute) }

// pledge is the subject of the public calls.
func pledge(id string) Subject { return Subject{Kind: string(contentclient.Pledge), ID: id} }

// OnPledge translates the domain's errors about paying a pledge into those of the contract.
func OnPledge(err error) error {
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
	id, err := h.payments.Admit(ctx, pledgeID, h.perPledge)
	var body api.FormCard
	if err == nil {
		err = c.Bind(&body)
	}
	if err != nil {
		return err
	}
	isByMail := holders.Of(ctx).ByMail
	card := FormCard{Keep: body.Keep != nil && *body.Keep && !isByMail}
	if body.CardID != nil {
		card.Ref = *body.CardID
	}
	if card.Ref != "" && isByMail {
		return apperr.New(apperr.NotYourOrder)
	}
	var p Payment
	var in Intent
	key := KeyOf(params.IdempotencyKey, "pledge setup", NetworkOf(ctx), []byte(c.Request().URL.Path))
	err = h.payments.Keyed(ctx, key, func(string) (string, error) {
		p, in, err = h.payments.Setup(ctx, pledge(id), NetworkOf(ctx), card)
		return in.ID, err
	})
	if err != nil {
		return OnPledge(err)
	}
	answer := api.SetupAnswer{Payment: Wire(p)}
	answer.Stripe.PublishableKey = h.publishableKey
	answer.Stripe.PaymentIntent.ID = in.ID
	if answer.Stripe.PaymentIntent.ClientSecret, err = provider.SecretOf(in.Next); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// pagesOf is whose page each word of the contract's asks for; "" is whoever takes the campaign's pages. None has one for debits.
var pagesOf = map[string]string{"card": "", "stripe": "stripe"} //nolint:gochecknoglobals // a constant that Go cannot have

// PageBy gives the address of the hosted page of a pledge that x, a word of the contract's, asks for; "" while it is being made. Errors: as
// Page, in the contract's words.
func (s *Service) PageBy(ctx context.Context, pledgeID, network, x string) (string, error) {
	of, isOffered := pagesOf[x]
	if !isOffered {
		return "", apperr.New(apperr.PaymentMethodUnsupported)
	}
	address, err := s.Page(ctx, pledge(pledgeID), network, of)
	return address, OnPledge(err)
}

// PledgePaymentPage makes or gives the hosted page of a pledge.
func (h *Handlers) PledgePaymentPage(c echo.Context, pledgeID api.PledgeID, x string,
	params api.PledgePaymentPageParams) error {
	if _, isOffered := pagesOf[x]; !isOffered {
		return apperr.New(apperr.PaymentMethodUnsupported)
	}
	ctx := c.Request().Context()
	id, err := h.payments.Admit(ctx, pledgeID, h.perPledge)
	if err != nil {
		return err
	}
	address := ""
	key := KeyOf(params.IdempotencyKey, "pledge page", NetworkOf(ctx), []byte(c.Request().URL.Path))
	err = h.payments.Keyed(ctx, key, func(string) (string, error) {
		address, err = h.payments.PageBy(ctx, id, NetworkOf(ctx), x)
		return id, err
	})
	if err != nil {
		return err
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
	id, err := ParseID(pledgeID)
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
	if p, err = h.payments.AdvanceForBrowser(ctx, p); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.PaymentAnswer{Payment: Wire(p)})
}

// AdvanceForBrowser asks the provider how an open payment stands, for a browser that waits. When the provider does not
// answer soon, or was asked too often about this subject, the payment is as we knew it.
func (s *Service) AdvanceForBrowser(ctx context.Context, p Payment) (Payment, error) {
	if !p.Status.IsOpen() || !s.limiter.Allow(ctx, "payment_look", p.Subject.ID, looksPerSubject()).Allowed {
		return p, nil
	}
	waiting, cancel := context.WithTimeout(ctx, browserWait)
	defer cancel()
	now, err := s.AdvanceFound(waiting, p, SignalBrowser, "")
	switch {
	case err == nil:
		return now, nil
	case isProviders(err):
		s.log.WarnContext(ctx, "answered without the provider", "payment_id", p.ID, "error", err)
		return p, nil
	}
	return p, err
}

// isProviders reports whether an error came from asking the provider; then the payment is shown as we last knew it.
func isProviders(err error) bool {
	return errors.Is(err, apperr.New(apperr.ProviderUnavailable)) ||
		errors.Is(err, apperr.New(apperr.ConfigurationError)) ||
		errors.Is(err, provider.ErrRefused)
}

// Admit checks the id of a pledge or a subscription in a call that reaches the provider, and its rate limit.
func (s *Service) Admit(ctx context.Context, id string, limit ratelimit.Limit) (string, error) {
	id, err := ParseID(id)
	if err != nil {
		return "", err
	}
	if d := s.limiter.Allow(ctx, "payment_pledge", id, limit); !d.Allowed {
		return "", apperr.New(apperr.TooManyRequests).RetryAfter(d.RetryAfter)
	}
	return id, nil
}

// KeyOf is the idempotency key that a caller sent with an act, for whose request it stands; empty without one.
func KeyOf(sent *string, act, caller string, request ...[]byte) idem.Key {
	if sent == nil {
		return idem.Key{}
	}
	return idem.Key{Scope: idem.Scope(act, caller), Key: *sent, Hash: idem.Hash(request...)}
}

// NameOf names the calls with a key, hashed; "" without one.
func NameOf(key idem.Key) string {
	if key.Key == "" {
		return ""
	}
	return hex.EncodeToString(idem.Hash([]byte(key.Scope), []byte(key.Key)))
}

// Keyed makes a call under its idempotency key whose effect is an object at the provider: fn makes it or gives the one that is there, and
// says what it is. Before is what the first such call said, "" of the first. A call that is refused leaves its key free. No answer is
// kept, because it holds a client secret. Errors: idem.ErrMismatch, those of fn.
func (s *Service) Keyed(ctx context.Context, key idem.Key, fn func(before string) (made string, err error)) error {
	if key.Key == "" {
		_, err := fn("")
		return err
	}
	if err := key.Check(); err != nil {
		return err
	}
	before, isRepeated, err := idem.Find(ctx, s.db, key)
	if err != nil {
		return err
	}
	made, err := fn(before)
	if err != nil || isRepeated {
		return err
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		_, _, err := idem.Claim(ctx, tx, key, made)
		return err
	})
}

// NetworkOf is where a call comes from.
func NetworkOf(ctx context.Context) string { return ratelimit.Address(httpx.ClientIP(ctx)) }

// ParseID reads the id of a pledge or a subscription. Error: NotFound.
func ParseID(text string) (string, error) {
	id, err := ids.Parse(text)
	if err != nil {
		return "", apperr.New(apperr.NotFound).Wrap(err)
	}
	return id, nil
}

// Wire is a payment in the contract's words.
func Wire(p Payment) api.Payment {
	out := api.Payment{
		PaymentID: p.ID, Status: api.PaymentStatus(p.Status), AmountMinor: p.Amount.Minor,
		Currency: string(p.Amount.Currency),
	}
	if p.Subject.Kind == string(contentclient.Subscription) {
		out.SubscriptionID = &p.Subject.ID
	} else {
		out.PledgeID = &p.Subject.ID
	}
	if p.FailureCode != "" {
		out.FailureCode = &p.FailureCode
	}
	if p.Method != "" {
		out.Method = &p.Method
	}
	return out
}
