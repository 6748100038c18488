package stripe

import (
	"context"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// EachLine walks our balance transactions of [from, to), newest first, with the tags of what they are about.
func (c *Client) EachLine(ctx context.Context, from, to time.Time, fn func(provider.Line) error) error {
	params := &sdk.BalanceTransactionListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: from.Unix(),
		LesserThan: to.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	params.AddExpand("data.source")
	list := c.balance.List(params)
	return c.each(ctx, "list balance transactions", list, func() error { return fn(lineOf(list.BalanceTransaction())) })
}

func lineOf(bt *sdk.BalanceTransaction) provider.Line {
	line := provider.Line{
		Ref: bt.ID, Kind: lineKindOf(bt), Raw: string(bt.Type), Amount: amountOf(bt.Amount, bt.Currency),
		Fee: amountOf(bt.Fee, bt.Currency), Happened: time.Unix(bt.Created, 0).UTC(),
	}
	if bt.Source == nil {
		return line
	}
	line.Source = bt.Source.ID
	var intent *sdk.PaymentIntent
	switch {
	case bt.Source.Charge != nil:
		intent, line.Tag = bt.Source.Charge.PaymentIntent, tagOf(bt.Source.Charge.Metadata)
	case bt.Source.Refund != nil:
		intent, line.Tag = bt.Source.Refund.PaymentIntent, tagOf(bt.Source.Refund.Metadata)
	case bt.Source.Dispute != nil:
		intent = bt.Source.Dispute.PaymentIntent
	case bt.Source.TransferReversal != nil && bt.Source.TransferReversal.Transfer != nil:
		line.Money = bt.Source.TransferReversal.Transfer.ID
	}
	if intent != nil {
		line.Money = intent.ID
	}
	return line
}

// lineKindOf maps Stripe's types (docs.stripe.com/reports/balance-transaction-types). An adjustment says in its
// reporting category what it is about: a dispute's money, or a refund that failed.
func lineKindOf(bt *sdk.BalanceTransaction) provider.LineKind {
	switch bt.Type {
	case "charge", "payment":
		return provider.LineCharge
	case "refund", "payment_refund":
		return provider.LineRefund
	case "refund_failure", "payment_failure_refund":
		return provider.LineRefundFailed
	case "payout":
		return provider.LinePayout
	case "payout_failure", "payout_cancel":
		return provider.LinePayoutFailed
	case "topup":
		return provider.LineTopUp
	case "transfer":
		return provider.LineTransfer
	case "transfer_refund":
		return provider.LineTransferBack
	default:
	}
	switch bt.ReportingCategory {
	case "dispute", "dispute_reversal":
		return provider.LineDispute
	case "refund_failure":
		return provider.LineRefundFailed
	default:
		return provider.LineOther
	}
}
