package app_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/payments/internal/pledges"
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
	if status := w.byHand("/v1/refunds", url.Values{"payment_intent": {intent}, "amount": {"1500"}}); status != http.StatusOK {
		t.Fatalf("refund by hand answered %d", status)
	}
	w.settle()
	w.wantStatus(pledge, "partly_refunded")
	w.wantHeard(pledge, "started", "succeeded", "refunded")
	w.audit()
}
