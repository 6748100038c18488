// Package simulate runs whole lives of the platform from a seed: the real content and payment services in one process, real
// PostgreSQL, the sandbox for the provider, and a clock that only the simulation moves.
//
// A life is a list of operations, all drawn before it begins: what backers, banks, operators and editors do, what workers
// do, which signals are lost, doubled or late, which calls fail, when a process dies between two statements and when two
// requests take turns statement by statement. After each the cheap invariants hold (invariants.go). At its end the faults
// cease, time runs, people do what is theirs to do (settle.go), and then nothing may be open and every cent has to be where
// the provider, the ledger and the pledges all say that it is (final.go, package audit).
//
// The sandbox is the oracle: it knows what really happened. Nothing here decides by chance while a life runs, so the same
// seed is the same life; a life that fails is run again with fewer operations until none can be left out (shrink.go).
//
// It leaves to others: browsers, Redis (which is down throughout, so that the worker finds its work by itself), and what
// real time brings (timeouts, circuit breaker, worker loops).
package simulate
