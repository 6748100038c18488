package subscriptions_test

import (
	"slices"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

var anchor = day(2027, 1, 10)

// renewing is a subscription of January the 10th, on the morning of its second month, whose card has been changed by its
// bank.
func renewing(t *testing.T, number string) (*paymentstest.World, string) {
	t.Helper()
	w := paymentstest.New(t)
	return w, renewingIn(w, number)
}

func renewingIn(w *paymentstest.World, number string) string {
	w.T.Helper()
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	if number != "" {
		w.BankSays(id, number)
	}
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second))
	return id
}

// triedOn are the days of February on which a subscription's second month was tried.
func triedOn(w *paymentstest.World, id string) []int {
	w.T.Helper()
	var days []int
	w.Scan(&days, `SELECT extract(day FROM begun_at AT TIME ZONE 'Europe/Helsinki')::int FROM subscription_tries
		WHERE subscription_id = ? AND period = 2 ORDER BY number`, id)
	return days
}

func TestRefusedCharge_IsTriedOnDays1357_ThenPastDue_ThenCanceled(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.Settle()
	sub := w.Show(id)
	if sub.Status != "active" || sub.Due == nil || len(sub.Due.Tries) != 1 || len(sub.Due.ComingTries) != 4 ||
		*sub.Due.NeedsBacker || !sub.Due.GivesUpOn.Equal(day(2027, 2, 18)) || sub.NextCharge != nil {
		t.Errorf("after the first refusal it is %+v with %+v", sub, sub.Due)
	}
	for range 4 {
		w.GoToNextStep(id)
	}
	if got := triedOn(w, id); !slices.Equal(got, []int{10, 11, 13, 15, 17}) {
		t.Errorf("tried on %v", got)
	}
	wantStatus(w, id, "active")
	w.GoToNextStep(id)
	wantStatus(w, id, "past_due")
	if today := calendar.DayOf(w.Now()); !today.Equal(day(2027, 2, 18)) {
		t.Errorf("past_due on %s", today)
	}
	w.GoToNextStep(id)
	wantStatus(w, id, "canceled")
	if today := calendar.DayOf(w.Now()); !today.Equal(day(2027, 3, 20)) {
		t.Errorf("canceled on %s", today)
	}
	w.WantTold(id, "activated", "charge_failed", "charge_failed", "charge_failed", "charge_failed", "charge_failed",
		"past_due", "canceled")
	told := w.Told(id)
	if next := told[1].NextTryOn; next == nil || !next.Equal(day(2027, 2, 11)) || *told[1].DueAmountMinor != 1000 ||
		*told[1].FailureCode != "card_declined" {
		t.Errorf("the first refusal was told as %+v", told[1])
	}
	if told[5].NextTryOn != nil || *told[7].EndedBecause != "unpaid" {
		t.Errorf("the last refusal was told as %+v, the end as %+v", told[5], told[7])
	}
	w.Settle()
	if n := w.Count(`payments WHERE subject_kind = 'subscription' AND status = 'canceled'`); n != 1 {
		t.Errorf("%d payments have ended", n)
	}
	wantMonths(w, id, 1)
	w.Audit()
}

func TestRefusedCharge_TakenOnALaterDay_GoesOnWithItsOwnDays(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.Settle()
	w.GoToNextStep(id)
	w.BankSays(id, paymentstest.WorksAgain)
	w.GoToNextStep(id)
	sub := w.Show(id)
	if sub.Status != "active" || sub.Due != nil || !sub.NextCharge.Day.Equal(day(2027, 3, 10)) ||
		*sub.Charges[0].Tries != 3 || sub.Charges[0].Status != "paid" || !sub.Charges[0].Day.Equal(day(2027, 2, 13)) {
		t.Errorf("the subscription is %+v", sub)
	}
	if n := w.Count(`attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_kind = 'subscription' AND p.period = 2`); n != 1 {
		t.Errorf("the month has %d objects at the provider", n)
	}
	w.WantTold(id, "activated", "charge_failed", "charge_failed", "renewed")
	w.Audit()
}

func TestHardDecline_IsNotTriedAgainBeforeThereIsAnotherCard(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Lost)
	w.Settle()
	if due := w.Show(id).Due; due == nil || !*due.NeedsBacker || len(due.ComingTries) != 0 {
		t.Errorf("the month to pay is %+v", due)
	}
	w.GoToNextStep(id)
	wantStatus(w, id, "past_due")
	if got := triedOn(w, id); !slices.Equal(got, []int{10}) {
		t.Errorf("tried on %v", got)
	}
	if status, code, _ := w.Act("POST", id, "/skip", `{"period":2}`); code != "subscription_card_needed" {
		t.Errorf("leaving it out without a card answered %d %s", status, code)
	}

	setup := w.SetupCardOf(id, paymentstest.Mastercard)
	if status, code, _ := w.Act("PUT", id, "/card", `{"setup_intent":"`+setup+`"}`); status != 200 {
		t.Fatalf("another card answered %d %s", status, code)
	}
	w.Settle()
	sub := w.Show(id)
	if sub.Status != "active" || sub.Card.Label != "Mastercard ···· 4444" || !sub.NextCharge.Day.Equal(day(2027, 3, 10)) {
		t.Errorf("with another card it is %+v, %+v", sub, sub.Card)
	}
	w.WantTold(id, "activated", "charge_failed", "past_due", "card_changed", "renewed")
	w.Audit()
}

func TestAuthenticationRequired_WaitsForTheBacker_WhoPaysTheSameIntent(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.MustConfirm)
	w.Settle()
	due := w.Show(id).Due
	if due == nil || !*due.NeedsBacker || *due.Payment.FailureCode != "authentication_failed" {
		t.Fatalf("the month to pay is %+v", due)
	}
	w.PayMonth(id, paymentstest.AsksEachTime)
	wantStatus(w, id, "active")
	wantMonths(w, id, 2)
	if n := w.Held("payment_intents"); n != 2 {
		t.Errorf("%d intents", n)
	}
	w.WantTold(id, "activated", "action_required", "renewed")
	w.Audit()
}

func TestPastDue_PaidWithin30Days_GoesOn_AndMonthsThatPassedAreLeftOut(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Lost)
	w.Settle()
	w.GoToNextStep(id)
	w.GoTo(noon(day(2027, 3, 15))) // the third month's day has passed
	w.Settle()
	wantStatus(w, id, "past_due")
	w.PayMonth(id, paymentstest.Mastercard)
	sub := w.Show(id)
	if sub.Status != "active" || sub.NextCharge.Period != 4 || !sub.NextCharge.Day.Equal(day(2027, 4, 10)) ||
		sub.Charges[0].Period != 3 || sub.Charges[0].Status != "skipped" {
		t.Errorf("it goes on as %+v", sub)
	}
	w.GoTo(calendar.At(day(2027, 4, 10), 9).Add(time.Second))
	w.Settle()
	wantMonths(w, id, 3)
	w.Audit()
}
