package subscriptions_test

import (
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

// Calls of ours that the provider does not take, however good the card is.
var refusedCalls = map[string]struct {
	path   string // of the call; its end
	status int
	body   string
}{
	"the sum is above its most": {"/v1/payment_intents", http.StatusBadRequest, `{"type":"invalid_request_error","code":"amount_too_large","param":"amount"}`},
	"the customer is deleted":   {"/v1/payment_intents", http.StatusBadRequest, `{"type":"invalid_request_error","code":"resource_missing","param":"customer"}`},
	"the key may not":           {"/v1/payment_intents", http.StatusForbidden, `{"type":"invalid_request_error"}`},
	"the account is restricted": {"/confirm", http.StatusBadRequest, `{"type":"invalid_request_error","code":"account_invalid"}`},
}

func TestMonth_ThatTheProviderWillNotTake_IsPastDueAfterItsTries_AndAPersonSeesWhy(t *testing.T) {
	t.Parallel()
	for name, refused := range refusedCalls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b, id := inBetween(t)
			b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
				return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, refused.path) && paymentstest.Refuse(rw, refused.status, refused.body)
			}, nil)
			overDays(w, day(2027, 2, 17))
			wantStatus(w, id, "active")
			overDays(w, day(2027, 2, 18))
			wantStatus(w, id, "past_due")
			w.WantTold(id, "activated", "past_due")
			var why string
			w.Scan(&why, `SELECT detail->>'why' FROM anomalies WHERE kind = 'payment_stuck' AND resolved_at IS NULL`)
			if !strings.Contains(why, "stripe answered") || strings.Contains(why, id) {
				t.Errorf("a person is told %q", why)
			}
			b.Set(nil, nil)
			w.PayMonth(id, paymentstest.Mastercard)
			wantStatus(w, id, "active")
			if n := w.Count(`anomalies WHERE resolved_at IS NULL`); n != 0 {
				t.Errorf("%d things are left for a person", n)
			}
			w.Audit()
		})
	}
}

// Another card is chosen while the subscription is past_due, and the provider takes no charge of it either.
func TestMonth_ThatTheProviderWillNotTakeWithAnotherCard_IsGivenUp(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	id := renewingIn(w, paymentstest.Lost)
	w.Settle()
	w.GoToNextStep(id)
	wantStatus(w, id, "past_due")
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		return isConfirm(r) && strings.Contains(r.URL.Path, "payment_intents") &&
			paymentstest.Refuse(rw, http.StatusBadRequest, `{"type":"invalid_request_error"}`)
	}, nil)
	setup := w.SetupCardOf(id, paymentstest.Mastercard)
	if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
		t.Fatalf("the card answered %d %s", status, code)
	}
	overDays(w, day(2027, 3, 21))
	if sub := w.Show(id); sub.Status != "canceled" || *sub.Meta.EndedBecause != "unpaid" {
		t.Errorf("the subscription is %+v", sub)
	}
	w.Audit()
}

// The pauses between calls that the provider does not take grow.
func TestRefusedCall_IsRepeatedAtLongerAndLongerIntervals(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		return isConfirm(r) && paymentstest.Refuse(rw, http.StatusBadRequest, `{"type":"invalid_request_error"}`)
	}, nil)
	w.Settle()
	for range 3 {
		w.GoToNextStep(id)
	}
	var faults int
	w.Scan(&faults, `SELECT faults FROM subscriptions WHERE id = ?`, id)
	if faults != 4 {
		t.Errorf("%d faults in a row", faults)
	}
	for w.Now().Before(calendar.At(day(2027, 2, 17), 9)) {
		w.GoToNextStep(id)
	}
	if n := w.Count(`subscription_tries`); n > 45 { // every six hours for seven days, after the first ten
		t.Errorf("%d tries were written of a month that the provider refuses", n)
	}
}

// A refusal between the provider and us is an error of the catalogue for whoever asks for another card.
func TestCard_ThatTheProviderWillNotKeep_IsAPaymentThatFailed(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"the customer is deleted": {http.StatusBadRequest, `{"type":"invalid_request_error","code":"resource_missing","param":"customer"}`},
		"the account may not":     {http.StatusBadRequest, `{"type":"invalid_request_error","code":"account_invalid"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b, id := inBetween(t)
			b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
				return strings.HasSuffix(r.URL.Path, "/setup_intents") && paymentstest.Refuse(rw, answer.status, answer.body)
			}, nil)
			if status, code, _ := w.Act(http.MethodPost, id, "/card", ""); status != http.StatusPaymentRequired || code != "payment_failed/generic" {
				t.Errorf("answered %d %s", status, code)
			}
		})
	}
}
