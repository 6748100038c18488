package stripe_test

import (
	"slices"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

// threeDays is how long the bank takes.
const threeDays = 3 * 24 * time.Hour

func TestProcessing_SucceedsOrFailsThreeDaysLater(t *testing.T) {
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
			sim := newSimulation(t, 1)
			pi, err := sim.sandbox.ConfirmIntent(sim.intent(1000).ID, card)
			if err != nil || pi.Status != "processing" || pi.LatestCharge == "" {
				t.Fatalf("%+v %v", pi, err)
			}
			b := sim.sandbox.Snapshot()
			if len(b.BalanceTransactions) != 0 || b.Charges[0].Status != "pending" || b.Charges[0].Captured {
				t.Errorf("meanwhile %+v", b)
			}
			if _, err := sim.api.PaymentIntents.Cancel(pi.ID, nil); stripeError(t, err).Code != stripego.ErrorCodePaymentIntentUnexpectedState {
				t.Errorf("canceling: %v", err)
			}
			if _, err := sim.sandbox.ConfirmIntent(pi.ID, "pm_card_visa"); refusal(t, err).Code != "payment_intent_unexpected_state" {
				t.Errorf("paying again: %v", err)
			}
			if _, err := sim.sandbox.OpenDispute(stripe.DisputeOrder{Charge: pi.LatestCharge}); err == nil {
				t.Error("what has not come is disputed")
			}
			if _, err := sim.sandbox.RefundByHand(pi.LatestCharge, 0); refusal(t, err).HTTPStatus != 400 {
				t.Errorf("refunding: %v", err)
			}
			sim.now = sim.now.Add(threeDays - time.Minute)
			if sim.runAll(); sim.sandbox.Snapshot().Intents[0].Status != "processing" {
				t.Error("the bank was quicker")
			}
			sim.now = sim.now.Add(time.Minute)
			sim.runAll()
			b = sim.sandbox.Snapshot()
			if b.Intents[0].Status != tc.intent || b.Intents[0].LatestCharge != pi.LatestCharge || b.Charges[0].Status != tc.charge || b.Net["eur"] != tc.net {
				t.Errorf("%+v", b)
			}
			var got []string
			for it := sim.api.Events.List(&stripego.EventListParams{}); it.Next(); {
				if it.Event().Data.Object["id"] == pi.ID {
					got = append(got, string(it.Event().Type))
				}
			}
			if slices.Sort(got); !slices.Equal(got, tc.events) {
				t.Errorf("events %v", got)
			}
			full, err := sim.api.PaymentIntents.Get(pi.ID, nil)
			if err != nil || (full.LastPaymentError != nil) != (tc.net == 0) {
				t.Errorf("%+v %v", full.LastPaymentError, err)
			}
		})
	}
}

// runAll does everything that is due, the removal of old idempotency keys included.
func (sim *simulation) runAll() {
	sim.t.Helper()
	if _, err := sim.sandbox.RunDue(sim.t.Context()); err != nil {
		sim.t.Fatal(err)
	}
}

func TestProcessing_AHostedPageIsCompleteBeforeItIsPaid(t *testing.T) {
	for card, tc := range map[string]struct{ paid, event string }{
		"pm_card_bankTakesLater":   {"paid", "checkout.session.async_payment_succeeded"},
		"pm_card_bankRefusesLater": {"unpaid", "checkout.session.async_payment_failed"},
	} {
		sim := newSimulation(t, 1)
		o := sim.session()
		if pi, err := sim.sandbox.PayCheckout(o.ID, card); err != nil || pi.Status != "processing" {
			t.Fatalf("%s: %+v %v", card, pi, err)
		}
		if held := sim.sandbox.Snapshot().Sessions[0]; held.Status != "complete" || held.PaymentStatus != "unpaid" {
			t.Errorf("%s: meanwhile %+v", card, held)
		}
		sim.now = sim.now.Add(threeDays)
		sim.runAll()
		if held := sim.sandbox.Snapshot().Sessions[0]; held.Status != "complete" || held.PaymentStatus != tc.paid {
			t.Errorf("%s: %+v", card, held)
		}
		waiting := sim.sandbox.Deliveries()
		if !slices.ContainsFunc(waiting, func(d stripe.Delivery) bool { return d.Type == tc.event }) {
			t.Errorf("%s: %+v", card, waiting)
		}
	}
}
