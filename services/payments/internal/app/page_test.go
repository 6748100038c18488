package app_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
)

type pageAnswer struct {
	PaymentPage struct {
		URL string `json:"url"`
	} `json:"payment_page"`
	PaymentPageURL string `json:"paymentPageUrl"`
	Status         string `json:"status"`
	RetryAfter     int    `json:"retry_after"`
}

func (w *world) page(pledge, x string) (int, string, pageAnswer) {
	w.t.Helper()
	var a pageAnswer
	status, code := w.post("/api/pledges/"+pledge+"/payment-page/"+x+"/", nil, &a)
	if status == http.StatusOK && (a.PaymentPageURL == "" || a.PaymentPageURL != a.PaymentPage.URL) {
		w.t.Errorf("page answered %+v", a)
	}
	return status, code, a
}

// work runs the worker until the test ends.
func (w *world) work() {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	go func() { done <- w.app.Work(ctx) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			w.t.Errorf("worker: %v", err)
		}
	})
}

func (w *world) makePages() {
	w.t.Helper()
	var ids []int64
	w.scan(&ids, `SELECT id FROM attempts WHERE kind = 'session' AND status = 'creating'`)
	for _, id := range ids {
		_ = w.app.Pledges.MakePage(w.t.Context(), id) // what became of it is in the row
	}
}

func TestPage_IsMadeByTheQueue_Once(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	pledge := w.pledge()
	var mu sync.Mutex
	seen := map[string]int{}
	ask := func(x string) {
		status, code, a := w.page(pledge, x)
		mu.Lock()
		defer mu.Unlock()
		seen[fmt.Sprint(status, code, a.PaymentPageURL)]++
	}
	var group sync.WaitGroup
	for i := range 10 {
		group.Go(func() { ask([]string{"stripe", "card"}[i%2]) })
	}
	group.Wait()
	ask("stripe")
	if len(seen) != 1 || w.held("checkout/sessions") != 1 {
		t.Errorf("asking for a page 11 times gave %v and %d sessions", seen, w.held("checkout/sessions"))
	}
}

func TestPage_UnknownWayToPay_IsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if status, code, _ := w.page(w.pledge(), "bank"); status != http.StatusUnprocessableEntity || code != "payment_method_unsupported" {
		t.Errorf("bank answered %d %s", status, code)
	}
}

func TestPage_PaidThere_EndsTheIntentOfTheForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	pledge := w.content.pledge(w.now(), func(o *contentclient.Order) { o.Language = "sv" })
	form := w.mustSetup(pledge)
	status, _, a := w.page(pledge, "stripe")
	if status != http.StatusOK {
		t.Fatalf("page answered %d", status)
	}
	var sessions struct {
		Data []struct {
			SuccessURL string `json:"success_url"`
			CancelURL  string `json:"cancel_url"`
			Locale     string `json:"locale"`
		} `json:"data"`
	}
	w.at("/v1/checkout/sessions", &sessions)
	want := publicURL + "/sv/payment-return/?pledge=" + pledge
	if s := sessions.Data[0]; s.SuccessURL != want || s.CancelURL != want+"&canceled=1" || s.Locale != "sv" {
		t.Errorf("the page was made as %+v", s)
	}
	if w.payOnPage(a.PaymentPageURL, "4000000000000002") {
		t.Fatal("a declined card was taken")
	}
	if !w.payOnPage(a.PaymentPageURL, "4242424242424242") {
		t.Fatal("the page did not take the card")
	}
	w.eventually("the content service to hear of it", func() bool { return len(w.heard(pledge)) == 2 })
	w.eventually("the form's intent to be canceled", func() bool {
		var intent struct{ Status string }
		w.at("/v1/payment_intents/"+form.Stripe.PaymentIntent.ID, &intent)
		return intent.Status == "canceled" && w.count("attempts WHERE status IN ('creating', 'open')") == 0
	})
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	w.audit()
}

func TestPage_WithoutQueue_IsMadeByTheSweeper(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.redis.Close()
	pledge := w.pledge()
	status, _, a := w.page(pledge, "card")
	if status != http.StatusAccepted || a.Status != "pending" || a.RetryAfter != 2 {
		t.Fatalf("page answered %d %+v", status, a)
	}
	w.pass(20 * time.Second)
	w.settle()
	if status, _, a = w.page(pledge, "card"); status != http.StatusOK || !w.payOnPage(a.PaymentPageURL, "4242424242424242") {
		t.Fatalf("page answered %d %+v", status, a)
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.audit()
}

func TestPage_ThatCannotBeMade_IsToldOnceAndCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(w *world){
		"provider keeps a failure": func(w *world) {
			w.control("faults", `{"kind":"500_stored","times":1,"path":"/v1/checkout/sessions"}`)
		},
		"last of six tries": func(w *world) {
			if err := w.db.Gorm.Exec(`UPDATE attempts SET tries = 5`).Error; err != nil {
				w.t.Fatal(err)
			}
			w.control("faults", `{"kind":"cut_before","times":6,"path":"/v1/checkout/sessions"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge := w.pledge()
			if status, _, _ := w.page(pledge, "stripe"); status != http.StatusAccepted {
				t.Fatalf("page answered %d", status)
			}
			fail(w)
			w.makePages()
			if status, code, _ := w.page(pledge, "stripe"); status != http.StatusBadGateway || code != "payment_page_failed" {
				t.Fatalf("a failed page answered %d %s", status, code)
			}
			w.control("calm", `{}`)
			if status, _, _ := w.page(pledge, "stripe"); status != http.StatusAccepted {
				t.Fatalf("the next page answered %d", status)
			}
			w.makePages()
			if status, _, a := w.page(pledge, "stripe"); status != http.StatusOK || !w.payOnPage(a.PaymentPageURL, "4242424242424242") {
				t.Fatalf("the next page answered %d %+v", status, a)
			}
		})
	}
}

func TestPage_Expired_GivesTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	pledge := w.content.pledge(w.now(), func(o *contentclient.Order) { o.ReservedUntil = o.ReservedUntil.Add(3 * time.Hour) })
	_, _, first := w.page(pledge, "stripe")
	w.pass(46 * time.Minute)
	w.control("clock", `{"advance_seconds":1}`) // does what is due
	var second pageAnswer
	w.eventually("the next page", func() bool {
		status, _, a := w.page(pledge, "stripe")
		second = a
		return status == http.StatusOK && a.PaymentPageURL != first.PaymentPageURL
	})
	if !w.payOnPage(second.PaymentPageURL, "4242424242424242") || w.payOnPage(first.PaymentPageURL, "4242424242424242") {
		t.Error("want the second page payable and the first not")
	}
}

func TestTwoSuccesses_OneCountsTheOtherGoesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.control("webhooks", `{"hold":true}`)
	pledge := w.pledge()
	form := w.mustSetup(pledge)
	w.page(pledge, "stripe")
	w.makePages()
	_, _, a := w.page(pledge, "stripe")
	w.mustPay(form)
	if !w.payOnPage(a.PaymentPageURL, "4242424242424242") {
		t.Fatal("the page did not take the card")
	}
	w.control("webhooks/release", `{}`)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	if n := w.held("refunds"); n != 1 || w.count("refunds WHERE reason = 'duplicate' AND status = 'succeeded' AND amount_minor = 5000") != 1 {
		t.Errorf("%d refunds at the provider", n)
	}
	w.wantLedger(map[string]int64{"provider_clearing:stripe": 5000 - 2*fee, "provider_fees:stripe": 2 * fee, "backer_funds:7": -5000, "unallocated_funds": 0})
	w.audit()
}
