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

// bury waits until the database has ended what a killed goroutine had open. It hears of that when the connection closes,
// which is a little later than the kill, as with a process; until then rows are locked, and nobody takes them.
func bury(w *paymentstest.World) {
	w.T.Helper()
	w.Eventually("the end of open transactions", func() bool {
		return w.Count(`pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`) == 0
	})
}

// A merge that is cut leaves no month out of the sight of the limit that stays: payments go before their subscription.
func TestMerge_CutAtAnyStatement_HidesNoPayment(t *testing.T) {
	t.Parallel()
	k := &killer{after: true}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer = k })
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(21))
	for statement, wasKilled := 1, true; wasKilled; statement++ {
		k.left.Store(int64(statement))
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = w.App.Subscriptions.MergePayers(t.Context(), 21, 22, []string{id}, w.Now())
		}()
		<-done
		wasKilled = k.left.Swap(0) == 0
		bury(w)
		if n := w.Count(`payments p JOIN subscriptions s ON s.id = p.subject_id WHERE s.backer_user_id = 22 AND p.backer_user_id IS DISTINCT FROM 22`); n != 0 {
			t.Fatalf("cut at statement %d: %d payments are hidden", statement, n)
		}
	}
	if n := w.Count(`subscriptions WHERE backer_user_id = 22`); n != 1 {
		t.Error("the subscription has not moved")
	}
	w.Audit()
}

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
				bury(w)
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
