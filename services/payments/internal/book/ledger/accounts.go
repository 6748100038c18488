package ledger

import "strconv"

// Class is the kind of an account and the first part of its name; provider, place, campaign, payee, country or reason
// follow.
type Class string

// The chart of accounts.
const (
	Clearing Class = "provider_clearing" // our balance at a provider, by place
	Hold     Class = "dispute_hold"      // taken by backers' banks until they decide a dispute
	Bank     Class = "bank"              // our own bank account
	InputVAT Class = "vat_input"         // the tax of a provider's invoices, which is claimed back

	Funds    Class = "backer_funds"    // paid towards a campaign, uncontested, not settled
	Disputed Class = "disputed_funds"  // paid towards a campaign, contested: settlement cannot take it
	Owed     Class = "owed_to_backers" // refunds that we owe and that have not been paid out
	Held     Class = "held_funds"      // charges that fit no payment, until an operator decides
	Suspense Class = "suspense"        // movements of the balance that nothing explains yet

	Payable Class = "creator_payable" // settled, and not sent to the creator
	Reserve Class = "reserve"         // settled, and kept back for what may come later
	Debt    Class = "creator_debt"    // what a creator owes us: settled money that went back to a backer
	// Custody: what is on a creator's own account at the provider. The two are always opposite: the money is theirs.
	AtCreator   Class = "at_creator"
	CreatorHeld Class = "creator_held"

	Revenue Class = "platform_revenue" // our fee without its tax
	VAT     Class = "vat"              // the tax of our fee, by country
	Fees    Class = "provider_fees"
	Loss    Class = "loss" // by reason
)

// Type says on which side an account's balance normally is: debit for assets and expenses, credit for the others.
type Type string

// The types of accounts.
const (
	Asset     Type = "asset"
	Liability Type = "liability"
	Income    Type = "income"
	Expense   Type = "expense"
)

// guard is what keeps an account from standing on its wrong side.
type guard int

const (
	unguarded guard = iota
	// byCharge accounts consist of charges' parts, each of which is kept from it alone. So no movement takes from them
	// without naming its charge.
	byCharge
	// whole accounts are added up: a payout takes the money of many charges.
	whole
)

// trait is what the chart says of a class.
type trait struct {
	kind  Type
	guard guard
}

func (c Class) trait() trait {
	switch c {
	case Clearing, Bank, InputVAT, AtCreator:
		return trait{Asset, unguarded}
	case Hold, Debt:
		return trait{Asset, byCharge}
	case Funds, Disputed, Owed, Held:
		return trait{Liability, byCharge}
	case Payable, Reserve:
		return trait{Liability, whole}
	case Suspense, CreatorHeld, VAT:
		return trait{Liability, unguarded}
	case Revenue:
		return trait{Income, unguarded}
	case Fees, Loss:
		return trait{Expense, unguarded}
	}
	return trait{}
}

// takes reports whether a sum is on the wrong side of a guarded account: an entry that lowers its balance, or a balance
// that is overdrawn.
func (c Class) takes(minor int64) bool {
	t := c.trait()
	return t.guard != unguarded && (t.kind == Asset && minor < 0 || t.kind != Asset && minor > 0)
}

// MainPlace is the part of a provider's balance that an account is about, when there is only one.
const MainPlace = "main"

// parties are whose account it is.
type parties struct {
	provider, place, reason, country string
	campaign, payee                  int64
}

// account is the name of the account of this class.
func (c Class) account(of parties) string {
	name := string(c)
	switch c {
	case Bank, Revenue:
		return name
	case VAT:
		return name + ":" + of.country
	case Loss:
		return name + ":" + of.reason
	case Clearing:
		return name + ":" + of.provider + ":" + of.place
	case Funds, Disputed:
		return name + ":" + of.provider + ":" + strconv.FormatInt(of.campaign, 10)
	case Payable, Reserve, Debt, AtCreator, CreatorHeld:
		return name + ":" + of.provider + ":" + strconv.FormatInt(of.payee, 10)
	case Hold, Owed, Held, Suspense, Fees, InputVAT:
	}
	return name + ":" + of.provider
}

// CreatorAccount is the name of a creator's account of a class: Payable, Reserve, Debt, AtCreator or CreatorHeld.
func CreatorAccount(c Class, provider string, payee int64) string {
	return c.account(parties{provider: provider, payee: payee})
}

// isCreators reports whether an account of the class is one creator's.
func (c Class) isCreators() bool {
	return c == Payable || c == Reserve || c == Debt || c == AtCreator || c == CreatorHeld
}
