// Package localpg runs a private PostgreSQL server from binaries already on the machine.
//
// It finds the binaries, makes a data folder once, starts the server on loopback with a random password, and stops it.
// Invariants: a data folder is used only by the major version that made it; the server listens on 127.0.0.1 only; the
// password is in a file that only its owner may read. It leaves to others: which databases exist, migrations, and what
// happens when the calling process dies (Options.Prepare lets the caller add that).
package localpg
