package routing_test

import (
	"net/http"
	"slices"
	"testing"

	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/mangopay"
)

func flip(b *paymentstest.B, name string, isOn bool) {
	b.T.Helper()
	err := b.App.Routes.Switch(b.T.Context(), b.App.DB, routing.Switch{Provider: name, IsOn: isOn, Reason: "it does not answer", Actor: "maija"})
	if err != nil {
		b.T.Fatal(err)
	}
}

// What has begun at a provider ends there; what begins is refused until it is switched on again.
func TestSwitch_WhilePeoplePay(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	asked, debited := b.Pledge(), b.Pledge()
	challenge := b.Pay(b.Order(asked, paymentstest.AskedCard))
	if !challenge.PayIn.SecureModeNeeded {
		t.Fatalf("%+v", challenge)
	}
	order := b.Order(debited, paymentstest.PlainCard) // registered, and not charged yet

	flip(b, mangopay.Name, false)
	flip(b, mangopay.Name, false) // said twice
	if status, code := b.Call("payin", order, nil, nil); status != http.StatusServiceUnavailable || code != "configuration_error/provider_off" {
		t.Errorf("a charge begins: %d %s", status, code)
	}
	if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": b.Pledge()}, nil, nil); status != http.StatusServiceUnavailable || code != "configuration_error/provider_off" {
		t.Errorf("a pledge begins: %d %s", status, code)
	}
	if err := b.At.AnswerChallenge(challenge.PayIn.ID, true); err != nil {
		t.Fatal(err)
	}
	if got := b.Payment(asked); got.Status != "succeeded" {
		t.Errorf("what the bank was asking ended as %+v", got)
	}
	if _, _, err := b.App.Payments.Refund(t.Context(), b.Payment(asked).ID, refunds.Wish{Reason: refunds.Requested}); err != nil {
		t.Error(err)
	}
	b.Settle()
	if got := b.Payment(asked); got.Status != "refunded" {
		t.Errorf("money goes back all the same: %+v", got)
	}

	flip(b, mangopay.Name, true)
	if got := b.Pay(order); got.PayIn.Status != "SUCCEEDED" {
		t.Errorf("switched on: %+v", got)
	}
	list, err := routing.Switches(t.Context(), b.App.DB)
	var said []string
	for _, one := range list {
		said = append(said, one.Provider+" "+one.Actor+" "+one.Reason)
	}
	if err != nil || len(list) != 2 || list[0].IsOn == list[1].IsOn || !slices.Equal(said, []string{"mangopay maija it does not answer", "mangopay maija it does not answer"}) {
		t.Errorf("%+v, %v", list, err)
	}
	for name, s := range map[string]routing.Switch{"of nobody": {Provider: "paypal", Reason: "x", Actor: "x"}, "without why": {Provider: mangopay.Name, Actor: "x", Reason: " "}} {
		if err := b.App.Routes.Switch(t.Context(), b.App.DB, s); err == nil {
			t.Errorf("a switch %s", name)
		}
	}
	if err := b.DB.Gorm.Exec(`UPDATE provider_switches SET is_on = true`).Error; err == nil {
		t.Errorf("a switch was changed: %v", err)
	}
}
