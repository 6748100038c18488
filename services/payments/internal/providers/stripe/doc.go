// Package stripe is the only place that speaks to Stripe (provider A): payment intents, checkout sessions, refunds,
// balance transactions, and the signatures of its webhooks.
//
// Invariants: nothing of the official client's types leaves the package; every POST carries an idempotency key that
// the caller derives from a row it has stored; every try has a deadline; only what is safe to repeat is repeated, a
// few times and with jitter; when Stripe is down a circuit breaker answers at once. Errors keep Stripe's codes and
// request id and never its message or objects, which can hold a client secret.
//
// Errors of every call: ProviderUnavailable when the outcome is unknown or Stripe does not answer,
// ConfigurationError (provider_off without a key, provider_rejected_credentials), ErrNotFound, ErrState, ErrBurned,
// ErrRefused. What an answer means for a payment is left to the domains.
package stripe
