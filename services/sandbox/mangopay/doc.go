// Package mangopay is a stand-in for Mangopay, API v2.01: users, wallets, registered cards and where a browser sends
// their numbers, pay-ins by card, hosted page and direct debit, mandates, refunds, transfers, disputes, hooks and events
// of one client, recurring pay-ins, payouts to recipients, hosted verification and reports, and the pages that payers and owners see.
//
// A program reaches it over HTTP, or in process through Transport. For tests with a clock and a seed of their own there
// are Options.ManualDelivery, Random and InMemory; Deliver and RunDue; what payers, owners and banks do (Tokenise,
// AnswerChallenge, ConfirmMandate, OpenDispute …); and Snapshot, which tells what really happened.
//
// Invariants: every call is one transaction that holds the effect, its events, their deliveries and the answer that its
// idempotency key keeps; money moves only through move, and a transaction succeeds at most once, in settle; a wallet's
// balance is what went in minus what went out; card numbers are never stored; no money moves.
//
// It leaves to others: pre-authorisations and declarations of beneficial owners are not offered,
// and asking for them is answered 404.
package mangopay
