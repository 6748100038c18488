//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/platform"
)

// up prepares what is missing, starts the platform and stays until ctx ends or a process falls.
func up(ctx context.Context, out io.Writer, verbose bool) error {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	out = &timed{out: out, begun: time.Now()} // shown to people, never compared
	env := environment()
	ports, err := portsFrom(env)
	if err != nil {
		return err
	}
	data := filepath.Join(root, ".local")
	if err := platform.Running(data); err != nil {
		return alreadyRunning(err, out)
	}
	if err := check(ctx, root); err != nil {
		return err
	}
	bin := filepath.Join(root, "bin")
	if err := prepare(ctx, root, bin, env, out); err != nil {
		return interrupted(ctx, err)
	}
	p, err := platform.Start(ctx, platform.Options{
		DataDir: data, RepoRoot: root, Binaries: bin,
		Ports: ports, Env: env, Seed: true, Out: out, Verbose: verbose,
	})
	if err != nil {
		return interrupted(ctx, alreadyRunning(err, out))
	}
	say(out, "%s", block(p.WebURL))
	err = p.Wait(ctx)
	say(out, "Stopping")
	if err := errors.Join(err, p.Stop()); err != nil {
		return err
	}
	say(out, "Stopped. The data stays in .local/")
	return nil
}

// onlyPrepare is the first half of up, for the tests and for whoever builds an image.
func onlyPrepare(ctx context.Context, out io.Writer) error {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	if err := check(ctx, root); err != nil {
		return err
	}
	out = &timed{out: out, begun: time.Now()} // shown to people, never compared
	return prepare(ctx, root, filepath.Join(root, "bin"), environment(), out)
}

// alreadyRunning makes a second start no fault: it says where the first one is.
func alreadyRunning(err error, out io.Writer) error {
	if running := new(platform.RunningError); errors.As(err, &running) {
		say(out, "%s", running.Error())
		return nil
	}
	return err
}

// block is the one thing to remember of the output.
func block(address string) string {
	return "Ready\n\n  Talkoot:  " + address + "\n\n  Logs in .local/log/, Ctrl-C stops everything.\n"
}

// interrupted turns what Ctrl-C broke off into its one cause.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("stopped before it was ready")
	}
	return err
}

// environment is what the user set.
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
		"SANDBOX_PORT": &ports.Sandbox, "SMTP_PORT": &ports.SMTP, "PG_PORT": &ports.Postgres, "REDIS_PORT": &ports.Redis,
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

// say is a line for people; that it cannot be written is no reason to stop.
func say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(out, format+"\n", args...)
}

// timed puts the time since the start before what is written at once. Several may write.
type timed struct {
	out   io.Writer
	begun time.Time
	mu    sync.Mutex
}

func (t *timed) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	since := time.Since(t.begun).Seconds() // shown to people
	if _, err := fmt.Fprintf(t.out, "%6.1f s  %s", since, b); err != nil {
		return 0, err
	}
	return len(b), nil
}
