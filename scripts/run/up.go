//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/platform"
	"talkoot.fi/scripts/programs"
	"talkoot.fi/scripts/runlock"
	"talkoot.fi/scripts/terminal"
)

// up starts the platform and stays until ctx ends or a process exits. It prints the site's address as soon as it
// answers. What takes money is compiled meanwhile and follows, and then the demo backers pay.
func up(ctx context.Context, out *terminal.Lines, verbose bool) error {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	env := environment()
	ports, err := portsFrom(env)
	if err != nil {
		return err
	}
	data := filepath.Join(root, ".local")
	if err := runlock.Check(data); err != nil { // the programs of a running platform are not built anew
		return alreadyRunning(err, out)
	}
	ctx, fail := context.WithCancelCause(ctx)
	var behind sync.WaitGroup
	defer behind.Wait()
	defer fail(nil)
	built := make(chan error, 1)
	behind.Go(func() { built <- programs.BuildTelling(ctx, root, programs.Money(), out.Say) })
	p, err := platform.Start(ctx, platform.Options{
		DataDir: data, RepoRoot: root, Binaries: filepath.Join(root, "bin"),
		Ports: ports, Env: env, Seed: true, SiteFirst: true, Out: out, Verbose: verbose,
	})
	if err != nil {
		return interrupted(ctx, alreadyRunning(err, out))
	}
	out.Say("%s", block(p.WebURL))
	behind.Go(func() {
		err := <-built
		if err == nil {
			err = p.StartMoney(ctx)
		}
		if err != nil {
			fail(err)
			return
		}
		out.Say("Payments are ready")
		// A failure does not stop the site: the next start continues with them.
		switch err := p.SeedBackers(ctx); {
		case ctx.Err() != nil:
		case err != nil:
			out.Say("The demo backers have not all paid; the next start continues with them: %v", err)
		default:
			out.Say("Done: everything runs, and nothing is left to fill in. Ctrl-C stops it.")
		}
	})
	err = p.Wait(ctx)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = errors.Join(err, cause) // what takes money could not be started
	}
	out.Say("Stopping")
	fail(nil)
	behind.Wait()
	if err := errors.Join(err, p.Stop()); err != nil {
		return err
	}
	out.Say("Stopped. The data stays in .local/")
	return nil
}

// alreadyRunning replaces the error of a second start by a line with the address of the first one.
func alreadyRunning(err error, out *terminal.Lines) error {
	if running := new(runlock.RunningError); errors.As(err, &running) {
		out.Say("%s", running.Error())
		return nil
	}
	return err
}

// block is what the output ends with once the site is up.
func block(address string) string {
	return "Ready\n\n  Talkoot:  " + address + "\n\n  Logs in .local/log/.\n"
}

// interrupted replaces the errors of a start that Ctrl-C broke off by the one that says so.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("stopped before it was ready")
	}
	return err
}

// environment has the user's variables.
func environment() map[string]string {
	env := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return env
}

func portsFrom(env map[string]string) (platform.Ports, error) {
	ports := platform.DefaultPorts()
	for name, port := range map[string]*int{
		"WEB_PORT": &ports.Web, "CONTENT_PORT": &ports.Content, "PAYMENTS_PORT": &ports.Payments,
		"SANDBOX_PORT": &ports.Sandbox, "MANGOPAY_PORT": &ports.Mangopay, "SMTP_PORT": &ports.SMTP, "PG_PORT": &ports.Postgres, "REDIS_PORT": &ports.Redis,
	} {
		given := env[name]
		if given == "" {
			continue
		}
		number, err := strconv.ParseUint(given, 10, 16)
		if err != nil {
			return ports, fmt.Errorf("%s=%s is not a port: give a number from 1 to 65535, or 0 for any free one", name, given)
		}
		*port = int(number) // #nosec G115 -- 16 bits
	}
	return ports, nil
}
