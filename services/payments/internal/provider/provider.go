// Package provider is the interface between the payment service and its payment providers; it uses no provider's own terms.
//
// The core knows payments, attempts, refunds and disputes; an adapter (package providers/stripe) turns them into one
// provider's objects. Invariants that an adapter holds: nothing of the provider's own types leaves it; ids and keys have
// the provider's alphabet only inside it; what it answers is a snapshot of what the provider has now, never a stored first
// answer; every call has a deadline; what is safe to repeat is repeated there; errors are the ones below or apperr's, and
// never hold a secret.
//
// Errors of every call: apperr.ProviderUnavailable when the outcome is unknown or nobody answers, apperr.ConfigurationError
// (provider_off, provider_rejected_credentials), ErrNotFound, ErrState, ErrBurned, ErrRefused.
package provider

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
)

// Errors of providers; test with errors.Is.
var (
	// ErrNotFound means that the provider has no such object.
	ErrNotFound = errors.New("provider has no such object")
	// ErrState means that the object's state forbids the call: look at it and decide again.
	ErrState = errors.New("object is in a state that forbids this")
	// ErrBurned means that the provider has stored a server error of its own under the idempotency key and will repeat it.
	// Whether the first call had an effect has to be looked up; trying again needs another key.
	ErrBurned = errors.New("idempotency key keeps a failed call")
	// ErrDisputed means that the charge cannot be refunded because the backer's bank has its money.
	ErrDisputed = errors.New("charge is disputed")
	// ErrRefused means that the provider does not take these parameters, which no repetition mends.
	ErrRefused = errors.New("provider refuses the call")
	// ErrSignature means that a hook was not made by the provider, or not now.
	ErrSignature = errors.New("hook's signature does not match")
	// ErrHook means that a hook's body says nothing that can be used.
	ErrHook = errors.New("hook's body is not an event")
)

// Provider is one payment provider. It is safe for concurrent use.
type Provider interface {
	// Name of the provider in our rows, accounts and events: lower case, and never changed.
	Name() string
	Traits() Traits

	// Begin makes the object of an attempt, or gives the one that the key made before. The same key always comes with
	// the same order.
	Begin(ctx context.Context, o Order) (Snapshot, error)
	// Look reads an object with its charge and fee.
	Look(ctx context.Context, ref Ref) (Snapshot, error)
	// End makes an unpaid object unpayable. Error: ErrState when it is paid, on its way, or was ended before.
	End(ctx context.Context, ref Ref) error

	// Refund gives money of a charge back, once per key. Errors: ErrRefused when less is left, ErrDisputed.
	Refund(ctx context.Context, o RefundOrder) (Refund, error)
	// Refunds lists the refunds of a payment, whoever made them.
	Refunds(ctx context.Context, money string) ([]Refund, error)
	// Declines lists the newest hundred refusals of cards that a payment has seen, newest first.
	Declines(ctx context.Context, money string) ([]Decline, error)
	// Disputes lists the disputes of a payment.
	Disputes(ctx context.Context, money string) ([]Dispute, error)

	// The lists walk what was made since a moment, newest first, and stop at fn's first error. Fees are left out.
	EachPayment(ctx context.Context, since time.Time, fn func(Snapshot) error) error
	EachRefund(ctx context.Context, since time.Time, fn func(Refund) error) error
	EachDispute(ctx context.Context, since time.Time, fn func(Dispute) error) error
	// EachLine walks what moved our balance in [from, to).
	EachLine(ctx context.Context, from, to time.Time, fn func(Line) error) error

	// ReadHook checks what came to our webhook address and says what it is about. It is a hint: nothing in it is
	// believed but which object to look at. Errors: ErrSignature, ErrHook.
	ReadHook(d Delivery) (Hook, error)

	// Health is the circuit breaker of this process: 0 closed, 0.5 half open, 1 open.
	Health() float64
}

// Traits are what providers differ in and the core has to know.
type Traits struct {
	// HookIDs says that a hook has an id of its own, so that a second one of the same id is no news. Without, a hook is
	// known by its type and object, and each is news.
	HookIDs bool
	// PageLife is how long a hosted page lives at the shortest.
	PageLife time.Duration
	// KeyLife is how long the provider surely knows an idempotency key.
	KeyLife time.Duration
}

// Method is how a backer pays an attempt.
type Method string

// The methods.
const (
	Form Method = "form" // the provider's fields on our page
	Page Method = "page" // a page of the provider's
)

// Ref names an attempt's object at the provider.
type Ref struct {
	Method Method
	// Object is the id of what Begin made.
	Object string
	// Money is the id of the payment itself: the same for a form, "" for a page that nobody has submitted.
	Money string
}

// Tag is what every object of ours carries at the provider; ids only.
type Tag struct {
	Payment  string // our payment
	Attempt  string // the attempt's key
	Subject  string // what is paid, for people who look at the provider's pages
	Campaign string
}

// IsOurs reports whether we made the tag: other systems on the same account may use the same words, but not our ids.
func (t Tag) IsOurs() bool {
	_, err := ids.Parse(t.Payment)
	return err == nil
}

// Order is what Begin needs.
type Order struct {
	Key         string // of the attempt's row, in our alphabet
	Method      Method
	Amount      money.Amount
	Title       string // the line that the backer sees
	Description string
	Language    string // fi, en or sv
	Tag         Tag
	// Of a page.
	Email     string // of the backer, filled in for them; "" asks for it
	ReturnURL string
	CancelURL string
	ExpiresAt time.Time
}

// State is how far an object is, in the steps that matter to us.
type State string

// The states of an object.
const (
	Open       State = "open"        // waits for the payer, or for another card after a decline
	NeedsPayer State = "needs_payer" // has a challenge of the bank before them
	Processing State = "processing"
	Succeeded  State = "succeeded" // with its Charge
	Ended      State = "ended"     // unpaid, and nobody can pay it
)

// Snapshot is an object as the provider has it now.
type Snapshot struct {
	Ref   Ref
	State State
	// URL of an open page; ClientSecret of a form, for the payer's browser only.
	URL          string
	ClientSecret string
	Amount       money.Amount // asked for
	Received     money.Amount // really charged; zero before success
	// FailureCode is a code of payment_failed, from the last decline; "" without one.
	FailureCode string
	// LastDecline names the last refusal of a card: when it is another than before, Declines has news. "" without one.
	LastDecline string
	Charge      *Charge // of a success
	Tag         Tag
	Created     time.Time
}

// Decline is one card that its bank refused.
type Decline struct {
	Ref string
	// Card is the provider's fingerprint of the card number, the same for whoever uses it; "" when it gives none.
	Card string
}

// Charge is the money of a success.
type Charge struct {
	Ref      string
	Label    string        // 'Visa ···· 4242'
	Fee      *money.Amount // nil until the provider knows it
	Happened time.Time
	// Refunded and Disputed say that there is something to ask for.
	Refunded bool
	Disputed bool
}

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
	// Movements are what it has done to our balance so far.
	Movements []Movement
	Opened    time.Time
}

// Movement of our balance because of a dispute: Amount withdrawn (negative) or given back, and the Fee for it (positive)
// or its return.
type Movement struct {
	Ref      string
	Amount   money.Amount
	Fee      money.Amount
	Happened time.Time
}

// LineKind is what a line of our balance is about.
type LineKind string

// The kinds of lines.
const (
	LineCharge       LineKind = "charge"
	LineRefund       LineKind = "refund"
	LineRefundFailed LineKind = "refund_failed"
	LineDispute      LineKind = "dispute"
	LinePayout       LineKind = "payout"        // to our bank
	LinePayoutFailed LineKind = "payout_failed" // and back
	LineTopUp        LineKind = "top_up"        // from our bank
	LineOther        LineKind = "other"         // Raw says what
)

// Line is one movement of our balance at the provider.
type Line struct {
	Ref      string
	Kind     LineKind
	Raw      string // the provider's word
	Source   string // id of the charge, refund, dispute, payout
	Money    string // the payment that the source belongs to; "" when there is none or the provider does not say
	Tag      Tag    // of the source
	Amount   money.Amount
	Fee      money.Amount
	Happened time.Time
}

// Delivery is what came to our webhook address.
type Delivery struct {
	Header http.Header
	Query  url.Values
	Body   []byte
	At     time.Time
}

// About is what a hook is about.
type About string

// What hooks are about.
const (
	AboutPayment About = "payment"
	AboutRefund  About = "refund"
	AboutDispute About = "dispute"
	AboutNothing About = "" // of ours
)

// Hook is what we read of a delivery.
type Hook struct {
	// Key makes it unique: the provider's own id, or the type and the object.
	Key        string
	Type       string
	About      About
	Object     string
	Money      string // "" when it does not say
	APIVersion string
	Live       bool
	// Foreign says that it is of another mode than our key's; WrongVersion that it was made in another version of the
	// API than the one agreed.
	Foreign      bool
	WrongVersion bool
}
