package reconcile_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/reconcile"
	sandbox "talkoot.fi/sandbox/stripe"
)

// foreign is another system on the same account at the provider, taking 7 euros.
func foreign(w *paymentstest.World) {
	w.T.Helper()
	if _, err := w.Sandbox.MakePayment(sandbox.OutsidePayment{Amount: 700}); err != nil {
		w.T.Fatal(err)
	}
}

// We had taken the attempt for over, and no webhook tells of its money.
func TestReconciliation_FindsMoneyOnAnAttemptThatWeGaveUp(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Exec(`UPDATE attempts SET status = 'canceled'`)
	w.MustPay(a)
	w.Reconcile()
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if found := w.Reconcile(); found != (reconcile.Found{}) {
		t.Errorf("the next pass found %+v", found)
	}
	w.Audit()
}

// An open intent that nobody may pay is found again until it is ended, also when the first time came to nothing.
func TestReconciliation_EndsAnOpenIntentThatWasGivenUp(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Settle()
	w.Exec(`UPDATE attempts SET status = 'abandoned', object_ref = NULL, money_ref = NULL`) // its answer was lost, its key burned
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		return paymentstest.IsCall(r, http.MethodPost, "/v1/payment_intents/") && paymentstest.Refuse(rw, http.StatusInternalServerError, `{"type":"api_error"}`)
	}, nil)
	w.Reconcile()
	b.Set(nil, nil)
	w.Reconcile()
	var intent struct{ Status string }
	if w.At("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID, &intent); intent.Status != "canceled" {
		t.Errorf("the intent is %s", intent.Status)
	}
}

// After workers stood still for days, the next comparison covers the time since the last one.
func TestReconciliation_AfterALongStop_LeavesNoGap(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Compare()
	w.Pass(time.Hour)
	foreign(w)
	w.Pass(72 * time.Hour)
	w.Compare()
	var seen int
	w.Scan(&seen, `SELECT foreign_count FROM reconcile_runs ORDER BY started_at DESC LIMIT 1`)
	if seen != 2 { // the charge and its fee
		t.Errorf("%d movements of the gap were seen", seen)
	}
}

// A refund that no webhook told of is found in the provider's list, however old its payment is, and what differs no
// more is not looked at again.
func TestReconciliation_FindsARefundThatNobodyToldUsAbout(t *testing.T) {
	t.Parallel()
	for name, pass := range map[string]func(w *paymentstest.World){
		"every few minutes": func(w *paymentstest.World) {
			if err := w.App.Reconcile.RunRecent(w.T.Context(), reconcile.Pass{Provider: "stripe", Slot: "s", To: w.Now().UTC()}); err != nil {
				w.T.Fatal(err)
			}
		},
		"daily, before it compares": func(w *paymentstest.World) {
			w.Pass(5 * time.Hour)
			w.Compare()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, _, intent := w.Paid()
			w.Pass(72 * time.Hour)
			w.LoseWebhooks()
			w.RefundByHand(intent, 5000)
			pass(w)
			w.Settle()
			w.WantStatus(pledge, "refunded")
			w.WantHeard(pledge, "started", "succeeded", "refunded")
			if found := w.Reconcile(); found != (reconcile.Found{}) {
				t.Errorf("the next pass found %+v", found)
			}
			if n := w.Count("anomalies"); n != 0 {
				t.Errorf("%d anomalies", n)
			}
			w.Audit()
		})
	}
}

// A difference whose cause was in the way of the pass that found it, and is gone by one that does not look back so far.
func TestReconciliation_ClosesADifferenceThatWasTakenUpSince_HoweverOldItIs(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, intent := w.Paid()
	w.Compare()
	w.LoseWebhooks()
	w.RefundByHand(intent, 5000)
	w.Fault("403", 2, http.MethodGet, "/v1/payment_intents/") // the look at the refund, and that at its line
	w.Pass(time.Hour)
	w.Compare()
	if n := w.Count("anomalies WHERE kind = 'ledger_difference' AND resolved_at IS NULL"); n == 0 {
		t.Fatal("nothing differs")
	}
	w.Pass(90 * 24 * time.Hour)
	if _, err := w.App.Payments.Advance(t.Context(), w.PaymentOf(pledge), payments.SignalMoneySweep); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Compare()
	if n := w.Count("anomalies WHERE resolved_at IS NULL"); n != 0 {
		t.Errorf("%d anomalies are open", n)
	}
	w.Audit()
}

// What a pass after a long stop could not take up is tried again by the next, though it is older than the days that are
// looked at otherwise.
func TestReconciliation_TriesAgainWhatItCouldNotTakeUp(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, intent := w.Paid()
	w.Compare()
	w.LoseWebhooks()
	w.Pass(10 * time.Minute)
	w.RefundByHand(intent, 5000)
	w.Pass(80 * time.Hour)
	w.Fault("403", 2, http.MethodGet, "/v1/payment_intents/") // the look at the refund, and that at its line
	w.Compare()
	if n := w.Count("anomalies WHERE kind = 'ledger_difference' AND resolved_at IS NULL"); n == 0 {
		t.Fatal("nothing differs")
	}
	w.Pass(24 * time.Hour)
	w.Compare()
	w.Settle()
	w.WantStatus(pledge, "refunded")
	if n := w.Count("anomalies WHERE resolved_at IS NULL"); n != 0 {
		t.Errorf("%d anomalies are open", n)
	}
	w.Audit()
}

// A refund that fails long after it was made, untold.
func TestReconciliation_FindsARefundThatFailed(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Confirm(a, "pm_card_refundFail")
	w.Payment(pledge)
	w.RefundByHand(a.Stripe.PaymentIntent.ID, 5000)
	for range 2 {
		w.Reconcile()
		w.Control("clock", `{"advance_seconds":11}`)
		w.Eventually("the provider to act", func() bool {
			var list struct{ Data []struct{ Status string } }
			w.At("/v1/refunds", &list)
			return len(list.Data) == 1 && list.Data[0].Status == "failed"
		})
	}
	if n := w.Count("anomalies WHERE kind = 'refund_failed'"); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	w.Audit()
}

// One that was opened long ago is decided untold, shortly before the daily comparison: that is no difference.
func TestReconciliation_DisputeDecidedSinceItWasAskedAbout_CallsNobody(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	w.Settle()
	w.LoseWebhooks()
	w.Pass(60 * 24 * time.Hour)
	w.Settle()
	w.Decide(dispute, "won")
	w.Pass(time.Hour)
	w.Compare()
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if n := w.Count("anomalies"); n != 0 {
		t.Errorf("%d anomalies", n)
	}
	w.Audit()
}
