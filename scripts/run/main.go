//go:build unix

// Command run starts the whole of Talkoot on this machine, for `make run`; start.sh has everything built before.
// Its other subcommands are processes that the platform starts from the same binary: run redis (the built-in Redis),
// run edge (the public address) and run guard (ends what a killed launcher left).
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/localredis"
	"talkoot.fi/scripts/platform"
	"talkoot.fi/scripts/terminal"
)

const usage = `usage: run [-v]   start everything that scripts/prepare has built (-v: with the processes' logs)
       run redis  the built-in Redis on ADDR
       run edge   the public address on ADDR, before CONTENT_URL and PAYMENTS_URL
       run guard  end the processes named on stdin once it closes`

func main() {
	// A second Ctrl-C must not cut the clean stop short, so the signals stay caught to the end.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "\n"+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch command {
	case "", "-v":
		redis.SetLogger(silent{}) // Redis is waited for, and its client would call that a fault
		return up(ctx, terminal.New(os.Stdout), command == "-v")
	case "redis":
		return localredis.Serve(ctx, os.Getenv("ADDR"))
	case "edge":
		return edge(ctx)
	case "guard":
		platform.Guard(os.Stdin)
		return nil
	default:
		return errors.New(usage)
	}
}

// silent takes what a library would write on the terminal.
type silent struct{}

// Printf writes nothing.
func (silent) Printf(context.Context, string, ...any) {}

func edge(ctx context.Context) error {
	content, err := url.Parse(os.Getenv("CONTENT_URL"))
	if err != nil {
		return fmt.Errorf("CONTENT_URL: %w", err)
	}
	payments, err := url.Parse(os.Getenv("PAYMENTS_URL"))
	if err != nil {
		return fmt.Errorf("PAYMENTS_URL: %w", err)
	}
	public := platform.Edge(content, payments, os.Getenv("DRILL") == "1")
	if late := os.Getenv("LATE_ANSWERS"); late != "" {
		most, err := strconv.Atoi(late)
		if err != nil || most <= 0 {
			return fmt.Errorf("LATE_ANSWERS: %q is no number of milliseconds", late)
		}
		public = platform.Delayed(public, time.Duration(most)*time.Millisecond)
	}
	return httpx.Run(ctx, public, os.Getenv("ADDR"), 0)
}
