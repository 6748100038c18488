package stripe

import (
	"context"
	"errors"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// sessionParams are of a hosted page for one card payment.
func sessionParams(ctx context.Context, o provider.Order) *sdk.CheckoutSessionParams {
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
	if o.Payer != "" { // Stripe takes either, and asks on the page for an address that it does not know
		params.Customer, params.CustomerEmail = sdk.String(o.Payer), nil
		params.PaymentIntentData.SetupFutureUsage = sdk.String(offSession)
	}
	params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
	return params
}

func (c *Client) expireSession(ctx context.Context, id string) error {
	key := onceKey("expire", id)
	err := c.call(ctx, "expire session "+id, func(ctx context.Context) error {
		params := &sdk.CheckoutSessionExpireParams{}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.sessions.Expire(id, params)
		return err
	})
	// Stripe has no code for "not open any more"; there is nothing else to refuse in a call without parameters.
	if errors.Is(err, provider.ErrRefused) {
		return errors.Join(provider.ErrState, err)
	}
	return err
}

// sessionOf is a page with what its intent says; an expired page with an unpaid intent is over.
func sessionOf(s *sdk.CheckoutSession) provider.Snapshot {
	out := provider.Snapshot{State: provider.Open, Amount: amountOf(s.AmountTotal, s.Currency), Tag: tagOf(s.Metadata),
		Created: time.Unix(s.Created, 0).UTC()}
	// An unexpanded intent has its id only, and a page that was just made has none.
	if s.PaymentIntent != nil && s.PaymentIntent.Object != "" {
		out = intentOf(s.PaymentIntent)
		out.Next = nil // the page's own business
	}
	money := ""
	if s.PaymentIntent != nil {
		money = s.PaymentIntent.ID
	}
	out.Ref = provider.Ref{Method: provider.MethodPage, Object: s.ID, Money: money}
	switch {
	case s.Status == sdk.CheckoutSessionStatusExpired && out.State != provider.Succeeded &&
		out.State != provider.Processing:
		out.State = provider.Ended
	case s.Status == sdk.CheckoutSessionStatusOpen && out.State == provider.Ended: // another intent may follow
		out.State = provider.Open
	}
	if s.Status == sdk.CheckoutSessionStatusOpen {
		out.Next = provider.Redirect(s.URL)
	}
	return out
}
