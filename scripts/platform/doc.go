//go:build unix

// Package platform runs the whole of Talkoot on one machine: PostgreSQL, Redis, the sandbox, both services with their
// workers, and the edge in front of them. `make run`, the end-to-end tests, the browser journeys, the fault drills and
// the benchmarks all start it here.
//
// It owns: the table of processes with their environment, the order in which they start and stop, the data folder with
// its secrets and logs, and demo seeding. Invariants: everything listens on loopback; one data folder is run by one
// platform at a time; no process outlives the one that called Start, not even when that is killed; secrets are made
// once per data folder. It leaves to others: building the programs (package programs), and what
// the services do.
package platform
