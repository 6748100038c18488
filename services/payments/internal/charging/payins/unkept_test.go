package payins_test

import (
	"testing"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

// A card that nobody asked to keep can be charged until it has paid, and no longer; what it paid can be given back all the same.
func TestUnkeptCard_IsEndedOnceItHasPaid_AndNotBefore(t *testing.T) {
	t.Parallel()
	w := newCardWorld(t)
	cardOf := func(order map[string]any) string { return order["cardId"].(string) }

	// Refused, it pays the next time.
	pledge := pledgeOf(w.B, aino)
	order := w.Order(pledge, paymentstest.PlainCard)
	w.At.ForceCode("101399")
	if in := w.Pay(order); in.PayIn.Status != "FAILED" {
		t.Fatalf("%+v", in)
	}
	w.wantActive(cardOf(order), true)
	if in := w.Pay(order); in.PayIn.Status != "SUCCEEDED" {
		t.Fatalf("%+v", in)
	}
	w.wantActive(cardOf(order), false)

	var id string
	w.Scan(&id, `SELECT id FROM payments WHERE subject_id = ?`, pledge)
	if _, err := w.App.Payments.RefundByOperator(t.Context(), id, 0, "all", payments.Operator{Actor: "anna", Note: "asked"}); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	if got := w.Payment(pledge); got.Status != "refunded" {
		t.Errorf("is %+v", got)
	}

	// While its bank asks about one of two pledges, it is not ended for the other one.
	first := pledgeOf(w.B, aino)
	order = w.Order(first, paymentstest.AskedCard)
	asked := w.Pay(order)
	second := pledgeOf(w.B, aino)
	other := w.Pay(paymentstest.OrderBy(second, w.Begin(second), cardOf(order)))
	for i, in := range []paymentstest.PayIn{other, asked} {
		if !in.PayIn.SecureModeNeeded {
			t.Fatalf("%+v", in)
		}
		if err := w.At.AnswerChallenge(in.PayIn.ID, true); err != nil {
			t.Fatal(err)
		}
		w.Payment([]string{second, first}[i]) // which looks
		w.wantActive(cardOf(order), i == 0)
	}

	// What is kept stays, also when it paid before it was kept and was to be ended.
	kept := keep(w.B, aino, paymentstest.OtherCard)
	w.payWith(aino, kept)
	w.wantActive(kept, true)
	late := pledgeOf(w.B, aino)
	r := w.Begin(late)
	done := w.Finish(late, r, paymentstest.CardOf(third), false)
	w.Pay(paymentstest.OrderBy(late, r, done.CardID))
	w.MustCall("finish-card-registration", map[string]any{"pledgeId": late, "registrationId": r.CardRegistration.ID, "registrationData": "data=x", "keep": true}, nil)
	w.wantActive(done.CardID, true)
	w.wantKept(aino, done.CardID, kept)
	w.Audit()
}
