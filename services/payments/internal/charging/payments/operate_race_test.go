package payments_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

// People who decide about the same money at the same time, while the worker looks at it: one of them decides, the
// others are told so, and the money goes one way only.
func TestHeldMoney_DecidedByManyAtOnce_GoesOneWay(t *testing.T) {
	t.Parallel()
	for round := range 4 {
		w := paymentstest.New(t)
		one, other := w.Pledge(), w.Pledge()
		w.MustSetup(one)
		w.MustSetup(other)
		charge := outside(w, 5000, map[string]string{"payment_id": ids.New()})
		w.Settle()
		wantHeld(w, "unknown_charge", charge, 5000)
		var holder string
		w.Scan(&holder, `SELECT payment_id FROM attempts WHERE charge_ref = ?`, charge)

		start := make(chan struct{})
		var group sync.WaitGroup
		var done atomic.Int32
		decide := func(fn func() error) {
			group.Go(func() {
				<-start
				switch err := fn(); {
				case err == nil:
					done.Add(1)
				case !payments.IsRefusal(err):
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		decide(func() error { return w.App.Payments.Attach(t.Context(), stripeName, charge, w.PaymentOf(one), aino) })
		decide(func() error { return w.App.Payments.Attach(t.Context(), stripeName, charge, w.PaymentOf(other), aino) })
		decide(func() error { return w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, false, aino) })
		decide(func() error { return w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, true, aino) })
		group.Go(func() {
			<-start
			if _, err := w.App.Payments.Advance(t.Context(), holder, payments.SignalMoneySweep); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		})
		close(start)
		group.Wait()
		w.Settle()

		// A release that came after is no news, but neither a second deed.
		acts := w.Count("operator_actions WHERE action IN ('attach', 'release_held')")
		exits := w.Count("ledger_transactions WHERE kind IN ('held_accepted', 'held_returned')")
		if acts != 1 || exits != 1 || done.Load() < 1 || w.Anomalies("") != 0 {
			t.Errorf("round %d: %d said that it was done, %d acts, %d exits, %d people still called", round, done.Load(), acts,
				exits, w.Anomalies(""))
		}
		w.Audit()
	}
}

// Refunds that are begun, sent and looked at together, by several workers and a dispute between: each is promised once
// and made once.
func TestRefunds_SentByManyAtOnce_ArePromisedAndMadeOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.Paid()
	another := w.Another(w.Now)
	for _, minor := range []int64{700, 800, 900} {
		w.Refund(id, minor, "requested")
	}
	start := make(chan struct{})
	var group sync.WaitGroup
	for _, s := range []*payments.Service{w.App.Payments, another.Payments} {
		for _, work := range []func() error{
			func() error { return s.Tidy(t.Context()) },
			func() error { _, err := s.Advance(t.Context(), id, payments.SignalMoneySweep); return err },
		} {
			group.Go(func() {
				<-start
				if err := work(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Go(func() { <-start; w.DisputeByHand(intent, 1000) })
	close(start)
	group.Wait()
	w.Pass(7 * time.Hour)
	w.Settle()
	w.Audit()
	w.Decide(w.DisputesAt(intent)[0].ID, "won")
	w.Pass(7 * time.Hour)
	w.Settle()
	w.WantBook(paymentstest.Book{Gone: 2400})
	if n := w.Held("refunds"); n != 3 {
		t.Errorf("%d refunds at the provider", n)
	}
	if n := w.Count("refunds WHERE status = 'succeeded'"); n != 3 {
		t.Errorf("%d refunds succeeded", n)
	}
	w.Audit()
}
