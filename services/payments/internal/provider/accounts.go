package provider

import "context"

// BankAccounts is what a provider has besides where payers' bank accounts are debited by mandates. Who uses providers asks for it by
// a type assertion.
type BankAccounts interface {
	// BankAccounts lists those of a payer that can be used, newest first.
	BankAccounts(ctx context.Context, payer string) ([]BankAccount, error)
	// NewBankAccount adds one, or gives the one that has the number. Error: ErrFinal for a number that the provider does not take.
	NewBankAccount(ctx context.Context, o BankAccountOrder) (BankAccount, error)
	// Mandates lists those of a payer that can be used, newest first.
	Mandates(ctx context.Context, payer string) ([]Mandate, error)
}

// BankAccount is a payer's bank account.
type BankAccount struct {
	Ref       string
	OwnerName string
	Address   Address
	// Country of its number, ISO 3166-1 alpha-2, and the number without what would let anybody use it: 'FI•• 5512'.
	Country, Masked string
}

// Address is where a bank account's owner lives.
type Address struct {
	Line1, Line2     string
	City, PostalCode string
	Country          string // ISO 3166-1 alpha-2
	Region           string // "" where there are none
}

// BankAccountOrder is what NewBankAccount needs.
type BankAccountOrder struct {
	Payer     string
	OwnerName string
	Address   Address
	IBAN      string // compact, in capitals
}

// Mandate lets a bank account be debited.
type Mandate struct {
	Ref     string // as an Instrument's
	Account string // BankAccount.Ref
	// HasPaid says that something was debited by it.
	HasPaid bool
}
