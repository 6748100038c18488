package payments_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// decline tries a card that its bank refuses, some times.
func decline(w *paymentstest.World, form paymentstest.SetupAnswer, card string, times int) {
	w.T.Helper()
	for n := range times {
		if got := w.Confirm(form, card); got.Error.Code != "card_declined" {
			w.T.Fatalf("try %d of %s gave %+v", n+1, card, got)
		}
	}
}

func declinesOf(w *paymentstest.World, pledge string) int {
	w.T.Helper()
	var n int
	w.Scan(&n, `SELECT coalesce(sum(declines), 0) FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = ?`, pledge)
	return n
}

func TestDeclines_TenEndAPayment_AndTheBackerIsToldWhy(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	page := w.MustPage(pledge)
	form := w.MustSetup(pledge)
	for n := 1; n < 10; n++ { // on the form and on the page in turns
		if n%3 == 0 {
			if w.PayOnPage(page, "4000000000000002") {
				t.Fatal("the page took a refused card")
			}
		} else {
			decline(w, form, "pm_card_chargeDeclined", 1)
		}
		w.Settle()
		if got := w.Payment(pledge); got.Status != "created" || got.FailureCode != "card_declined" {
			t.Fatalf("after %d refused cards: %+v", n, got)
		}
	}
	decline(w, form, "pm_card_chargeDeclined", 1)
	w.Settle()
	if got := w.Payment(pledge); got.Status != "canceled" || got.FailureCode != "too_many_declines" {
		t.Errorf("after ten refused cards: %+v", got)
	}
	w.WantHeard(pledge, "started", "canceled")
	nobodyCanPay(w)
	if a := w.Setup(pledge); a.Code != "too_many_declines" {
		t.Errorf("setup afterwards answered %+v", a)
	}
	if _, code, _ := w.Page(pledge, "stripe"); code != "too_many_declines" {
		t.Errorf("page afterwards answered %s", code)
	}
	w.MustSetup(w.Pledge()) // a new pledge may be paid
	w.Audit()
}

// The provider's own list is what counts: however often, late or seldom we hear of it.
func TestDeclines_EachCountsOnceHoweverWeHearOfIt(t *testing.T) {
	t.Parallel()
	for name, hear := range map[string]func(w *paymentstest.World, pledge string, form paymentstest.SetupAnswer,
		tries int){
		"each by its webhook and some looks": func(w *paymentstest.World, pledge string, form paymentstest.SetupAnswer,
			tries int) {
			for range tries {
				decline(w, form, "pm_card_chargeDeclined", 1)
				w.Settle()
				w.Payment(pledge)
				w.Payment(pledge)
			}
		},
		"all by one look": func(w *paymentstest.World, pledge string, form paymentstest.SetupAnswer, tries int) {
			w.LoseWebhooks()
			decline(w, form, "pm_card_chargeDeclined", tries)
			w.Payment(pledge)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			form := w.MustSetup(pledge)
			hear(w, pledge, form, 9)
			if got := declinesOf(w, pledge); got != 9 {
				t.Errorf("%d declines are counted, want 9", got)
			}
			w.WantStatus(pledge, "created")
			hear(w, pledge, form, 1)
			w.Tidy()
			if got := declinesOf(w, pledge); got != 10 {
				t.Errorf("%d declines are counted, want 10", got)
			}
			w.WantStatus(pledge, "canceled")
		})
	}
}

func TestDeclines_AFailedChallengeIsNone(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	for range 11 {
		w.AnswerChallenge(w.Confirm(form, "pm_card_authenticationRequired"), "fail")
		w.Settle()
	}
	if n := declinesOf(w, pledge); n != 0 {
		t.Errorf("%d declines are counted", n)
	}
	w.MustPay(form)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
}

// The success that came in the same moment counts.
func TestDeclines_MoneyThatCameFirstCounts(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.LoseWebhooks()
	decline(w, form, "pm_card_chargeDeclined", 12)
	w.MustPay(form)
	w.Payment(pledge)
	w.WantStatus(pledge, "succeeded")
	w.Audit()
}

func withDeclines(perHour int) paymentstest.Option {
	return func(c *app.Config) { c.DeclinesPerHour = perHour }
}

// setupFrom asks for the form as a caller at an address.
func setupFrom(w *paymentstest.World, pledge, address string) (paymentstest.SetupAnswer, http.Header) {
	w.T.Helper()
	r, err := http.NewRequestWithContext(w.T.Context(), http.MethodPost, w.API.URL+"/api/pledges/"+pledge+"/setup",
		http.NoBody)
	if err != nil {
		w.T.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", address)
	return w.SendSetup(r)
}

func TestDeclines_OneNetworkMaySeeOnlySoMany_AndAPersonIsCalled(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, withDeclines(12))
	cards := []string{"pm_card_chargeDeclined", "pm_card_chargeDeclinedLostCard", "pm_card_chargeDeclinedStolenCard",
		"pm_card_chargeCustomerFail"}
	forms := make([]paymentstest.SetupAnswer, len(cards))
	for n, card := range cards {
		forms[n], _ = setupFrom(w, w.Pledge(), fmt.Sprintf("2001:db8:1:2::%d", n))
		decline(w, forms[n], card, 3)
		w.Settle()
	}
	waiting := w.Pledge()
	refused, header := setupFrom(w, waiting, "2001:db8:1:2::9")
	if refused.Status != http.StatusTooManyRequests || header.Get("Retry-After") == "" {
		t.Errorf("setup from the same network answered %d %s", refused.Status, refused.Code)
	}
	if n := w.Count(`payments WHERE subject_id = ?`, waiting); n != 0 {
		t.Error("a payment that may not be tried has begun")
	}
	if form, _ := setupFrom(w, w.Pledge(), "2001:db8:1:3::1"); form.Status != http.StatusOK {
		t.Errorf("setup from another network answered %d %s", form.Status, form.Code)
	} else {
		decline(w, form, "pm_card_chargeDeclined", 1)
	}
	if n := w.Count(`anomalies`); n != 0 {
		t.Errorf("a person was called %d times before the limit was passed", n)
	}
	decline(w, forms[1], cards[1], 1)
	w.Settle()
	if n := w.Count(`anomalies WHERE kind = ? AND reference LIKE '%, one network'`, anomalies.CardTesting); n != 1 {
		t.Errorf("%d anomalies tell of the network", n)
	}
}

func TestDeclines_ACardThatWasRefusedTooOftenEndsItsPayments(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, withDeclines(9)) // three of one card
	pledges := make([]string, 4)
	for n := range pledges {
		pledges[n] = w.Pledge()
		form, _ := setupFrom(w, pledges[n], fmt.Sprintf("203.0.113.%d", n))
		decline(w, form, "pm_card_chargeDeclinedLostCard", 1)
		w.Settle()
	}
	for n, want := range []string{"created", "created", "created", "canceled"} {
		if got := w.Payment(pledges[n]); got.Status != want ||
			(want == "canceled") != (got.FailureCode == "too_many_declines") {
			t.Errorf("payment %d: %+v, want %s", n+1, got, want)
		}
	}
	if n := w.Count(`anomalies WHERE kind = ? AND reference LIKE '%, one card'`, anomalies.CardTesting); n != 1 {
		t.Errorf("%d anomalies tell of the card", n)
	}
	other := w.MustSetup(w.Pledge())
	w.MustPay(other)
}

func TestDeclines_OneCampaignMaySeeOnlySoMany(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, withDeclines(1)) // ten of one campaign; one of a card ends each payment after it
	for n := range 10 {
		form, _ := setupFrom(w, w.Pledge(), fmt.Sprintf("203.0.113.%d", n))
		if form.Status != http.StatusOK {
			t.Fatalf("setup %d answered %d %s", n+1, form.Status, form.Code)
		}
		decline(w, form, "pm_card_chargeDeclined", 1)
		w.Settle()
	}
	if a, _ := setupFrom(w, w.Pledge(), "203.0.113.99"); a.Status != http.StatusTooManyRequests {
		t.Errorf("setup from elsewhere answered %d %s", a.Status, a.Code)
	}
}

// Without Redis nobody is kept from paying, and a payment still ends after ten.
func TestDeclines_WithoutRedis(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Redis.Close()
	tried := w.Pledge()
	decline(w, w.MustSetup(tried), "pm_card_chargeDeclined", 10)
	w.Settle()
	w.WantStatus(tried, "canceled")
	pledge := w.Pledge()
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	w.WantStatus(pledge, "succeeded")
}

// An address is personal data: it stays no longer than somebody can pay.
func TestNetwork_GoesWhenThePaymentIsOver(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for name, end := range map[string]func(pledge string, form paymentstest.SetupAnswer){
		"paid":   func(_ string, form paymentstest.SetupAnswer) { w.MustPay(form) },
		"closed": func(pledge string, _ paymentstest.SetupAnswer) { w.ClosePayment(pledge) },
	} {
		pledge := w.Pledge()
		form, _ := setupFrom(w, pledge, "203.0.113.9")
		if n := w.Count(`payments WHERE subject_id = ? AND network = '203.0.113.9'`, pledge); n != 1 {
			t.Errorf("%s: an open payment does not know where it began", name)
		}
		end(pledge, form)
		w.Settle()
		if n := w.Count(`payments WHERE network <> ''`); n != 0 {
			t.Errorf("%s: the network is still kept", name)
		}
	}
	if strings.Contains(fmt.Sprint(w.Redis.Keys()), "203.0.113") {
		t.Error("Redis holds an address")
	}
}
