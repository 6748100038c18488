// Package pledges takes the payment of a pledge from its first setup to its end.
//
// It owns the orders (a copy of what the content service wants paid), the payments, their attempts,
// their refunds and their disputes.
// A payment has one row per pledge; its attempts are objects at the provider: a payment intent for the form on our
// page, a checkout session for the hosted page. Both may be open at once.
//
// Invariants:
//   - Every signal (webhook, browser, sweeper, a repeated setup) ends in Advance, which asks the provider outside of any
//     transaction and then, with the payment's row locked, moves it by the table in status.go. A late, repeated or
//     reordered signal changes nothing in the end.
//   - What a change causes (transition row, ledger postings, events to content, refunds to make) is written in its
//     transaction, by type change.
//   - Exactly one success counts; money of any other goes back with the reason duplicate. Money that does not fit the
//     payment is held for a person and never counts silently.
//   - A row is written before the provider is asked to make anything, and the idempotency key comes from the row.
//
// It leaves to others: what an order costs and whether a paid pledge can be kept (the content service), storing
// webhooks (package webhooks), and walking the provider's own lists (package reconcile).
package pledges
