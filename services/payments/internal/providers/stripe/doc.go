// Package stripe is the only place that speaks to Stripe (provider A). It turns the core's words (package provider)
// into payment intents, checkout sessions, refunds, disputes and balance transactions, and back.
//
// Invariants, beside those of package provider: nothing of the official client's types leaves the package; every POST
// carries an idempotency key; every try has a deadline; only what is safe to repeat is repeated, a few times and with
// jitter; when Stripe is down a circuit breaker answers at once. Errors keep Stripe's codes and request id and never
// its message or objects, which can hold a client secret.
package stripe
