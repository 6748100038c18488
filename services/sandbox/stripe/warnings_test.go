package stripe_test

import (
	"strings"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

// warned pays with the card whose charges are reported as fraud, and waits for the warning.
func (b *fixture) warned() (*stripego.PaymentIntent, *stripego.RadarEarlyFraudWarning) {
	b.t.Helper()
	pi := b.pay("pm_card_createIssuerFraudRecord")
	b.control("clock", `{"advance_seconds": 11}`)
	var found *stripego.RadarEarlyFraudWarning
	b.eventually(func() bool {
		it := b.api.RadarEarlyFraudWarnings.List(&stripego.RadarEarlyFraudWarningListParams{PaymentIntent: &pi.ID})
		if it.Next() {
			found = it.RadarEarlyFraudWarning()
		}
		return found != nil
	}, "the charge is reported as fraud")
	return pi, found
}

func TestWarning_ComesAfterTheCharge_AndMovesNoMoney(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, w := b.warned()
	got, err := b.api.RadarEarlyFraudWarnings.Get(w.ID, nil)
	if err != nil || !strings.HasPrefix(got.ID, "issfr_") || got.Object != "radar.early_fraud_warning" || !got.Actionable ||
		got.FraudType != stripego.RadarEarlyFraudWarningFraudTypeUnauthorizedUseOfCard || got.PaymentIntent.ID != pi.ID || got.Charge.ID != pi.LatestCharge.ID {
		t.Fatalf("%+v %v", got, err)
	}
	if held := b.heldInAll(); held != 960 {
		t.Errorf("the balance is %d", held)
	}
	_, err = b.api.RadarEarlyFraudWarnings.Get("issfr_none", nil)
	if e := stripeError(t, err); e.HTTPStatusCode != 404 {
		t.Errorf("one that is not there: %v", e)
	}
}

// A warning says whether a refund can still avoid a dispute; each change of that is an event of its own.
func TestWarning_IsActionableUntilAllIsRefundedOrItIsDisputed(t *testing.T) {
	for name, tc := range map[string]struct {
		do   func(b *fixture, pi *stripego.PaymentIntent) error
		want bool
	}{
		"a part is refunded": {func(b *fixture, pi *stripego.PaymentIntent) error {
			_, err := b.api.Refunds.New(&stripego.RefundParams{PaymentIntent: &pi.ID, Amount: stripego.Int64(300)})
			return err
		}, true},
		"all is refunded": {func(b *fixture, pi *stripego.PaymentIntent) error {
			_, err := b.api.Refunds.New(&stripego.RefundParams{PaymentIntent: &pi.ID})
			return err
		}, false},
		"it is disputed": {func(b *fixture, pi *stripego.PaymentIntent) error {
			b.control("disputes", `{"charge":"`+pi.LatestCharge.ID+`"}`)
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			hooks := newReceiver(t)
			b := start(t, stripe.Options{WebhookURL: hooks.server.URL, WebhookSecret: webhookSecret})
			pi, w := b.warned()
			if err := tc.do(b, pi); err != nil {
				t.Fatal(err)
			}
			got, err := b.api.RadarEarlyFraudWarnings.Get(w.ID, nil)
			if err != nil || got.Actionable != tc.want {
				t.Fatalf("%+v %v", got, err)
			}
			heard := map[string]bool{}
			last := "radar.early_fraud_warning.updated"
			if tc.want {
				last = "charge.refunded"
			}
			for !heard["radar.early_fraud_warning.created"] || !heard[last] {
				heard[string(hooks.next(t).Type)] = true
			}
			if heard["radar.early_fraud_warning.updated"] == tc.want {
				t.Errorf("heard %v", heard)
			}
		})
	}
}

func TestWarning_CanBeMadeOfAnyCapturedCharge(t *testing.T) {
	b := start(t, stripe.Options{})
	pi := b.pay("pm_card_visa")
	b.control("warnings", `{"charge":"`+pi.LatestCharge.ID+`","fraud_type":"made_with_stolen_card"}`)
	it := b.api.RadarEarlyFraudWarnings.List(&stripego.RadarEarlyFraudWarningListParams{Charge: stripego.String(pi.LatestCharge.ID)})
	if !it.Next() || it.RadarEarlyFraudWarning().FraudType != "made_with_stolen_card" || it.Next() {
		t.Errorf("%v", it.Err())
	}
	if _, err := b.sandbox.Warn(stripe.WarningOrder{Charge: "ch_none"}); err == nil {
		t.Error("a charge that is not there is reported")
	}
	if _, err := b.sandbox.Warn(stripe.WarningOrder{Charge: pi.LatestCharge.ID, FraudType: "weather"}); err == nil {
		t.Error("a type that is none is told")
	}
}
