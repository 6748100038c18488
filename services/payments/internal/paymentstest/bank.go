package paymentstest

import (
	"net/http"
	"net/url"
	"strconv"

	"talkoot.fi/payments/internal/moneyback/refunds"
	sandbox "talkoot.fi/sandbox/stripe"
)

// DisputeFee is what the provider's stand-in keeps for a dispute.
const DisputeFee = 1500

// Refund asks for a refund; 0 is all that is left.
func (w *World) Refund(paymentID string, minor int64, reason refunds.Reason) {
	w.T.Helper()
	if _, _, err := w.App.Payments.Refund(w.T.Context(), paymentID,
		refunds.Wish{AmountMinor: minor, Reason: reason}); err != nil {
		w.T.Fatal(err)
	}
}

// RefundByHand is somebody giving money back in the provider's own pages.
func (w *World) RefundByHand(intent string, minor int64) {
	w.T.Helper()
	form := url.Values{"payment_intent": {intent}, "amount": {strconv.FormatInt(minor, 10)}}
	if status := w.ByHand("/v1/refunds", form); status != http.StatusOK {
		w.T.Fatalf("refund by hand answered %d", status)
	}
}

// FailRefund has the bank send the newest refund back.
func (w *World) FailRefund() {
	w.T.Helper()
	list := w.Sandbox.Snapshot().Refunds
	if _, err := w.Sandbox.FailRefund(sandbox.RefundFailure{Refund: list[len(list)-1].ID}); err != nil {
		w.T.Fatal(err)
	}
}

// SettleRefundsAtProvider passes the time that pending refunds take.
func (w *World) SettleRefundsAtProvider() {
	w.T.Helper()
	w.Control("clock", `{"advance_seconds":11}`)
	w.Eventually("the refunds to settle", func() bool {
		w.Settle()
		return w.Count("refunds WHERE status = 'pending'") == 0
	})
}

// WireDispute is a dispute of the provider's.
type WireDispute struct{ ID, Status string }

// DisputesAt lists the disputes of an intent.
func (w *World) DisputesAt(intent string) []WireDispute {
	w.T.Helper()
	var list struct{ Data []WireDispute }
	w.At("/v1/disputes?payment_intent="+intent, &list)
	return list.Data
}

// Disputed pays with the card whose charge is disputed soon after, waits for that, and gives the dispute.
func (w *World) Disputed() (pledge, paymentID, dispute string) {
	w.T.Helper()
	pledge, paymentID, intent := w.PayWith("pm_card_createDispute")
	w.WantStatus(pledge, "succeeded")
	return pledge, paymentID, w.DisputeComes(intent)
}

// DisputeComes passes the time until such a card's dispute.
func (w *World) DisputeComes(intent string) string {
	w.T.Helper()
	w.Control("clock", `{"advance_seconds":11}`)
	w.Eventually("the dispute", func() bool { return len(w.DisputesAt(intent)) == 1 })
	return w.DisputesAt(intent)[0].ID
}

// DisputeByHand opens a dispute of a part of an intent's charge; 0 is all that is left of it.
func (w *World) DisputeByHand(intent string, minor int64) string {
	w.T.Helper()
	d, err := w.Sandbox.OpenDispute(sandbox.DisputeOrder{Charge: w.ChargeOf(intent), Amount: minor})
	if err != nil {
		w.T.Fatal(err)
	}
	return d.ID
}

// ChargeOf is the charge of an intent.
func (w *World) ChargeOf(intent string) string {
	w.T.Helper()
	var in struct {
		Charge string `json:"latest_charge"`
	}
	w.At("/v1/payment_intents/"+intent, &in)
	return in.Charge
}

// Warned pays with the card whose charge is reported as fraud soon after, waits for that, and gives the warning.
func (w *World) Warned() (pledge, paymentID, intent, warning string) {
	w.T.Helper()
	pledge, paymentID, intent = w.PayWith("pm_card_createIssuerFraudRecord")
	w.WantStatus(pledge, "succeeded")
	return pledge, paymentID, intent, w.WarningComes(intent)
}

// WarningComes passes the time until such a card's warning.
func (w *World) WarningComes(intent string) string {
	w.T.Helper()
	w.Control("clock", `{"advance_seconds":11}`)
	var list struct{ Data []struct{ ID string } }
	w.Eventually("the warning", func() bool {
		w.At("/v1/radar/early_fraud_warnings?payment_intent="+intent, &list)
		return len(list.Data) == 1
	})
	return list.Data[0].ID
}

// Decide is a bank's decision: won or lost.
func (w *World) Decide(dispute, status string) {
	w.T.Helper()
	if _, err := w.Sandbox.DecideDispute(sandbox.DisputeDecision{Dispute: dispute, Status: status}); err != nil {
		w.T.Fatal(err)
	}
}

// Book is what became of one counted charge of 50 euros, in cents.
type Book struct {
	Gone   int64 // has left us for good
	OnHold int64 // at the bank, until it decides
	Bare   int64 // of that, what had gone back before
	Cost   int64 // beside the charge's own fee
}

// WantBook wants the ledger to hold one counted charge, of which this became.
func (w *World) WantBook(b Book) {
	w.T.Helper()
	contested := b.OnHold - b.Bare
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": 5000 - Fee - b.Gone - b.OnHold - b.Cost, "provider_fees:stripe": Fee + b.Cost,
		"backer_funds:stripe:7": b.Gone + contested - 5000, "disputed_funds:stripe:7": -contested,
		"dispute_hold:stripe": b.OnHold,
	})
}
