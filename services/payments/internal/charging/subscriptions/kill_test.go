package subscriptions_test

import (
	"context"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

// A merge that is cut leaves no month out of the sight of the limit that stays: payments go before their subscription.
func TestMerge_CutAtAnyStatement_HidesNoPayment(t *testing.T) {
	t.Parallel()
	k := &paymentstest.Killer{After: true}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer = k })
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(21))
	for statement, wasKilled := 1, true; wasKilled; statement++ {
		wasKilled = k.Kill(t.Context(), statement, func(ctx context.Context) { _ = w.App.Subscriptions.MergePayers(ctx, 21, 22, []string{id}, w.Now()) })
		w.Bury()
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
			k := &paymentstest.Killer{After: after}
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
				wasKilled := k.Kill(t.Context(), statement, func(ctx context.Context) { _ = w.App.Subscriptions.Steps(ctx) })
				w.Bury()
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
