// Package stripe is a protocol-faithful stand-in for Stripe, API version 2023-10-16.
//
// It owns customers, payment methods, payment intents, setup intents, mandates, charges, refunds, disputes, balance transactions, payouts,
// top-ups, connected accounts, checkout sessions, events and webhook endpoints of one test-mode account, the pages a browser
// sees (hosted checkout, 3-D Secure, element frames) and the Stripe.js-compatible script.
//
// A program reaches it over HTTP, or in process through Transport. For deterministic simulations with a clock and a
// seed of their own there are Options.ManualDelivery, Random and InMemory; Deliver and RunDue; what backers, banks and
// other people do (ConfirmIntent, OpenDispute, RefundByHand …); and Snapshot, which tells what really happened.
//
// Invariants: every POST is one transaction that holds the effect, its events, their deliveries
// and the stored answer of its idempotency key; a payment intent changes status only through
// moveIntent, a setup intent through moveSetup; the balance is what the balance transactions add up to; card numbers other than the published test numbers are never stored; no money moves.
//
// It leaves to others: transfers to connected accounts and direct debits are not offered, and asking for them
// is answered as a client error.
package stripe
