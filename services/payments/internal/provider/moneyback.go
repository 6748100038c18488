package provider

import (
	"context"
	"time"

	"talkoot.fi/kit/money"
)

// RefundOrder is what Refund needs.
type RefundOrder struct {
	Key    string
	Money  string
	Amount money.Amount
	// ID is our row's, kept at the provider so that a lost answer can be found.
	ID      string
	Payment string
}

// RefundState is how far a refund is.
type RefundState string

// The states of a refund.
const (
	RefundPending   RefundState = "pending"
	RefundSucceeded RefundState = "succeeded"
	RefundFailed    RefundState = "failed" // also after it had succeeded
)

// Refund as the provider has it now.
type Refund struct {
	Ref    string
	Money  string // the payment that it gives back
	ID     string // ours; "" for one that was made elsewhere
	State  RefundState
	Amount money.Amount
	// FailureCode is the provider's word.
	FailureCode string
	// Taken says that the provider has taken the sum from our balance; at Happened.
	Taken    bool
	Happened time.Time
	// Returned is when a failed one came back to our balance; nil when it has not, or was never taken.
	Returned *time.Time
}

// DisputeState is how far a dispute is.
type DisputeState string

// The states of a dispute.
const (
	DisputeInquiry DisputeState = "inquiry" // the bank asks, no money has moved
	DisputeOpen    DisputeState = "open"    // the bank has the money until it decides
	DisputeWon     DisputeState = "won"
	DisputeLost    DisputeState = "lost"
	DisputeClosed  DisputeState = "closed" // ended without a decision: an inquiry that went no further, a charge refunded
	// DisputeReturned is a direct debit that its bank took back for good: there is nothing to contest.
	DisputeReturned DisputeState = "returned"
)

// Dispute as the provider has it now.
type Dispute struct {
	Ref    string
	Money  string
	State  DisputeState
	Reason string // the provider's word
	Amount money.Amount
	// RespondBy is until when the bank waits for evidence; nil when it does not.
	RespondBy *time.Time
	// Reopened says that evidence was looked at, and that more is waited for; Wants is the provider's word of what.
	Reopened bool
	Wants    string
	// Movements are what it has done to our balance so far.
	Movements []Movement
	// Repayments are what was moved for it since, between two places of our balance.
	Repayments []Repayment
	Opened     time.Time
}

// Movement of our balance because of a dispute: Amount withdrawn (negative) or given back, and the Fee for it
// (positive) or its return.
type Movement struct {
	Ref string
	// Place is the part of our balance that it moved; "" where that is the charge's own.
	Place    string
	Amount   money.Amount
	Fee      money.Amount
	Happened time.Time
}

// Contests is what a provider has besides that takes evidence by a call. Who uses providers asks for it by a type assertion.
type Contests interface {
	// Contest sends evidence to the bank of a dispute, once, also by a key that the provider has forgotten: it does nothing when the provider has some
	// already and waits for no more. Errors: ErrRefused when the dispute is decided or its time is over, or what was handed in is no good; ErrNotFound.
	Contest(ctx context.Context, o ContestOrder) error
}

// ContestOrder is what Contest needs.
type ContestOrder struct {
	Key      string
	Dispute  string
	Evidence Evidence
}

// Evidence is what is said to a bank about a charge, in English. Empty parts are not sent.
type Evidence struct {
	CustomerName    string `json:"customer_name"`
	CustomerEmail   string `json:"customer_email"`
	ShippingAddress string `json:"shipping_address"`
	ShippingDate    string `json:"shipping_date"`
	Product         string `json:"product"`
	Policy          string `json:"policy"`    // what the customer was told about taking it back
	Statement       string `json:"statement"` // what happened, by day
}

// Repayments is what a provider has besides where banks take money from a place of ours that is not the charge's own: what a bank keeps
// is moved there. Who uses providers asks for it by a type assertion.
type Repayments interface {
	// Repay moves a part of what a bank keeps to where the bank took it from, once per key; the dispute then has it among its
	// Repayments. Errors: ErrRefused when the place of the charge has less, or the dispute is not lost; ErrNotFound.
	Repay(ctx context.Context, o RepayOrder) error
}

// RepayOrder is what Repay needs.
type RepayOrder struct {
	Key     string
	Dispute string
	Amount  money.Amount
}

// Repayment is money that was moved from where a charge is to where its bank has taken it.
type Repayment struct {
	Ref      string
	From, To string // places of our balance
	Amount   money.Amount
	Happened time.Time
}

// Warnings is what a provider has besides that card networks tell of charges which a cardholder has reported as fraud. Who uses providers asks for it by a
// type assertion.
type Warnings interface {
	// Warnings lists those of a payment.
	Warnings(ctx context.Context, money string) ([]Warning, error)
	// EachWarning walks those made since a moment, newest first, and stops at fn's first error.
	EachWarning(ctx context.Context, since time.Time, fn func(Warning) error) error
}

// Warning is that a cardholder has reported a charge as fraud, most often before a dispute.
type Warning struct {
	Ref    string
	Money  string // the payment; "" of a charge that is none of ours
	Reason string // the provider's word
	// IsActionable says that a refund may still avoid a dispute: there is none yet, and not all has gone back.
	IsActionable bool
	Opened       time.Time
}
