package stripe

import (
	"context"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/money"
)

// DisputeStatus is how far a dispute is, in the steps that matter to us.
type DisputeStatus string

// The steps of a dispute.
const (
	DisputeInquiry DisputeStatus = "inquiry" // the bank asks, no money has moved
	DisputeOpen    DisputeStatus = "open"    // the bank has the money until it decides
	DisputeWon     DisputeStatus = "won"
	DisputeLost    DisputeStatus = "lost"
	DisputeClosed  DisputeStatus = "closed" // ended without a decision: an inquiry that went no further, a charge refunded
)

// Dispute as Stripe has it now.
type Dispute struct {
	ID       string
	IntentID string
	Status   DisputeStatus
	Reason   string
	Amount   money.Amount
	// RespondBy is until when the bank waits for evidence; zero when it does not.
	RespondBy time.Time
	// Movements are what it has done to our balance so far.
	Movements []DisputeMovement
	CreatedAt time.Time
}

// DisputeMovement is a movement of our balance because of a dispute: money withdrawn (negative) or reinstated, and the
// fee for it (positive) or its return.
type DisputeMovement struct {
	ID       string
	Amount   money.Amount
	FeeMinor int64
	At       time.Time
}

// Disputes lists the disputes of an intent; there is seldom more than one.
func (c *Client) Disputes(ctx context.Context, intentID string) ([]Dispute, error) {
	var out []Dispute
	err := c.call(ctx, "list disputes of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.DisputeListParams{PaymentIntent: sdk.String(intentID)}
		params.Context, params.Limit = ctx, sdk.Int64(100)
		list := c.disputes.List(params)
		for list.Next() {
			out = append(out, disputeOf(list.Dispute()))
		}
		return scrub(list.Err())
	})
	return out, err
}

// EachDispute walks the disputes opened since a moment, newest first.
func (c *Client) EachDispute(ctx context.Context, since time.Time, fn func(Dispute) error) error {
	if !c.Enabled() {
		return nil
	}
	params := &sdk.DisputeListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.disputes.List(params)
	return c.each(ctx, "list disputes", scrubbed{list}, func() error { return fn(disputeOf(list.Dispute())) })
}

func disputeOf(d *sdk.Dispute) Dispute {
	out := Dispute{
		ID: d.ID, Status: disputeStatusOf(d.Status), Reason: string(d.Reason), Amount: amountOf(d.Amount, d.Currency),
		CreatedAt: time.Unix(d.Created, 0).UTC(),
	}
	if d.PaymentIntent != nil {
		out.IntentID = d.PaymentIntent.ID
	}
	if d.EvidenceDetails != nil && d.EvidenceDetails.DueBy > 0 {
		out.RespondBy = time.Unix(d.EvidenceDetails.DueBy, 0).UTC()
	}
	for _, bt := range d.BalanceTransactions {
		out.Movements = append(out.Movements, DisputeMovement{
			ID: bt.ID, Amount: amountOf(bt.Amount, bt.Currency), FeeMinor: bt.Fee, At: time.Unix(bt.Created, 0).UTC(),
		})
	}
	return out
}

// disputeStatusOf takes what it does not know for closed: new values come without notice, and have been of disputes that
// were never raised or ended early. Their money is in the movements.
func disputeStatusOf(s sdk.DisputeStatus) DisputeStatus {
	switch s {
	case sdk.DisputeStatusWarningNeedsResponse, sdk.DisputeStatusWarningUnderReview:
		return DisputeInquiry
	case sdk.DisputeStatusNeedsResponse, sdk.DisputeStatusUnderReview:
		return DisputeOpen
	case sdk.DisputeStatusWon:
		return DisputeWon
	case sdk.DisputeStatusLost:
		return DisputeLost
	case sdk.DisputeStatusWarningClosed:
	}
	return DisputeClosed
}
