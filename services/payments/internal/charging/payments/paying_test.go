package payments_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestPay_Succeeds_WhoeverTellsUsFirst(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(w *paymentstest.World, pledge string){
		"webhook only":         func(w *paymentstest.World, _ string) { w.Settle() },
		"browser only":         func(w *paymentstest.World, pledge string) { w.Payment(pledge) },
		"browser then webhook": func(w *paymentstest.World, pledge string) { w.Payment(pledge); w.Settle() },
		"webhook then browser": func(w *paymentstest.World, pledge string) { w.Settle(); w.Payment(pledge) },
		"sweeper": func(w *paymentstest.World, _ string) {
			w.Pass(2 * time.Minute)
			w.CheckOpen()
		},
		"reconciliation": func(w *paymentstest.World, _ string) { w.Reconcile() },
		"setup again": func(w *paymentstest.World, pledge string) {
			if a := w.Setup(pledge); a.Code != "pledge_already_paid" {
				w.T.Errorf("setup of a paid pledge answered %+v", a)
			}
		},
		"all at once": func(w *paymentstest.World, pledge string) {
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() { w.Payment(pledge) })
				group.Go(w.Drain)
			}
			group.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			lost := name == "browser only" || name == "sweeper" || name == "reconciliation" || name == "setup again"
			if lost {
				w.LoseWebhooks()
			}
			pledge := w.Pledge()
			w.MustPay(w.MustSetup(pledge))
			tell(w, pledge)
			w.Settle()

			w.WantStatus(pledge, "succeeded")
			w.WantHeard(pledge, "started", "succeeded")
			w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
				"provider_fees:stripe": paymentstest.Fee, "backer_funds:stripe:7": -5000})
			if p := w.Payment(pledge); p.Method != "Visa ···· 4242" || p.AmountMinor != 5000 {
				t.Errorf("the browser sees %+v", p)
			}
			w.Audit()
		})
	}
}

func TestSetup_Repeated_GivesOneIntent(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	first := w.MustSetup(pledge)
	for range 3 {
		if again := w.MustSetup(pledge); again.Stripe != first.Stripe {
			t.Errorf("setup gave %+v, then %+v", first.Stripe, again.Stripe)
		}
	}
	if n := w.Held("payment_intents"); n != 1 || w.Content.Asked() != 4 {
		t.Errorf("%d intents, order asked for %d times; want one, and each time", n, w.Content.Asked())
	}
}

func TestSetup_Concurrent_GivesOneIntent(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	var mu sync.Mutex
	seen := map[string]int{}
	start := make(chan struct{})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			<-start
			a := w.Setup(pledge)
			mu.Lock()
			defer mu.Unlock()
			seen[fmt.Sprint(a.Status, a.Stripe.PaymentIntent.ClientSecret)]++
		})
	}
	close(start)
	group.Wait()
	if len(seen) != 1 || w.Held("payment_intents") != 1 || w.Count("attempts") != 1 {
		t.Errorf("20 setups at once gave %v, %d intents, %d attempts", seen, w.Held("payment_intents"), w.Count("attempts"))
	}
}

func TestSetup_IdempotencyKey_IsBoundToItsPledge(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	one, other := w.Pledge(), w.Pledge()
	key := map[string]string{"Idempotency-Key": "key-of-one-pledge"}
	for range 2 {
		if status, code := w.Post("/api/pledges/"+one+"/setup", key, nil); status != http.StatusOK {
			t.Fatalf("setup answered %d %s", status, code)
		}
	}
	if status, code := w.Post("/api/pledges/"+other+"/setup", key, nil); status != http.StatusConflict ||
		code != "idempotency_mismatch" {
		t.Errorf("the key of another pledge answered %d %s", status, code)
	}
	if status, code := w.Post("/api/pledges/"+one+"/setup", map[string]string{"Idempotency-Key": "short"},
		nil); status != http.StatusUnprocessableEntity || code != "invalid_fields" {
		t.Errorf("a short key answered %d %s", status, code)
	}
}

func TestSetup_RefusesWhatCannotBePaid(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for name, c := range map[string]struct {
		pledge string
		status int
		code   string
	}{
		"unknown":   {"0123456789abcdefghjkmnpqrs", http.StatusNotFound, "not_found"},
		"malformed": {"none", http.StatusNotFound, "not_found"},
		"lapsed": {w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.State = contentclient.Closed }),
			http.StatusConflict, "pledge_not_payable"},
		"paid": {w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.State = contentclient.Paid }),
			http.StatusConflict, "pledge_already_paid"},
		"out of time": {w.Content.Pledge(w.Now(), func(o *contentclient.Order) {
			o.PayableUntil = w.Now().Add(-time.Second)
		}),
			http.StatusConflict, "pledge_not_payable"},
		"too little for the provider": {w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor = 10 }),
			http.StatusPaymentRequired, "payment_failed/generic"},
	} {
		if a := w.Setup(c.pledge); a.Status != c.status || a.Code != c.code {
			t.Errorf("%s: %d %s, want %d %s", name, a.Status, a.Code, c.status, c.code)
		}
	}
	if n := w.Held("payment_intents"); n != 0 {
		t.Errorf("%d intents were made", n)
	}
}

func TestDecline_LeavesTheIntentForAnotherCard(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	for card, want := range map[string]string{
		"pm_card_visa_chargeDeclinedInsufficientFunds": "insufficient_funds",
		"pm_card_chargeDeclinedExpiredCard":            "expired_card",
		"pm_card_chargeDeclinedIncorrectCvc":           "incorrect_cvc", "pm_card_visa_chargeDeclined": "card_declined",
	} {
		if got := w.Confirm(a, card); got.Error.Code == "" {
			t.Fatalf("%s: %+v", card, got)
		}
		w.Settle()
		if p := w.Payment(pledge); p.Status != "created" || p.FailureCode != want {
			t.Errorf("%s: payment %+v, want created with %s", card, p, want)
		}
	}
	if again := w.MustSetup(pledge); again.Stripe != a.Stripe {
		t.Error("another intent after a decline")
	}
	w.MustPay(a)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	if p := w.Payment(pledge); p.FailureCode != "" {
		t.Errorf("a paid payment still says %s", p.FailureCode)
	}
	w.Audit()
}

func TestChallenge_FailedThenPassed_PaysOnOneIntent(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	first := w.Confirm(a, "pm_card_authenticationRequired")
	w.Settle()
	w.WantStatus(pledge, "requires_action")
	w.AnswerChallenge(first, "fail")
	w.Settle()
	if p := w.Payment(pledge); p.Status != "created" || p.FailureCode != "authentication_failed" {
		t.Errorf("after a failed challenge: %+v", p)
	}
	w.AnswerChallenge(w.Confirm(a, "pm_card_authenticationRequired"), "pass")
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	w.Audit()
}

func TestChallenge_Abandoned_IsCanceledAfterTheReservation(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	challenge := w.Confirm(a, "pm_card_authenticationRequired")
	w.Settle()
	w.WantStatus(pledge, "requires_action")

	w.Pass(31 * time.Minute) // within the grace nothing is ended
	w.CloseLapsed()
	w.WantStatus(pledge, "requires_action")
	if got := w.Setup(pledge); got.Code != "pledge_not_payable" {
		t.Errorf("setup after the reservation: %+v", got)
	}

	w.Pass(payments.Grace)
	w.CloseLapsed()
	w.Settle()
	w.WantStatus(pledge, "canceled")
	w.WantHeard(pledge, "started", "canceled")
	var intent struct{ Status string }
	w.At("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID, &intent)
	if intent.Status != "canceled" {
		t.Errorf("the intent is %s", intent.Status)
	}
	w.AnswerChallenge(challenge, "pass") // too late
	w.Settle()
	w.WantStatus(pledge, "canceled")
	w.Audit()
}

func TestClose_WhatTurnsOutPaid_Counts(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	w.MustPay(w.MustSetup(pledge))
	w.Pass(36 * time.Minute)
	w.CloseLapsed()
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	w.Audit()
}

func TestLateMoney_ThatThePledgeCannotTake_GoesBackOnce(t *testing.T) {
	t.Parallel()
	for _, outcome := range []contentclient.EventOutcomeOutcome{contentclient.EventOutcomeOutcomeRewardGone,
		contentclient.EventOutcomeOutcomePledgeClosed} {
		t.Run(string(outcome), func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			w.Outcome(pledge, outcome)
			w.Content.Forget(2) // the outcome gets lost twice, so the event comes three times
			w.MustPay(w.MustSetup(pledge))
			for range 4 {
				w.Settle()
				w.Pass(10 * time.Second)
			}
			w.WantStatus(pledge, "refunded")
			w.WantHeard(pledge, "started", "succeeded", "refunded")
			last := w.Content.Heard(pledge)[2]
			if last.RefundReason == nil || string(*last.RefundReason) != string(outcome) || last.AmountRefundedMinor == nil ||
				*last.AmountRefundedMinor != 5000 {
				t.Errorf("the refund's event is %+v", last)
			}
			if n := w.Held("refunds"); n != 1 {
				t.Errorf("%d refunds at the provider", n)
			}
			w.WantLedger(map[string]int64{"provider_clearing:stripe:main": -paymentstest.Fee,
				"provider_fees:stripe": paymentstest.Fee, "backer_funds:stripe:7": 0})
			w.Audit()
		})
	}
}
