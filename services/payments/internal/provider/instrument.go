package provider

import (
	"context"

	"talkoot.fi/kit/money"
)

// Instruments is what a provider does for payments that are repeated, and for those that name what they are paid with: it
// knows payers, keeps their instruments, and charges them while the payer is away. A payment that is to keep its
// instrument names the payer in its Order.
type Instruments interface {
	// NewPayer makes a payer whose instruments are kept, or gives the one that the key made before.
	NewPayer(ctx context.Context, o PayerOrder) (payer string, err error)
	// HasPayer reports whether a payer is there; false of one that was deleted. Error: ErrNotFound when the provider has
	// never heard of them, such as with another account's key.
	HasPayer(ctx context.Context, payer string) (bool, error)
	// ForgetPayer deletes a payer with the instruments that are kept for them, for good. Payments stay, and can be looked
	// at and refunded; nothing more can be begun for them. One that is there no longer is no error.
	ForgetPayer(ctx context.Context, payer string) error

	// BeginSetup begins to keep an instrument without a charge, or gives what the key began before.
	BeginSetup(ctx context.Context, o SetupOrder) (Setup, error)
	// LookSetup reads it. Error: ErrNotFound.
	LookSetup(ctx context.Context, ref string) (Setup, error)
	// EndSetup makes one that has kept nothing unable to. Errors: ErrState when it has kept something, or was ended
	// before; ErrNotFound.
	EndSetup(ctx context.Context, ref string) error

	// Instrument reads a kept one, as its bank may have renewed it. Error: ErrNotFound when it is kept no longer.
	Instrument(ctx context.Context, ref string) (Instrument, error)
	// ForgetInstrument makes a kept one unusable for good. One that is kept no longer is no error.
	ForgetInstrument(ctx context.Context, ref string) error
	// ChargeInstrument tries an open payment with a kept instrument, off session: it answers the payment as it is after the
	// try, whether the bank took it (Succeeded, Processing) or not (Open, with FailureCode and Remedy of this try; Ended
	// where a decline is final). The key is the try's: a repeat is no second try. The payment never succeeds twice, whoever
	// else confirms it; a try ends a challenge that the payer has before them. Errors: ErrState when it is paid, on its way
	// or ended, ErrInstrumentGone.
	ChargeInstrument(ctx context.Context, o ChargeOrder) (Snapshot, error)
}

// Registrations is what a provider has besides where an instrument is registered before a payment names it, and each payment is
// one try of it. Who uses providers asks for it by a type assertion.
type Registrations interface {
	// FinishSetup gives the provider what its address answered the payer's browser about a card, and reads the setup. A repeat changes
	// nothing. Errors: ErrNotFound; ErrState of one that was ended.
	FinishSetup(ctx context.Context, ref, answer string) (Setup, error)
	// Begun is what a key of Begin has begun; it begins nothing. Error: ErrNotFound when it has begun nothing, or is known no
	// longer (Traits.KeyLife).
	Begun(ctx context.Context, key string) (Snapshot, error)
}

// PayerOrder is what NewPayer needs. It has nothing personal, but where a provider has to know who pays: who it is is known
// to us alone.
type PayerOrder struct {
	Key string
	ID  string // ours, kept at the provider so that people find it
	// Of one whose instruments are registered.
	Name, Email string
}

// ChargeOrder is what ChargeInstrument needs.
type ChargeOrder struct {
	Key        string // of the try
	Ref        Ref
	Instrument string
}

// InstrumentKind is what an instrument is.
type InstrumentKind string

// The kinds of instruments.
const (
	KindCard    InstrumentKind = "card"
	KindMandate InstrumentKind = "mandate" // to debit a bank account
)

// Method is how a payer pays with one.
func (k InstrumentKind) Method() Method {
	if k == KindMandate {
		return MethodDebit
	}
	return MethodCard
}

// Instrument is what a payer pays with and a provider keeps.
type Instrument struct {
	Kind  InstrumentKind
	Ref   string
	Payer string
	Label string // 'Visa ···· 4242'
	// ExpYear and ExpMonth are a card's last month; 0 when it has none or the provider does not say.
	ExpYear, ExpMonth int
	// Fingerprint is the same for whoever uses the card; "" when the provider gives none.
	Fingerprint string
}

// SetupOrder is what BeginSetup needs.
type SetupOrder struct {
	Key     string
	Kind    InstrumentKind
	Payer   string
	Subject string // what it is for, for people who look at the provider's pages
	// Currency of the payments to come; "" where the provider does not ask.
	Currency money.Currency
	// Of a mandate.
	Account   string // of the payer's bank accounts, as the provider names it
	Language  string // fi, en or sv
	ReturnURL string // where its page sends the payer back to
}

// Setup is the keeping of an instrument as the provider has it now.
type Setup struct {
	Ref        string
	State      State // without Processing
	Next       Next
	Instrument *Instrument // of a success, while it is kept
	Payer      string
	// FailureCode is a code of payment_failed, from the last decline; "" without one.
	FailureCode string
	Result      Result // of one that is over
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
