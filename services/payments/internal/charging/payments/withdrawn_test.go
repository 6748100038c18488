package payments_test

import (
	"context"
	"testing"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// lastReason is why the last refund that the content service has heard of was made.
func lastReason(w *paymentstest.World, pledge string) contentclient.PaymentEventRefundReason {
	heard := w.Content.Heard(pledge)
	if last := heard[len(heard)-1]; last.RefundReason != nil {
		return *last.RefundReason
	}
	return ""
}

func TestWithdrawn_WhatIsLeftGoesBackOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	whole, _, _ := w.Paid()
	part, partID, _ := w.Paid()
	w.Refund(partID, 2000, refunds.Requested)
	kept, _, _ := w.Paid()
	for range 2 { // the word is delivered at least once
		for _, pledge := range []string{whole, part} {
			if got := w.CloseFor(pledge, "withdrawn"); got != "paid" {
				t.Errorf("answered %q", got)
			}
		}
		w.Settle()
	}
	w.WantHeard(whole, "started", "succeeded", "refunded")
	w.WantHeard(part, "started", "succeeded", "refunded", "refunded")
	for _, pledge := range []string{whole, part} {
		w.WantStatus(pledge, "refunded")
		if got := lastReason(w, pledge); got != contentclient.PaymentEventRefundReasonWithdrawn {
			t.Errorf("the refund is told with %q", got)
		}
	}
	w.WantStatus(kept, "succeeded")
	w.Audit()
}

// The bank confirms a payment of a pledge that was taken back meanwhile: the content service refuses the money, and it goes back.
func TestWithdrawn_WhatSucceedsLaterGoesBackToo(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.MustPay(w.MustSetup(pledge))
	w.Outcome(pledge, contentclient.EventOutcomeOutcomePledgeClosed)
	if got := w.CloseFor(pledge, "withdrawn"); got != "open" {
		t.Errorf("answered %q", got)
	}
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.WantHeard(pledge, "started", "succeeded", "refunded")
	w.CloseFor(pledge, "withdrawn")
	w.Settle()
	if n := w.Count("refunds"); n != 1 {
		t.Errorf("%d refunds", n)
	}
	w.Audit()
}

// A bank was asked before we heard of it: what it gives back is the backer's.
func TestWithdrawn_WhatABankGivesBackGoesBackToo(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	w.CloseFor(pledge, "withdrawn")
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Audit()
}

// The bank had decided for us and has just thought again, which the content service has not heard of: nothing is left to give back.
func TestWithdrawn_WhatABankHasAfterAnAppealGoesBackWhenItIsReturned(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Decide(dispute, "lost")
	w.Settle()
	if got := w.CloseFor(pledge, "withdrawn"); got != "paid" {
		t.Fatal(got)
	}
	w.Settle()
	if n := w.Count("refunds"); n != 0 {
		t.Errorf("%d refunds of what the bank has", n)
	}
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Audit()
}

func TestWithdrawn_KilledAnywhereIsTakenUp(t *testing.T) {
	t.Parallel()
	killer := &paymentstest.Killer{After: true}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer = killer })
	for statement := 1; ; statement++ {
		pledge, _, _ := w.Paid()
		killed := killer.Kill(t.Context(), statement, func(ctx context.Context) {
			_, _, _ = w.App.Payments.WithdrawPledge(ctx, payments.Subject{Kind: "pledge", ID: pledge})
		})
		w.Bury()
		w.CloseFor(pledge, "withdrawn")
		w.Settle()
		w.WantStatus(pledge, "refunded")
		if n := w.Count("refunds r JOIN payments p ON p.id = r.payment_id WHERE p.subject_id = '" + pledge + "'"); n != 1 {
			t.Errorf("killed at statement %d: %d refunds", statement, n)
		}
		if !killed {
			if statement < 5 {
				t.Errorf("it was over after %d statements", statement)
			}
			break
		}
	}
	w.Audit()
}
