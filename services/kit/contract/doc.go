// Package contract checks a service against its OpenAPI file: requests in production, answers in tests.
//
// Invariants: a request that reaches a handler matches the contract and has no unknown fields; the faults of a request
// are reported together, one for each field and at most twenty, under the wire's names; the cost of any request is
// proportional to its size, whatever is wrong with it; in tests an answer that the contract does not describe is a
// failure.
//
// It leaves to others: who may call (packages session and servicetoken), rules that need more than the request itself,
// and turning an error into an answer (package httpx).
package contract
