package ledger

import "strconv"

// Class is the first part of an account's name: what it says, whoever's it is.
type Class string

// The chart of accounts.
const (
	Clearing Class = "provider_clearing" // what a provider holds for us, by place
	Hold     Class = "dispute_hold"      // what banks keep until they decide
	Bank     Class = "bank"              // our own bank account

	Funds    Class = "backer_funds"    // paid towards a campaign, uncontested, not settled
	Disputed Class = "disputed_funds"  // paid towards a campaign, contested: settlement cannot take it
	Owed     Class = "owed_to_backers" // promised back, not arrived
	Held     Class = "held_funds"      // fits nothing: a person decides
	Suspense Class = "suspense"        // the provider's lines that nothing explains

	Fees Class = "provider_fees"
	Loss Class = "loss" // by reason
)

// Type is the side on which an account normally stands.
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
	guarded bool // never on its wrong side
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

// takes reports whether a sum is on a guarded account's wrong side: an entry that takes from it, a balance that must not be.
func (c Class) takes(minor int64) bool {
	t := c.trait()
	return t.guarded && (t.kind == Asset && minor < 0 || t.kind != Asset && minor > 0)
}

// MainPlace is the place of a provider's balance when it has one only.
const MainPlace = "main"

// name of the account that a movement of a provider and a campaign means by a class.
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
