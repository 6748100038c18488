package payins_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// Money that nobody asked for lies in the wallet of the campaign that it was paid to: a person can give it to a payment of that campaign,
// and to no other, whose creator it would never reach.
func TestHeldMoney_GoesToItsWalletsCampaignAlone(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	op := payments.Operator{Actor: "aino", Note: "test"}
	b.Pay(b.Order(b.Pledge(), paymentstest.PlainCard))
	payer := b.At.Snapshot().Transactions[0].AuthorID
	charge := func(payment string) string {
		var made struct {
			ID string `json:"Id"`
		}
		b.Provide(http.MethodPost, "/payins/card/web", `{"AuthorId": "`+payer+`", "CreditedWalletId": "`+b.Wallet.ID+`", "DebitedFunds": {"Currency": "EUR", "Amount": 5000},
			"Fees": {"Currency": "EUR", "Amount": 0}, "ReturnURL": "https://talkoot.example/", "Culture": "FI", "CardType": "CB_VISA_MASTERCARD",
			"Tag": "`+url.Values{"payment": {payment}, "attempt": {"lost"}}.Encode()+`"}`, &made)
		if _, err := b.At.PayOnPage(made.ID, paymentstest.CardOf(paymentstest.PlainCard)); err != nil {
			t.Fatal(err)
		}
		if _, err := b.App.Payments.ReconcileByRef(t.Context(), mangopay.Name, made.ID, payments.SignalSweep); err != nil {
			t.Fatal(err)
		}
		return made.ID
	}
	elsewhere := b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.CampaignID++ })
	b.MustSetup(elsewhere)
	named := charge(b.PaymentOf(elsewhere))
	if err := b.App.Payments.ReleaseHeld(t.Context(), mangopay.Name, named, true, op); !errors.Is(err, payments.ErrDoesNotFit) {
		t.Errorf("accepted for the payment that it names: %v", err)
	}
	stray := charge(ids.New())
	if err := b.App.Payments.Attach(t.Context(), mangopay.Name, stray, b.PaymentOf(elsewhere), op); !errors.Is(err, payments.ErrDoesNotFit) {
		t.Errorf("attached to another campaign's: %v", err)
	}
	own := b.Pledge()
	b.Begin(own)
	if err := b.App.Payments.Attach(t.Context(), mangopay.Name, stray, b.PaymentOf(own), op); err != nil || b.Payment(own).Status != "succeeded" {
		t.Errorf("attached to its campaign's: %v", err)
	}
	if err := b.App.Payments.ReleaseHeld(t.Context(), mangopay.Name, named, false, op); err != nil {
		t.Errorf("given back: %v", err)
	}
}
