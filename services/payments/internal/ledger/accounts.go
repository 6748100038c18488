package ledger

import "strconv"

// Class is the kind of an account and the first part of its name; provider, campaign or reason follow.
type Class string

// The chart of accounts.
const (
	Clearing Class = "provider_clearing" // our balance at a provider
	Hold     Class = "dispute_hold"      // taken by backers' banks until they decide a dispute
	Bank     Class = "bank"              // our own bank account

	Funds    Class = "backer_funds"    // paid towards a campaign, uncontested, not settled
	Disputed Class = "disputed_funds"  // paid towards a campaign, contested: settlement cannot take it
	Owed     Class = "owed_to_backers" // refunds that we owe and that have not been paid out
	Held     Class = "held_funds"      // charges that fit no payment, until an operator decides
	Suspense Class = "suspense"        // movements of the balance that nothing explains yet

	Fees Class = "provider_fees"
	Loss Class = "loss" // by reason
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

// trait is what the chart says of a class.
type trait struct {
	kind    Type
	guarded bool // its balance may not change sides
}

func (c Class) trait() trait {
	switch c {
	case Clearing, Bank:
		return trait{Asset, false}
	case Hold:
		return trait{Asset, true}
	case Funds, Disputed, Owed, Held:
		return trait{Liability, true}
	case Suspense:
		return trait{Liability, false}
	case Fees, Loss:
		return trait{Expense, false}
	}
	return trait{}
}

// takes reports whether a sum is on the wrong side of a guarded account: an entry that lowers its balance, or a balance
// that is overdrawn.
func (c Class) takes(minor int64) bool {
	t := c.trait()
	return t.guarded && (t.kind == Asset && minor < 0 || t.kind != Asset && minor > 0)
}

// MainPlace is the part of a provider's balance that an account is about, when there is only one.
const MainPlace = "main"

// name of the account of this class for a provider and a campaign; reason is for losses.
func (c Class) name(provider string, campaign int64, reason string) string {
	switch c {
	case Clearing:
		return string(c) + ":" + provider + ":" + MainPlace
	case Funds, Disputed:
		return string(c) + ":" + provider + ":" + strconv.FormatInt(campaign, 10)
	case Loss:
		return string(c) + ":" + reason
	case Bank:
		return string(c)
	case Hold, Owed, Held, Suspense, Fees:
	}
	return string(c) + ":" + provider
}
