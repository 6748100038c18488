package stripe_test

import (
	"slices"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

// threeDays is what the bank takes.
const threeDays = 3 * 24 * time.Hour

func TestProcessing_TheBankSaysDaysLaterWhatBecameOfIt(t *testing.T) {
	for card, tc := range map[string]struct {
		intent, charge string
		net            int64
		events         []string
	}{
		"4000 0051 0000 0000": {"succeeded", "succeeded", 960,
			[]string{"payment_intent.created", "payment_intent.processing", "payment_intent.succeeded"}},
		"pm_card_bankRefusesLater": {"requires_payment_method", "failed", 0,
			[]string{"payment_intent.created", "payment_intent.payment_failed", "payment_intent.processing"}},
	} {
		t.Run(card, func(t *testing.T) {
			l := newLife(t, 1)
			pi, err := l.sandbox.ConfirmIntent(l.intent(1000).ID, card)
			if err != nil || pi.Status != "processing" || pi.LatestCharge == "" {
				t.Fatalf("%+v %v", pi, err)
			}
			b := l.sandbox.Books()
			if len(b.BalanceTransactions) != 0 || b.Charges[0].Status != "pending" || b.Charges[0].Captured {
				t.Errorf("meanwhile %+v", b)
			}
			if _, err := l.api.PaymentIntents.Cancel(pi.ID, nil); stripeError(t, err).Code != stripego.ErrorCodePaymentIntentUnexpectedState {
				t.Errorf("canceling: %v", err)
			}
			if _, err := l.sandbox.ConfirmIntent(pi.ID, "pm_card_visa"); refusal(t, err).Code != "payment_intent_unexpected_state" {
				t.Errorf("paying again: %v", err)
			}
			if _, err := l.sandbox.OpenDispute(stripe.DisputeOrder{Charge: pi.LatestCharge}); err == nil {
				t.Error("what has not come is disputed")
			}
			if _, err := l.sandbox.RefundByHand(pi.LatestCharge, 0); refusal(t, err).HTTPStatus != 400 {
				t.Errorf("refunding: %v", err)
			}
			l.now = l.now.Add(threeDays - time.Minute)
			if l.runAll(); l.sandbox.Books().Intents[0].Status != "processing" {
				t.Error("the bank was quicker")
			}
			l.now = l.now.Add(time.Minute)
			l.runAll()
			b = l.sandbox.Books()
			if b.Intents[0].Status != tc.intent || b.Intents[0].LatestCharge != pi.LatestCharge || b.Charges[0].Status != tc.charge || b.Net["eur"] != tc.net {
				t.Errorf("%+v", b)
			}
			var got []string
			for it := l.api.Events.List(&stripego.EventListParams{}); it.Next(); {
				if it.Event().Data.Object["id"] == pi.ID {
					got = append(got, string(it.Event().Type))
				}
			}
			if slices.Sort(got); !slices.Equal(got, tc.events) {
				t.Errorf("events %v", got)
			}
			full, err := l.api.PaymentIntents.Get(pi.ID, nil)
			if err != nil || (full.LastPaymentError != nil) != (tc.net == 0) {
				t.Errorf("%+v %v", full.LastPaymentError, err)
			}
		})
	}
}

// runAll does what is due, the sandbox's own tidying included.
func (l *life) runAll() {
	l.t.Helper()
	if _, err := l.sandbox.RunDue(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

func TestProcessing_AHostedPageIsCompleteBeforeItIsPaid(t *testing.T) {
	for card, tc := range map[string]struct{ paid, event string }{
		"pm_card_bankTakesLater":   {"paid", "checkout.session.async_payment_succeeded"},
		"pm_card_bankRefusesLater": {"unpaid", "checkout.session.async_payment_failed"},
	} {
		l := newLife(t, 1)
		o := l.session()
		if pi, err := l.sandbox.PayCheckout(o.ID, card); err != nil || pi.Status != "processing" {
			t.Fatalf("%s: %+v %v", card, pi, err)
		}
		if held := l.sandbox.Books().Sessions[0]; held.Status != "complete" || held.PaymentStatus != "unpaid" {
			t.Errorf("%s: meanwhile %+v", card, held)
		}
		l.now = l.now.Add(threeDays)
		l.runAll()
		if held := l.sandbox.Books().Sessions[0]; held.Status != "complete" || held.PaymentStatus != tc.paid {
			t.Errorf("%s: %+v", card, held)
		}
		waiting := l.sandbox.Deliveries()
		if !slices.ContainsFunc(waiting, func(d stripe.Delivery) bool { return d.Type == tc.event }) {
			t.Errorf("%s: %+v", card, waiting)
		}
	}
}
