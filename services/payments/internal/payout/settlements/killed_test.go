package settlements_test

import (
	"context"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
)

// The worker is killed at each of its statements in turn, from the proposal to the creator's bank: no line is booked twice, none is
// missing, and one transfer and one payout are made.
func TestSweep_KilledAtEachStatement(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 100, 50, 30)
			kills, states, r := w.killedOnTheWay(after, func() {
				w.Pass(25 * time.Hour)
				w.RunDue()
			})
			shown := w.want(r.ID, settlements.Paid, "")
			if len(shown.Moves) != 2 || kills < 40 {
				t.Errorf("%d moves after %d kills: %v", len(shown.Moves), kills, states)
			}
			t.Logf("%d kills: %v", kills, states)
			w.WantLedger(map[string]int64{
				"provider_clearing:mangopay:" + w.Wallet.ID: 900, "provider_clearing:mangopay:fees": 900, "platform_revenue": -717, "vat:FI": -183,
				"reserve:mangopay:3": -900,
			})
			w.audit()
		})
	}
}

// killedOnTheWay has a run of the campaign's money be killed at each statement of its worker, before or after it; arrive has its payout reach
// the bank.
func (w *runs) killedOnTheWay(after bool, arrive func()) (kills int, states map[settlements.State]int, r settlements.Run) {
	w.of.T.Helper()
	w.end()
	r = w.approved()
	killer := &paymentstest.Killer{After: after}
	o := w.of.Another(w.of.Now, func(c *app.Config) { c.Tracer = killer }).Settlements.Options
	o.Chunk = 1
	worker := settlements.New(o)
	states = map[settlements.State]int{}
	for range 60 { // steps
		is := w.run(r.ID).Run
		if is.State == settlements.Paid {
			break
		}
		for statement := 1; ; statement++ {
			was := killer.Kill(w.of.T.Context(), statement, func(ctx context.Context) { _, _ = worker.Sweep(ctx) })
			if !was {
				break
			}
			kills++
			states[is.State]++
			w.of.Bury()
			w.of.Pass(3 * time.Minute) // its lease ends
			if w.run(r.ID).State != is.State {
				break // it was done all the same
			}
		}
		if w.run(r.ID).State == settlements.Paying {
			arrive()
		}
	}
	return kills, states, r
}

// The same at provider A.
func TestSweep_AtA_KilledAtEachStatement(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldA(t, 100, 50, 30)
			kills, states, r := w.killedOnTheWay(after, func() { w.runDue(arrives) })
			shown := w.want(r.ID, settlements.Paid, "")
			if len(shown.Moves) != 2 || kills < 40 {
				t.Errorf("%d moves after %d kills: %v", len(shown.Moves), kills, states)
			}
			t.Logf("%d kills: %v", kills, states)
			w.WantLedger(map[string]int64{
				"provider_clearing:stripe:main": 900 + 900 - 345, "provider_fees:stripe": 345, "platform_revenue": -717, "vat:FI": -183, "reserve:stripe:3": -900,
			})
			w.audit()
		})
	}
}
