package stripe

import (
	"context"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// Warnings lists the early fraud warnings of an intent. docs.stripe.com/api/radar/early_fraud_warnings
func (c *Client) Warnings(ctx context.Context, intentID string) ([]provider.Warning, error) {
	var out []provider.Warning
	err := c.call(ctx, "list warnings of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.RadarEarlyFraudWarningListParams{PaymentIntent: sdk.String(intentID)}
		params.Context, params.Limit = ctx, sdk.Int64(100)
		list := c.warnings.List(params)
		for list.Next() {
			out = append(out, warningOf(list.RadarEarlyFraudWarning()))
		}
		return list.Err()
	})
	return out, err
}

// EachWarning walks the warnings made since a moment, newest first.
func (c *Client) EachWarning(ctx context.Context, since time.Time, fn func(provider.Warning) error) error {
	params := &sdk.RadarEarlyFraudWarningListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.warnings.List(params)
	return c.each(ctx, "list warnings", list, func() error { return fn(warningOf(list.RadarEarlyFraudWarning())) })
}

func warningOf(w *sdk.RadarEarlyFraudWarning) provider.Warning {
	out := provider.Warning{Ref: w.ID, Reason: string(w.FraudType), IsActionable: w.Actionable, Opened: time.Unix(w.Created, 0).UTC()}
	if w.PaymentIntent != nil { // a charge that was made without one is not ours
		out.Money = w.PaymentIntent.ID
	}
	return out
}
