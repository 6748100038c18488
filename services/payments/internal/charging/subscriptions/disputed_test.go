package subscriptions_test

import (
	"net/http"
	"testing"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// Three months disputed as fraud and lost cost three fees, and the fourth was charged.
func TestDisputeOfAMonth_EndsSupportOnlyWhenItsBankHasDecidedThatItWasFraud(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reason, decision string
		ends             bool
	}{
		"fraud, lost":        {"fraudulent", "lost", true},
		"fraud, won":         {"fraudulent", "won", false},
		"fraud, open":        {"fraudulent", "", false},
		"not received, lost": {"product_not_received", "lost", false},
		"unrecognized, lost": {"unrecognized", "lost", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.GoTo(noon(anchor))
			backer := int64(aino)
			theirs := func(o *contentclient.Order) { o.BackerUserID = &backer }
			id, stranger := w.Subscribed(paymentstest.Visa, theirs), w.Subscribed(paymentstest.Visa)
			other := w.Subscribed(paymentstest.Visa, theirs)
			w.Exec(`UPDATE subscriptions SET card_ref = (SELECT card_ref FROM subscriptions WHERE id = ?) WHERE id = ?`, id, other) // one card for both
			overDays(w, day(2027, 2, 10))
			var intent string
			w.Scan(&intent, `SELECT a.object_ref FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = ? AND p.period = 2`, id)
			d, err := w.Sandbox.OpenDispute(sandbox.DisputeOrder{Charge: w.ChargeOf(intent), Reason: tt.reason})
			if err != nil {
				t.Fatal(err)
			}
			w.Settle()
			if tt.decision != "" {
				w.Decide(d.ID, tt.decision)
			}
			w.Settle()
			sub := w.Show(id)
			if tt.ends != (sub.Status == "canceled") || tt.ends && *sub.Meta.EndedBecause != "fraud_disputed" {
				t.Errorf("it is %s, %v", sub.Status, sub.Meta.EndedBecause)
			}
			before := charges(w)
			overDays(w, day(2027, 3, 11))
			want := 3 // all go on
			if tt.ends {
				want = 1 // the stranger's; the other support of the account waits for a card
			}
			if got := charges(w) - before; got != want {
				t.Errorf("%d charges in the next month, want %d", got, want)
			}
			wantStatus(w, stranger, "active")
			wantStatus(w, other, "active")
			if due := w.Show(other).Due; tt.ends != (due != nil) {
				t.Errorf("the other support of the account has to pay %+v", due)
			}
			w.Audit()
		})
	}
}

// Who refunds a month that was reported as fraud has decided what its bank would have: the next month is not charged. A dismissed report ends nothing.
func TestReportOfAMonth_EndsSupportOnlyWhenItWasRefunded(t *testing.T) {
	t.Parallel()
	operator := payments.Operator{Actor: "Saara Niemi", Note: "the payer does not know of it"}
	for name, tt := range map[string]struct {
		decide func(w *paymentstest.World, id int64) error
		ends   bool
	}{
		"refunded": {func(w *paymentstest.World, id int64) error {
			return w.App.Payments.RefundWarned(t.Context(), id, operator)
		}, true},
		"refunded otherwise": {func(w *paymentstest.World, id int64) error {
			var payment string
			w.Scan(&payment, `SELECT payment_id FROM fraud_warnings WHERE id = ?`, id)
			_, err := w.App.Payments.RefundByOperator(t.Context(), payment, 0, "by hand", operator)
			return err
		}, true},
		"dismissed": {func(w *paymentstest.World, id int64) error {
			return w.App.Payments.DismissWarning(t.Context(), id, operator)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.GoTo(noon(anchor))
			id := w.Subscribed(paymentstest.Visa)
			overDays(w, day(2027, 2, 10))
			var intent string
			w.Scan(&intent, `SELECT a.object_ref FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = ? AND p.period = 2`, id)
			if _, err := w.Sandbox.Warn(sandbox.WarningOrder{Charge: w.ChargeOf(intent)}); err != nil {
				t.Fatal(err)
			}
			w.AwaitWebhooks()
			w.Settle()
			var warning int64
			w.Scan(&warning, `SELECT id FROM fraud_warnings WHERE status = 'open'`)
			if err := tt.decide(w, warning); err != nil {
				t.Fatal(err)
			}
			w.Settle()
			before := charges(w)
			overDays(w, day(2027, 3, 11))
			if sub := w.Show(id); tt.ends != (sub.Status == "canceled") {
				t.Errorf("it is %s", sub.Status)
			}
			if got := charges(w) - before; tt.ends != (got == 0) {
				t.Errorf("%d charges in the next month", got)
			}
			w.Audit()
		})
	}
}

// A bank decides after months: by then its support may be over, or have another card.
func TestFraudOfSupportThatIsOver_ItsCardIsChargedForNoOther(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		period int
		before func(w *paymentstest.World, id string)
	}{
		"a month that was tried, over":              {2, func(w *paymentstest.World, id string) { w.MustAct(id, "cancel", `{"at":"now"}`) }},
		"the month that was paid in the form, over": {1, func(w *paymentstest.World, id string) { w.MustAct(id, "cancel", `{"at":"now"}`) }},
		"the month that was paid in the form, with another card since": {1, func(w *paymentstest.World, id string) {
			setup := w.SetupCardOf(id, paymentstest.Mastercard)
			if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
				w.T.Fatalf("another card answered %d %s", status, code)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.GoTo(noon(anchor))
			backer := int64(aino)
			theirs := func(o *contentclient.Order) { o.BackerUserID = &backer }
			id, other := w.Subscribed(paymentstest.Visa, theirs), w.Subscribed(paymentstest.Visa, theirs)
			w.Exec(`UPDATE subscriptions SET card_ref = (SELECT card_ref FROM subscriptions WHERE id = ?) WHERE id = ?`, id, other) // one card for both
			overDays(w, day(2027, 2, 10))
			var intent string
			w.Scan(&intent, `SELECT a.object_ref FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = ? AND p.period = ?`, id, tt.period)
			d, err := w.Sandbox.OpenDispute(sandbox.DisputeOrder{Charge: w.ChargeOf(intent), Reason: "fraudulent"})
			if err != nil {
				t.Fatal(err)
			}
			w.Settle()
			tt.before(w, id)
			w.Settle()
			w.Decide(d.ID, "lost")
			w.Settle()
			wantStatus(w, id, "canceled")
			before := charges(w)
			overDays(w, day(2027, 3, 11))
			if got := charges(w) - before; got != 0 {
				t.Errorf("the card was charged %d times", got)
			}
			wantStatus(w, other, "active")
			if w.Show(other).Due == nil {
				t.Error("its backer is not asked for another card")
			}
			w.Audit()
		})
	}
}

// The provider is away when a month of other support is tried with the card; meanwhile the bank decides.
func TestFraudOfSupport_ATryWithoutAnAnswerIsNotRepeatedWithItsCard(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	overDays(w, day(2027, 1, 30))
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if isConfirm(r) {
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
		return isConfirm(r)
	}, nil)
	for n := 0; n == 0; n = w.Count(`subscription_tries WHERE subscription_id = ? AND outcome = 'unknown'`, id) {
		w.GoToNextStep(id)
	}
	w.Exec(`UPDATE subscriptions SET card_refused = true WHERE id = ?`, id) // as support with the same card that was fraud leaves it
	before := charges(w)
	b.Set(nil, nil)
	w.GoToNextStep(id)
	overDays(w, calendar.DayOf(w.Now()).AddDate(0, 0, 2))
	if got := charges(w) - before; got != 0 {
		t.Errorf("the card was charged %d times", got)
	}
	if w.Show(id).Due == nil {
		t.Error("its backer is not asked for another card")
	}
	w.Audit()
}
