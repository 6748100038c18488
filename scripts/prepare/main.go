//go:build unix

// Command prepare installs and builds what is missing, each part only when its sources changed. It imports Go's own
// library almost alone, so that on a machine without any cache it is built in seconds, and the packages of npm are
// fetched while the platform's programs compile.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/scripts/programs"
	"talkoot.fi/scripts/runlock"
	"talkoot.fi/scripts/terminal"
)

const usage = `usage: prepare run    what running needs, unless the platform runs already
       prepare test   that, and the tools of tests and lint
       prepare tools  npm's packages alone, with the tools
       prepare web    the web app alone`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := run(ctx, os.Args[1:], terminal.New(os.Stdout))
	if err != nil && ctx.Err() != nil {
		err = errors.New("stopped before it was ready")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "\n"+err.Error())
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

func run(ctx context.Context, args []string, out *terminal.Lines) error {
	root, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the checkout: %w", err)
	}
	p := preparation{root: root, out: out, userPostgres: os.Getenv("DATABASE_URL") != "" || os.Getenv("PG_BIN") != ""}
	command := ""
	if len(args) == 1 {
		command = args[0]
	}
	switch command {
	case "run":
		// A running platform serves the built files, so they must not change; the launcher prints its address.
		if err := runlock.Check(filepath.Join(root, ".local")); errors.As(err, new(*runlock.RunningError)) {
			return nil
		} else if err != nil {
			return err
		}
		return p.all(ctx, forRunning)
	case "test":
		return p.all(ctx, withTools)
	case "tools":
		if err := checkNode(ctx); err != nil {
			return err
		}
		return p.install(ctx, "frontend", withTools)
	case "web":
		if err := checkNode(ctx); err != nil {
			return err
		}
		if err := p.install(ctx, "frontend", forRunning); err != nil {
			return err
		}
		return p.web(ctx)
	default:
		return errors.New(usage)
	}
}

// preparation is one run of the command.
type preparation struct {
	root         string
	out          *terminal.Lines
	userPostgres bool // the user named a server, or the programs of one
}

// all builds the programs and concurrently installs PostgreSQL and builds the web app.
func (p *preparation) all(ctx context.Context, packages extent) error {
	if err := check(ctx, p.root); err != nil {
		return err
	}
	compiled := programs.All()
	if packages == forRunning { // the launcher has the others compiled while the site is up
		compiled = programs.Site()
	}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		err := programs.BuildTelling(ctx, p.root, compiled, p.out.Say)
		if err == nil {
			p.out.Say("The programs are built")
		}
		return err
	})
	both.Go(func() error {
		if err := p.postgres(ctx); err != nil {
			return err
		}
		if err := p.install(ctx, "frontend", packages); err != nil {
			return err
		}
		return p.web(ctx)
	})
	return both.Wait()
}

// postgres installs the embedded server, unless the user named another. Without network the platform looks for one that
// the machine has.
func (p *preparation) postgres(ctx context.Context) error {
	if p.userPostgres {
		return nil
	}
	err := p.install(ctx, filepath.Join("scripts", "embedded"), forRunning, "--ignore-scripts")
	if err != nil && ctx.Err() == nil {
		p.out.Say("The embedded PostgreSQL cannot be installed; the machine's own will do. npm said: %v", err)
		return nil
	}
	return err
}
