package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/watching/reconcile"
	"talkoot.fi/payments/internal/watching/webhooks"
)

// keepKeys is how long idempotency keys of callers are kept.
const keepKeys = 48 * time.Hour

// keepHooksEvery is how often a worker makes sure that the providers tell us of their events.
const keepHooksEvery = 10 * time.Minute

// Work runs the worker until ctx ends: the queue's tasks, and the loops and sweepers that do the work from what
// PostgreSQL says, woken by the queue or, when it has lost something or is away, by themselves.
func (a *App) Work(ctx context.Context) error {
	if err := a.CheckAccounts(ctx); err != nil {
		return err
	}
	tasks, err := a.tasks(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return tasks.Run(ctx) })
	group.Go(func() error { return a.Relay.Run(ctx) })
	group.Go(func() error { return a.Forgets.Run(ctx) })
	group.Go(func() error { return a.Webhooks.Run(ctx, a.drain, a.config.SweepEvery) })
	group.Go(func() error { return a.runTidy(ctx) })
	group.Go(func() error { return a.Subscriptions.Run(ctx, a.steps, a.config.SweepEvery) })
	group.Go(func() error { return a.Reconcile.Schedule(ctx, a.queue) })
	for _, s := range a.sweeps() {
		group.Go(func() error { return jobs.Every(ctx, a.log, s) })
	}
	if a.config.WorkAddr != "" {
		group.Go(func() error {
			e, err := a.newEcho(httpx.Security{}, a.stateOfWork(), a.stateOfProviders())
			if err != nil {
				return err
			}
			return httpx.Run(ctx, e, a.config.WorkAddr, 0)
		})
	}
	return group.Wait()
}

func (a *App) runTidy(ctx context.Context) error {
	for a.tidy.Wait(ctx, a.config.SweepEvery) {
		if err := a.Payments.Tidy(ctx); err != nil && ctx.Err() == nil {
			a.log.ErrorContext(ctx, "attempts and refunds wait", "error", err)
		}
	}
	return nil
}

// tasks is the server of the queue with every task's work. Most tasks only wake a loop. The passes over the provider's
// lists last longer than a stop may, so they end when stop does and are begun anew.
func (a *App) tasks(stop context.Context) (*jobs.Server, error) {
	tasks := jobs.NewServer(a.redis, jobs.ServerConfig{Concurrency: a.config.WorkConcurrency}, a.log)
	wake := func(wake func()) func(context.Context, struct{}) error {
		return func(context.Context, struct{}) error { wake(); return nil }
	}
	return tasks, errors.Join(
		webhooks.Drain().Handle(tasks, wake(a.drain.Wake)),
		payments.Tidy().Handle(tasks, wake(a.tidy.Wake)),
		subscriptions.Steps().Handle(tasks, wake(a.steps.Wake)),
		events.Deliver().Handle(tasks, wake(a.Relay.Wake)),
		payments.MakePages().Handle(tasks, func(ctx context.Context,
			j payments.PageJob) error {
			return a.Payments.MakePage(ctx, j.AttemptID)
		}),
		reconcile.Recent().Handle(tasks, until(stop, a.Reconcile.RunRecent)),
		reconcile.Ledger().Handle(tasks, until(stop, a.Reconcile.RunLedger)),
	)
}

// until ends the work also when stop ends.
func until(stop context.Context,
	work func(context.Context, reconcile.Pass) error) func(context.Context, reconcile.Pass) error {
	return func(ctx context.Context, p reconcile.Pass) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stop, cancel)()
		return work(ctx, p)
	}
}

// KeepHooks has every provider where hooks are made by calls tell us of its events. It is one of the sweeps, because a provider may disable
// hooks while we are away.
func (a *App) KeepHooks(ctx context.Context) error {
	var faults []error
	for name, p := range a.Providers {
		keeper, can := p.(interface {
			KeepHooks(ctx context.Context) error
		})
		if !can {
			continue
		}
		if err := keeper.KeepHooks(ctx); err != nil {
			faults = append(faults, fmt.Errorf("hooks of %s: %w", name, err))
		}
	}
	return errors.Join(faults...)
}

// tellStranded tells of payments that wait at providers that have been off for a while.
func (a *App) tellStranded(ctx context.Context) error {
	off, err := a.Routes.OffSince(ctx, a.DB, a.now().Add(-payments.StrandedAfter))
	return errors.Join(err, a.Payments.TellStranded(ctx, off))
}

// KeepBook seals the days of the book that are over, and closes accounts that have so many entries behind their last closing.
func (a *App) KeepBook(ctx context.Context, closeEvery int64) error {
	sealed := jobs.UntilNone(func(ctx context.Context) (int, error) { return ledger.SealNext(ctx, a.DB, a.now()) })(ctx)
	_, err := ledger.CloseAccounts(ctx, a.DB, closeEvery, a.now())
	return errors.Join(sealed, err)
}

func (a *App) sweeps() []jobs.Sweep {
	often := a.config.SweepEvery
	return []jobs.Sweep{
		{Name: "open payments", Interval: 2 * often, Work: a.Payments.CheckOpen},
		{Name: "hooks", Interval: keepHooksEvery, Work: a.KeepHooks},
		{Name: "lapsed payments", Interval: 2 * often, Work: a.Payments.CloseLapsed},
		{Name: "stranded payments", Interval: 4 * often, Work: a.tellStranded},
		{Name: "runs of refunds", Interval: often, Work: jobs.UntilNone(a.Endings.Sweep)},
		{Name: "settlement runs", Interval: often, Work: jobs.UntilNone(a.Settlements.Sweep)},
		{Name: "what was left out of runs", Interval: 10 * time.Minute, Work: a.Settlements.ProposeLeftOut},
		{Name: "what was kept back", Interval: 10 * time.Minute, Work: jobs.UntilNone(a.Settlements.SweepReserves)},
		{Name: "creators' accounts", Interval: 10 * time.Minute, Work: a.Payees.Sweep},
		{Name: "tax data", Interval: time.Hour, Work: a.TaxData.Sweep},
		{Name: "days of the book", Interval: time.Minute, Work: func(ctx context.Context) error { return a.KeepBook(ctx, ledger.CloseEvery) }},
		{Name: "old rows", Interval: time.Hour, Work: func(ctx context.Context) error {
			_, err := idem.Prune(ctx, a.DB, a.now().Add(-keepKeys))
			return errors.Join(err, a.Webhooks.Prune(ctx), a.Payments.PruneClosed(ctx), a.Payments.PruneErased(ctx), disputes.PruneEvidence(ctx, a.DB), vault.ForgetPaid(ctx, a.DB),
				vault.Prune(ctx, a.DB, a.now()), a.TaxData.Prune(ctx))
		}},
	}
}
