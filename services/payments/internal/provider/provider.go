// Package provider is the interface between the payment service and its payment providers; it uses no provider's own
// terms.
//
// The core knows payments, attempts, refunds and disputes; an adapter (package providers/stripe) turns them into one
// provider's objects. Invariants that an adapter holds: nothing of the provider's own types leaves it; ids and keys
// have the provider's alphabet only inside it; what it answers is a snapshot of what the provider has now, never a
// stored first answer; every call has a deadline; what is safe to repeat is repeated there; errors are the ones below
// or apperr's, and never hold a secret.
//
// Errors of every call: apperr.ProviderUnavailable when the outcome is unknown or nobody answers,
// apperr.ConfigurationError (provider_off, provider_rejected_credentials), ErrNotFound, ErrState, ErrBurned,
// ErrRefused.
package provider

import (
	"context"
	"errors"
	"fmt"
	"time"
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
	// ErrInstrumentGone means that a card is kept no longer: nothing was charged, and no payment begun. It is an ErrNotFound, too.
	ErrInstrumentGone = fmt.Errorf("instrument: %w", ErrNotFound)
	// ErrDisputed means that the charge cannot be refunded because the backer's bank has its money.
	ErrDisputed = errors.New("charge is disputed")
	// ErrRefused means that the provider does not take the call as things are: the key repeats that, but what stands in the way, such as a
	// balance that is short or an account that is restricted, may be mended.
	ErrRefused = errors.New("provider refuses the call")
	// ErrFinal is an ErrRefused that nothing mends, such as more than is left of a charge.
	ErrFinal = fmt.Errorf("%w for good", ErrRefused)
	// ErrOtherAccount means that the key is of another account of the provider than our money is in: no call is made with it.
	ErrOtherAccount = errors.New("key is of another account of the provider")
	// ErrSignature means that a hook was not made by the provider, or not now.
	ErrSignature = errors.New("hook's signature does not match")
	// ErrHook means that a hook's body says nothing that can be used.
	ErrHook = errors.New("hook's body is not an event")
)

// NotYetError is an ErrRefused that ends by itself: the provider takes the call from a moment on, such as the refund of a
// direct debit that is younger than a week.
type NotYetError struct {
	After time.Time
	Err   error
}

// Error says when, and why.
func (e *NotYetError) Error() string {
	return fmt.Sprintf("not before %s: %v", e.After.Format(time.RFC3339), e.Err)
}

// Unwrap makes it an ErrRefused.
func (e *NotYetError) Unwrap() []error { return []error{ErrRefused, e.Err} }

// Provider is one payment provider, safe for concurrent use. Who uses one asks for the part that it needs.
type Provider interface {
	// Name of the provider in our rows, accounts and events: lower case, and never changed.
	Name() string
	Traits() Traits
	// Health is the circuit breaker of this process: 0 closed, 0.5 half open, 1 open.
	Health() float64

	Payments
	Instruments
	MoneyBack
	Statement
	Hooks
}

// Payments are made, read and ended.
type Payments interface {
	// Begin makes the object of an attempt, or gives the one that the key made before. The same key always comes with
	// the same order.
	Begin(ctx context.Context, o Order) (Snapshot, error)
	// Look reads an object with its charge and fee.
	Look(ctx context.Context, ref Ref) (Snapshot, error)
	// End makes an unpaid object unpayable. Error: ErrState when it is paid, on its way, or was ended before.
	End(ctx context.Context, ref Ref) error
	// Declines lists the newest hundred refusals of cards that a payment has seen, newest first.
	Declines(ctx context.Context, money string) ([]Decline, error)
}

// MoneyBack is what goes back of a charge, by us or by the backer's bank.
type MoneyBack interface {
	// Refund gives money of a charge back, once per key. Errors: ErrFinal when less is left, ErrDisputed, a NotYetError when
	// the charge is too young.
	Refund(ctx context.Context, o RefundOrder) (Refund, error)
	// Refunds lists the refunds of a payment, whoever made them.
	Refunds(ctx context.Context, money string) ([]Refund, error)
	// Disputes lists the disputes of a payment.
	Disputes(ctx context.Context, money string) ([]Dispute, error)
}

// Statement is what a provider has on record. The lists walk what was made since a moment, newest first, and stop at fn's
// first error. Fees and kept instruments are left out; what a provider keeps no longer is, too.
type Statement interface {
	// EachPayment may give a payment again when it has ended, and what was made before and has ended since.
	EachPayment(ctx context.Context, since time.Time, fn func(Snapshot) error) error
	// EachRefund does so too. One whose Money is "" is of the payment that MoneyOf names.
	EachRefund(ctx context.Context, since time.Time, fn func(Refund) error) error
	EachDispute(ctx context.Context, since time.Time, fn func(Dispute) error) error
	// EachLine walks what moved our balance in [from, to), in any order. It may wait some minutes for the provider to write that down.
	// Of a line whose Money is "", MoneyOf names the payment of the refund that is its Source.
	EachLine(ctx context.Context, from, to time.Time, fn func(Line) error) error
}

// Hooks are what a provider sends to our webhook address.
type Hooks interface {
	// ReadHook checks what came and says what it is about. It is a hint: nothing in it is believed but which object to look
	// at. Errors: ErrSignature, ErrHook.
	ReadHook(d Delivery) (Hook, error)
	// MoneyOf names the payment that a refund or a dispute is of, or the payout that was sent back, where its hook does not say. Error:
	// ErrNotFound, also when its hook says.
	MoneyOf(ctx context.Context, about About, object string) (string, error)
}

// Parts are providers as somebody sees them who needs a part of each, by name. T is an interface of methods of Provider;
// one with others panics.
func Parts[T any](all map[string]Provider) map[string]T {
	out := make(map[string]T, len(all))
	for name, p := range all {
		out[name] = p.(T) //nolint:forcetypeassert // as promised
	}
	return out
}

// Having are those of all providers that have a part, by name.
func Having[T any](all map[string]Provider) map[string]T {
	out := map[string]T{}
	for name, p := range all {
		if part, has := p.(T); has {
			out[name] = part
		}
	}
	return out
}

// Traits are what providers differ in and the core has to know.
type Traits struct {
	// HookIDs says that a hook has an id of its own, so that a second one of the same id is no news. Without, a hook is
	// known by its type and object, and each is news.
	HookIDs bool
	// PageLife is how long a hosted page lives at the shortest.
	PageLife time.Duration
	// Recurring says that a kept instrument can be charged again and again while its payer is away: what is paid monthly begins nowhere
	// else.
	Recurring bool
	// SettledHook is the type of hooks that say of a refund that it has arrived, where there is one.
	SettledHook string
	// KeyLife is how long the provider surely knows an idempotency key.
	KeyLife time.Duration
}
