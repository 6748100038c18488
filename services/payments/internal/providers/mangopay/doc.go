// Package mangopay is the adapter to Mangopay's API (v2.01): docs.mangopay.com/api-reference.
//
// Money of a campaign is in a wallet of its own, whose owner is the creator; a payer is a user with a name. A card is registered
// before a payment names it, and each pay-in is one try of it. Errors come in two kinds: an HTTP status, or 200 with FAILED and a
// ResultCode. Hooks say the type and the id of an object and nothing else.
//
// What the comparison with the book reads (provider.Statement) comes from three lists. There is none of all pay-ins or refunds, and what is
// in an owner's wallet can be read only with the owner's consent. So what was made or has ended is read from the events of 45 days:
// their type and an object's id say enough to see whether we know of it, so that a busy day costs one call a hundred events and not one
// a payment. What moved the wallets is read from a report, a file that is the platform's own and needs no consent, but has to be waited
// for; it goes back as far as Mangopay keeps transactions, which is 13 months. What moved the platform's own wallets is in no report, and is
// listed. The places of our balance are the wallets' ids, "fees" (what we have earned) and "repudiation" (where banks take money from,
// which goes below zero).
//
// Invariants: an idempotency key goes with every POST that makes something, in Mangopay's alphabet; what a key has made already is read by GET
// /responses/{key} and then looked at as it is now; no message of Mangopay's and nothing that a payer typed is in an error.
package mangopay
