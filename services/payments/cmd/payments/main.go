// Command payments is the payment service: `payments migrate` brings the database up to date, `payments serve` runs the
// HTTP API, `payments work` the queue and the sweepers, `payments healthcheck` asks the one beside it whether it is ready. The other commands are for operators: see operate.go. Its
// settings come from the environment; see app.Config.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/kit/tracing/otlp"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/migrations"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "payments:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args, environ []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("want one of: migrate, serve, work, healthcheck; or of an operator's: " + operatorUsage())
	}
	act, err := parseAct(args)
	if err != nil {
		return err
	}
	switch args[0] {
	case "migrate":
		return migrate(ctx, environ)
	case "healthcheck":
		return httpx.AskReady(ctx, environ, "127.0.0.1:8082")
	}
	var config app.Config
	if err := conf.Load(&config, environ); err != nil {
		return err
	}
	log := slog.New(tracing.Logs(slog.NewJSONHandler(os.Stderr, nil))).With("service", "payments", "process", args[0])
	jobs.LogRedisTo(log)
	config.StatementTimeout = statementTimeout(args[0])
	secret, _ := config.ServiceSecret.Keys()
	endTraces, err := otlp.Start(ctx, config.Traces, tracing.Process{Service: "payments", Name: args[0], Secret: secret}, log)
	if err != nil {
		return err
	}
	defer endTraces()
	service, err := app.New(ctx, config, time.Now, log)
	if err != nil {
		return err
	}
	switch {
	case act != nil:
		err = act(ctx, service, out)
	case args[0] == "serve":
		conf.BoundMemory(memoryLimit)
		err = service.Serve(ctx)
	case args[0] == "work":
		err = service.Work(ctx)
	}
	return errors.Join(err, service.Close())
}

// migrate brings the database up to date, as its owner. It needs nothing else of the environment.
func migrate(ctx context.Context, environ []string) error {
	var config struct {
		DatabaseURL conf.Secret `env:"DATABASE_URL" required:"true" help:"postgres://owner:password@host:port/database, past any pooler"`
	}
	if err := conf.Load(&config, environ); err != nil {
		return err
	}
	return dbx.Migrate(ctx, config.DatabaseURL.Reveal(), migrations.FS)
}

// memoryLimit is serve's soft limit in bytes when GOMEMLIMIT sets none.
const memoryLimit = 96 << 20

// serveTimeout ends statements of requests, long after who asked has lost patience.
const serveTimeout = 5 * time.Second

// statementTimeout is a process's own; 0 is the usual one, for those whom nobody waits for.
func statementTimeout(process string) time.Duration {
	if process == "serve" {
		return serveTimeout
	}
	return 0
}
