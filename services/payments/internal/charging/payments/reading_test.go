package payments_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

// What the provider does not let us read of one attempt is no reason to leave another's money unbooked; the error comes
// back, so that whoever told us tells again.
func TestAdvance_OneAttemptThatCannotBeRead_KeepsNoOthersMoneyWaiting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault    string
		comesUp  bool // as an error; one that is not there is over
		attempts string
	}{{"403", true, "open"}, {"404", false, "canceled"}} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			w.MustPage(pledge)
			form := w.MustSetup(pledge)
			w.Settle()
			var page string
			w.Scan(&page, `SELECT object_ref FROM attempts WHERE method = 'page'`)
			w.Fault(c.fault, 1000, "", "/v1/checkout/sessions/"+page)
			w.MustPay(form)
			w.AwaitWebhooks()
			w.Drain()
			w.WantStatus(pledge, "succeeded")
			if n := w.Count("attempts WHERE method = 'page' AND status = ?", c.attempts); n != 1 {
				t.Errorf("the page is not %s", c.attempts)
			}
			waiting := w.Count("webhook_events WHERE status = 'received' AND attempts = 1 AND last_error <> '' AND "+
				"next_attempt_at > ?", w.Now())
			if (waiting > 0) != c.comesUp {
				t.Errorf("%d events come again", waiting)
			}
			w.Settle()
			w.WantHeard(pledge, "started", "succeeded")
			w.Control("calm", `{}`)
			w.Pass(time.Hour)
			w.Settle()
			if n := w.Count("attempts WHERE status = 'open'") + w.Count("webhook_events WHERE status = 'received'"); n != 0 {
				t.Errorf("%d attempts and events are left", n)
			}
			w.WantBook(paymentstest.Book{})
			w.Audit()
		})
	}
}

// The form was paid, and nobody told us: the page would be a second way to pay.
func TestPage_IsNotHandedOut_AfterTheFormWasPaid(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(w *paymentstest.World, b *paymentstest.Between, pledge string,
		pay func()) string{
		"the page was there": func(w *paymentstest.World, _ *paymentstest.Between, pledge string, pay func()) string {
			w.MustPage(pledge)
			pay()
			return codeOf(w, pledge)
		},
		"the page is to be made": func(w *paymentstest.World, _ *paymentstest.Between, pledge string, pay func()) string {
			pay()
			return codeOf(w, pledge)
		},
		"while the page is made": func(w *paymentstest.World, b *paymentstest.Between, pledge string, pay func()) string {
			w.Work()
			b.Set(nil, func(r *http.Request, body []byte) []byte {
				if r.Method == http.MethodPost && r.URL.Path == "/v1/checkout/sessions" {
					pay()
				}
				return body
			})
			return codeOf(w, pledge)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t, paymentstest.WithPageWait)
			w.LoseWebhooks()
			pledge := w.Pledge()
			form := w.MustSetup(pledge)
			if code := ask(w, b, pledge, func() { w.MustPay(form) }); code != "pledge_already_paid" {
				t.Errorf("page answered %q", code)
			}
			b.Set(nil, nil)
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			// The running worker may be at it just now.
			w.Eventually("what can be paid to be ended", func() bool { return w.Count("attempts WHERE status = 'open'") == 0 })
			w.Audit()
		})
	}
}

func codeOf(w *paymentstest.World, pledge string) string {
	w.T.Helper()
	_, code, a := w.Page(pledge, "stripe")
	return code + a.PaymentPageURL
}

// And the other way round.
func TestForm_IsNotHandedOut_AfterThePageWasPaid(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(w *paymentstest.World, pledge string){
		"the form was there":     func(w *paymentstest.World, pledge string) { w.MustSetup(pledge) },
		"the form is to be made": func(*paymentstest.World, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.LoseWebhooks()
			pledge := w.Pledge()
			before(w, pledge)
			w.MustPayOnPage(w.MustPage(pledge))
			if a := w.Setup(pledge); a.Code != "pledge_already_paid" || a.Stripe.PaymentIntent.ClientSecret != "" {
				t.Errorf("setup answered %+v", a)
			}
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			w.Audit()
		})
	}
}

// The provider does not like the backer's address. The attempt without it is another, with a key of its own: one key
// never carries two bodies, which every world checks at its end.
func TestPage_WhoseAddressIsRefused_IsMadeByAnotherKey(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := withEmail(w, "a..b@example.com")
	page := w.MustPage(pledge)
	var rows []struct {
		Status         string
		IdempotencyKey string
		Prefilled      bool
	}
	w.Scan(&rows, `SELECT status, idempotency_key, prefilled FROM attempts ORDER BY number`)
	if len(rows) != 2 || rows[0].Status != "abandoned" || !rows[0].Prefilled || rows[1].Status != "open" ||
		rows[1].Prefilled ||
		rows[0].IdempotencyKey == rows[1].IdempotencyKey {
		t.Errorf("the attempts are %+v", rows)
	}
	w.MustPayOnPage(page)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Audit()
}

// The provider once said that it has no such page, so we gave it up; then it is paid, and whichever of its events comes
// through, its money is the page's.
func TestPage_OnceNotFoundAndThenPaid_IsBookedOnItsAttempt(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(w *paymentstest.World, intent string){
		"every event": func(w *paymentstest.World, _ string) {
			w.Control("webhooks/release", `{}`)
		},
		"the payment's event only": func(w *paymentstest.World, intent string) {
			w.LoseWebhooks()
			w.Control("webhooks/release", `{}`)
			w.AwaitWebhooks()
			w.MustHook("evt_one", "payment_intent.succeeded", intent)
		},
		"no event": func(w *paymentstest.World, _ string) {
			w.LoseWebhooks()
			w.Control("webhooks/release", `{}`)
			w.AwaitWebhooks()
			w.Reconcile()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.Control("webhooks", `{"hold":true}`)
			pledge := w.Pledge()
			page := w.MustPage(pledge)
			w.Fault("404", 1, http.MethodGet, "/v1/checkout/sessions/")
			w.Payment(pledge)
			if n := w.Count("attempts WHERE status = 'canceled'"); n != 1 {
				t.Fatalf("%d attempts are given up", n)
			}
			w.MustPayOnPage(page)
			tell(w, w.Sandbox.Snapshot().Intents[0].ID)
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			w.WantHeard(pledge, "started", "succeeded")
			if n := w.Count("attempts WHERE method = 'page' AND status = 'succeeded'"); n != 1 || w.Count("attempts") != 1 ||
				w.Count("anomalies") != 0 {
				t.Errorf("%d pages of %d attempts are paid, %d anomalies", n, w.Count("attempts"), w.Count("anomalies"))
			}
			w.WantBook(paymentstest.Book{})
			w.Audit()
		})
	}
}

// A charge is final. When the provider tells another sum or fee of it, a person is called at once and nothing is
// booked.
func TestCharge_ToldAgainDifferently_CallsAPerson(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another sum":      {`"amount_received":5000`, `"amount_received":4900`},
		"another currency": {`"currency":"eur"`, `"currency":"sek"`},
		"another fee":      {fmt.Sprintf(`"fee":%d`, paymentstest.Fee), fmt.Sprintf(`"fee":%d`, paymentstest.Fee+1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			pledge, id, _ := w.Paid()
			w.Settle()
			b.Set(nil, func(r *http.Request, body []byte) []byte {
				if !paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents") {
					return body
				}
				return []byte(strings.ReplaceAll(string(body), change[0], change[1]))
			})
			w.Pass(time.Minute)
			if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalMoneySweep); !errors.Is(err, ledger.ErrDiffers) {
				t.Errorf("told differently: %v", err)
			}
			if n := w.Anomalies("ledger_refused"); n != 1 {
				t.Errorf("%d people are called", n)
			}
			b.Set(nil, nil)
			w.WantStatus(pledge, "succeeded")
			w.WantBook(paymentstest.Book{})
			w.Audit()
		})
	}
}
