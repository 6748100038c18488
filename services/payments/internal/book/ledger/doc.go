// Package ledger is the book of every movement of money: double entry, append-only.
//
// Invariants, held by constraints and triggers: the entries of a transaction add up to zero, are in one currency and as
// many as the transaction says; nothing is changed, added or removed later; a movement (provider, kind and reference)
// is posted once, and telling it again with another sum is ErrDiffers, never silence. What takes money from an account
// that may not be overdrawn checks that under the account's lock: ErrOverdrawn. Debits are positive, credits negative.
//
// What each kind of movement posts is a pure function in the table of rules.go; proto-docs/ledger.md shows the chart of
// accounts and a worked example of each. A transaction names the charge whose money it moves, so that the position of
// each charge can be read: what is still the campaign's, contested, owed back, held for a person, or settled. An account
// that may not be overdrawn is kept from it charge by charge, and then nothing takes from it without a charge; only what
// is payable to a creator, and their reserve, is added up whole.
//
// The provider and the banks move money without asking. Such movements are forced: they take what is left of the charge
// in a fixed order, then what was settled of it, and the rest is a loss, so booking them never fails. Only what we decide
// ourselves is refused.
//
// When to post is decided by the packages that change a payment, in their own transaction.
package ledger
