package stripe

import (
	"context"
	"errors"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/money"
)

// SessionStatus is how far a hosted page is.
type SessionStatus string

// The steps of a hosted page.
const (
	SessionOpen     SessionStatus = "open"
	SessionComplete SessionStatus = "complete"
	SessionExpired  SessionStatus = "expired"
)

// Session is a hosted payment page as Stripe has it now.
type Session struct {
	ID     string
	URL    string // empty once it is not open
	Status SessionStatus
	// Intent is the session's own, nil until the backer submits a card.
	Intent *Intent
}

// MinSessionLife is the shortest life that Stripe gives a page (docs.stripe.com/api/checkout/sessions/create#expires_at).
const MinSessionLife = 30 * time.Minute

// NewSession is what CreateSession needs; the same key must always come with the same values.
type NewSession struct {
	Key           string
	Amount        money.Amount
	Title         string // the line that the backer sees
	Description   string
	Language      string // fi, en or sv
	Email         string // of the backer, filled in for them; empty asks for it
	SuccessURL    string
	CancelURL     string
	ExpiresAt     time.Time
	TransferGroup string
	Metadata      Metadata
}

// CreateSession makes a hosted page for one card payment, or gives the one that the key made before, as it is now.
func (c *Client) CreateSession(ctx context.Context, n NewSession) (Session, error) {
	var made *sdk.CheckoutSession
	err := c.call(ctx, "create session "+n.Key, func(ctx context.Context) (err error) {
		params := &sdk.CheckoutSessionParams{
			Mode:               sdk.String("payment"),
			PaymentMethodTypes: sdk.StringSlice([]string{"card"}),
			ClientReferenceID:  sdk.String(n.Metadata.PledgeID),
			Locale:             sdk.String(n.Language),
			CustomerEmail:      optional(n.Email),
			SuccessURL:         sdk.String(n.SuccessURL),
			CancelURL:          sdk.String(n.CancelURL),
			ExpiresAt:          sdk.Int64(n.ExpiresAt.Unix()),
			Metadata:           n.Metadata.values(),
			PaymentIntentData: &sdk.CheckoutSessionPaymentIntentDataParams{
				Description: optional(n.Description), Metadata: n.Metadata.values(), TransferGroup: optional(n.TransferGroup),
			},
			LineItems: []*sdk.CheckoutSessionLineItemParams{{
				Quantity: sdk.Int64(1),
				PriceData: &sdk.CheckoutSessionLineItemPriceDataParams{
					Currency:    sdk.String(strings.ToLower(string(n.Amount.Currency))),
					UnitAmount:  sdk.Int64(n.Amount.Minor),
					ProductData: &sdk.CheckoutSessionLineItemPriceDataProductDataParams{Name: sdk.String(n.Title)},
				},
			}},
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(n.Key)
		made, err = c.sessions.New(params)
		return scrub(err)
	})
	if err != nil {
		return Session{}, err
	}
	if made.LastResponse != nil && made.LastResponse.Header.Get("Idempotent-Replayed") == "true" {
		return c.Session(ctx, made.ID)
	}
	return sessionOf(made), nil
}

// Session reads a hosted page with its intent, charge and fee.
func (c *Client) Session(ctx context.Context, id string) (Session, error) {
	var got *sdk.CheckoutSession
	err := c.call(ctx, "read session "+id, func(ctx context.Context) (err error) {
		params := &sdk.CheckoutSessionParams{Expand: sdk.StringSlice([]string{"payment_intent.latest_charge.balance_transaction"})}
		params.Context = ctx
		got, err = c.sessions.Get(id, params)
		return scrub(err)
	})
	if err != nil {
		return Session{}, err
	}
	return sessionOf(got), nil
}

// ExpireSession ends an open page. Error: ErrState when it is not open any more.
func (c *Client) ExpireSession(ctx context.Context, id string) error {
	key := onceKey("expire", id)
	err := c.call(ctx, "expire session "+id, func(ctx context.Context) error {
		params := &sdk.CheckoutSessionExpireParams{}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.sessions.Expire(id, params)
		return scrub(err)
	})
	// Stripe has no code for "not open any more"; there is nothing else to refuse in a call without parameters.
	if errors.Is(err, ErrRefused) {
		return errors.Join(ErrState, err)
	}
	return err
}

func sessionOf(s *sdk.CheckoutSession) Session {
	out := Session{ID: s.ID, URL: s.URL, Status: SessionStatus(s.Status)}
	// An unexpanded intent has its id only, and a page that was just made has none.
	if s.PaymentIntent != nil && s.PaymentIntent.Object != "" {
		in := intentOf(s.PaymentIntent)
		out.Intent = &in
	}
	return out
}
