// Package contract holds a service to its OpenAPI file: requests in production, answers in tests.
//
// Invariants: a request that reaches a handler fits the contract, fields it does not know included; the faults of a
// request are reported at once, one entry a field and twenty at most, in the wire's names; no request costs much more than
// its bytes, whatever is wrong with it; in tests an answer that the contract does not
// describe is a failure.
//
// It leaves to others: who may call (packages session and servicetoken), rules that need more than the request itself,
// and turning an error into an answer (package httpx).
package contract
