//go:build unix

// Command journeyhost runs a platform of its own for the browser journeys: random ports, a data folder that goes away
// with it, the demo content, and the web app as it was built last. It prints one line of JSON with the addresses once
// all of it is ready, and stops when its stdin closes, so that it never outlives the journeys.
//
//	-backers a,b   makes the demo pledges of these campaigns (slugs); they are paid at the sandbox as in real use
//	-full          all of the demo, closed campaigns included, as after `make run`
//
// It leaves to others: building the web app (npm run build), and what the journeys do. PG_BIN, WEB_DIR and LATE_ANSWERS of the
// environment are respected; no other platform on the machine is touched.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/platform"
	"talkoot.fi/scripts/programs"
)

// addresses is the line that the journeys read. Base addresses have no final slash.
type addresses struct {
	Web     string `json:"web"`
	Sandbox string `json:"sandbox"`
	Mail    string `json:"mail"`
	// Mangopay is the address of its stand-in.
	Mangopay string `json:"mangopay"`
	// ProviderKey is the sandbox's API key, with which a journey reads the payments there.
	ProviderKey string `json:"provider_key"`
	// Control is the base address of what a journey may do and no user can: see control.go.
	Control string `json:"control"`
}

func main() {
	backers := flag.String("backers", "", "slugs of the campaigns that get their demo backers, comma-separated")
	full := flag.Bool("full", false, "fill in all of the demo")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout, *full, *backers); err != nil {
		fmt.Fprintln(os.Stderr, "journeyhost:", err)
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

// run returns when in closes, ctx ends or a process of the platform exits.
func run(ctx context.Context, in io.Reader, out io.Writer, full bool, backers string) (err error) {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "talkoot-journeys-")
	if err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := os.Chmod(temp, 0o755); err != nil { // #nosec G302 -- PostgreSQL's user must pass
		return fmt.Errorf("make data folder: %w", err)
	}
	bin := filepath.Join(root, "bin")
	if err := programs.Build(ctx, root, bin, programs.All(), nil); err != nil {
		return err
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // cancels when in closes; not awaited, because a read of stdin cannot be interrupted
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	// All journeys come from one address, faster than people of one house, and wait for what is swept.
	env := map[string]string{"RATE_LIMIT_SIGN_IN": "1000", "SWEEP_EVERY": "1s"}
	for _, name := range []string{"PG_BIN", "WEB_DIR", "LATE_ANSWERS"} {
		if value := os.Getenv(name); value != "" {
			env[name] = value
		}
	}
	p, err := platform.Start(ctx, platform.Options{
		DataDir: filepath.Join(temp, "data"), RepoRoot: root, Binaries: bin, Env: env, Seed: full, Out: os.Stderr,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	if full {
		err = p.SeedBackers(ctx)
	} else {
		err = fillIn(ctx, p, bin, temp, slugs(backers))
	}
	if err != nil {
		return err
	}
	operate := func(ctx context.Context, args ...string) error {
		env := maps.Clone(p.Env)
		env["DATABASE_URL"] = env["PAYMENTS_SERVICE_DATABASE_URL"]
		delete(env, "SESSION_KEY") // as on the payment service's host
		return runToEnd(ctx, env, filepath.Join(bin, "payments"), append(args, "-actor", journeys)...)
	}
	if err := operate(ctx, "operator", "-user", "999999999", "-name", journeys, "-on", "-note", "does what the command line is for"); err != nil {
		return err
	}
	control, err := serveControl(ctx, p.Env["CONTENT_DATABASE_URL"], p.Env["PAYMENTS_DATABASE_URL"], operate)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, control.Close()) }()
	line := addresses{Web: p.WebURL, Sandbox: p.SandboxURL, Mail: p.MailURL, Mangopay: p.MangopayURL,
		ProviderKey: p.Env["STRIPE_SECRET_KEY"], Control: control.URL}
	if err := json.NewEncoder(out).Encode(line); err != nil {
		return fmt.Errorf("print the addresses: %w", err)
	}
	return p.Wait(ctx)
}

// journeys is the operator who does what journeys need at the command line.
const journeys = "journeys"

func slugs(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
