package stripe_test

import (
	"errors"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func refusal(t *testing.T, err error) *stripe.Refusal {
	t.Helper()
	var refused *stripe.Refusal
	if !errors.As(err, &refused) {
		t.Fatalf("want a *Refusal, got %v", err)
	}
	return refused
}

func TestConfirmIntent_HasTheOutcomeOfItsTestCard(t *testing.T) {
	sim := newSimulation(t, 1)
	for card, want := range map[string]struct{ status, decline string }{
		"4242 4242 4242 4242":    {"succeeded", ""},
		"pm_card_visa":           {"succeeded", ""},
		"4000002760003184":       {"requires_action", ""},
		"4000000000009995":       {"requires_payment_method", "insufficient_funds"},
		"pm_card_chargeDeclined": {"requires_payment_method", "generic_decline"},
	} {
		pi, err := sim.sandbox.ConfirmIntent(sim.intent(1000).ID, card)
		if pi.Status != want.status || pi.Metadata["pledge_id"] != "7" {
			t.Errorf("%s: %+v %v", card, pi, err)
		}
		if want.decline == "" && err == nil {
			continue
		}
		if e := refusal(t, err); e.HTTPStatus != 402 || e.DeclineCode != want.decline || pi.LatestCharge == "" {
			t.Errorf("%s: %v", card, e)
		}
	}
	pi := sim.paid(1000)
	if out, err := sim.sandbox.ConfirmIntent(pi.ID, "pm_card_visa"); refusal(t, err).Code != "payment_intent_unexpected_state" || out.ID != "" {
		t.Errorf("%+v %v", out, err)
	}
	if _, err := sim.sandbox.ConfirmIntent("pi_none", "pm_card_visa"); refusal(t, err).HTTPStatus != 404 {
		t.Error(err)
	}
	if _, err := sim.sandbox.ConfirmIntent(sim.intent(1000).ID, "4111111111111111"); refusal(t, err).Code != "incorrect_number" {
		t.Error(err)
	}
}

func TestAnswerChallenge_PassesFailsOrIsDeclinedAfterAll(t *testing.T) {
	sim := newSimulation(t, 1)
	for name, tc := range map[string]struct {
		card, status string
		pass         bool
		declined     bool
	}{
		"passed":                {"4000002760003184", "succeeded", true, false},
		"failed":                {"4000002760003184", "requires_payment_method", false, false},
		"passed, then declined": {"4000008260003178", "requires_payment_method", true, true},
	} {
		pi, err := sim.sandbox.ConfirmIntent(sim.intent(1000).ID, tc.card)
		if err != nil {
			t.Fatal(err)
		}
		pi, err = sim.sandbox.AnswerChallenge(pi.ID, tc.pass)
		if pi.Status != tc.status || (err != nil) != tc.declined {
			t.Errorf("%s: %+v %v", name, pi, err)
		}
		if _, err := sim.sandbox.AnswerChallenge(pi.ID, true); refusal(t, err).HTTPStatus != 400 {
			t.Errorf("%s: a second answer: %v", name, err)
		}
	}
}

func (sim *simulation) session() *stripego.CheckoutSession {
	sim.t.Helper()
	o, err := sim.api.CheckoutSessions.New(&stripego.CheckoutSessionParams{
		Mode: stripego.String("payment"), SuccessURL: stripego.String("https://shop.test/thanks"), CancelURL: stripego.String("https://shop.test/back"),
		LineItems: []*stripego.CheckoutSessionLineItemParams{{Quantity: stripego.Int64(2), PriceData: &stripego.CheckoutSessionLineItemPriceDataParams{
			Currency: stripego.String("eur"), UnitAmount: stripego.Int64(1500),
			ProductData: &stripego.CheckoutSessionLineItemPriceDataProductDataParams{Name: stripego.String("Reward")},
		}}},
		PaymentIntentData: &stripego.CheckoutSessionPaymentIntentDataParams{Metadata: map[string]string{"pledge_id": "7"}},
	})
	if err != nil {
		sim.t.Fatal(err)
	}
	return o
}

func TestPayCheckout_PaysAsThePageDoes(t *testing.T) {
	sim := newSimulation(t, 1)
	o := sim.session()
	if _, err := sim.sandbox.PayCheckout(o.ID, "4000000000000002"); refusal(t, err).HTTPStatus != 402 {
		t.Error(err)
	}
	back, err := sim.sandbox.CancelCheckout(o.ID)
	if err != nil || back != "https://shop.test/back" || sim.sandbox.Snapshot().Sessions[0].Status != "open" {
		t.Errorf("leaving the page changes nothing: %q %v", back, err)
	}
	pi, err := sim.sandbox.PayCheckout(o.ID, "pm_card_authenticationRequired")
	if err != nil || pi.Status != "requires_action" {
		t.Fatalf("%+v %v", pi, err)
	}
	if pi, err = sim.sandbox.AnswerChallenge(pi.ID, true); err != nil || pi.Status != "succeeded" || pi.AmountReceived != 3000 {
		t.Fatalf("%+v %v", pi, err)
	}
	b := sim.sandbox.Snapshot()
	if held := b.Sessions[0]; held.Status != "complete" || held.PaymentStatus != "paid" || held.Intent != pi.ID ||
		b.Charges[1].Metadata["pledge_id"] != "7" {
		t.Errorf("%+v", held)
	}
	if _, err := sim.sandbox.PayCheckout(o.ID, "pm_card_visa"); refusal(t, err).HTTPStatus != 400 {
		t.Errorf("a page that is paid: %v", err)
	}
	if _, err := sim.sandbox.PayCheckout("cs_none", "pm_card_visa"); refusal(t, err).HTTPStatus != 404 {
		t.Error(err)
	}
}

func TestMakePayment_HasTheGivenMetadataOrNone(t *testing.T) {
	sim := newSimulation(t, 1)
	theirs, err := sim.sandbox.MakePayment(stripe.OutsidePayment{Amount: 700})
	if err != nil || theirs.Status != "succeeded" || len(theirs.Metadata) != 0 {
		t.Errorf("%+v %v", theirs, err)
	}
	if _, err := sim.sandbox.MakePayment(stripe.OutsidePayment{Amount: 800, Metadata: map[string]string{"pledge_id": "7", "attempt": "1"}}); err != nil {
		t.Error(err)
	}
	b := sim.sandbox.Snapshot()
	if ours := b.Charges[1]; ours.Metadata["pledge_id"] != "7" || ours.Metadata["attempt"] != "1" || ours.Amount != 800 {
		t.Errorf("%+v", ours)
	}
	if out, err := sim.sandbox.MakePayment(stripe.OutsidePayment{Amount: 1}); refusal(t, err).Code != "amount_too_small" || out.ID != "" {
		t.Errorf("%+v %v", out, err)
	}
	if len(sim.sandbox.Snapshot().Intents) != 2 {
		t.Error("a refused payment left an intent")
	}
}

func TestRefundByHand_HasNoMetadata(t *testing.T) {
	sim := newSimulation(t, 1)
	pi := sim.paid(1000)
	r, err := sim.sandbox.RefundByHand(pi.LatestCharge, 300)
	if err != nil || r.Amount != 300 || r.Intent != pi.ID || len(r.Metadata) != 0 {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = sim.sandbox.RefundByHand(pi.LatestCharge, 0); err != nil || r.Amount != 700 {
		t.Errorf("all that is left: %+v %v", r, err)
	}
	if _, err := sim.sandbox.RefundByHand(pi.LatestCharge, 0); refusal(t, err).Code != "charge_already_refunded" {
		t.Error(err)
	}
}

func TestDispute_IsOpenedAndDecidedInProcess(t *testing.T) {
	sim := newSimulation(t, 1)
	d, err := sim.sandbox.OpenDispute(stripe.DisputeOrder{Charge: sim.paid(1000).LatestCharge})
	if err != nil || d.Status != "needs_response" || sim.sandbox.Snapshot().Net["eur"] != -1540 {
		t.Errorf("%+v %v", d, err)
	}
	if d, err = sim.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: "won"}); err != nil || d.Status != "won" {
		t.Errorf("%+v %v", d, err)
	}
	if net := sim.sandbox.Snapshot().Net["eur"]; net != 960 {
		t.Errorf("the balance is %d", net)
	}
	if _, err := sim.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: "won"}); err == nil {
		t.Error("a won dispute is won again")
	}
}

func TestChangeAmount_ChangesWhatIsPaid(t *testing.T) {
	sim := newSimulation(t, 1)
	pi := sim.intent(1000)
	if got, err := sim.sandbox.ChangeAmount(pi.ID, 700); err != nil || got.Amount != 700 || got.Metadata["pledge_id"] != "7" {
		t.Errorf("%+v %v", got, err)
	}
	got, err := sim.sandbox.ConfirmIntent(pi.ID, "pm_card_visa")
	if err != nil || got.AmountReceived != 700 || sim.sandbox.Snapshot().Charges[0].Amount != 700 {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := sim.sandbox.ChangeAmount(pi.ID, 800); refusal(t, err).HTTPStatus != 400 {
		t.Error(err)
	}
	if _, err := sim.sandbox.ChangeAmount(sim.intent(1000).ID, 1); refusal(t, err).Code != "amount_too_small" {
		t.Error(err)
	}
}
