package provider

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/kit/money"
)

// MoneyOut is how settled money reaches a creator: by a transfer to their own account at the provider, and a payout from there to their
// bank. Who uses providers asks for it by a type assertion.
type MoneyOut interface {
	// CanPayOut is no error when a payee's money can be paid out to a bank account of theirs now. Errors: NotReadyError when something keeps
	// their money or the account is not in use there, ErrNotFound.
	CanPayOut(ctx context.Context, payee, bank string) error
	// Balance is what is in a place: of our balance, whose only one is "", or of a payee's account. Errors: ErrRefused when the payee does
	// not let us look, ErrNotFound.
	Balance(ctx context.Context, place string) (Held, error)
	// Transfer sends money from a place of our balance to a payee's own account, once per key. What was refused is an answer too. Errors,
	// as of PayOut: ErrShort, NotReadyError, which leave nothing made.
	Transfer(ctx context.Context, o TransferOrder) (Outgoing, error)
	// FindTransfer looks for what the order has made; nil when there is nothing.
	FindTransfer(ctx context.Context, o TransferOrder) (*Outgoing, error)
	// PayOut sends money from a payee's own account to their bank, once per key.
	PayOut(ctx context.Context, o PayOutOrder) (Outgoing, error)
	// FindPayOut looks for what the order has made; nil when there is nothing.
	FindPayOut(ctx context.Context, o PayOutOrder) (*Outgoing, error)
	// PaidOut reads a payout of a payee, and whether it came back. Error: ErrNotFound.
	PaidOut(ctx context.Context, payee, ref string) (Outgoing, error)
}

// Pooled is what a provider has besides where the money of all campaigns is in one balance of ours: what of it is ours just stays there, and a
// charge's can be sent on only some days after it was made. A payee's own account is then their account itself. Who uses providers asks for
// it by a type assertion.
type Pooled interface {
	// EachPending walks the charges made from one time to another whose money cannot be sent on yet, and when each can.
	EachPending(ctx context.Context, from, to time.Time, fn func(charge string, available time.Time) error) error
}

// Reversing is what a provider has besides where a transfer can be taken back from the payee's own account, as far as it has the money. Who uses
// providers asks for it by a type assertion.
type Reversing interface {
	// Reverse takes a part of a transfer back, once per key. What was refused may be an answer too. Errors, which leave nothing made: ErrShort when
	// the account has less, ErrRefused, ErrNotFound.
	Reverse(ctx context.Context, o ReversalOrder) (Outgoing, error)
	// Reversals lists what was taken back of a transfer, by whomever, or of what all transfers have brought to the payee's account where the provider
	// does not say of which. Errors: ErrRefused when the payee does not let us look, ErrNotFound.
	Reversals(ctx context.Context, of Sent) ([]Reversal, error)
}

// Sent is a transfer that was made.
type Sent struct {
	Transfer  string // the provider's id
	Payee, At string // whom it was sent to, and the place of theirs where it has arrived
	Since     time.Time
}

// ReversalOrder is what Reverse needs. The same key always comes with the same order.
type ReversalOrder struct {
	Key, Tag string
	Sent
	To     string // the place of our balance
	Amount money.Amount
}

// Reversal is a part of a transfer that was taken back. Its sum is what has left the payee's account; its fee is what of that went to our own money, or what
// came from there besides when it is below 0.
type Reversal struct {
	Outgoing
	Tag      string // ours; "" of one that was made in the provider's own pages
	Transfer string // the one that it is of; "" when the provider does not say
	Place    string // of our balance, to which it came; "" where there is only one
}

// Held is what is in a place: all of it, and what of it can be sent now.
type Held struct{ All, Available money.Amount }

// ErrShort is an ErrRefused of a sum that is not there, or not yet: nothing was made.
var ErrShort = fmt.Errorf("%w: less is available", ErrRefused)

// TransferOrder is what Transfer needs. The same key always comes with the same order.
type TransferOrder struct {
	Key      string
	Run      string // ours, of all that is sent by one decision
	Tag      string // ours, kept at the provider so that a lost answer can be found
	Payee    string
	From, To string
	Amount   money.Amount // what arrives
	Fee      money.Amount // what goes to our own money by the same transfer, besides
	Since    time.Time    // nothing of it was made before
}

// PayOutOrder is what PayOut needs.
type PayOutOrder struct {
	Key, Tag    string
	Payee, From string
	Destination string
	Amount      money.Amount
	Since       time.Time
}

// OutgoingState is how far a transfer or a payout is.
type OutgoingState string

// The states.
const (
	OutgoingPending OutgoingState = "pending"
	OutgoingDone    OutgoingState = "done"
	OutgoingRefused OutgoingState = "refused" // nothing has left, or it was given back at once
)

// Outgoing is a transfer or a payout as the provider has it now.
type Outgoing struct {
	Ref      string
	State    OutgoingState
	Code     string // the provider's word for why it was refused
	Amount   money.Amount
	Fee      money.Amount
	FeePlace string // of our balance, to which the fee went
	Happened time.Time
	Returned []Returned // of a payout that had succeeded, or may have: what came back, in parts if so, the first one first
}

// Returned is a payout that a bank has sent back, or a part of one.
type Returned struct {
	Ref, Code string
	Amount    money.Amount
	Happened  time.Time
}

// NotReadyError says why a payee cannot be paid now: one of the needs of payees, or NeedBankAccount.
type NotReadyError struct{ Need string }

// NeedBankAccount is missing when there is no bank account to pay out to.
const NeedBankAccount = "bank_account"

// Error says what is missing.
func (e NotReadyError) Error() string { return "payee cannot be paid: " + e.Need }

// Unwrap makes it an ErrRefused.
func (e NotReadyError) Unwrap() error { return ErrRefused }
