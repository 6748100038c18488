// Package simulate is a deterministic simulation test of the whole platform: the real content and payment services in
// one process, real PostgreSQL, the sandbox for the provider, and a virtual clock that only the simulation moves. One
// run of it is called a life; a seed decides all of it.
//
// A life is a list of operations, all drawn from the seed before it begins: what backers, banks, operators and editors
// do, what workers do, which webhooks are lost, doubled or late, which calls fail, when a process crashes between two
// statements and when two requests are interleaved statement by statement. After each operation the invariants that are
// cheap to check must hold (invariants.go). At the end of the life no more faults are injected, time runs, people do
// what only they can (settle.go), and then nothing may be open and every cent has to be where the provider, the ledger
// and the pledges all say that it is (final.go, package audit).
//
// The sandbox is the test oracle: it knows what really happened. Nothing is left to chance while a life runs, so the
// same seed gives the same life. A life that fails is shrunk: run again with fewer operations until none can be left
// out (shrink.go).
//
// It leaves to others: browsers, Redis (which is down throughout, so that the worker finds its work by itself), and
// what real time brings (timeouts, circuit breaker, worker loops).
package simulate
