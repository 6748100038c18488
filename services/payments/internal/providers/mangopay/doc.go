// Package mangopay is the adapter to Mangopay's API (v2.01): docs.mangopay.com/api-reference.
//
// Money of a campaign is in a wallet of its own, whose owner is the creator; a payer is a user with a name. A card is registered
// before a payment names it, and each pay-in is one try of it. Errors come in two kinds: an HTTP status, or 200 with FAILED and a
// ResultCode. Hooks say the type and the id of an object and nothing else.
//
// Nothing chooses it yet: no campaign has a wallet, and what a comparison with the book reads (provider.Statement) is missing.
//
// Invariants: an idempotency key goes with every POST, in Mangopay's alphabet; what a key has made already is read by GET
// /responses/{key} and then looked at as it is now; no message of Mangopay's and nothing that a payer typed is in an error.
package mangopay
