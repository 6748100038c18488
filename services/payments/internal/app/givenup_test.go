package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A pledge that was given up, or whose campaign has closed, is not paid any more, though its payment is open: whoever
// asks for the form or the page ends it.
func TestPledgeGivenUp_ItsPaymentIsEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, status, want string
		ask                func(w *world, pledge string) (int, string)
	}{
		{"form of an expired pledge", "expired", "pledge_not_payable", askForForm},
		{"page of an expired pledge", "expired", "pledge_not_payable", askForPage},
		{"form of a closed campaign", "awaiting_payment", "pledge_not_payable", askForForm},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge := w.pledge()
			form := w.mustSetup(pledge)
			w.page(pledge, "stripe")
			w.makePages()
			w.content.end(pledge, c.status)
			for range 2 {
				if status, code := c.ask(w, pledge); status != http.StatusConflict || code != c.want {
					t.Errorf("answered %d %s", status, code)
				}
				w.settle()
			}
			w.wantStatus(pledge, "canceled")
			w.wantHeard(pledge, "started", "canceled")
			var intent, sessions = struct{ Status string }{}, struct{ Data []struct{ Status string } }{}
			w.at("/v1/payment_intents/"+form.Stripe.PaymentIntent.ID, &intent)
			w.at("/v1/checkout/sessions", &sessions)
			if intent.Status != "canceled" || len(sessions.Data) != 1 || sessions.Data[0].Status != "expired" {
				t.Errorf("the provider has the intent %v and the pages %v", intent, sessions)
			}
			w.audit()
		})
	}
}

func askForForm(w *world, pledge string) (int, string) {
	a := w.setup(pledge)
	return a.Status, a.Code
}

func askForPage(w *world, pledge string) (int, string) {
	status, code, _ := w.page(pledge, "stripe")
	return status, code
}

// The content service's word that it is paid ends nothing: money may be on its way to us.
func TestPledgePaidElsewhere_IsToldAsPaidAndEndsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	w.mustSetup(pledge)
	w.content.end(pledge, "paid")
	if a := w.setup(pledge); a.Status != http.StatusConflict || a.Code != "pledge_already_paid" {
		t.Errorf("setup answered %+v", a)
	}
	w.settle()
	w.wantStatus(pledge, "created")
}

// Somebody may be before their bank's challenge when the reservation ends: a second tab does not take that from them.
func TestReservationOver_AskingAgainLeavesTheGrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	form := w.mustSetup(pledge)
	w.pass(31 * time.Minute)
	w.content.end(pledge, "expired")
	if a := w.setup(pledge); a.Code != "pledge_not_payable" {
		t.Errorf("setup answered %+v", a)
	}
	w.settle()
	w.mustPay(form)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.audit()
}

// A browser is answered within ten seconds, however long the provider takes.
func TestProviderSlow_BrowserIsAnsweredInTime(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	if limit := w.app.Pledges.CallWait; limit > 9*time.Second {
		t.Errorf("a browser waits for %s", limit)
	}
	w.app.Pledges.CallWait = 200 * time.Millisecond
	pledge, known := w.pledge(), w.pledge()
	w.mustSetup(known)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	b.set(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			<-release
		}
		return false
	}, nil)
	for _, p := range []string{pledge, known} {
		began := time.Now()
		if a := w.setup(p); a.Status != http.StatusServiceUnavailable || a.Code != "provider_unavailable" {
			t.Errorf("setup answered %+v", a)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("setup took %s", took)
		}
	}
}
