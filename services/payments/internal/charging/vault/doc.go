// Package vault knows what the providers keep for people who pay: a payer for each, and the payer's instruments.
//
// Invariants:
//   - Whoever pays has one payer at a provider: an account for all that it pays, a pledge or support without one for itself.
//   - The idempotency key of a payer comes from its row, and a payer that is gone has the next number: no key brings it back.
//   - What was retired is taken into use by nothing from then on, whoever saw it before.
//
// The services that pay decide when something is no longer needed, and have it deleted.
package vault
