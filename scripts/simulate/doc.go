// Package simulate is a deterministic simulation test of the whole platform: the real content and payment services in
// one process, real PostgreSQL, the sandbox for the provider, and a virtual clock that only the simulation moves. One
// run of it is decided by a seed.
//
// A run is a list of operations, all drawn from the seed before it begins: what backers, banks, operators and editors
// do, what workers do, which webhooks are lost, doubled or late, which calls fail, when a process crashes between two
// statements and when two requests are interleaved statement by statement. After each operation the invariants that
// are cheap to check must hold (invariants.go). At the end of the run no more faults are injected, time passes,
// operators and banks do their part (settle.go), and then nothing may be open, and the provider, the ledger and the
// pledges must agree on every cent (final.go, package audit).
//
// The sandbox is the test oracle: it knows what really happened. Nothing is random but what the seed decides, so the
// same seed gives the same run. A run that fails is shrunk: repeated with fewer operations until none can be left
// out (shrink.go).
//
// It leaves to others: browsers, Redis (which is down throughout, so that work is found by the sweepers alone), and
// what depends on real time (timeouts, circuit breaker, worker loops).
package simulate
