package app

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/reconcile"
	"talkoot.fi/payments/internal/webhooks"
)

// keepKeys is how long idempotency keys of callers are kept.
const keepKeys = 48 * time.Hour

// Work runs the worker until ctx ends: the queue's tasks, and the sweepers that do the same from what PostgreSQL says
// when the queue has lost something or is away.
func (a *App) Work(ctx context.Context) error {
	tasks, err := a.Tasks()
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return tasks.Run(ctx) })
	group.Go(func() error { return a.nudger.Run(ctx) })
	group.Go(func() error { return a.Relay.Run(ctx) })
	group.Go(func() error { return a.Reconcile.Schedule(ctx, a.queue) })
	for _, s := range a.sweeps() {
		group.Go(func() error { return jobs.Every(ctx, a.log, s) })
	}
	if a.config.WorkAddr != "" {
		group.Go(func() error { return httpx.Run(ctx, a.newEcho(), a.config.WorkAddr) })
	}
	return group.Wait()
}

// Tasks is the server of the queue with every task's work.
func (a *App) Tasks() (*jobs.Server, error) {
	tasks := jobs.NewServer(a.redis, jobs.ServerConfig{Concurrency: a.config.WorkConcurrency}, a.log)
	return tasks, errors.Join(
		webhooks.Drain().Handle(tasks, func(ctx context.Context, _ struct{}) error { return a.Webhooks.Drain(ctx) }),
		pledges.Tidy().Handle(tasks, func(ctx context.Context, _ struct{}) error { return a.Pledges.Tidy(ctx) }),
		events.Deliver().Handle(tasks, func(context.Context, struct{}) error { a.Relay.Nudge(); return nil }),
		pledges.MakePages().Handle(tasks, func(ctx context.Context, j pledges.PageJob) error { return a.Pledges.MakePage(ctx, j.AttemptID) }),
		reconcile.Intents().Handle(tasks, a.Reconcile.RunIntents),
		reconcile.Ledger().Handle(tasks, a.Reconcile.RunLedger),
	)
}

func (a *App) sweeps() []jobs.Sweep {
	often := a.config.SweepEvery
	return []jobs.Sweep{
		{Name: "webhooks", Interval: often, Work: a.Webhooks.Drain},
		{Name: "tidy", Interval: often, Work: a.Pledges.Tidy},
		{Name: "open payments", Interval: 2 * often, Work: a.Pledges.CheckOpen},
		{Name: "lapsed payments", Interval: 2 * often, Work: a.Pledges.CloseLapsed},
		{Name: "old rows", Interval: time.Hour, Work: func(ctx context.Context) error {
			_, err := idem.Prune(ctx, a.DB, a.now().Add(-keepKeys))
			return errors.Join(err, a.Webhooks.Prune(ctx))
		}},
	}
}
