package refunds_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// refusing is a payment of 50 euros whose refund the provider refuses until mend is called; asked counts how often it was.
func refusing(t *testing.T, status int, body string) (w *paymentstest.World, pledge string, asked *atomic.Int32, mend func()) {
	t.Helper()
	w, b := paymentstest.NewBetween(t)
	pledge, id, _ := w.Paid()
	asked = &atomic.Int32{}
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if !paymentstest.IsCall(r, http.MethodPost, "/v1/refunds") {
			return false
		}
		asked.Add(1)
		return paymentstest.Refuse(rw, status, body)
	}, nil)
	w.Refund(id, 0, refunds.PledgeClosed)
	w.Settle()
	return w, pledge, asked, func() { b.Set(nil, nil) }
}

// work has the worker do what is due for some hours.
func work(w *paymentstest.World, hours int) {
	w.T.Helper()
	for range hours * 2 {
		w.Pass(30 * time.Minute)
		w.Settle()
	}
}

func TestRefund_RefusedForNow_IsTriedAgainUntilItIsTaken_AndAPersonIsCalledOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"the balance is short":        {http.StatusBadRequest, `{"type":"invalid_request_error","code":"balance_insufficient"}`},
		"short, and it names the sum": {http.StatusBadRequest, `{"type":"invalid_request_error","code":"balance_insufficient","param":"amount"}`},
		"the sum, with another code":  {http.StatusBadRequest, `{"type":"invalid_request_error","code":"not_yet_known","param":"amount"}`},
		"without a code":              {http.StatusBadRequest, `{"type":"invalid_request_error","message":"no"}`},
		"the account is restricted":   {http.StatusBadRequest, `{"type":"invalid_request_error","code":"account_invalid"}`},
		"with a code of another day":  {http.StatusPaymentRequired, `{"type":"invalid_request_error","code":"not_yet_known"}`},
		"another account's key":       {http.StatusNotFound, `{"type":"invalid_request_error","code":"resource_missing","param":"payment_intent"}`},
		"another state":               {http.StatusBadRequest, `{"type":"invalid_request_error","code":"payment_intent_unexpected_state"}`},
		"the key may not":             {http.StatusForbidden, `{"type":"invalid_request_error"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pledge, asked, mend := refusing(t, c.status, c.body)
			work(w, 10)
			if n := asked.Load(); n < 6 || n > 20 {
				t.Errorf("it was asked %d times in ten hours", n)
			}
			if stuck, failed := w.Anomalies("refund_stuck"), w.Anomalies("refund_failed"); stuck != 1 || failed != 0 {
				t.Errorf("a person was called %d times, for what has failed %d times", stuck, failed)
			}
			mend()
			work(w, 2)
			w.WantStatus(pledge, "refunded")
			w.WantBook(paymentstest.Book{Gone: 5000})
			if n := w.Anomalies(""); n != 0 || w.Held("refunds") != 1 {
				t.Errorf("%d things are left for a person, %d refunds were made", n, w.Held("refunds"))
			}
			w.Audit()
		})
	}
}

func TestRefund_RefusedForGood_CallsAPersonOnceAndIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"it was given back": `{"type":"invalid_request_error","code":"charge_already_refunded"}`,
		"less is left":      `{"type":"invalid_request_error","param":"amount","message":"Refund amount is greater than unrefunded amount on charge"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, asked, _ := refusing(t, http.StatusBadRequest, body)
			work(w, 48)
			if n := asked.Load(); n != 1 {
				t.Errorf("it was asked %d times", n)
			}
			if stuck, failed := w.Anomalies("refund_stuck"), w.Anomalies("refund_failed"); stuck != 0 || failed != 1 {
				t.Errorf("a person was called %d times, and %d times for what is stuck", failed, stuck)
			}
		})
	}
}

// What stands in the way is not mended for a week: then a person may send the money another way.
func TestRefund_RefusedForDays_HasFailed(t *testing.T) {
	t.Parallel()
	w, pledge, _, mend := refusing(t, http.StatusBadRequest, `{"type":"invalid_request_error","code":"balance_insufficient"}`)
	for range 7 * 24 {
		w.Pass(time.Hour + time.Minute)
		w.Tidy()
	}
	if stuck, failed := w.Anomalies("refund_stuck"), w.Anomalies("refund_failed"); stuck != 0 || failed != 1 {
		t.Errorf("a person was called %d times, and %d times for what is stuck", failed, stuck)
	}
	var refund string
	w.Scan(&refund, `SELECT id FROM refunds WHERE status = 'failed'`)
	mend()
	if _, err := w.App.Payments.RepeatRefund(t.Context(), refund, aino); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.Audit()
}
