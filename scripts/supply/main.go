// Command supply looks after what we get from others (make supply): the licences of all packages that ship, secrets in tracked files, and
// known vulnerabilities.
//
//	supply              all of it
//	supply -db DIR      with Go's vulnerability database from a folder instead of the network
//
// What cannot be looked up is not passed: it says so and ends with an error. Licences and secrets, which need no network, are tests of this
// package too, and so are looked at by make test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"talkoot.fi/kit/localpg"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

func run(ctx context.Context) error {
	database := flag.String("db", "", "folder of Go's vulnerability database")
	flag.Parse()
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	return errors.Join(writeLicences(ctx, root), secrets(ctx, root), goVulnerabilities(ctx, root, *database), npmVulnerabilities(ctx, root))
}
