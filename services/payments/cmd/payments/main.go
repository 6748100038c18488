// Command payments is the payment service: `payments migrate` brings the database up to date, `payments serve` runs the
// HTTP API, `payments work` the queue and the sweepers. Its settings come from the environment; see app.Config.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/migrations"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Environ())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "payments:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args, environ []string) error {
	if len(args) != 1 {
		return errors.New("want one of: migrate, serve, work")
	}
	var config app.Config
	if err := conf.Load(&config, environ); err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil)).With("service", "payments", "process", args[0])

	if args[0] == "migrate" {
		return dbx.Migrate(ctx, config.DatabaseURL.Reveal(), migrations.FS)
	}
	service, err := app.New(ctx, config, time.Now, log)
	if err != nil {
		return err
	}
	switch args[0] {
	case "serve":
		err = service.Serve(ctx)
	case "work":
		err = service.Work(ctx)
	default:
		err = fmt.Errorf("unknown command %q: want migrate, serve or work", args[0])
	}
	return errors.Join(err, service.Close())
}
