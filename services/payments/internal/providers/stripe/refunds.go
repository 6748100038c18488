package stripe

import (
	"context"
	"errors"
	"fmt"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// Refund gives money of an intent back, once per key. Errors: ErrFinal when the charge has less left, ErrDisputed.
func (c *Client) Refund(ctx context.Context, o provider.RefundOrder) (provider.Refund, error) {
	var made *sdk.Refund
	err := c.call(ctx, "create refund "+o.Key, func(ctx context.Context) (err error) {
		params := &sdk.RefundParams{
			PaymentIntent: sdk.String(o.Money),
			Amount:        sdk.Int64(o.Amount.Minor),
			Metadata:      map[string]string{"refund_id": o.ID, "payment_id": o.Payment},
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.refunds.New(params)
		return err
	})
	var f *fault // of a sum above what is left Stripe has no code; with one, such as a short balance, it is another fault of the sum
	if errors.As(err, &f) && errors.Is(err, provider.ErrRefused) &&
		(f.code == string(sdk.ErrorCodeChargeAlreadyRefunded) || f.param == "amount" && f.code == "") {
		err = fmt.Errorf("%w: %w", provider.ErrFinal, err)
	}
	if err != nil {
		return provider.Refund{}, err
	}
	return refundOf(made), nil
}

// Refunds lists the refunds of an intent, whoever made them.
func (c *Client) Refunds(ctx context.Context, intentID string) ([]provider.Refund, error) {
	var out []provider.Refund
	err := c.call(ctx, "list refunds of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.RefundListParams{PaymentIntent: sdk.String(intentID)}
		list := c.refunds.List(refundList(ctx, params))
		for list.Next() {
			out = append(out, refundOf(list.Refund()))
		}
		return list.Err()
	})
	return out, err
}

// EachRefund walks the refunds made since a moment, newest first, whoever made them.
func (c *Client) EachRefund(ctx context.Context, since time.Time, fn func(provider.Refund) error) error {
	params := &sdk.RefundListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	list := c.refunds.List(refundList(ctx, params))
	return c.each(ctx, "list refunds", list, func() error { return fn(refundOf(list.Refund())) })
}

// refundList asks for the times at which a refund left our balance and came back.
func refundList(ctx context.Context, params *sdk.RefundListParams) *sdk.RefundListParams {
	params.Context, params.Limit = ctx, sdk.Int64(100)
	params.AddExpand("data.balance_transaction")
	params.AddExpand("data.failure_balance_transaction")
	return params
}

func refundOf(r *sdk.Refund) provider.Refund {
	out := provider.Refund{
		Ref: r.ID, State: provider.RefundPending, Amount: amountOf(r.Amount, r.Currency), ID: r.Metadata["refund_id"],
		FailureCode: string(r.FailureReason), Happened: time.Unix(r.Created, 0).UTC(),
	}
	if r.PaymentIntent != nil {
		out.Money = r.PaymentIntent.ID
	}
	if bt := r.BalanceTransaction; bt != nil && bt.ID != "" { // none while our balance is short
		out.Taken = true
		if bt.Object != "" {
			out.Happened = time.Unix(bt.Created, 0).UTC()
		}
	}
	switch r.Status {
	case sdk.RefundStatusSucceeded:
		out.State = provider.RefundSucceeded
	case sdk.RefundStatusFailed, sdk.RefundStatusCanceled:
		out.State = provider.RefundFailed
	case sdk.RefundStatusPending, sdk.RefundStatusRequiresAction:
	}
	if bt := r.FailureBalanceTransaction; bt != nil && bt.Object != "" {
		returned := time.Unix(bt.Created, 0).UTC()
		out.Returned = &returned
	}
	return out
}
