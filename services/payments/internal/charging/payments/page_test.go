package payments_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestPage_IsMadeByTheQueue_Once(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, paymentstest.WithPageWait)
	w.Work()
	pledge := w.Pledge()
	var mu sync.Mutex
	seen := map[string]int{}
	ask := func(x string) {
		status, code, a := w.Page(pledge, x)
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
	if len(seen) != 1 || w.Held("checkout/sessions") != 1 {
		t.Errorf("asking for a page 11 times gave %v and %d sessions", seen, w.Held("checkout/sessions"))
	}
}

func TestPage_UnknownWayToPay_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	if status, code, _ := w.Page(w.Pledge(), "bank"); status != http.StatusUnprocessableEntity ||
		code != "payment_method_unsupported" {
		t.Errorf("bank answered %d %s", status, code)
	}
}

func TestPage_PaidThere_EndsTheIntentOfTheForm(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, paymentstest.WithPageWait)
	w.Work()
	pledge := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.Language = "sv" })
	form := w.MustSetup(pledge)
	status, _, a := w.Page(pledge, "stripe")
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
	w.At("/v1/checkout/sessions", &sessions)
	want := paymentstest.PublicURL + "/sv/payment-return/?pledge=" + pledge
	if s := sessions.Data[0]; s.SuccessURL != want || s.CancelURL != want+"&canceled=1" || s.Locale != "sv" {
		t.Errorf("the page was made as %+v", s)
	}
	if w.PayOnPage(a.PaymentPageURL, "4000000000000002") {
		t.Fatal("a declined card was taken")
	}
	if !w.PayOnPage(a.PaymentPageURL, "4242424242424242") {
		t.Fatal("the page did not take the card")
	}
	w.Eventually("the content service to hear of it", func() bool { return len(w.Heard(pledge)) == 2 })
	w.Eventually("the form's intent to be canceled", func() bool {
		var intent struct{ Status string }
		w.At("/v1/payment_intents/"+form.Stripe.PaymentIntent.ID, &intent)
		return intent.Status == "canceled" && w.Count("attempts WHERE status IN ('creating', 'open')") == 0
	})
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	w.Audit()
}

func TestPage_WithoutQueue_IsMadeByTheSweeper(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Redis.Close()
	pledge := w.Pledge()
	status, _, a := w.Page(pledge, "card")
	if status != http.StatusAccepted || a.Status != "pending" || a.RetryAfter != 2 {
		t.Fatalf("page answered %d %+v", status, a)
	}
	w.Pass(20 * time.Second)
	w.Settle()
	if status, _, a = w.Page(pledge, "card"); status != http.StatusOK ||
		!w.PayOnPage(a.PaymentPageURL, "4242424242424242") {
		t.Fatalf("page answered %d %+v", status, a)
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Audit()
}

func TestPage_ThatCannotBeMade_IsToldOnceAndCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(w *paymentstest.World){
		"provider keeps a failure": func(w *paymentstest.World) {
			w.Control("faults", `{"kind":"500_stored","times":1,"path":"/v1/checkout/sessions"}`)
		},
		"last of six tries": func(w *paymentstest.World) {
			if err := w.DB.Gorm.Exec(`UPDATE attempts SET tries = 5`).Error; err != nil {
				w.T.Fatal(err)
			}
			w.Control("faults", `{"kind":"cut_before","times":6,"path":"/v1/checkout/sessions"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			if status, _, _ := w.Page(pledge, "stripe"); status != http.StatusAccepted {
				t.Fatalf("page answered %d", status)
			}
			fail(w)
			w.MakePages()
			if status, code, _ := w.Page(pledge, "stripe"); status != http.StatusBadGateway || code != "payment_page_failed" {
				t.Fatalf("a failed page answered %d %s", status, code)
			}
			w.Control("calm", `{}`)
			if status, _, _ := w.Page(pledge, "stripe"); status != http.StatusAccepted {
				t.Fatalf("the next page answered %d", status)
			}
			w.MakePages()
			if status, _, a := w.Page(pledge, "stripe"); status != http.StatusOK ||
				!w.PayOnPage(a.PaymentPageURL, "4242424242424242") {
				t.Fatalf("the next page answered %d %+v", status, a)
			}
		})
	}
}

func TestPage_Expired_GivesTheNext(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, paymentstest.WithPageWait)
	w.Work()
	pledge := w.Content.Pledge(w.Now(),
		func(o *contentclient.Order) { o.PayableUntil = o.PayableUntil.Add(3 * time.Hour) })
	_, _, first := w.Page(pledge, "stripe")
	w.Pass(46 * time.Minute)
	w.Control("clock", `{"advance_seconds":1}`) // does what is due
	var second paymentstest.PageAnswer
	w.Eventually("the next page", func() bool {
		status, _, a := w.Page(pledge, "stripe")
		second = a
		return status == http.StatusOK && a.PaymentPageURL != first.PaymentPageURL
	})
	if !w.PayOnPage(second.PaymentPageURL, "4242424242424242") || w.PayOnPage(first.PaymentPageURL, "4242424242424242") {
		t.Error("want the second page payable and the first not")
	}
}

func TestTwoSuccesses_OneCountsTheOtherGoesBack(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Control("webhooks", `{"hold":true}`)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.Page(pledge, "stripe")
	w.MakePages()
	_, _, a := w.Page(pledge, "stripe")
	w.MustPay(form)
	if !w.PayOnPage(a.PaymentPageURL, "4242424242424242") {
		t.Fatal("the page did not take the card")
	}
	w.Control("webhooks/release", `{}`)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	if n := w.Held("refunds"); n != 1 ||
		w.Count("refunds WHERE reason = 'duplicate' AND status = 'succeeded' AND amount_minor = 5000") != 1 {
		t.Errorf("%d refunds at the provider", n)
	}
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - 2*paymentstest.Fee,
		"provider_fees:stripe": 2 * paymentstest.Fee, "backer_funds:stripe:7": -5000, "held_funds:stripe": 0})
	w.Audit()
}
