// Package subscriptions supports a campaign monthly: it decides when a month is charged, with which card, and what
// becomes of a subscription; proto-docs/flows/subscription.md says how.
//
// It owns subscriptions, their months and tries. What a month comes to beside others is weighed by package limits. Each month's
// money is a payment of package payments, which tells what becomes of it (Moved) in its own transaction.
//
// Invariants:
//   - A month has one payment with one open object at the provider, which every try confirms: it succeeds once.
//   - A try is written before it is made, in a transaction that holds the subscription's row and sees that the month is
//     wanted. While its outcome is unknown there is no next one; the provider is looked at first.
//   - Locks are taken in the order payment, subscription, spending limit. All rows of a subscription are written with its row locked.
//   - What happens next, and when, follows from the rows alone (plan.go); step_at is that time, or a worker's lease.
//   - The clock is the service's.
package subscriptions
