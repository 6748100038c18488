//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"talkoot.fi/scripts/harness"
)

const (
	restLimit = 4 * time.Minute        // from the mending to an audit without findings
	tillBreak = 500 * time.Millisecond // from the first pledge to the fault
	// hurryEvery is how often pending retries of the platform are made due while backers wait for them; it is longer
	// than most tries take.
	hurryEvery = 5 * time.Second
)

// perform does one drill from its first pledge to its audit.
func perform(ctx context.Context, r *harness.Harness, o options, d drill) (got result) {
	began := time.Now()
	got.drill = d
	defer func() { got.seconds = time.Since(began).Seconds() }()
	random := rand.New(rand.NewPCG(o.seed, uint64(len(d.name)))) //nolint:gosec // to be repeated, not secret
	if d.own != nil {
		got = d.own(ctx, r, o, d, random)
		return got
	}
	l, err := newLoad(ctx, r, d.name, random)
	if err != nil {
		got.err = err
		return got
	}
	stirred := make(chan struct{})
	if d.renews > 0 {
		if got.renewals, got.err = newRenewals(ctx, l, o.months); got.err != nil {
			return got
		}
		var due int64
		if due, got.err = r.MonthsFallDue(ctx, got.renewals.campaign, d.renews); got.err != nil || due != int64(o.months) {
			got.err = errors.Join(got.err, fmt.Errorf("%d of %d months fall due", due, o.months))
			return got
		}
		go func() {
			defer close(stirred)
			got.renewals.stir(ctx, rand.New(rand.NewPCG(o.seed, 1)), d.renews) //nolint:gosec // to be repeated, not secret
		}()
	} else {
		close(stirred)
	}
	loading, loaded := context.WithCancel(ctx)
	defer loaded()
	broken := make(chan struct{})
	var breakErr error
	go func() {
		defer close(broken)
		if breakErr = pause(ctx, tillBreak); breakErr != nil {
			return
		}
		got.breaks, breakErr = d.disturb(ctx, r, random)
		if breakErr = errors.Join(breakErr, r.Calm(ctx)); breakErr != nil {
			loaded() // what was not mended takes no pledges
		}
	}()
	go l.hurry(loading, broken)
	l.pledge(loading, o.pledges, broken)
	loaded()
	<-broken
	<-stirred
	if got.err = breakErr; got.err != nil {
		return got
	}
	got.tally, got.checks, got.err = settle(ctx, r, l)
	got.soldOut, got.gaveUp = int(l.soldOut.Load()), int(l.gaveUp.Load())
	if d.renews > 0 && got.err == nil {
		got.err = got.renewals.judge(ctx)
	}
	got.err = errors.Join(append(l.faults, got.err)...)
	return got
}

// hurry makes the platform's pending retries due, again and again, from when the fault is mended until no backer
// waits.
func (l *load) hurry(ctx context.Context, mended <-chan struct{}) {
	select {
	case <-ctx.Done():
		return
	case <-mended:
	}
	for ctx.Err() == nil {
		if err := errors.Join(l.harness.MakeDue(ctx), pause(ctx, hurryEvery)); err != nil {
			return // the retries become due by themselves, too
		}
	}
}

// settle waits until the platform knows all money, expires the unpaid pledges, has banks return refunds and decide
// disputes, waits for an audit without findings, and judges how each pledge ended.
func settle(ctx context.Context, r *harness.Harness, l *load) (t tally, checks int, err error) {
	if err := r.AwaitIdle(ctx, restLimit, l.known); err != nil {
		return t, 0, err
	}
	for _, step := range []func(context.Context) error{r.ExpireHolds, l.failRefunds, l.decideDisputes, l.awaitEnd} {
		if err := step(ctx); err != nil {
			return t, 0, err
		}
	}
	report, err := r.AwaitAudit(ctx, restLimit)
	if err != nil {
		return t, 0, err
	}
	t, err = l.judge(ctx)
	return t, report.Checks, err
}

// awaitEnd waits until no pledge and no payment waits for its backer.
func (l *load) awaitEnd(ctx context.Context) error {
	return until(ctx, func(ctx context.Context) error {
		if err := l.banksB(ctx, false); err != nil {
			return err
		}
		waiting, err := harness.Number(ctx, l.harness.Content, `SELECT count(*) FROM pledges WHERE status IN ('created', 'awaiting_payment', 'processing')`)
		if err != nil {
			return err
		}
		open, err := harness.Number(ctx, l.harness.Payments, `SELECT count(*) FROM payments WHERE status IN ('created', 'requires_action', 'processing') AND subject_kind = 'pledge'`)
		if err == nil && waiting+open > 0 {
			err = fmt.Errorf("%d pledges and %d payments wait for ever", waiting, open)
		}
		return err
	})
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
