//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/scripts/rig"
)

const (
	restLimit = 4 * time.Minute // from the mending to books in order
	tillBreak = 500 * time.Millisecond
)

// tally counts how the pledges of a drill ended.
type tally struct {
	accepted, paid, expired, soldOut, gaveUp int
}

// perform does one drill from its first pledge to its audit.
func perform(ctx context.Context, r *rig.Rig, o options, d drill) (got result) {
	began := time.Now()
	got.drill = d
	defer func() { got.seconds = time.Since(began).Seconds() }()
	random := rand.New(rand.NewPCG(o.seed, uint64(len(d.name)))) //nolint:gosec // to be repeated, not secret
	l, err := newLoad(ctx, r, d.name, random)
	if err != nil {
		got.err = err
		return got
	}
	broken := make(chan struct{})
	var breakErr error
	go func() {
		defer close(broken)
		if breakErr = pause(ctx, tillBreak); breakErr != nil {
			return
		}
		got.breaks, breakErr = d.disturb(ctx, r, random)
		breakErr = errors.Join(breakErr, r.Calm(ctx))
	}()
	l.pledge(ctx, o.pledges, broken)
	<-broken
	if got.err = breakErr; got.err != nil {
		return got
	}
	got.tally, got.checks, got.err = settle(ctx, r, l)
	got.soldOut, got.gaveUp = int(l.soldOut.Load()), int(l.gaveUp.Load())
	got.err = errors.Join(append(l.faults, got.err)...)
	return got
}

// settle waits until the books are in order, lets the unpaid pledges lapse, and looks at how each one ended.
func settle(ctx context.Context, r *rig.Rig, l *load) (t tally, checks int, err error) {
	if _, err := r.Rest(ctx, restLimit); err != nil {
		return t, 0, err
	}
	if err := r.LetHoldsLapse(ctx); err != nil {
		return t, 0, err
	}
	if err := awaitEnd(ctx, r); err != nil {
		return t, 0, err
	}
	report, err := r.Rest(ctx, restLimit)
	if err != nil {
		return t, 0, err
	}
	t, err = l.judge(ctx)
	return t, report.Checks, err
}

// awaitEnd waits until no pledge and no payment waits for its backer.
func awaitEnd(ctx context.Context, r *rig.Rig) error {
	ctx, cancel := context.WithTimeout(ctx, restLimit)
	defer cancel()
	for {
		waiting, err := rig.Number(ctx, r.Content, `SELECT count(*) FROM pledges WHERE status IN ('created', 'awaiting_payment', 'processing')`)
		if err != nil {
			return err
		}
		open, err := rig.Number(ctx, r.Payments, `SELECT count(*) FROM payments WHERE status IN ('created', 'requires_action', 'processing')`)
		if err != nil {
			return err
		}
		if waiting+open == 0 {
			return nil
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return fmt.Errorf("%d pledges and %d payments wait for ever: %w", waiting, open, err)
		}
	}
}

// judge holds how each pledge ended against what its backer was told.
func (l *load) judge(ctx context.Context) (t tally, err error) {
	ids := make([]string, len(l.pledges))
	for i, p := range l.pledges {
		ids[i] = p.id
	}
	rows, err := l.rig.Content.Query(ctx, `SELECT id, status FROM pledges WHERE id = ANY ($1)`, ids)
	if err != nil {
		return t, fmt.Errorf("read how pledges ended: %w", err)
	}
	ended := map[string]string{}
	var id, status string
	if _, err := pgx.ForEachRow(rows, []any{&id, &status}, func() error { ended[id] = status; return nil }); err != nil {
		return t, fmt.Errorf("read how pledges ended: %w", err)
	}
	var faults []error
	for _, p := range l.pledges {
		t.accepted++
		switch status := ended[p.id]; {
		case status == "paid" && (p.taken || p.lost):
			t.paid++
		case status == "expired" && !p.taken:
			t.expired++
		default:
			faults = append(faults, fmt.Errorf("pledge %s is %q, card taken: %t", p.id, status, p.taken))
		}
	}
	return t, errors.Join(faults...)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
