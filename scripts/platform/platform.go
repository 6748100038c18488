//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/localredis"
	"talkoot.fi/scripts/runlock"
)

// Platform is a running Talkoot; the caller must Stop it.
type Platform struct {
	// Base addresses without a final slash: the edge, the services behind it, the sandbox, and its mail inbox.
	WebURL, ContentURL, PaymentsURL, SandboxURL, MailURL string
	// MangopayURL is its stand-in's; empty without it.
	MangopayURL string
	// Env is what the processes share, with the databases' addresses for their owner as CONTENT_DATABASE_URL and
	// PAYMENTS_DATABASE_URL, and as PAYMENTS_SERVICE_DATABASE_URL the one that the payment service's commands use. It
	// holds secrets.
	Env map[string]string

	opts     Options
	settings settings
	lock     *runlock.Lock
	guard    *guard
	starter  *starter
	crashed  chan *Proc // the first process that ended by itself
	echo     io.Writer  // of the processes' lines; nil unless verbose

	mu          sync.Mutex
	procs       []*Proc // in the order of their start
	postgresURL string

	stopOnce sync.Once
	stopErr  error
}

// Start starts everything and returns once all of it is ready, unless Options.SiteFirst says otherwise; the demo backers, who take longer, are
// left to SeedBackers. On an error nothing is left running. A runlock.RunningError says that the data folder is in use.
func Start(ctx context.Context, given Options) (*Platform, error) {
	opts, err := given.normal()
	if err != nil {
		return nil, err
	}
	opts.Out = &lockedWriter{out: opts.Out}
	if err := os.MkdirAll(opts.data("log"), 0o755); err != nil { // #nosec G301 -- PostgreSQL's user must pass
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	lock, err := runlock.Take(opts.DataDir)
	if err != nil {
		return nil, err
	}
	p := &Platform{opts: opts, lock: lock, crashed: make(chan *Proc, 1)}
	if opts.Verbose {
		p.echo = opts.Out
	}
	if err := p.start(ctx); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

func (p *Platform) start(ctx context.Context) error {
	var err error
	if p.guard, err = startGuard(ctx, p.opts); err != nil {
		return err
	}
	if err := takePorts(ctx, &p.opts.Ports); err != nil {
		return err
	}
	p.starter = newStarter()
	if err := p.startStores(ctx); err != nil {
		return err
	}
	if err := p.startServices(ctx); err != nil {
		return err
	}
	p.describe()
	if err := keepAccess(p.opts.data("access.json"), p.Env); err != nil {
		return err
	}
	if p.opts.Seed {
		content, _ := p.seedSteps()
		if err := p.fillIn(ctx, content); err != nil {
			return err
		}
	}
	return p.lock.Announce(p.WebURL)
}

// startStores starts PostgreSQL and Redis, unless the user gave their own, creates both databases, and sets
// p.settings, which depend on their addresses.
func (p *Platform) startStores(ctx context.Context) error {
	secret, err := loadSecrets(p.opts.data("secrets.json"))
	if err != nil {
		return err
	}
	redisURL := p.opts.Env["REDIS_URL"]
	var databases databases
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		server := p.opts.Env["DATABASE_URL"]
		if server == "" {
			if err := p.addPostgres().Start(ctx); err != nil {
				return err
			}
			p.mu.Lock()
			server = p.postgresURL
			p.mu.Unlock()
		}
		databases, err = prepareDatabases(ctx, server, secret.PaymentsDatabase)
		if err != nil {
			return err
		}
		p.say("PostgreSQL is ready")
		if databases.ownerBecause != "" {
			p.say("Warning: the payment service runs as the owner of its database and could change history; allow "+
				"DATABASE_URL's user to create roles (%s)",
				databases.ownerBecause)
		}
		return nil
	})
	both.Go(func() error {
		if redisURL != "" {
			return localredis.AwaitReady(ctx, redisURL)
		}
		redisURL = localredis.URL(p.opts.Ports.Redis)
		if err := os.MkdirAll(p.opts.data("redis"), 0o750); err != nil {
			return fmt.Errorf("make Redis folder: %w", err)
		}
		return p.add(p.redisRow()).Start(ctx)
	})
	if err := both.Wait(); err != nil {
		return err
	}
	p.settings, err = newSettings(p.opts, secret, redisURL, databases)
	return err
}

// startServices migrates the databases, and starts the services, their workers, the sandbox and the edge.
func (p *Platform) startServices(ctx context.Context) error {
	for _, dir := range []string{"media", "sandbox", "seeded"} {
		if err := os.MkdirAll(p.opts.data(dir), 0o750); err != nil {
			return fmt.Errorf("make %s folder: %w", dir, err)
		}
	}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		err := p.migrate(ctx, "content-migrate", []string{p.opts.bin("content"), "migrate"}, p.settings.forContent(""))
		if err == nil {
			err = p.startRows(ctx, p.site())
		}
		return err
	})
	if !p.opts.SiteFirst {
		both.Go(func() error { return p.StartMoney(ctx) })
	}
	if err := both.Wait(); err != nil {
		return err
	}
	p.say("The services are ready")
	return nil
}

// StartMoney migrates the payment service's database while the sandbox starts, and then starts the payment service and its worker.
func (p *Platform) StartMoney(ctx context.Context) error {
	before, beforeCtx := errgroup.WithContext(ctx)
	before.Go(func() error {
		return p.migrate(beforeCtx, "payments-migrate", []string{p.opts.bin("payments"), "migrate"}, p.settings.forPaymentsMigration())
	})
	before.Go(func() error { return p.add(p.sandboxRow()).Start(beforeCtx) })
	if err := before.Wait(); err != nil {
		return err
	}
	return p.startRows(ctx, p.money())
}

// startRows starts processes at once, and returns when all are ready.
func (p *Platform) startRows(ctx context.Context, rows []row) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, r := range rows {
		proc := p.add(r)
		all.Go(func() error { return proc.Start(ctx) })
	}
	return all.Wait()
}

// describe fills in the exported fields.
func (p *Platform) describe() {
	s := p.settings
	p.WebURL = localhost(p.opts.Ports.Web)
	p.ContentURL, p.PaymentsURL, p.SandboxURL, p.MailURL = s.content, s.payments, s.sandbox, s.sandbox+"/mail"
	p.MangopayURL = s.mangopay
	p.Env = maps.Clone(s.common)
	p.Env["CONTENT_URL"], p.Env["PAYMENTS_URL"] = s.content, s.payments
	p.Env["CONTENT_DATABASE_URL"] = s.databases.content
	p.Env["PAYMENTS_DATABASE_URL"] = s.databases.payments
	p.Env["PAYMENTS_SERVICE_DATABASE_URL"] = s.databases.paymentsService
}

// Proc returns a process by its name: postgres, redis, sandbox, content, content-work, payments, payments-work, edge.
// Those that the user's own servers replace do not exist: nil.
func (p *Platform) Proc(name string) *Proc {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, proc := range p.procs {
		if proc.Name == name {
			return proc
		}
	}
	return nil
}

// Wait returns nil when ctx ends, and an error as soon as a process ends that nobody stopped.
func (p *Platform) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case proc := <-p.crashed:
		return fmt.Errorf("%s ended by itself; the end of %s:\n%s", proc.Name, proc.LogFile,
			lastLines(proc.LogFile, errorLines))
	}
}

// Stop ends all processes in the reverse order of their start. A second call returns the first one's answer.
func (p *Platform) Stop() error {
	p.stopOnce.Do(func() { p.stopErr = p.stop() })
	return p.stopErr
}

func (p *Platform) stop() error {
	p.mu.Lock()
	procs := slices.Clone(p.procs)
	p.mu.Unlock()
	var errs []error
	for _, proc := range slices.Backward(procs) {
		errs = append(errs, proc.Stop(context.Background())) // bounded by its own limit; the caller's context has often ended
	}
	if p.guard != nil {
		errs = append(errs, p.guard.stop())
	}
	if p.starter != nil {
		p.starter.close()
	}
	return errors.Join(append(errs, p.lock.Release())...)
}

func (p *Platform) command(name string, args []string, env map[string]string) command {
	return command{name: name, args: args, env: env, logFile: p.opts.data("log", name+".log"), echo: p.echo}
}

func (p *Platform) runToEnd(ctx context.Context, name string, args []string, env map[string]string) error {
	return p.starter.runToEnd(ctx, p.guard, p.command(name, args, env))
}

// migrate runs a service's migrations. When they fail on the embedded server, whose data is only this checkout's, the
// error suggests to delete it.
func (p *Platform) migrate(ctx context.Context, name string, args []string, env map[string]string) error {
	err := p.runToEnd(ctx, name, args, env)
	if err != nil && p.opts.Env["DATABASE_URL"] == "" {
		return fmt.Errorf("%w\nTo begin anew with empty databases, delete %s", err, p.opts.DataDir)
	}
	return err
}

// say prints a line of progress; a failure to write it is ignored.
func (p *Platform) say(format string, args ...any) {
	_, _ = fmt.Fprintf(p.opts.Out, format+"\n", args...)
}
