package provider

import (
	"context"
	"time"

	"talkoot.fi/kit/money"
)

// Payees is what a provider does for those who are paid as creators. Who uses providers asks for it by a type assertion.
type Payees interface {
	// NewPayee makes a creator's account, with its wallet where the provider has such, or gives what the key made before. Errors:
	// ErrFinal of an order that is not taken as it is.
	NewPayee(ctx context.Context, o PayeeOrder) (Payee, error)
	// Payee reads one. Error: ErrNotFound.
	Payee(ctx context.Context, ref string) (Payee, error)
	// PayeeStep is the address at which a creator goes on with what is missing; "" when there is nothing to do but to wait. Error:
	// ErrNotFound.
	PayeeStep(ctx context.Context, ref string, back Back) (address string, err error)
	// PayeeOf names the payee that a hook is about whose object is another. Error: ErrNotFound.
	PayeeOf(ctx context.Context, object string) (ref string, err error)
}

// Wallets is what a provider has besides where the money of a campaign is its creator's from the start, in a part of our balance. Who uses
// providers asks for it by a type assertion.
type Wallets interface {
	// NewWallet makes a part of our balance that is a payee's, or gives the one that the key made before.
	NewWallet(ctx context.Context, o WalletOrder) (ref string, err error)
}

// PayeeHomes is what a provider has besides where creators see to their account by themselves, such as to where they are paid. Who uses
// providers asks for it by a type assertion.
type PayeeHomes interface {
	// PayeeHome is an address that signs its payee in there; "" of one that is not far enough. Error: ErrNotFound.
	PayeeHome(ctx context.Context, ref string) (address string, err error)
}

// MadePayees is what a provider has besides that forgets keys: what a key that it may not know any more has made is looked for by our
// own id. Who uses providers asks for it by a type assertion.
type MadePayees interface {
	// MadePayee finds an account by the ID of its order; since is when that was sent first. Error: ErrNotFound.
	MadePayee(ctx context.Context, id string, since time.Time) (Payee, error)
}

// Back is where a provider's page sends a creator afterwards, and where it sends one whose link to it is used up or old: there it asks for
// another.
type Back struct{ Return, Refresh string }

// PayeeKind is what a payee is in law.
type PayeeKind string

// The kinds.
const (
	PayeeNatural PayeeKind = "natural"
	PayeeLegal   PayeeKind = "legal"
)

// PayeeOrder is what NewPayee needs. It is handed on and not kept here.
type PayeeOrder struct {
	Key   string
	ID    string // ours, kept at the provider so that people find it
	Kind  PayeeKind
	Email string
	// UserID is whose account it is with us.
	UserID int64
	// Country (ISO 3166-1 alpha-2), Type (the provider's word) and Website are asked of who goes on at the provider with the rest.
	Country, Type, Website string
	// Person owns the account or, of a legal one, represents it.
	Person PayeePerson
	Legal  PayeeEntity // of a legal one
	// AcceptedTerms says that the person has accepted the provider's terms.
	AcceptedTerms bool
	Currency      money.Currency
}

// PayeePerson is who somebody is.
type PayeePerson struct {
	FirstName, LastName    string
	Born                   time.Time // a day, midnight UTC
	Nationality, Residence string    // ISO 3166-1 alpha-2
}

// PayeeEntity is a company, an association or the like.
type PayeeEntity struct {
	Name, Type, Number, Email string
	Address                   Address
}

// PayeeState is how far a payee is.
type PayeeState string

// The states that a provider tells.
const (
	PayeeBegun    PayeeState = "begun"    // the person has something to do
	PayeeChecking PayeeState = "checking" // the provider has
	PayeeReady    PayeeState = "ready"    // money can be taken for them
	PayeeClosed   PayeeState = "closed"   // for good
)

// Need is something that is missing; By is until when, nil when the provider does not say.
type Need struct {
	Code string     `json:"code"`
	By   *time.Time `json:"by,omitempty"`
}

// The needs.
const (
	NeedEnrollment = "enrollment"       // a strong confirmation is to be set up
	NeedConsents   = "consents"         // what we do while they are away is to be allowed
	NeedIdentity   = "identity"         // they are to show who they are
	NeedUnblocked  = "blocked_inflows"  // the provider keeps money from them
	NeedOutflows   = "blocked_outflows" // the provider keeps their money

	NeedIdentityAgain = "identity_again" // what they showed does not do
	NeedPerson        = "person"         // who they, or who represents them, are
	NeedAddress       = "address"        // a paper that shows where they live
	NeedCompany       = "company"        // what the entity is
	NeedCompanyPapers = "company_papers" // a paper that shows it
	NeedOwners        = "owners"         // who owns and leads it
	NeedBank          = "bank"           // a bank account to pay to
	NeedTerms         = "terms"          // the provider's terms are to be accepted
	NeedBusiness      = "business"       // what they do
	NeedDetails       = "details"        // something else that the provider asks for
	NeedReview        = "review"         // the provider looks into it; there is nothing to do
	NeedCurrency      = "currency"       // the account is not in euros
	NeedRejected      = "rejected"       // the provider does not take them
	NeedSupport       = "support"        // something that people of ours have to mend
)

// Payee as the provider has it now.
type Payee struct {
	Ref    string
	Wallet string // "" where there are none
	State  PayeeState
	Needs  []Need
	// Bank is where the provider pays out to, of one whose owner has told the provider that and not us (see PayeeBanks); nil without one.
	Bank *OwnBank
}

// OwnBank is a bank account that its owner has given the provider.
type OwnBank struct{ Ref, Country, LastFour string }

// WalletOrder is what NewWallet needs.
type WalletOrder struct {
	Key, Payee, Tag, Description string
	Currency                     money.Currency
}
