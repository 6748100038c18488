package app_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/pledges"
)

// fee of 50 euros at the provider's stand-in: 1.5 % and 25 cents.
const fee = 100

func TestPay_Succeeds_WhoeverTellsUsFirst(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(w *world, pledge string){
		"webhook only":         func(w *world, _ string) { w.settle() },
		"browser only":         func(w *world, pledge string) { w.payment(pledge) },
		"browser then webhook": func(w *world, pledge string) { w.payment(pledge); w.settle() },
		"webhook then browser": func(w *world, pledge string) { w.settle(); w.payment(pledge) },
		"sweeper": func(w *world, _ string) {
			w.pass(2 * time.Minute)
			if err := w.app.Pledges.CheckOpen(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		},
		"reconciliation": func(w *world, _ string) {
			if _, err := w.app.Reconcile.Intents(w.t.Context(), time.Hour); err != nil {
				w.t.Fatal(err)
			}
		},
		"setup again": func(w *world, pledge string) {
			if a := w.setup(pledge); a.Code != "pledge_already_paid" {
				w.t.Errorf("setup of a paid pledge answered %+v", a)
			}
		},
		"all at once": func(w *world, pledge string) {
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() { w.payment(pledge) })
				group.Go(w.drain)
			}
			group.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lost := name == "browser only" || name == "sweeper" || name == "reconciliation" || name == "setup again"
			if lost {
				w.loseWebhooks()
			}
			pledge := w.pledge()
			w.mustPay(w.mustSetup(pledge))
			tell(w, pledge)
			w.settle()

			w.wantStatus(pledge, "succeeded")
			w.wantHeard(pledge, "started", "succeeded")
			w.wantLedger(map[string]int64{"provider_clearing:stripe": 5000 - fee, "provider_fees:stripe": fee, "backer_funds:7": -5000})
			if p := w.payment(pledge); p.Method != "Visa ···· 4242" || p.AmountMinor != 5000 {
				t.Errorf("the browser sees %+v", p)
			}
			w.audit()
		})
	}
}

func (w *world) drain() {
	if err := w.app.Webhooks.Drain(w.t.Context()); err != nil {
		w.t.Error(err)
	}
}

func TestSetup_Repeated_GivesOneIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	first := w.mustSetup(pledge)
	for range 3 {
		if again := w.mustSetup(pledge); again.Stripe != first.Stripe {
			t.Errorf("setup gave %+v, then %+v", first.Stripe, again.Stripe)
		}
	}
	if n := w.held("payment_intents"); n != 1 || w.content.asked != 4 {
		t.Errorf("%d intents, order asked for %d times; want one, and each time", n, w.content.asked)
	}
}

func TestSetup_Concurrent_GivesOneIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	var mu sync.Mutex
	seen := map[string]int{}
	start := make(chan struct{})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			<-start
			a := w.setup(pledge)
			mu.Lock()
			defer mu.Unlock()
			seen[fmt.Sprint(a.Status, a.Stripe.PaymentIntent.ClientSecret)]++
		})
	}
	close(start)
	group.Wait()
	if len(seen) != 1 || w.held("payment_intents") != 1 || w.count("attempts") != 1 {
		t.Errorf("20 setups at once gave %v, %d intents, %d attempts", seen, w.held("payment_intents"), w.count("attempts"))
	}
}

func TestSetup_IdempotencyKey_IsBoundToItsPledge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, other := w.pledge(), w.pledge()
	key := map[string]string{"Idempotency-Key": "key-of-one-pledge"}
	for range 2 {
		if status, code := w.post("/api/pledges/"+one+"/setup", key, nil); status != http.StatusOK {
			t.Fatalf("setup answered %d %s", status, code)
		}
	}
	if status, code := w.post("/api/pledges/"+other+"/setup", key, nil); status != http.StatusConflict || code != "idempotency_mismatch" {
		t.Errorf("the key of another pledge answered %d %s", status, code)
	}
	if status, code := w.post("/api/pledges/"+one+"/setup", map[string]string{"Idempotency-Key": "short"}, nil); status != http.StatusUnprocessableEntity || code != "invalid_fields" {
		t.Errorf("a short key answered %d %s", status, code)
	}
}

func TestSetup_RefusesWhatCannotBePaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, c := range map[string]struct {
		pledge string
		status int
		code   string
	}{
		"unknown":   {"0123456789abcdefghjkmnpqrs", http.StatusNotFound, "not_found"},
		"malformed": {"none", http.StatusNotFound, "not_found"},
		"lapsed": {w.content.pledge(w.now(), func(o *contentclient.Order) { o.Status, o.Payable = "expired", false }),
			http.StatusConflict, "pledge_not_payable"},
		"paid": {w.content.pledge(w.now(), func(o *contentclient.Order) { o.Status, o.Payable = "paid", false }),
			http.StatusConflict, "pledge_already_paid"},
		"out of time": {w.content.pledge(w.now(), func(o *contentclient.Order) { o.ReservedUntil = w.now().Add(-time.Second) }),
			http.StatusConflict, "pledge_not_payable"},
		"too little for the provider": {w.content.pledge(w.now(), func(o *contentclient.Order) { o.AmountMinor = 10 }),
			http.StatusPaymentRequired, "payment_failed/generic"},
	} {
		if a := w.setup(c.pledge); a.Status != c.status || a.Code != c.code {
			t.Errorf("%s: %d %s, want %d %s", name, a.Status, a.Code, c.status, c.code)
		}
	}
	if n := w.held("payment_intents"); n != 0 {
		t.Errorf("%d intents were made", n)
	}
}

func TestDecline_LeavesTheIntentForAnotherCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	for card, want := range map[string]string{
		"pm_card_visa_chargeDeclinedInsufficientFunds": "insufficient_funds", "pm_card_chargeDeclinedExpiredCard": "expired_card",
		"pm_card_chargeDeclinedIncorrectCvc": "incorrect_cvc", "pm_card_visa_chargeDeclined": "card_declined",
	} {
		if got := w.confirm(a, card); got.Error.Code == "" {
			t.Fatalf("%s: %+v", card, got)
		}
		w.settle()
		if p := w.payment(pledge); p.Status != "created" || p.FailureCode != want {
			t.Errorf("%s: payment %+v, want created with %s", card, p, want)
		}
	}
	if again := w.mustSetup(pledge); again.Stripe != a.Stripe {
		t.Error("another intent after a decline")
	}
	w.mustPay(a)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	if p := w.payment(pledge); p.FailureCode != "" {
		t.Errorf("a paid payment still says %s", p.FailureCode)
	}
	w.audit()
}

func TestChallenge_FailedThenPassed_PaysOnOneIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	first := w.confirm(a, "pm_card_authenticationRequired")
	w.settle()
	w.wantStatus(pledge, "requires_action")
	w.answerChallenge(first, "fail")
	w.settle()
	if p := w.payment(pledge); p.Status != "created" || p.FailureCode != "authentication_failed" {
		t.Errorf("after a failed challenge: %+v", p)
	}
	w.answerChallenge(w.confirm(a, "pm_card_authenticationRequired"), "pass")
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	w.audit()
}

func TestChallenge_Abandoned_IsCanceledAfterTheReservation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	challenge := w.confirm(a, "pm_card_authenticationRequired")
	w.settle()
	w.wantStatus(pledge, "requires_action")

	w.pass(31 * time.Minute) // within the grace nothing is ended
	w.closeLapsed()
	w.wantStatus(pledge, "requires_action")
	if got := w.setup(pledge); got.Code != "pledge_not_payable" {
		t.Errorf("setup after the reservation: %+v", got)
	}

	w.pass(pledges.Grace)
	w.closeLapsed()
	w.settle()
	w.wantStatus(pledge, "canceled")
	w.wantHeard(pledge, "started", "canceled")
	var intent struct{ Status string }
	w.at("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID, &intent)
	if intent.Status != "canceled" {
		t.Errorf("the intent is %s", intent.Status)
	}
	w.answerChallenge(challenge, "pass") // too late
	w.settle()
	w.wantStatus(pledge, "canceled")
	w.audit()
}

func (w *world) closeLapsed() {
	w.t.Helper()
	if err := w.app.Pledges.CloseLapsed(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func TestClose_WhatTurnsOutPaid_Counts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	w.mustPay(w.mustSetup(pledge))
	w.pass(36 * time.Minute)
	w.closeLapsed()
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	w.audit()
}

func TestLateMoney_ThatThePledgeCannotTake_GoesBackOnce(t *testing.T) {
	t.Parallel()
	for _, outcome := range []contentclient.EventOutcomeOutcome{contentclient.EventOutcomeOutcomeRewardGone, contentclient.EventOutcomeOutcomePledgeClosed} {
		t.Run(string(outcome), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge := w.pledge()
			w.outcome(pledge, outcome)
			w.content.forget = 2 // the outcome gets lost twice, so the event comes three times
			w.mustPay(w.mustSetup(pledge))
			for range 4 {
				w.settle()
				w.pass(10 * time.Second)
			}
			w.wantStatus(pledge, "refunded")
			w.wantHeard(pledge, "started", "succeeded", "refunded")
			last := w.content.heard(pledge)[2]
			if last.RefundReason == nil || string(*last.RefundReason) != string(outcome) || last.AmountRefundedMinor == nil || *last.AmountRefundedMinor != 5000 {
				t.Errorf("the refund's event is %+v", last)
			}
			if n := w.held("refunds"); n != 1 {
				t.Errorf("%d refunds at the provider", n)
			}
			w.wantLedger(map[string]int64{"provider_clearing:stripe": -fee, "provider_fees:stripe": fee, "backer_funds:7": 0})
			w.audit()
		})
	}
}
