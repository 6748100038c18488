package provider

import "context"

// Cards is what a provider does for payments that are repeated: it keeps payers' cards and charges them while the payer
// is away. A payment that is to keep its card names the customer in its Order.
type Cards interface {
	// NewCustomer makes a payer whose cards are kept, or gives the one that the key made before.
	NewCustomer(ctx context.Context, o CustomerOrder) (customer string, err error)
	// HasCustomer reports whether a payer is there; false of one that was deleted. Error: ErrNotFound when the provider has never heard of
	// them, such as with another account's key.
	HasCustomer(ctx context.Context, customer string) (bool, error)
	// ChargeCard tries an open payment with a kept card, off session: it answers the payment as it is after the try,
	// whether the card was taken (Succeeded, Processing) or not (Open, with FailureCode and Remedy of this try). The key is
	// the try's: a repeat is no second try. The payment never succeeds twice, whoever else confirms it; a try ends a challenge that the
	// payer has before them. Errors: ErrState when it is paid, on its way or ended, ErrCardGone.
	ChargeCard(ctx context.Context, o ChargeOrder) (Snapshot, error)
	// Card reads a kept card, as its bank may have renewed it. Error: ErrNotFound when it is kept no longer.
	Card(ctx context.Context, card string) (Card, error)
	// ForgetCard makes a kept card unusable for good. One that is kept no longer is no error.
	ForgetCard(ctx context.Context, card string) error
	// ForgetCustomer deletes a payer with the cards that are kept for them, for good. Payments stay, and can be looked at
	// and refunded; nothing more can be begun for them. One that is there no longer is no error.
	ForgetCustomer(ctx context.Context, customer string) error

	// BeginSetup begins to keep a card without a charge, or gives what the key began before.
	BeginSetup(ctx context.Context, o SetupOrder) (Setup, error)
	// LookSetup reads it. Error: ErrNotFound.
	LookSetup(ctx context.Context, ref string) (Setup, error)
	// EndSetup makes one that has kept no card unable to. Errors: ErrState when it has kept one, or was ended before;
	// ErrNotFound.
	EndSetup(ctx context.Context, ref string) error
}

// CustomerOrder is what NewCustomer needs. It has nothing personal: who it is is known to us alone.
type CustomerOrder struct {
	Key string
	ID  string // ours, kept at the provider so that people find it
}

// ChargeOrder is what ChargeCard needs.
type ChargeOrder struct {
	Key  string // of the try
	Ref  Ref
	Card string
}

// Card is a kept card.
type Card struct {
	Ref      string
	Customer string
	Label    string // 'Visa ···· 4242'
	// ExpYear and ExpMonth are its last month; 0 when the provider does not say.
	ExpYear, ExpMonth int
	// Fingerprint is the same for whoever uses the card; "" when the provider gives none.
	Fingerprint string
}

// SetupOrder is what BeginSetup needs.
type SetupOrder struct {
	Key      string
	Customer string
	Subject  string // what it is for, for people who look at the provider's pages
}

// Setup is the keeping of a card as the provider has it now.
type Setup struct {
	Ref      string
	State    State // without Processing
	Next     Next  // of an open one
	Card     *Card // of a success, while it is kept
	Customer string
	// FailureCode is a code of payment_failed, from the last decline; "" without one.
	FailureCode string
}

// Remedy is what may help after a decline.
type Remedy string

// The remedies.
const (
	RemedyNone  Remedy = ""      // nothing was declined
	RemedyLater Remedy = "later" // the same card on another day
	RemedyCard  Remedy = "card"  // another card only
	RemedyPayer Remedy = "payer" // the payer's confirmation in their browser
)
