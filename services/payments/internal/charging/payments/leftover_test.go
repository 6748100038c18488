package payments_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// The bank had taken the money when the content service refused the payment, so nothing was left to give back. What the
// bank returns on appeal is the backer's all the same.
func TestRefusedPayment_WhatABankReturnsLater_GoesToTheBacker(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Content.SetDown(true)
	pledge := w.Content.Pledge(w.Now(), nil)
	w.Content.SetDown(false)
	form := w.MustSetup(pledge)
	w.Outcome(pledge, contentclient.EventOutcomeOutcomePledgeClosed)
	w.Content.SetDown(true) // the answer comes after the bank's
	w.MustPay(form)
	w.Drain()
	dispute := w.DisputeByHand(form.Stripe.PaymentIntent.ID, 0)
	w.Decide(dispute, "lost")
	w.AwaitWebhooks()
	w.Drain()
	w.Content.SetDown(false)
	w.Pass(10 * time.Minute)
	w.Settle()
	if n := w.Count("refunds"); n != 0 {
		t.Errorf("%d refunds of what a bank has taken", n)
	}
	w.WantBook(paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee})
	w.Audit()
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.WantBook(paymentstest.Book{Gone: 5000})
	w.Audit()
}

// Held money that a bank had taken when a person sent it back, and that came back from there: a person decides once
// more.
func TestHeldMoney_ReturnedByABank_IsHeldAgain(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, charge := misfit(w, url.Values{"amount": {"1000"}})
	var intent string
	w.Scan(&intent, `SELECT money_ref FROM attempts WHERE charge_ref = ?`, charge)
	dispute := w.DisputeByHand(intent, 0)
	w.Decide(dispute, "lost")
	w.Settle()
	release := func() {
		if err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, false, aino); err != nil {
			t.Fatal(err)
		}
		w.Settle()
	}
	release()
	if n := w.Anomalies(""); n != 0 || w.Count("refunds") != 0 {
		t.Errorf("%d people are called, %d refunds", n, w.Count("refunds"))
	}
	w.Audit()
	w.Decide(dispute, "won")
	w.Settle()
	if w.Anomalies("held_money") != 1 || w.Count("attempts WHERE charge_ref = ? AND status = 'held'", charge) != 1 {
		t.Error("nobody is called")
	}
	w.Audit()
	release()
	if n := w.Count("refunds WHERE status = 'succeeded' AND amount_minor = 1000"); n != 1 || w.Anomalies("") != 0 {
		t.Errorf("%d refunds, %d people are called", n, w.Anomalies(""))
	}
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": -cost(1000), "provider_fees:stripe": cost(1000)})
	w.Audit()
}

// Heard of at once: the bank gave the money back, and then somebody refunded it. Taken in the other order it would be a
// loss.
func TestRefundAfterAWonAppeal_HeardTogether_IsNoLoss(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, intent := w.Paid()
	dispute := w.DisputeByHand(intent, 0)
	w.Decide(dispute, "lost")
	w.Settle()
	w.LoseWebhooks()
	w.Decide(dispute, "won")
	w.Pass(time.Minute)
	w.RefundByHand(intent, 2000)
	if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalDispute); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "partly_refunded")
	w.WantBook(paymentstest.Book{Gone: 2000})
	w.Audit()
}

// A bank may take days and refuse then. The page is complete for ever, so another one follows it, or the payment ends.
func TestPage_RefusedByTheBankDaysLater_Ends(t *testing.T) {
	t.Parallel()
	for name, isOver := range map[string]bool{"its time is over": true, "there is time": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Content.Pledge(w.Now(), func(o *contentclient.Order) {
				if !isOver {
					o.PayableUntil = w.Now().Add(30 * 24 * time.Hour).UTC().Truncate(time.Microsecond)
				}
			})
			w.PayOnPage(w.MustPage(pledge), bankRefuses)
			w.Settle()
			w.WantStatus(pledge, "processing")
			for range 5 {
				w.Pass(24 * time.Hour)
				w.Control("clock", `{"advance_seconds":1}`)
				w.CheckOpen()
				w.Settle()
			}
			w.WantStatus(pledge, "failed")
			if n := w.Count("attempts WHERE status IN ('creating', 'open')") + w.Anomalies(""); n != 0 {
				t.Errorf("%d attempts or people wait", n)
			}
			var intent string
			w.Scan(&intent, `SELECT money_ref FROM attempts WHERE method = 'page'`)
			if got := w.IntentStatus(intent); got != "canceled" {
				t.Errorf("the intent is %s", got)
			}
			w.Audit()
		})
	}
}

// The provider said that it had no such intent while a bank was thinking, and the bank refuses days later: nobody must
// be able to pay then what we take for over.
func TestAttempt_TakenForOverByAWrongAnswer_IsEndedWhenItIsPayable(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	hideIntents(b)
	w.Payment(pledge)
	b.Set(nil, nil)
	if n := w.Count("attempts WHERE status = 'canceled'"); n != 1 {
		t.Fatalf("%d attempts are given up", n)
	}
	intent := form.Stripe.PaymentIntent.ID
	w.Confirm(form, "pm_card_visa_chargeDeclined") // its event says that it can be paid
	w.AwaitWebhooks()
	w.Drain()
	w.Settle()
	if got := w.IntentStatus(intent); got != "canceled" {
		t.Errorf("the intent is %s", got)
	}
	w.Audit()
}

// Our call made the refund and its answer was lost; then a bank took the charge, kept it and gave a part back. Heard
// together, the refund is what it is, and nobody pays the backer a second time.
func TestRefundBeforeAReturn_HeardTogether_IsMadeOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.Paid()
	w.LoseWebhooks()
	w.Fault("cut_after", 1000, http.MethodPost, "/v1/refunds")
	w.Refund(id, 2000, "requested")
	w.Tidy()
	w.Control("calm", `{}`)
	w.LoseWebhooks()
	if n := w.Count("refunds WHERE status = 'creating' AND provider_ref IS NULL"); n != 1 || w.Held("refunds") != 1 {
		t.Fatalf("%d refunds wait for their answer, %d are made", n, w.Held("refunds"))
	}
	w.Pass(time.Minute)
	dispute := w.DisputeByHand(intent, 3000)
	w.Decide(dispute, "lost")
	w.Pass(time.Minute)
	if _, err := w.Sandbox.ReturnDisputed(sandbox.DisputeReturn{Dispute: dispute, Amount: 1000}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalDispute); err != nil {
		t.Fatal(err)
	}
	w.Pass(7 * time.Hour)
	w.Settle()
	if n := w.Count("refunds WHERE status = 'succeeded' AND amount_minor = 2000"); n != 1 || w.Count("refunds") != 1 ||
		w.Held("refunds") != 1 || w.Anomalies("") != 0 {
		t.Errorf("%d of %d refunds succeeded, %d people are called", n, w.Count("refunds"), w.Anomalies(""))
	}
	w.WantBook(paymentstest.Book{Gone: 4000, Cost: paymentstest.DisputeFee})
	w.Audit()
}

// An attempt that a bank thinks about is not given up because the provider once says that it has none: the bank's word
// ends it.
func TestSetup_WrongAnswerWhileABankThinks_KeepsTheAttempt(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.Confirm(form, "pm_card_bankRefusesLater")
	w.Settle()
	w.WantStatus(pledge, "processing")
	hideIntents(b)
	if a := w.Setup(pledge); a.Status < http.StatusInternalServerError || a.Status == http.StatusInternalServerError {
		t.Errorf("setup answered %d %s", a.Status, a.Code)
	}
	b.Set(nil, nil)
	if n := w.Count("attempts WHERE status = 'open'"); n != 1 || w.Count("attempts") != 1 {
		t.Errorf("%d of %d attempts are open", n, w.Count("attempts"))
	}
	for range 4 {
		w.Pass(24 * time.Hour)
		w.Control("clock", `{"advance_seconds":1}`)
		w.CheckOpen()
		w.Settle()
	}
	w.WantStatus(pledge, "failed")
	w.Audit()
}

// The provider shows a payment and says that it does not have its refunds: that is no fault of the caller's and none of
// ours.
func TestPayment_WrongAnswerAboutItsMoney_IsUnavailable(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.MustPay(form)
	w.RefundByHand(form.Stripe.PaymentIntent.ID, 1000)
	w.Fault("404", 1, http.MethodGet, "/v1/refunds")
	status, body := w.Send(http.MethodGet, w.API.URL+"/api/pledges/"+pledge+"/payment", "", nil, nil)
	if status != http.StatusOK && status != http.StatusServiceUnavailable && status != http.StatusBadGateway {
		t.Errorf("answered %d %s", status, body)
	}
	w.Payment(pledge)
	w.Settle()
	w.WantStatus(pledge, "partly_refunded")
	w.Audit()
}

// The page's making was never answered, and it was submitted: of it we know the intent alone, and end that.
func TestPage_KnownByItsIntentAlone_RefusedByTheBankDaysLater_Ends(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.AskForPage(pledge)
	w.Fault("cut_after", 1000, http.MethodPost, "/v1/checkout/sessions")
	w.MakePages()
	w.Control("calm", `{}`)
	var sessions struct{ Data []struct{ URL string } }
	w.At("/v1/checkout/sessions", &sessions)
	w.PayOnPage(sessions.Data[0].URL, bankRefuses)
	w.AwaitWebhooks()
	w.Drain() // before the worker makes the page again
	w.WantStatus(pledge, "processing")
	for range 5 {
		w.Pass(24 * time.Hour)
		w.Control("clock", `{"advance_seconds":1}`)
		w.CheckOpen()
		w.Settle()
	}
	if n := w.Count("attempts WHERE status IN ('creating', 'open')") + w.Anomalies(""); n != 0 {
		t.Errorf("%d attempts or people wait", n)
	}
	if got := w.Sandbox.Snapshot().Intents[0].Status; got != "canceled" {
		t.Errorf("the intent is %s", got)
	}
	w.Audit()
}

// The bank refused, and another card was tried before we looked: what was processing has failed, and does not stay so
// for ever.
func TestProcessing_RefusedAndTriedWithAnotherCard_HasFailed(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.Confirm(form, "pm_card_bankRefusesLater")
	w.Settle()
	w.WantStatus(pledge, "processing")
	w.LoseWebhooks()
	w.Pass(4 * 24 * time.Hour)
	w.Control("clock", `{"advance_seconds":1}`)
	w.Eventually("the bank to refuse", func() bool {
		return w.IntentStatus(form.Stripe.PaymentIntent.ID) == "requires_payment_method"
	})
	w.Confirm(form, "pm_card_threeDSecure2Required")
	w.CheckOpen()
	w.Settle()
	w.WantStatus(pledge, "failed")
	if n := w.Count("attempts WHERE status IN ('creating', 'open')") + w.Anomalies(""); n != 0 {
		t.Errorf("%d attempts or people wait", n)
	}
	w.Audit()
}
