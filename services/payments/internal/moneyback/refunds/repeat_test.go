package refunds_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

var aino = payments.Operator{Actor: "aino", Note: "the card was closed"}

// failed is a payment whose automatic refund did not reach the backer, and that refund.
func failed(w *paymentstest.World) (pledge, refundID string) {
	w.T.Helper()
	pledge = w.Pledge()
	w.Outcome(pledge, contentclient.EventOutcomeOutcomeRewardGone)
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Pass(24 * time.Hour)
	w.FailRefund()
	w.Settle()
	w.Scan(&refundID, `SELECT id FROM refunds WHERE status = 'failed' AND owed`)
	if refundID == "" || w.Anomalies("refund_failed") != 1 {
		w.T.Fatalf("no refund has failed")
	}
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
		"provider_fees:stripe": paymentstest.Fee, "owed_to_backers:stripe": -5000})
	w.Audit()
	return pledge, refundID
}

func TestRepeatRefund_OfAnAutomaticOne_OnceHoweverOftenItIsAsked(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id := failed(w)
	var mu sync.Mutex
	next := map[string]bool{}
	repeat := func() {
		r, err := w.App.Payments.RepeatRefund(t.Context(), id, aino)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		next[r.ID] = true
	}
	start := make(chan struct{})
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() { <-start; repeat() })
	}
	close(start)
	group.Wait()
	w.Settle()
	repeat()
	w.Settle()
	if len(next) != 1 || next[id] || w.Held("refunds") != 2 {
		t.Errorf("%d rows took its place, %d refunds at the provider", len(next), w.Held("refunds"))
	}
	if n := w.Count("refunds WHERE id = ? AND status = 'repeated' AND NOT owed", id) +
		w.Count("refunds WHERE repeats = ? AND status = 'succeeded' AND reason = 'reward_gone' AND actor = 'aino'",
			id); n != 2 {
		t.Error("the failed one is not repeated, or the other did not succeed")
	}
	if n := w.Count("operator_actions WHERE action = 'refund_repeat' AND actor = ? AND note = ?", aino.Actor,
		aino.Note); n != 1 {
		t.Errorf("%d acts are kept", n)
	}
	if n := w.Count("anomalies WHERE kind = 'refund_failed' AND resolved_by = ? AND note = ?", aino.Actor,
		aino.Note); n != 1 {
		t.Errorf("%d anomalies are settled", n)
	}
	w.WantStatus(pledge, "refunded")
	w.WantHeard(pledge, "started", "succeeded", "refunded")
	w.WantBook(paymentstest.Book{Gone: 5000})
	w.Audit()
}

// The one that took a failed one's place may fail too, and is repeated by another.
func TestRepeatRefund_ThatFailsAgain_CanBeRepeated(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id := failed(w)
	second, err := w.App.Payments.RepeatRefund(t.Context(), id, aino)
	if err != nil {
		t.Fatal(err)
	}
	w.Settle()
	for _, r := range w.Sandbox.Snapshot().Refunds {
		if r.Status == "succeeded" {
			if _, err := w.Sandbox.FailRefund(sandbox.RefundFailure{Refund: r.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Settle()
	if n := w.Anomalies("refund_failed"); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	w.Audit()
	if _, err := w.App.Payments.RepeatRefund(t.Context(), second.ID, aino); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	if n := w.Anomalies(""); n != 0 || w.Held("refunds") != 3 {
		t.Errorf("%d anomalies, %d refunds", n, w.Held("refunds"))
	}
	w.WantBook(paymentstest.Book{Gone: 5000})
	w.Audit()
}

func TestRepeatRefund_OfOneThatHasNotFailed_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, payment, _ := w.Paid()
	w.Refund(payment, 0, refunds.Requested)
	w.Settle()
	var id string
	w.Scan(&id, `SELECT id FROM refunds`)
	if _, err := w.App.Payments.RepeatRefund(t.Context(), id, aino); !errors.Is(err, refunds.ErrNotFailed) ||
		!payments.IsRefusal(err) {
		t.Errorf("repeating gave %v", err)
	}
	if err := w.App.Payments.RefundPaidByHand(t.Context(), id, aino); !errors.Is(err, refunds.ErrNotFailed) {
		t.Errorf("paying by hand gave %v", err)
	}
	if _, err := w.App.Payments.RepeatRefund(t.Context(), id, payments.Operator{Actor: "aino"}); !errors.Is(err,
		payments.ErrOperator) {
		t.Errorf("without a note: %v", err)
	}
	if n := w.Count("operator_actions"); n != 0 {
		t.Errorf("%d acts are kept", n)
	}
}

func TestRefundPaidByHand_SettlesAFailedOne_Once(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id := failed(w)
	for range 2 {
		if err := w.App.Payments.RefundPaidByHand(t.Context(), id, aino); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
			"provider_fees:stripe": paymentstest.Fee, "bank": -5000})
		if n := w.Count("refunds WHERE status = 'by_hand' AND NOT owed AND actor = 'aino'"); n != 1 ||
			w.Count("refunds") != 1 {
			t.Errorf("%d of %d refunds are by hand", n, w.Count("refunds"))
		}
		if n := w.Count("operator_actions WHERE action = 'refund_by_hand' AND actor = 'aino' AND note <> ''"); n != 1 {
			t.Errorf("%d acts are kept", n)
		}
		if n := w.Count("anomalies WHERE kind = 'refund_failed' AND resolved_by = 'aino' AND note = ?", aino.Note); n != 1 {
			t.Errorf("%d anomalies are settled", n)
		}
		w.WantStatus(pledge, "refunded")
		w.WantHeard(pledge, "started", "succeeded", "refunded")
		w.Audit()
	}
	if _, err := w.App.Payments.RepeatRefund(t.Context(), id, aino); !errors.Is(err, refunds.ErrNotFailed) {
		t.Errorf("repeating what was paid by hand gave %v", err)
	}
}

// While the provider does not take a refund it is asked less and less often, a person is called when that goes on, and
// not needed any more when it is taken.
func TestRefund_ThatTheProviderDoesNotTake_CallsAPersonUntilItDoes(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"500", "429", "500_stored"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, id, _ := w.Paid()
			w.Fault(kind, 1000, "POST", "/v1/refunds")
			w.Refund(id, 0, refunds.RewardGone)
			first, last := time.Duration(0), time.Duration(0)
			for try := 1; try <= 9; try++ {
				w.Tidy()
				var next time.Time
				w.Scan(&next, `SELECT next_check_at FROM refunds`)
				pause := next.Sub(w.Now())
				if pause < last-time.Second || pause > time.Hour+time.Minute {
					t.Errorf("pause %d is %s after %s", try, pause, last)
				}
				if try == 1 {
					first = pause
				}
				if n := w.Anomalies("refund_stuck"); (n == 1) != (try >= 6) {
					t.Errorf("%d anomalies after %d tries", n, try)
				}
				last = pause
				w.Pass(pause)
			}
			if last < 30*first {
				t.Errorf("the pauses grew from %s to %s only", first, last)
			}
			if n := w.Count("refunds WHERE status = 'creating' AND owed"); n != 1 {
				t.Errorf("%d refunds wait", n)
			}
			w.Control("calm", `{}`)
			w.Eventually("the circuit breaker to close and the refund to be taken", func() bool {
				w.Pass(time.Hour + time.Minute)
				w.Settle()
				return w.Count("refunds WHERE status = 'succeeded'") == 1
			})
			if n := w.Count("anomalies WHERE kind = 'refund_stuck' AND resolved_by = 'service'"); n != 1 ||
				w.Anomalies("") != 0 || w.Held("refunds") != 1 {
				t.Errorf("%d anomalies are mended, %d refunds made", n, w.Held("refunds"))
			}
			w.WantStatus(pledge, "refunded")
			w.WantHeard(pledge, "started", "succeeded", "refunded")
			w.WantBook(paymentstest.Book{Gone: 5000})
			w.Audit()
		})
	}
}

func TestRefund_SaysWhetherItBeganOne(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, _ := w.Paid()
	seen := map[string]bool{}
	for _, c := range []struct {
		wish  refunds.Wish
		isNew bool
		err   error
	}{
		{refunds.Wish{AmountMinor: 1000, Reason: refunds.Requested, Key: "one"}, true, nil},
		{refunds.Wish{AmountMinor: 1000, Reason: refunds.Requested, Key: "one"}, false, nil},
		{refunds.Wish{AmountMinor: 2000, Reason: refunds.Requested, Key: "one"}, false, refunds.ErrKey},
		{refunds.Wish{Reason: refunds.Requested, Key: "one"}, false, refunds.ErrKey}, // all that is left
		{refunds.Wish{AmountMinor: 1000, Reason: refunds.Requested}, true, nil},
		{refunds.Wish{AmountMinor: 9000, Reason: refunds.Requested}, false, refunds.ErrExceeds},
		{refunds.Wish{Reason: refunds.PledgeClosed}, true, nil},
		{refunds.Wish{Reason: refunds.PledgeClosed}, false, nil},
		{refunds.Wish{Reason: refunds.Requested, Key: "two"}, false, refunds.ErrNothingLeft},
		{refunds.Wish{Reason: refunds.Requested}, false, refunds.ErrNothingLeft},
	} {
		r, isNew, err := w.App.Payments.Refund(t.Context(), id, c.wish)
		if isNew != c.isNew || !errors.Is(err, c.err) || err == nil && seen[r.ID] == isNew {
			t.Errorf("%+v: %s, %t, %v", c.wish, r.ID, isNew, err)
		}
		seen[r.ID] = true
	}
	w.Settle()
	w.WantBook(paymentstest.Book{Gone: 5000})
	if n := w.Held("refunds"); n != 3 {
		t.Errorf("%d refunds at the provider", n)
	}
	w.Audit()
}
