package stripe

import (
	"context"
	"errors"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// createSession makes a hosted page for one card payment, or gives the one that the key made before, as it is now.
func (c *Client) createSession(ctx context.Context, o provider.Order) (provider.Snapshot, error) {
	var made *sdk.CheckoutSession
	err := c.call(ctx, "create session "+o.Key, func(ctx context.Context) (err error) {
		params := &sdk.CheckoutSessionParams{
			Mode:               sdk.String("payment"),
			PaymentMethodTypes: sdk.StringSlice([]string{"card"}),
			ClientReferenceID:  sdk.String(o.Tag.Payment),
			Locale:             sdk.String(o.Language),
			CustomerEmail:      optional(o.Email),
			SuccessURL:         sdk.String(o.ReturnURL),
			CancelURL:          sdk.String(o.CancelURL),
			ExpiresAt:          sdk.Int64(o.ExpiresAt.Unix()),
			Metadata:           metadata(o.Tag),
			PaymentIntentData: &sdk.CheckoutSessionPaymentIntentDataParams{
				Description: optional(o.Description), Metadata: metadata(o.Tag), TransferGroup: transferGroup(o.Tag),
			},
			LineItems: []*sdk.CheckoutSessionLineItemParams{{
				Quantity: sdk.Int64(1),
				PriceData: &sdk.CheckoutSessionLineItemPriceDataParams{
					Currency:    sdk.String(strings.ToLower(string(o.Amount.Currency))),
					UnitAmount:  sdk.Int64(o.Amount.Minor),
					ProductData: &sdk.CheckoutSessionLineItemPriceDataProductDataParams{Name: sdk.String(o.Title)},
				},
			}},
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.sessions.New(params)
		return scrub(err)
	})
	if err != nil {
		return provider.Snapshot{}, err
	}
	if isReplay(made.LastResponse) {
		return c.readSession(ctx, made.ID)
	}
	return sessionOf(made), nil
}

// readSession reads a hosted page with its intent, charge and fee.
func (c *Client) readSession(ctx context.Context, id string) (provider.Snapshot, error) {
	var got *sdk.CheckoutSession
	err := c.call(ctx, "read session "+id, func(ctx context.Context) (err error) {
		params := &sdk.CheckoutSessionParams{Expand: sdk.StringSlice([]string{"payment_intent.latest_charge.balance_transaction"})}
		params.Context = ctx
		got, err = c.sessions.Get(id, params)
		return scrub(err)
	})
	if err != nil {
		return provider.Snapshot{}, err
	}
	return sessionOf(got), nil
}

func (c *Client) expireSession(ctx context.Context, id string) error {
	key := onceKey("expire", id)
	err := c.call(ctx, "expire session "+id, func(ctx context.Context) error {
		params := &sdk.CheckoutSessionExpireParams{}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.sessions.Expire(id, params)
		return scrub(err)
	})
	// Stripe has no code for "not open any more"; there is nothing else to refuse in a call without parameters.
	if errors.Is(err, provider.ErrRefused) {
		return errors.Join(provider.ErrState, err)
	}
	return err
}

// sessionOf is a page with what its intent says; an expired page with an unpaid intent is over.
func sessionOf(s *sdk.CheckoutSession) provider.Snapshot {
	out := provider.Snapshot{State: provider.Open, Amount: amountOf(s.AmountTotal, s.Currency), Tag: tagOf(s.Metadata), Created: time.Unix(s.Created, 0).UTC()}
	// An unexpanded intent has its id only, and a page that was just made has none.
	if s.PaymentIntent != nil && s.PaymentIntent.Object != "" {
		out = intentOf(s.PaymentIntent)
		out.ClientSecret = "" // the page's own business
	}
	money := ""
	if s.PaymentIntent != nil {
		money = s.PaymentIntent.ID
	}
	out.Ref = provider.Ref{Method: provider.Page, Object: s.ID, Money: money}
	switch {
	case s.Status == sdk.CheckoutSessionStatusExpired && out.State != provider.Succeeded && out.State != provider.Processing:
		out.State = provider.Ended
	case s.Status == sdk.CheckoutSessionStatusOpen && out.State == provider.Ended: // another intent may follow
		out.State = provider.Open
	}
	if s.Status == sdk.CheckoutSessionStatusOpen {
		out.URL = s.URL
	}
	return out
}
