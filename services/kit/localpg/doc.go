// Package localpg runs a private PostgreSQL server from binaries already on the machine.
//
// It owns: finding the binaries, making a data folder once, starting the server on loopback with a password of
// its own, and stopping it. Invariants: a data folder made by one major version is never opened, nor made again,
// by another; the server listens on 127.0.0.1 only; the password lies in a file that only its owner may read.
// It leaves to others: which databases exist, migrations, and what happens when the calling process dies
// (Options.Prepare lets the caller add that).
package localpg
