//go:build unix

// Package dbtest gives every test a PostgreSQL database of its own, migrated and empty, in some milliseconds.
//
// It owns one throwaway server that all test processes of a checkout share, a template database per set of migrations,
// and the clones; rows that many tests need can be in a template, too (Filled). A clone serves one test after the other:
// what a test has written is deleted, and its sessions stay, with all that they have read, parsed and planned. Invariants:
// no two tests have a database at once; one that is still connected to, or whose structure or statistics a test has changed,
// serves no other; nobody stays connected to a template; a server is written to only after it has proved that it is the one
// we started; only databases made here are dropped; without a server a test fails, it is never skipped. The server ends by
// itself a minute after the last test process that used it.
//
// TEST_DATABASE_URL names a server to use instead, as a superuser, who empties tables past their triggers. With
// TALKOOT_KEEP_DB=1 a failed test keeps its database and prints the address. Only tests may import this package.
package dbtest
