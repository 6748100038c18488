package stripe

import (
	"context"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// Disputes lists the disputes of an intent; there is seldom more than one.
func (c *Client) Disputes(ctx context.Context, intentID string) ([]provider.Dispute, error) {
	var out []provider.Dispute
	err := c.call(ctx, "list disputes of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.DisputeListParams{PaymentIntent: sdk.String(intentID)}
		params.Context, params.Limit = ctx, sdk.Int64(100)
		list := c.disputes.List(params)
		for list.Next() {
			out = append(out, disputeOf(list.Dispute()))
		}
		return list.Err()
	})
	return out, err
}

// EachDispute walks the disputes opened since a moment, newest first.
func (c *Client) EachDispute(ctx context.Context, since time.Time, fn func(provider.Dispute) error) error {
	params := &sdk.DisputeListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.disputes.List(params)
	return c.each(ctx, "list disputes", list, func() error { return fn(disputeOf(list.Dispute())) })
}

// Contest sends evidence to the bank of a dispute, unless some was sent before: a bank takes it once, and a key is remembered for a day only.
func (c *Client) Contest(ctx context.Context, o provider.ContestOrder) error {
	return c.call(ctx, "contest "+o.Dispute, func(ctx context.Context) error {
		look := &sdk.DisputeParams{}
		look.Context = ctx
		is, err := c.disputes.Get(o.Dispute, look)
		if err != nil || is.EvidenceDetails != nil && is.EvidenceDetails.SubmissionCount > 0 {
			return err
		}
		e := o.Evidence
		params := &sdk.DisputeParams{Submit: sdk.Bool(true), Evidence: &sdk.DisputeEvidenceParams{
			CustomerName: said(e.CustomerName), CustomerEmailAddress: said(e.CustomerEmail), ShippingAddress: said(e.ShippingAddress),
			ShippingDate: said(e.ShippingDate), ProductDescription: said(e.Product), RefundPolicyDisclosure: said(e.Policy), UncategorizedText: said(e.Statement)}}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		_, err = c.disputes.Update(o.Dispute, params)
		return err
	})
}

// said is a text that is sent, nil for none.
func said(text string) *string {
	if text == "" {
		return nil
	}
	return sdk.String(text)
}

func disputeOf(d *sdk.Dispute) provider.Dispute {
	out := provider.Dispute{
		Ref: d.ID, State: disputeStateOf(d.Status), Reason: string(d.Reason), Amount: amountOf(d.Amount, d.Currency),
		Opened: time.Unix(d.Created, 0).UTC(),
	}
	if d.PaymentIntent != nil {
		out.Money = d.PaymentIntent.ID
	}
	if d.EvidenceDetails != nil && d.EvidenceDetails.DueBy > 0 {
		by := time.Unix(d.EvidenceDetails.DueBy, 0).UTC()
		out.RespondBy = &by
	}
	for _, bt := range d.BalanceTransactions {
		out.Movements = append(out.Movements, provider.Movement{
			Ref: bt.ID, Amount: amountOf(bt.Amount, bt.Currency), Fee: amountOf(bt.Fee, bt.Currency),
			Happened: time.Unix(bt.Created, 0).UTC(),
		})
	}
	return out
}

// disputeStateOf takes what it does not know for closed: new values come without notice, and have been of disputes that
// were never raised or ended early. Their money is in the movements.
func disputeStateOf(s sdk.DisputeStatus) provider.DisputeState {
	switch s {
	case sdk.DisputeStatusWarningNeedsResponse, sdk.DisputeStatusWarningUnderReview:
		return provider.DisputeInquiry
	case sdk.DisputeStatusNeedsResponse, sdk.DisputeStatusUnderReview:
		return provider.DisputeOpen
	case sdk.DisputeStatusWon:
		return provider.DisputeWon
	case sdk.DisputeStatusLost:
		return provider.DisputeLost
	case sdk.DisputeStatusWarningClosed:
	}
	return provider.DisputeClosed
}
