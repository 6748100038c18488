package payments_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestSetup_ProviderStumbles_OneIntentAllTheSame(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"409", "429", "lock", "500", "500_stored", "503", "cut_before", "cut_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.Control("faults", `{"kind":"`+kind+`","times":1,"method":"POST","path":"/v1/payment_intents"}`)
			pledge := w.Pledge()
			a := w.MustSetup(pledge)
			if again := w.MustSetup(pledge); again.Stripe != a.Stripe || w.Held("payment_intents") != 1 {
				t.Errorf("%d intents", w.Held("payment_intents"))
			}
			w.MustPay(a)
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			w.Audit()
		})
	}
}

// The provider makes the intent but none of its answers arrives: the next setup finds that same intent by its key.
func TestSetup_CrashBetweenCallAndSave_OneIntent(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.Control("faults", `{"kind":"cut_after","times":9,"method":"POST","path":"/v1/payment_intents"}`)
	if a := w.Setup(pledge); a.Status != http.StatusServiceUnavailable || a.Code != "provider_unavailable" {
		t.Fatalf("setup answered %+v", a)
	}
	w.Control("calm", `{}`)
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	if n := w.Held("payment_intents"); n != 1 || w.Count("attempts") != 1 {
		t.Errorf("%d intents, %d attempts", n, w.Count("attempts"))
	}
	w.WantStatus(pledge, "succeeded")
	w.Audit()
}

// Nobody comes back for that intent: when its time is over it is found and ended.
func TestSetup_CrashAndNobodyReturns_IntentIsEnded(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.Control("faults", `{"kind":"cut_after","times":3,"method":"POST","path":"/v1/payment_intents"}`)
	if a := w.Setup(pledge); a.Status != http.StatusServiceUnavailable {
		t.Fatalf("setup answered %+v", a)
	}
	w.Control("calm", `{}`)
	w.Pass(36 * time.Minute)
	w.CloseLapsed()
	w.Settle()
	w.WantStatus(pledge, "canceled")
	var list struct{ Data []struct{ Status string } }
	w.At("/v1/payment_intents", &list)
	if len(list.Data) != 1 || list.Data[0].Status != "canceled" {
		t.Errorf("the provider has %+v", list.Data)
	}
	w.Audit()
}

func TestProviderDown_NothingIsLost(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	paid, fresh := w.Pledge(), w.Pledge()
	w.MustPay(w.MustSetup(paid))
	w.Control("faults", `{"kind":"503","times":1000}`)
	if a := w.Setup(fresh); a.Status != http.StatusServiceUnavailable || a.Code != "provider_unavailable" {
		t.Errorf("setup answered %+v", a)
	}
	if p := w.Payment(paid); p.Status != "created" { // what we knew
		t.Errorf("payment is %+v", p)
	}
	w.Control("calm", `{}`)
	w.Eventually("the breaker to close", func() bool { return w.Setup(fresh).Status == http.StatusOK })
	w.Pass(time.Minute)
	w.Settle()
	w.WantStatus(paid, "succeeded")
	if n := w.Held("payment_intents"); n != 2 {
		t.Errorf("%d intents for two pledges", n)
	}
	w.Audit()
}

func TestContentDown_KnownOrdersGoOn(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	known, unknown := w.Pledge(), w.Pledge()
	w.MustSetup(known)
	w.Content.SetDown(true)
	w.MustPay(w.MustSetup(known))
	if a := w.Setup(unknown); a.Status != http.StatusServiceUnavailable || a.Code != "unavailable" {
		t.Errorf("setup of an unknown order answered %+v", a)
	}
}

func TestRateLimit_BoundsCardCalls(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) { c.SetupPerPledgeMinute = 2 })
	pledge := w.Pledge()
	w.MustSetup(pledge)
	w.MustSetup(pledge)
	if a := w.Setup(pledge); a.Status != http.StatusTooManyRequests || a.Code != "too_many_requests" {
		t.Errorf("the third setup in a minute answered %+v", a)
	}
	w.MustSetup(w.Pledge()) // another pledge is not held up
}

func TestMoneyThatDoesNotFit_IsHeldForAPerson(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	if status := w.ByHand("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID,
		url.Values{"amount": {"1000"}}); status != http.StatusOK {
		t.Fatalf("changing the intent answered %d", status)
	}
	w.MustPay(a)
	w.Settle()
	w.WantStatus(pledge, "created")
	w.WantHeard(pledge, "started")
	if n := w.Count("anomalies WHERE kind = 'held_money' AND reference = ?",
		w.ChargeOf(a.Stripe.PaymentIntent.ID)); n != 1 {
		t.Errorf("%d anomalies", n)
	}
	if again := w.Setup(pledge); again.Code != "pledge_not_payable" {
		t.Errorf("setup answered %+v", again)
	}
	heldFee := int64(40)
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 1000 - heldFee, "provider_fees:stripe": heldFee,
		"held_funds:stripe": -1000})
	w.Pass(time.Hour)
	w.CloseLapsed()
	w.WantStatus(pledge, "canceled") // the money still waits for a person, the reward does not
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 1000 - heldFee, "provider_fees:stripe": heldFee,
		"held_funds:stripe": -1000})
	w.Audit()
}
