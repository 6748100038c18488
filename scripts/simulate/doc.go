// Package simulate is a deterministic simulation test of the whole platform: the real content and payment services in
// one process, real PostgreSQL, stand-ins for both providers, and a virtual clock that only the simulation moves. One
// run of it is decided by a seed.
//
// A run is a list of operations, all drawn from the seed before it begins: what backers, banks, operators and editors
// do, what workers do, which webhooks are lost, doubled or late, which calls fail, when a process crashes between two
// statements and when two requests are interleaved statement by statement. After each operation the invariants that
// are cheap to check must hold (invariants.go). At the end of the run no more faults are injected, time passes,
// operators and banks do their part (settle.go), and then nothing may be open, and the providers, the ledger and the
// pledges must agree on every cent (final.go, package audit). Runs about pledges have campaigns of both providers, which they
// reach by takers (takers.go); runs about payouts (paidout.go) begin when such campaigns have ended, and are about their money on its way to its creator and
// back from there; lives of subscriptions are provider A's. What happened is counted, and a long run that has left
// something out is red (coverage_test.go).
//
// The stand-ins are the test oracle: they know what really happened. Nothing is random but what the seed decides, so the
// same seed gives the same run. A run that fails is shrunk: repeated with fewer operations until none can be left
// out (shrink.go).
//
// It leaves to others: browsers, Redis (which is down throughout, so that work is found by the sweepers alone), and
// what depends on real time (timeouts, circuit breaker, worker loops).
package simulate
