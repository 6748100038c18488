//go:build unix

package subscriptions_test

import (
	"slices"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
)

func TestPaid_EachMonthIsAChargeWithAReceipt(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", w.choir))
	first := w.paid(s, 1)
	w.mustPay(first, taken)
	w.mustPay(first, taken) // a repeat reads the answer
	again := first
	again.EventID, again.Sequence = "another", 99
	w.mustPay(again, ignored)
	w.mustTell(w.told(s, 1, activated, active), taken)
	w.Advance(31 * 24 * time.Hour)
	renewed := w.toldPaid(s, 2, 2)
	renewed.Method = new("Mastercard ···· 4444")
	w.mustTell(renewed, taken)
	w.mustPay(w.paid(s, 2), taken) // which was paid with the card before that

	got := w.read(s.SubscriptionID)
	if got.Status != api.SubscriptionStatusActive || len(got.Charges) != 2 || got.Charges[0].Period != 2 || got.BegunOn == nil ||
		got.BegunOn.String() != "2026-11-20" || got.NextChargeOn == nil || *got.PaymentMethod != "Mastercard ···· 4444" || got.PayableUntil != nil {
		t.Fatalf("%+v", got)
	}
	c := got.Charges[1]
	if c.ReceiptNumber != "TM-2026-000001" || c.Amount != 10_00 || c.VatIncluded != 1_42 || c.VatPercentage == nil || *c.VatPercentage != 25.5 || c.Status != api.ChargeReceiptStatusPaid || c.Day.String() != "2026-11-20" {
		t.Errorf("%+v", c) // the tax is in the reward's 7 euros
	}
	if mails := w.outbox("mail.monthly_receipt", "period"); !slices.Equal(mails, []string{"1", "2"}) {
		t.Errorf("receipts mailed: %v", mails)
	}
	if got := w.totals(); got != "1 of 10" {
		t.Errorf("totals %s", got)
	}
	w.checkInvariants()
}

// Whichever of its two events comes first, and whatever overtakes them, a paid month has one receipt.
func TestPaid_AReceiptIsMailedOnceTheMonthIsTaken(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", 0))
	w.mustTell(w.told(s, 1, activated, active), taken)
	mailed := func(want ...string) {
		t.Helper()
		if got := w.outbox("mail.monthly_receipt", "period"); !slices.Equal(got, want) {
			t.Errorf("receipts mailed: %v, want %v", got, want)
		}
	}
	mailed()
	w.mustPay(w.paid(s, 1), taken)
	mailed("1")
	w.mustPay(w.paid(s, 2), taken)
	mailed("1")
	w.mustTell(w.told(s, 3, internalapi.SubscriptionEventCauseCardChanged, active), taken)
	late := w.toldPaid(s, 2, 2)
	w.mustTell(late, ignored)
	w.mustTell(late, ignored)
	mailed("1", "2")
	if days := w.outbox("mail.monthly_receipt", "period_day"); !slices.Equal(days, []string{"2026-11-20", "2026-12-20"}) {
		t.Errorf("of %v", days)
	}
}

// Money of a charge that its cancel, or a month left out, has overtaken: it goes straight back, and one mail says so.
func TestPaid_NobodyIsThankedForMoneyThatGoesStraightBack(t *testing.T) {
	for cause, status := range map[internalapi.SubscriptionEventCause]internalapi.SubscriptionEventStatus{
		internalapi.SubscriptionEventCauseCanceled: canceled, internalapi.SubscriptionEventCauseSkipped: active} {
		w := setup(t)
		s := w.supporter(0, "10", 0)
		month := w.paid(s, 2)
		w.mustTell(w.told(s, 2, cause, status), taken)
		w.mustPay(month, taken)
		back := of(month, internalapi.PaymentRefunded, 10_00)
		back.RefundReason = new(internalapi.PaymentEventRefundReasonPledgeClosed)
		w.mustPay(back, taken)
		if got := w.outbox("mail.monthly_receipt", "period"); !slices.Equal(got, []string{"1"}) {
			t.Errorf("%s: receipts mailed of %v", cause, got)
		}
		if got := w.outbox("mail.monthly_refund", "period"); !slices.Equal(got, []string{"2"}) {
			t.Errorf("%s: refunds told of %v", cause, got)
		}
		w.checkInvariants()
	}
}

// Word of a payment can come days later, and in another year: its receipt has the day on which it was paid.
func TestPaid_AReceiptHasTheDayOfThePayment(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", 0))
	e := w.paid(s, 1)
	e.OccurredAt = time.Date(2026, 12, 31, 22, 30, 0, 0, time.UTC) // half past midnight in Finland
	w.Advance(50 * 24 * time.Hour)
	w.mustPay(e, taken)
	before := w.paid(s, 2)
	before.OccurredAt = time.Date(2026, 12, 31, 21, 30, 0, 0, time.UTC)
	w.mustPay(before, taken)
	got := w.read(s.SubscriptionID).Charges
	if got[1].Day.String() != "2027-01-01" || got[1].ReceiptNumber != "TM-2027-000001" {
		t.Errorf("%+v", got[1])
	}
	if got[0].Day.String() != "2026-12-31" || got[0].ReceiptNumber != "TM-2026-000002" {
		t.Errorf("%+v", got[0])
	}
}

func TestPaid_ASecondPaymentOfAMonthIsNotWanted(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", 0)
	twice := w.paid(s, 1)
	twice.PaymentID = "another"
	w.mustPay(twice, notWanted)
	if n := len(w.read(s.SubscriptionID).Charges); n != 1 {
		t.Errorf("%d charges", n)
	}
}

func TestPaid_MoneyThatCannotBeTakenEndsWhatNeverBegan(t *testing.T) {
	for name, tt := range map[string]struct {
		before func(*world, *internalapi.PaymentEvent)
		reason string
	}{
		"another amount":   {func(_ *world, e *internalapi.PaymentEvent) { e.AmountMinor++ }, "released"},
		"another currency": {func(_ *world, e *internalapi.PaymentEvent) { e.Currency = "SEK" }, "released"},
		"a closed campaign": {func(w *world, _ *internalapi.PaymentEvent) { w.moveStage(campaigns.StageClosed) },
			"campaign_closed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := setup(t)
			s := w.begins(0, body("10", 0))
			e := w.paid(s, 1)
			tt.before(w, &e)
			w.mustPay(e, notWanted)
			w.mustPay(e, notWanted)
			w.mustTell(w.told(s, 1, activated, active), taken) // what was told before the payment service knew
			if got := w.read(s.SubscriptionID); got.Status != api.SubscriptionStatusExpired || len(got.Charges) != 0 || got.PaidUntil != nil {
				t.Errorf("%+v, paid until %v", got, got.PaidUntil)
			}
			if sent := w.outbox("payment.close", "reason"); !slices.Equal(sent, []string{tt.reason}) {
				t.Errorf("closing messages %v", sent)
			}
			w.mustPay(of(e, internalapi.PaymentRefunded, e.AmountMinor), taken)
			if mails := w.outbox("mail.monthly_refund", "subscription_id"); len(mails) != 1 {
				t.Errorf("the payer is told %d times that their money is back", len(mails))
			}
			w.checkInvariants()
		})
	}
}

func TestPaid_TooLateToExpireIsStillWelcome(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", 0))
	w.Advance(time.Hour)
	w.endDue(0) // a payment may be on its way
	w.Advance(16 * time.Minute)
	w.endDue(1)
	if got := w.read(s.SubscriptionID); got.Status != api.SubscriptionStatusExpired {
		t.Fatalf("%s", got.Status)
	}
	w.mustPay(w.paid(s, 1), taken)
	if got := w.read(s.SubscriptionID); got.Status != api.SubscriptionStatusActive || w.totals() != "1 of 10" {
		t.Errorf("%s, %s", got.Status, w.totals())
	}
	w.checkInvariants()
}

func TestRefundsAndDisputes_AreTheCharges(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", 0)
	e := w.paid(s, 2)
	w.mustPay(e, taken)
	status := func(want api.ChargeReceiptStatus, back int64) {
		t.Helper()
		if c := w.read(s.SubscriptionID).Charges[0]; c.Status != want || int64(c.AmountRefunded) != back {
			t.Errorf("%+v, want %s", c, want)
		}
	}
	w.mustPay(of(e, internalapi.PaymentRefunded, 4_00), taken)
	status(api.ChargeReceiptStatusPartlyRefunded, 4_00)
	late := of(e, internalapi.PaymentDisputed, 0)
	won := of(e, internalapi.PaymentReinstated, 0)
	w.mustPay(won, taken)
	w.mustPay(late, ignored) // overtaken
	status(api.ChargeReceiptStatusPartlyRefunded, 4_00)
	w.mustPay(of(e, internalapi.PaymentDisputed, 0), taken)
	status(api.ChargeReceiptStatusDisputed, 4_00)
	w.mustPay(of(e, internalapi.PaymentRefunded, 3_00), ignored)
	w.mustPay(of(e, internalapi.PaymentRefunded, 10_00), taken)
	status(api.ChargeReceiptStatusRefunded, 10_00)
	if got := w.totals(); got != "1 of 10" {
		t.Errorf("a refunded month changes the totals: %s", got)
	}
	if mails := w.outbox("mail.monthly_refund", "period"); !slices.Equal(mails, []string{"2", "2"}) {
		t.Errorf("mails %v", mails)
	}
}

func TestPaid_ARefundToldBeforeItsPaymentCounts(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", 0)
	e := w.paid(s, 2)
	w.mustPay(of(e, internalapi.PaymentRefunded, 10_00), taken)
	w.mustPay(of(e, internalapi.PaymentDisputed, 0), ignored)
	w.mustPay(e, taken)
	if c := w.read(s.SubscriptionID).Charges[0]; c.Status != api.ChargeReceiptStatusRefunded {
		t.Errorf("%+v", c)
	}
}
