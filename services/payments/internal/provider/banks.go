package provider

import "context"

// PayeeBanks is what a provider has besides where a creator's money is paid out to a bank account that we register for them. Who uses
// providers asks for it by a type assertion.
type PayeeBanks interface {
	// BankFields is what is asked of a bank account in a country. Error: ErrRefused when that is something that we do not ask anybody for.
	BankFields(ctx context.Context, kind PayeeKind, country string) ([]BankField, error)
	// NewBank registers one, or gives what the key registered before. Errors: ErrFinal of an order that is not taken as it is, ErrNotFound
	// without the payee.
	NewBank(ctx context.Context, o BankOrder) (PayeeBank, error)
	// Banks lists all that were registered for a payee, whoever did it, the newest first. Error: ErrNotFound.
	Banks(ctx context.Context, payee string) ([]PayeeBank, error)
	// BankStep is the address at which a payee confirms one, and is sent back from; "" when there is nothing to confirm. Error: ErrNotFound.
	BankStep(ctx context.Context, ref, returnURL string) (string, error)
	// EndBank has one paid to no more. A repeat changes nothing.
	EndBank(ctx context.Context, ref string) error
}

// BankField is something that a provider asks of a bank account, in the words of BankOrder's fields.
type BankField struct {
	Name       string
	IsRequired bool
	MaxLength  int // 0 when it is not said
}

// The names of such fields.
const (
	BankFirstName    = "first_name"
	BankLastName     = "last_name"
	BankBusinessName = "business_name"
	BankLine1        = "AddressLine1"
	BankLine2        = "AddressLine2"
	BankCity         = "City"
	BankRegion       = "Region"
	BankPostalCode   = "PostalCode"
)

// BankOrder is what NewBank needs. It is handed on and not kept here.
type BankOrder struct {
	Key   string
	ID    string // ours, kept at the provider so that a lost answer can be found
	Payee string
	Kind  PayeeKind
	IBAN  string // without spaces
	// Of a person, or of an entity.
	FirstName, LastName, BusinessName string
	Address                           Address
}

// BankState is how far a bank account is.
type BankState string

// The states that a provider tells.
const (
	BankPending  BankState = "pending" // its owner has to confirm it
	BankActive   BankState = "active"
	BankCanceled BankState = "canceled" // it was not confirmed
	BankEnded    BankState = "ended"
)

// NameCheck is whether an account's bank knows it by the name that was given.
type NameCheck string

// The answers; NameUnknown also while there is none.
const (
	NameMatch      NameCheck = "match"
	NameCloseMatch NameCheck = "close_match"
	NameNoMatch    NameCheck = "no_match"
	NameUnknown    NameCheck = "unknown"
)

// PayeeBank is a bank account as a provider has it now.
type PayeeBank struct {
	Ref, ID string // ID is ours; "" of one that others have registered
	State   BankState
	Name    NameCheck
}
