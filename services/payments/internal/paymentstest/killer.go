package paymentstest

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// Killer is a tracer that ends work at one of its statements, before it runs or after it took effect. As with a process, all of the work ends:
// what it does in other goroutines too, there at their next statement.
type Killer struct{ After bool }

// life is a piece of work that a Killer may end; the context of its statements has it.
type life struct {
	left   atomic.Int64 // statements until the end
	isOver atomic.Bool
}

type lifeKey struct{}

// Kill runs fn and ends it at a statement of its, counted from 1. It reports whether fn was ended, and not over before.
func (k *Killer) Kill(ctx context.Context, statement int, fn func(ctx context.Context)) (wasKilled bool) {
	l := &life{}
	l.left.Store(int64(statement))
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn(context.WithValue(ctx, lifeKey{}, l))
	}()
	<-done
	return l.isOver.Load()
}

func (k *Killer) count(ctx context.Context, isAfter bool) {
	l, isKilled := ctx.Value(lifeKey{}).(*life)
	if !isKilled {
		return
	}
	if isAfter == k.After && l.left.Add(-1) == 0 {
		l.isOver.Store(true)
	}
	if l.isOver.Load() {
		runtime.Goexit()
	}
}

// TraceQueryStart counts a statement that is about to run.
func (k *Killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	k.count(ctx, false)
	return ctx
}

// TraceQueryEnd counts a statement that has run.
func (k *Killer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	k.count(ctx, true)
}

// Bury waits until the database has ended what a killed goroutine had open. It hears of that when the connection closes,
// which is a little later than the kill, as with a process; until then rows are locked, and nobody takes them.
func (w *World) Bury() {
	w.T.Helper()
	w.Eventually("the end of open transactions", func() bool {
		return w.Count(`pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`) == 0
	})
}
