package stripe

import (
	"context"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// Reverse takes a part of a transfer back, which is done by the answer. Stripe does so only as far as the account has it available.
// docs.stripe.com/api/transfer_reversals/create
func (c *Client) Reverse(ctx context.Context, o provider.ReversalOrder) (provider.Outgoing, error) {
	var made *sdk.TransferReversal
	err := c.call(ctx, "take back "+o.Key, func(ctx context.Context) (err error) {
		params := &sdk.TransferReversalParams{ID: sdk.String(o.Transfer), Amount: sdk.Int64(o.Amount.Minor), Metadata: map[string]string{outTag: o.Tag}}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.reversals.New(params)
		return err
	})
	if err != nil {
		return provider.Outgoing{}, notSent(err)
	}
	return reversalOf(made).Outgoing, nil
}

// Reversals lists what was taken back of a transfer. docs.stripe.com/api/transfer_reversals/list
func (c *Client) Reversals(ctx context.Context, of provider.Sent) (found []provider.Reversal, err error) {
	params := &sdk.TransferReversalListParams{ID: sdk.String(of.Transfer)}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.reversals.List(params)
	err = c.each(ctx, "list what was taken back of "+of.Transfer, list, func() error {
		one := reversalOf(list.TransferReversal())
		one.Transfer = of.Transfer
		found = append(found, one)
		return nil
	})
	return found, err
}

func reversalOf(r *sdk.TransferReversal) provider.Reversal {
	return provider.Reversal{Tag: r.Metadata[outTag], Outgoing: provider.Outgoing{Ref: r.ID, State: provider.OutgoingDone, Amount: amountOf(r.Amount, r.Currency),
		Happened: time.Unix(r.Created, 0).UTC()}}
}

var _ provider.Reversing = (*Client)(nil)
