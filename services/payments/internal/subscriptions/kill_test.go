package subscriptions_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

// killer ends the goroutine at one of the next statements, before it runs or after it took effect.
type killer struct {
	after bool
	left  atomic.Int64 // statements until then; negative for never
}

func (k *killer) count(isAfter bool) {
	if isAfter == k.after && k.left.Load() > 0 && k.left.Add(-1) == 0 {
		runtime.Goexit()
	}
}

func (k *killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	k.count(false)
	return ctx
}

func (k *killer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { k.count(true) }

// Month after month the worker is killed, each time at the next of the statements that a charge takes.
func TestWorker_KilledAtAnyStatement_ChargesEachMonthOnce(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it runs": false, "after it took effect": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &killer{after: after}
			w := paymentstest.New(t, func(c *app.Config) { c.Tracer = k })
			w.LoseWebhooks()
			w.GoTo(noon(anchor))
			id := w.Subscribed(paymentstest.Visa)
			w.Pass(2 * time.Minute)
			w.CheckOpen()
			if err := w.RenewCard(id, 2099, 12); err != nil {
				t.Fatal(err)
			}
			const most = 75
			for statement := 1; ; statement++ {
				period := statement + 1
				w.GoTo(calendar.At(calendar.Period(anchor, period), 9).Add(time.Second))
				k.left.Store(int64(statement))
				done := make(chan struct{})
				go func() {
					defer close(done)
					_ = w.App.Subscriptions.Steps(t.Context())
				}()
				<-done
				wasKilled := k.left.Swap(0) == 0
				w.Pass(2 * time.Minute) // its leases
				w.Settle()
				w.CheckOpen()
				w.Settle()
				wantMonths(w, id, period)
				if n := charges(w); n != period {
					t.Fatalf("killed at statement %d: %d charges in %d months", statement, n, period)
				}
				if !wasKilled {
					break
				}
				if statement == most {
					t.Fatalf("more than %d statements", most)
				}
			}
			w.Audit()
		})
	}
}
