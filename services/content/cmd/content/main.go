// Command content is the content service: campaigns, rewards, pledges, experiments, people and the pages.
//
//	content migrate   bring the database up to date and end
//	content serve     answer requests until it is told to stop
//	content work      deliver the outbox (mail, closed payments), let reservations lapse and delete what has expired,
//	                  until it is told to stop
//	content healthcheck ask the serve or work beside it whether it is ready, for containers, which have no shell
//	content seed      fill in the demo content once; --finish closes what the demo has closed
//	content categories add the usual categories that are missing; without any nobody can begin a campaign
//	content admin     --email <address> [--first-name … --last-name … [--password-stdin]] makes an admin, and the account
//	                  if there is none; --remove takes the scope away
//	content block     --email <address> ends a person's sessions and refuses new ones; unblock allows them again
//	content reset-second-step --email <address> removes the passkeys, the code app and the backup codes of somebody who
//	                  has lost them, and ends their sessions; the password stays, and a mail tells them
//	content receipt   --number <receipt> says who is on the receipt of an erased person, for an authority that asks; until
//	                  bookkeeping law lets the name go
//
// Everything is configured by the environment; see config.go. GOMEMLIMIT bounds the memory of serve, 160 MiB when not
// set: idle it takes about 60 MiB, at its busiest about 200.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/tracing"
)

const usage = "usage: content migrate | serve | work | healthcheck | seed [--finish] | categories | reseal | " +
	"admin --email <address> [--first-name … --last-name … [--password-stdin]] [--remove] | " +
	"block --email <address> | unblock --email <address> | reset-second-step --email <address> | receipt --number <receipt>"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(tracing.Logs(slog.NewJSONHandler(os.Stderr, nil)))
	if err := run(ctx, os.Args[1:], os.Environ(), log); err != nil {
		fmt.Fprintln(os.Stderr, "content:", err)
		os.Exit(1) //nolint:gocritic // the signals need no clean-up at the end
	}
}

// run runs the subcommand.
func run(ctx context.Context, args, environ []string, log *slog.Logger) error {
	switch {
	case slices.Equal(args, []string{"migrate"}):
		return migrate(ctx, environ)
	case slices.Equal(args, []string{"serve"}):
		return serve(ctx, environ, log)
	case slices.Equal(args, []string{"work"}):
		return work(ctx, environ, log)
	case slices.Equal(args, []string{"healthcheck"}):
		return httpx.AskReady(ctx, environ, "127.0.0.1:8081")
	case slices.Equal(args, []string{"seed"}), slices.Equal(args, []string{"seed", "--finish"}):
		return fillIn(ctx, environ, log, len(args) == 2)
	case slices.Equal(args, []string{"reseal"}):
		return reseal(ctx, environ, log, newConsole())
	case slices.Equal(args, []string{"categories"}):
		return addCategories(ctx, environ, log, newConsole())
	case len(args) > 0 && slices.Contains([]string{"admin", "block", "unblock", "reset-second-step"}, args[0]):
		return people(ctx, args, environ, log, newConsole())
	case len(args) == 3 && args[0] == "receipt" && args[1] == "--number" && args[2] != "":
		return receipt(ctx, args[2], environ, log, newConsole())
	default:
		return errors.New(usage)
	}
}

// clock is the only place that reads the machine's clock.
func clock() time.Time { return time.Now() }
