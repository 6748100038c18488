package payments_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// A pledge that was given up, or whose campaign has closed, is not paid any more, though its payment is open: whoever
// asks for the form or the page ends it.
func TestPledgeGivenUp_ItsPaymentIsEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		ask  func(w *paymentstest.World, pledge string) (int, string)
	}{
		{"form", askForForm},
		{"page", askForPage},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			form := w.MustSetup(pledge)
			w.Page(pledge, "stripe")
			w.MakePages()
			w.Content.End(pledge, contentclient.Closed)
			for range 2 {
				if status, code := c.ask(w, pledge); status != http.StatusConflict || code != "pledge_not_payable" {
					t.Errorf("answered %d %s", status, code)
				}
				w.Settle()
			}
			w.WantStatus(pledge, "canceled")
			w.WantHeard(pledge, "started", "canceled")
			var intent, sessions = struct{ Status string }{}, struct{ Data []struct{ Status string } }{}
			w.At("/v1/payment_intents/"+form.Stripe.PaymentIntent.ID, &intent)
			w.At("/v1/checkout/sessions", &sessions)
			if intent.Status != "canceled" || len(sessions.Data) != 1 || sessions.Data[0].Status != "expired" {
				t.Errorf("the provider has the intent %v and the pages %v", intent, sessions)
			}
			w.Audit()
		})
	}
}

func askForForm(w *paymentstest.World, pledge string) (int, string) {
	a := w.Setup(pledge)
	return a.Status, a.Code
}

func askForPage(w *paymentstest.World, pledge string) (int, string) {
	status, code, _ := w.Page(pledge, "stripe")
	return status, code
}

// The content service's word that it is paid ends nothing: money may be on its way to us.
func TestPledgePaidElsewhere_IsToldAsPaidAndEndsNothing(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.MustSetup(pledge)
	w.Content.End(pledge, contentclient.Paid)
	if a := w.Setup(pledge); a.Status != http.StatusConflict || a.Code != "pledge_already_paid" {
		t.Errorf("setup answered %+v", a)
	}
	w.Settle()
	w.WantStatus(pledge, "created")
}

// Somebody may be before their bank's challenge when the reservation ends: a second tab does not take that from them.
func TestReservationOver_AskingAgainLeavesTheGrace(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.Pass(31 * time.Minute)
	w.Content.End(pledge, contentclient.Closed)
	if a := w.Setup(pledge); a.Code != "pledge_not_payable" {
		t.Errorf("setup answered %+v", a)
	}
	w.Settle()
	w.MustPay(form)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Audit()
}

// A browser is answered within ten seconds, however long the provider takes.
func TestProviderSlow_BrowserIsAnsweredInTime(t *testing.T) {
	t.Parallel()
	if payments.CallWait > 9*time.Second {
		t.Errorf("a browser waits for %s", payments.CallWait)
	}
	w, b := paymentstest.NewBetween(t, func(c *app.Config) { c.CallWait = time.Second })
	pledge, known := w.Pledge(), w.Pledge()
	w.MustSetup(known)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			<-release
		}
		return false
	}, nil)
	for _, p := range []string{pledge, known} {
		began := time.Now()
		if a := w.Setup(p); a.Status != http.StatusServiceUnavailable || a.Code != "provider_unavailable" {
			t.Errorf("setup answered %+v", a)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("setup took %s", took)
		}
	}
}
