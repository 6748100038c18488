package provider

import (
	"time"

	"talkoot.fi/kit/money"
)

// LineKind is what a line of our balance is about.
type LineKind string

// The kinds of lines.
const (
	LineCharge       LineKind = "charge"
	LineRefund       LineKind = "refund"
	LineRefundFailed LineKind = "refund_failed"
	LineDispute      LineKind = "dispute"
	LineReturned     LineKind = "returned"      // a direct debit that its bank took back for good
	LineMove         LineKind = "move"          // between two places of our balance: a line for each
	LineTransfer     LineKind = "transfer"      // to a creator's own account
	LineTransferBack LineKind = "transfer_back" // a part of one, taken back from there
	LineTransferFee  LineKind = "transfer_fee"  // what a transfer brought to our own money: a line for each place
	LinePayout       LineKind = "payout"        // to our bank
	LinePayoutFailed LineKind = "payout_failed" // and back
	LineTopUp        LineKind = "top_up"        // from our bank
	LineOther        LineKind = "other"         // Raw says what
)

// TransferFeeRef is what our part of a transfer is called, which is a movement besides.
func TransferFeeRef(transfer string) string { return transfer + ":fee" }

// Line is one movement of our balance at the provider.
type Line struct {
	Ref      string
	Kind     LineKind
	Place    string // the part of our balance, such as a wallet; "" where there is only one
	Raw      string // the provider's word
	Source   string // id of the charge, refund, dispute, payout
	Money    string // the payment that the source belongs to, or what was taken back: the transfer, or where it lay; "" when there is none or the provider does not say
	From     string // of what was taken back: the place that it has left, where anything may come in from any place
	Tag      Tag    // of the source
	IsBrief  bool   // what it is of has a tag that the line does not tell
	Amount   money.Amount
	Fee      money.Amount
	Happened time.Time
}
