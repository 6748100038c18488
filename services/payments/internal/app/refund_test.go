package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/reconcile"
)

func TestRefund_InParts_AddsUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, id, _ := w.paid()
	for _, step := range []struct {
		minor  int64
		status string
	}{{2000, "partly_refunded"}, {1000, "partly_refunded"}, {0, "refunded"}} {
		if err := w.app.Pledges.Refund(t.Context(), id, step.minor, pledges.ReasonRequested); err != nil {
			t.Fatal(err)
		}
		w.settle()
		w.wantStatus(pledge, step.status)
	}
	w.wantHeard(pledge, "started", "succeeded", "refunded", "refunded", "refunded")
	var totals []int64
	for _, e := range w.content.heard(pledge)[2:] {
		totals = append(totals, *e.AmountRefundedMinor)
	}
	if totals[0] != 2000 || totals[1] != 3000 || totals[2] != 5000 {
		t.Errorf("content heard the totals %v", totals)
	}
	if err := w.app.Pledges.Refund(t.Context(), id, 1, pledges.ReasonRequested); !errors.Is(err, pledges.ErrExceeds) {
		t.Errorf("refunding more than was paid: %v", err)
	}
	w.audit()
}

func TestRefund_OfNothingPaid_IsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.mustSetup(w.pledge())
	if err := w.app.Pledges.Refund(t.Context(), a.Payment.ID, 0, pledges.ReasonRequested); !errors.Is(err, pledges.ErrNothingPaid) {
		t.Errorf("got %v", err)
	}
}

func TestRefund_ProviderStumbles_MadeOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"429", "500", "500_stored", "503", "cut_before", "cut_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, id, _ := w.paid()
			w.control("faults", `{"kind":"`+kind+`","times":1,"method":"POST","path":"/v1/refunds"}`)
			for range 2 { // the same cause twice
				if err := w.app.Pledges.Refund(t.Context(), id, 0, pledges.ReasonRewardGone); err != nil {
					t.Fatal(err)
				}
			}
			w.settle()
			w.pass(2 * time.Minute)
			w.settle()
			w.wantStatus(pledge, "refunded")
			if n := w.held("refunds"); n != 1 {
				t.Errorf("%d refunds at the provider", n)
			}
			w.wantHeard(pledge, "started", "succeeded", "refunded")
			w.audit()
		})
	}
}

func TestRefund_PendingThenSettled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.confirm(a, "pm_card_pendingRefund")
	w.settle()
	if err := w.app.Pledges.Refund(t.Context(), a.Payment.ID, 0, pledges.ReasonRequested); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.settleRefundsAtProvider()
	w.wantStatus(pledge, "refunded")
	w.wantHeard(pledge, "started", "succeeded", "refunded")
	w.audit()
}

func (w *world) settleRefundsAtProvider() {
	w.t.Helper()
	w.control("clock", `{"advance_seconds":11}`)
	w.eventually("the refunds to settle", func() bool {
		w.settle()
		return w.count("refunds WHERE status = 'pending'") == 0
	})
}

func TestRefund_ThatFails_CallsAPersonAndTheBookKnows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.confirm(a, "pm_card_refundFail")
	w.settle()
	if err := w.app.Pledges.Refund(t.Context(), a.Payment.ID, 0, pledges.ReasonRequested); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.control("clock", `{"advance_seconds":11}`)
	w.eventually("the refund to fail", func() bool {
		w.settle()
		return w.count("refunds WHERE status = 'failed'") == 1
	})
	if n := w.count("anomalies WHERE kind = 'refund_failed'"); n != 1 || w.count("payments WHERE alert = 'refund_failed'") != 1 {
		t.Errorf("%d anomalies", n)
	}
	w.wantLedger(map[string]int64{"provider_clearing:stripe": 5000 - fee, "provider_fees:stripe": fee, "backer_funds:7": -5000})
	w.audit()
}

func TestRefund_MadeByHandAtTheProvider_IsTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, _, intent := w.paid()
	w.refundByHand(intent, 1500)
	w.settle()
	w.wantStatus(pledge, "partly_refunded")
	w.wantHeard(pledge, "started", "succeeded", "refunded")
	w.audit()
}

// The money came and went before anybody told us of either: whoever tells us first, we learn of both at once.
func TestRefund_BeforeWeHeardOfTheSuccess_IsTakenInWithIt(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(w *world, pledge, intent string){
		"browser": func(w *world, pledge, _ string) { w.payment(pledge) },
		"setup":   func(w *world, pledge, _ string) { w.setup(pledge) },
		"sweeper": func(w *world, _, _ string) {
			w.pass(2 * time.Minute)
			if err := w.app.Pledges.CheckOpen(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		},
		"the refund's webhook": func(w *world, _, intent string) {
			body := strings.Replace(fmt.Sprintf(eventFormat, "evt_refund", "2023-10-16", false, "charge.refunded", "ch_1"),
				`"object":"payment_intent"`, `"object":"charge","payment_intent":"`+intent+`"`, 1)
			if status, code := w.hook(body, signed(body, webhookSecret, w.now())); status != http.StatusOK {
				w.t.Fatalf("webhook answered %d %s", status, code)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.loseWebhooks()
			pledge := w.pledge()
			a := w.mustSetup(pledge)
			w.mustPay(a)
			intent := a.Stripe.PaymentIntent.ID
			w.refundByHand(intent, 1500)
			tell(w, pledge, intent)
			w.settle()
			w.wantStatus(pledge, "partly_refunded")
			w.wantHeard(pledge, "started", "succeeded", "refunded")
			w.audit()
		})
	}
}

// A refund that no webhook told of is found in the provider's list, however old its payment is, and what differs no
// more is not looked at again.
func TestReconciliation_FindsARefundThatNobodyToldUsAbout(t *testing.T) {
	t.Parallel()
	for name, pass := range map[string]func(w *world) error{
		"every few minutes": func(w *world) error {
			_, err := w.app.Reconcile.Refunds(w.t.Context(), w.now().Add(-time.Hour))
			return err
		},
		"pass": func(w *world) error {
			return w.app.Reconcile.RunIntents(w.t.Context(), reconcile.Pass{Slot: "s", To: w.now().UTC()})
		},
		"daily, before it compares": func(w *world) error {
			w.pass(5 * time.Hour)
			return w.app.Reconcile.RunLedger(w.t.Context(), reconcile.Pass{Slot: "s", To: w.now().UTC()})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, _, intent := w.paid()
			w.pass(72 * time.Hour)
			w.loseWebhooks()
			w.refundByHand(intent, 5000)
			if err := pass(w); err != nil {
				t.Fatal(err)
			}
			w.settle()
			w.wantStatus(pledge, "refunded")
			w.wantHeard(pledge, "started", "succeeded", "refunded")
			if n, err := w.app.Reconcile.Refunds(t.Context(), w.now().Add(-24*time.Hour)); n != 0 || err != nil {
				t.Errorf("the next pass found %d differences (%v)", n, err)
			}
			if n := w.count("anomalies"); n != 0 {
				t.Errorf("%d anomalies", n)
			}
			w.audit()
		})
	}
}

// A refund that fails long after it was made, untold.
func TestReconciliation_FindsARefundThatFailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.confirm(a, "pm_card_refundFail")
	w.payment(pledge)
	w.refundByHand(a.Stripe.PaymentIntent.ID, 5000)
	for range 2 {
		if _, err := w.app.Reconcile.Refunds(t.Context(), w.now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		w.control("clock", `{"advance_seconds":11}`)
		w.eventually("the provider to act", func() bool {
			var list struct{ Data []struct{ Status string } }
			w.at("/v1/refunds", &list)
			return len(list.Data) == 1 && list.Data[0].Status == "failed"
		})
	}
	if n := w.count("anomalies WHERE kind = 'refund_failed'"); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	w.audit()
}

func (w *world) refundByHand(intent string, minor int64) {
	w.t.Helper()
	form := url.Values{"payment_intent": {intent}, "amount": {strconv.FormatInt(minor, 10)}}
	if status := w.byHand("/v1/refunds", form); status != http.StatusOK {
		w.t.Fatalf("refund by hand answered %d", status)
	}
}
