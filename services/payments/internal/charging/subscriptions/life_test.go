package subscriptions_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// noon of a day in Finland.
func noon(d time.Time) time.Time { return calendar.At(d, 12) }

// wantMonths wants a subscription's first n months paid, once each.
func wantMonths(w *paymentstest.World, id string, n int) {
	w.T.Helper()
	if got := w.Count(`payments WHERE subject_kind = 'subscription' AND subject_id = ? AND status = 'succeeded'`, id); got != n {
		w.T.Errorf("%d months are paid, want %d", got, n)
	}
}

func wantStatus(w *paymentstest.World, id, want string) {
	w.T.Helper()
	if got := string(w.Show(id).Status); got != want {
		w.T.Errorf("the subscription is %s, want %s", got, want)
	}
}

// charges is how many charges the provider has made.
func charges(w *paymentstest.World) int {
	w.T.Helper()
	n := 0
	for _, c := range w.Sandbox.Snapshot().Charges {
		if c.Status == "succeeded" {
			n++
		}
	}
	return n
}

func TestFirstMonthPaid_SubscriptionIsActiveAndTheNextMonthIsPlanned(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2027, 1, 31)))
	id := w.Subscription()
	if status, code, _ := w.Act(http.MethodGet, id, "", ""); status != http.StatusNotFound {
		t.Errorf("before its setup it answered %d %s", status, code)
	}
	first := w.SetupMonth(id)
	if first.Status != http.StatusOK {
		t.Fatalf("setup answered %+v", first)
	}
	again := w.SetupMonth(id)
	if again.Stripe.PaymentIntent != first.Stripe.PaymentIntent {
		t.Errorf("another setup gave %+v, the first %+v", again, first)
	}
	wantStatus(w, id, "created")
	w.PayMonth(id, paymentstest.Visa)

	sub := w.Show(id)
	if sub.Status != "active" || !sub.AnchorDay.Equal(day(2027, 1, 31)) || !sub.NextCharge.Day.Equal(day(2027, 2, 28)) ||
		sub.NextCharge.Period != 2 || sub.NextCharge.AmountMinor != 1000 || !sub.PaidUntil.Equal(day(2027, 2, 27)) ||
		sub.Card == nil || sub.Card.Label != "Visa ···· 4242" || len(sub.Charges) != 1 || sub.Due != nil {
		t.Errorf("the subscription is %+v", sub)
	}
	if a := w.SetupMonth(id); a.Code != "subscription_not_payable" {
		t.Errorf("with nothing to pay setup answered %+v", a)
	}
	w.WantTold(id, "activated")
	w.WantHeard(id, "succeeded")
	paid := w.Content.Heard(id)[0]
	if paid.Period == nil || *paid.Period != 1 || paid.PeriodDay == nil || !paid.PeriodDay.Equal(day(2027, 1, 31)) {
		t.Errorf("the success says month %v of %v", paid.Period, paid.PeriodDay)
	}
	w.Audit()
}

func TestMonths_OnThe31stOverThreeYears_AreChargedOnceEach(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2027, 1, 31)))
	id := w.Subscribed(paymentstest.Visa)
	for period := 2; period <= 37; period++ {
		want := calendar.Period(day(2027, 1, 31), period)
		w.GoTo(calendar.At(want, 9).Add(-time.Minute))
		w.Settle()
		wantMonths(w, id, period-1)
		w.GoTo(calendar.At(want, 9).Add(time.Second))
		w.Settle()
		wantMonths(w, id, period)
	}
	if n := charges(w); n != 37 {
		t.Errorf("%d charges", n)
	}
	if next := w.Show(id).NextCharge; !next.Day.Equal(day(2030, 2, 28)) {
		t.Errorf("the next charge is on %s", next.Day)
	}
	w.Audit()
}
