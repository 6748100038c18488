package paymentstest

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// Killer is a tracer that ends the goroutine at one of the next statements, before it runs or after it took effect.
type Killer struct {
	After bool
	left  atomic.Int64 // statements until then; 0 for never
}

// Kill runs fn and ends it at a statement of its, counted from 1. It reports whether fn was ended, and not over before.
func (k *Killer) Kill(statement int, fn func()) (wasKilled bool) {
	k.left.Store(int64(statement))
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	<-done
	return k.left.Swap(0) == 0
}

func (k *Killer) count(isAfter bool) {
	if isAfter == k.After && k.left.Load() > 0 && k.left.Add(-1) == 0 {
		runtime.Goexit()
	}
}

// TraceQueryStart counts a statement that is about to run.
func (k *Killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	k.count(false)
	return ctx
}

// TraceQueryEnd counts a statement that has run.
func (k *Killer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { k.count(true) }

// Bury waits until the database has ended what a killed goroutine had open. It hears of that when the connection closes,
// which is a little later than the kill, as with a process; until then rows are locked, and nobody takes them.
func (w *World) Bury() {
	w.T.Helper()
	w.Eventually("the end of open transactions", func() bool {
		return w.Count(`pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`) == 0
	})
}
