package refunds_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestRefund_InParts_AddsUp(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, _ := w.Paid()
	for _, step := range []struct {
		minor  int64
		status string
	}{{2000, "partly_refunded"}, {1000, "partly_refunded"}, {0, "refunded"}} {
		w.Refund(id, step.minor, refunds.Requested)
		w.Settle()
		w.WantStatus(pledge, step.status)
	}
	w.WantHeard(pledge, "started", "succeeded", "refunded", "refunded", "refunded")
	var totals []int64
	for _, e := range w.Content.Heard(pledge)[2:] {
		totals = append(totals, *e.AmountRefundedMinor)
	}
	if totals[0] != 2000 || totals[1] != 3000 || totals[2] != 5000 {
		t.Errorf("content heard the totals %v", totals)
	}
	if _, _, err := w.App.Payments.Refund(t.Context(), id,
		refunds.Wish{AmountMinor: 1, Reason: refunds.Requested}); !errors.Is(err, refunds.ErrExceeds) {
		t.Errorf("refunding more than was paid: %v", err)
	}
	w.Audit()
}

func TestRefund_OfNothingPaid_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	a := w.MustSetup(w.Pledge())
	if _, _, err := w.App.Payments.Refund(t.Context(), a.Payment.ID, refunds.Wish{Reason: refunds.Requested}); !errors.Is(
		err, payments.ErrNothingPaid) {
		t.Errorf("got %v", err)
	}
}

func TestRefund_ProviderStumbles_MadeOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"429", "500", "500_stored", "503", "cut_before", "cut_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, id, _ := w.Paid()
			w.Control("faults", `{"kind":"`+kind+`","times":1,"method":"POST","path":"/v1/refunds"}`)
			for range 2 { // the same cause twice
				w.Refund(id, 0, refunds.RewardGone)
			}
			w.Settle()
			w.Pass(2 * time.Minute)
			w.Settle()
			w.WantStatus(pledge, "refunded")
			if n := w.Held("refunds"); n != 1 {
				t.Errorf("%d refunds at the provider", n)
			}
			w.WantHeard(pledge, "started", "succeeded", "refunded")
			w.Audit()
		})
	}
}

func TestRefund_PendingThenSettled(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Confirm(a, "pm_card_pendingRefund")
	w.Settle()
	w.Refund(a.Payment.ID, 0, refunds.Requested)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.SettleRefundsAtProvider()
	w.WantStatus(pledge, "refunded")
	w.WantHeard(pledge, "started", "succeeded", "refunded")
	w.Audit()
}

func TestRefund_ThatFails_CallsAPersonAndTheBookKnows(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Confirm(a, "pm_card_refundFail")
	w.Settle()
	w.Refund(a.Payment.ID, 0, refunds.Requested)
	w.Settle()
	w.Control("clock", `{"advance_seconds":11}`)
	w.Eventually("the refund to fail", func() bool {
		w.Settle()
		return w.Count("refunds WHERE status = 'failed'") == 1
	})
	if n := w.Count("anomalies WHERE kind = 'refund_failed'"); n != 1 || w.Anomalies("") != 1 {
		t.Errorf("%d anomalies", n)
	}
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
		"provider_fees:stripe": paymentstest.Fee, "owed_to_backers:stripe": -5000})
	w.Audit()
}

func TestRefund_MadeByHandAtTheProvider_IsTakenIn(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, intent := w.Paid()
	w.RefundByHand(intent, 1500)
	w.Settle()
	w.WantStatus(pledge, "partly_refunded")
	w.WantHeard(pledge, "started", "succeeded", "refunded")
	w.Audit()
}

// The money came and went before anybody told us of either: whoever tells us first, we learn of both at once.
func TestRefund_BeforeWeHeardOfTheSuccess_IsTakenInWithIt(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(w *paymentstest.World, pledge, intent string){
		"browser": func(w *paymentstest.World, pledge, _ string) { w.Payment(pledge) },
		"setup":   func(w *paymentstest.World, pledge, _ string) { w.Setup(pledge) },
		"sweeper": func(w *paymentstest.World, _, _ string) {
			w.Pass(2 * time.Minute)
			w.CheckOpen()
		},
		"the refund's webhook": func(w *paymentstest.World, _, intent string) {
			body := strings.Replace(fmt.Sprintf(paymentstest.EventFormat, "evt_refund", "2023-10-16", false, "charge.refunded",
				"ch_1"),
				`"object":"payment_intent"`, `"object":"charge","payment_intent":"`+intent+`"`, 1)
			if status, code := w.Hook(body, paymentstest.Signed(body, paymentstest.WebhookSecret,
				w.Now())); status != http.StatusOK {
				w.T.Fatalf("webhook answered %d %s", status, code)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.LoseWebhooks()
			pledge := w.Pledge()
			a := w.MustSetup(pledge)
			w.MustPay(a)
			intent := a.Stripe.PaymentIntent.ID
			w.RefundByHand(intent, 1500)
			tell(w, pledge, intent)
			w.Settle()
			w.WantStatus(pledge, "partly_refunded")
			w.WantHeard(pledge, "started", "succeeded", "refunded")
			w.Audit()
		})
	}
}

// A day later the provider has forgotten the key, so repeating it blindly would give the money back twice.
func TestRefund_AnswerLostAndKeyForgotten_MadeOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, _ := w.Paid()
	w.LoseWebhooks()
	w.Control("faults", `{"kind":"cut_after","times":9,"method":"POST","path":"/v1/refunds"}`)
	w.Refund(id, 1000, refunds.Requested)
	w.Tidy()
	if n := w.Held("refunds"); n != 1 {
		t.Fatalf("%d refunds at the provider", n)
	}
	w.Control("calm", `{}`)
	w.LoseWebhooks()
	w.Pass(25 * time.Hour)
	w.Settle()
	if n := w.Held("refunds"); n != 1 {
		t.Errorf("%d refunds at the provider", n)
	}
	w.WantStatus(pledge, "partly_refunded")
	w.Audit()
}

// A provider that keeps failing is asked again after pauses, not in a loop.
func TestRefund_ProviderKeepsFailing_IsNotAskedInALoop(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge, id, _ := w.Paid()
	var asked atomic.Int32
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if !paymentstest.IsCall(r, http.MethodPost, "/v1/refunds") {
			return false
		}
		asked.Add(1)
		rw.Header().Set("Idempotent-Replayed", "true")
		return paymentstest.Refuse(rw, http.StatusInternalServerError, `{"type":"api_error"}`)
	}, nil)
	w.Refund(id, 0, refunds.Requested)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := w.App.Payments.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times at once", n)
	}
	b.Set(nil, nil)
	w.Pass(2 * time.Minute)
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Audit()
}

// A refund that the bank takes days for is asked about ever less often.
func TestRefund_Pending_IsAskedAboutLessAndLess(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Confirm(a, "pm_card_pendingRefund")
	w.Settle()
	w.Refund(a.Payment.ID, 0, refunds.Requested)
	w.Settle()
	w.Pass(24 * time.Hour)
	w.Settle()
	var next time.Time
	w.Scan(&next, `SELECT next_check_at FROM refunds WHERE status = 'pending'`)
	if pause := next.Sub(w.Now()); pause < time.Hour || pause > 7*time.Hour {
		t.Errorf("after a day the next look is in %s", pause)
	}
}

// A stop in the middle of a refund lets it be written down.
func TestTidy_StoppedInTheMiddle_FinishesWhatItBegan(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	_, id, _ := w.Paid()
	w.LoseWebhooks()
	w.Refund(id, 0, refunds.Requested)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if paymentstest.IsCall(r, http.MethodPost, "/v1/refunds") {
			stop()
		}
		return false
	}, nil)
	if err := w.App.Payments.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	if n := w.Count("refunds WHERE status = 'succeeded'"); n != 1 {
		t.Errorf("%d refunds are written down", n)
	}
}

// A refund's sum is final. When the provider lists another one, a person is called at once and nothing is booked.
func TestRefund_ToldAgainOfAnotherSum_CallsAPerson(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	_, id, _ := w.Paid()
	w.Refund(id, 2000, refunds.Requested)
	w.Settle()
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		if !paymentstest.IsCall(r, http.MethodGet, "/v1/refunds") {
			return body
		}
		return []byte(strings.ReplaceAll(string(body), `"amount":2000`, `"amount":1900`))
	})
	w.Pass(time.Minute)
	if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalMoneySweep); !errors.Is(err, ledger.ErrDiffers) {
		t.Errorf("told differently: %v", err)
	}
	if n := w.Anomalies("ledger_refused"); n != 1 {
		t.Errorf("%d people are called", n)
	}
	b.Set(nil, nil)
	w.WantBook(paymentstest.Book{Gone: 2000})
	w.Audit()
}
