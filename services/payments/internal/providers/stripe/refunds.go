package stripe

import (
	"context"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/money"
)

// RefundStatus is how far a refund is.
type RefundStatus string

// The steps of a refund.
const (
	RefundPending   RefundStatus = "pending"
	RefundSucceeded RefundStatus = "succeeded"
	RefundFailed    RefundStatus = "failed"
)

// Refund as Stripe has it now.
type Refund struct {
	ID          string
	IntentID    string
	Status      RefundStatus
	Amount      money.Amount
	FailureCode string
	// RefundID is ours, from the metadata; empty for one that was made elsewhere.
	RefundID  string
	CreatedAt time.Time
}

// NewRefund is what CreateRefund needs; the same key must always come with the same values.
type NewRefund struct {
	Key       string
	IntentID  string
	Amount    money.Amount
	RefundID  string // ours
	PaymentID string
}

// CreateRefund gives money of an intent back, once per key. Errors: ErrRefused when the charge has less left,
// ErrDisputed.
func (c *Client) CreateRefund(ctx context.Context, n NewRefund) (Refund, error) {
	var made *sdk.Refund
	err := c.call(ctx, "create refund "+n.Key, func(ctx context.Context) (err error) {
		params := &sdk.RefundParams{
			PaymentIntent: sdk.String(n.IntentID),
			Amount:        sdk.Int64(n.Amount.Minor),
			Metadata:      map[string]string{"refund_id": n.RefundID, "payment_id": n.PaymentID},
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(n.Key)
		made, err = c.refunds.New(params)
		return scrub(err)
	})
	if err != nil {
		return Refund{}, err
	}
	return refundOf(made), nil
}

// Refunds lists the refunds of an intent, whoever made them.
func (c *Client) Refunds(ctx context.Context, intentID string) ([]Refund, error) {
	var out []Refund
	err := c.call(ctx, "list refunds of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.RefundListParams{PaymentIntent: sdk.String(intentID)}
		params.Context, params.Limit = ctx, sdk.Int64(100)
		list := c.refunds.List(params)
		for list.Next() {
			out = append(out, refundOf(list.Refund()))
		}
		return scrub(list.Err())
	})
	return out, err
}

// EachRefund walks the refunds made since a moment, newest first, whoever made them.
func (c *Client) EachRefund(ctx context.Context, since time.Time, fn func(Refund) error) error {
	if !c.Enabled() {
		return nil
	}
	params := &sdk.RefundListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.refunds.List(params)
	return c.each(ctx, "list refunds", scrubbed{list}, func() error { return fn(refundOf(list.Refund())) })
}

func refundOf(r *sdk.Refund) Refund {
	out := Refund{
		ID: r.ID, Status: RefundPending, Amount: amountOf(r.Amount, r.Currency), RefundID: r.Metadata["refund_id"],
		FailureCode: string(r.FailureReason), CreatedAt: time.Unix(r.Created, 0).UTC(),
	}
	if r.PaymentIntent != nil {
		out.IntentID = r.PaymentIntent.ID
	}
	switch r.Status {
	case sdk.RefundStatusSucceeded:
		out.Status = RefundSucceeded
	case sdk.RefundStatusFailed, sdk.RefundStatusCanceled:
		out.Status = RefundFailed
	case sdk.RefundStatusPending, sdk.RefundStatusRequiresAction:
	}
	return out
}

// BalanceLine is one movement of our balance at Stripe.
type BalanceLine struct {
	ID       string
	Type     string // charge, payment, refund, payment_refund, refund_failure, adjustment, payout …
	Category string // what it is in a report: tells what an adjustment is about
	SourceID string // of the charge, refund or dispute
	Amount   money.Amount
	FeeMinor int64
	At       time.Time
}

// EachBalanceLine walks what moved our balance in [from, to), newest first.
func (c *Client) EachBalanceLine(ctx context.Context, from, to time.Time, fn func(BalanceLine) error) error {
	if !c.Enabled() {
		return nil
	}
	params := &sdk.BalanceTransactionListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: from.Unix(), LesserThan: to.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.balance.List(params)
	return c.each(ctx, "list balance transactions", scrubbed{list}, func() error {
		bt := list.BalanceTransaction()
		line := BalanceLine{ID: bt.ID, Type: string(bt.Type), Category: string(bt.ReportingCategory), Amount: amountOf(bt.Amount, bt.Currency), FeeMinor: bt.Fee, At: time.Unix(bt.Created, 0).UTC()}
		if bt.Source != nil {
			line.SourceID = bt.Source.ID
		}
		return fn(line)
	})
}
