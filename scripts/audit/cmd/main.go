//go:build unix

// Command audit audits the platform that runs in this checkout (make audit), or the one whose addresses and keys a file has
// (make audit ACCESS=file). It changes nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/audit"
	"talkoot.fi/scripts/platform"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop only unregisters a signal
	}
}

func run(ctx context.Context) error {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	file := flag.String("access", "", "`file` with the addresses and keys of an installation, in the form of .local/access.json")
	isShared := flag.Bool("shared", false, "other systems take money through the same account at the provider: count their charges, do not report them")
	flag.Parse()
	env, err := platform.Access(root + "/.local")
	if *file != "" {
		env, err = platform.ReadAccess(*file)
	}
	if err != nil {
		return err
	}
	report, err := audit.Run(ctx, audit.Sources{Shared: *isShared, ContentURL: env["CONTENT_DATABASE_URL"],
		PaymentsURL: env["PAYMENTS_DATABASE_URL"],
		Provider:    env["STRIPE_API_URL"], Key: env["STRIPE_SECRET_KEY"],
		Mangopay: audit.Mangopay{URL: env["MANGOPAY_API_URL"], ClientID: env["MANGOPAY_CLIENT_ID"], Key: env["MANGOPAY_API_KEY"],
			HookURL: env["MANGOPAY_HOOK_URL"], Shared: *isShared}})
	if err != nil {
		return err
	}
	fmt.Printf("%d checks over %d pledges and %d payments\n", report.Checks, report.Pledges, report.Payments)
	if err := report.Err(); err != nil {
		return err
	}
	if *isShared {
		fmt.Printf("%d charges at the provider are another system's\n", report.Foreign)
	}
	fmt.Println("No faults found.")
	return nil
}
