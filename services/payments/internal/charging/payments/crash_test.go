package payments_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
)

// Two makers of one page: one succeeds, the other is refused afterwards. The page that a backer may have open must not
// be given up for it.
func TestPage_OneMakerFailsAfterAnotherSucceeded_PageStays(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		email   string
		reports bool // with the address filled in, the refusal may be the address's, and another attempt would follow
	}{
		"without the address": {"", true}, "with the address": {"aino@example.com", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			pledge := withEmail(w, tc.email)
			w.AskForPage(pledge)
			var attempt int64
			w.Scan(&attempt, `SELECT id FROM attempts WHERE method = 'page'`)

			var first atomic.Bool
			b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
				if !paymentstest.IsCall(r, http.MethodPost, "/v1/checkout/sessions") || !first.CompareAndSwap(false, true) {
					return false
				}
				if err := w.App.Payments.MakePage(context.WithoutCancel(r.Context()), attempt); err != nil {
					t.Error(err)
				}
				return paymentstest.Refuse(rw, http.StatusBadRequest, `{"type":"idempotency_error"}`)
			}, nil)
			if err := w.App.Payments.MakePage(t.Context(), attempt); (err != nil) != tc.reports {
				t.Errorf("the refused maker reported %v", err)
			}
			b.Set(nil, nil)

			if n := w.Count("attempts"); n != 1 {
				t.Errorf("%d attempts", n)
			}
			var page string
			w.Scan(&page, `SELECT page_url FROM attempts WHERE id = ? AND NOT failure_reported`, attempt)
			w.MustPayOnPage(page)
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			w.Audit()
		})
	}
}

// hideIntents has the provider say that it has no intent that it is asked for.
func hideIntents(b *paymentstest.Between) {
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		return paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents/") &&
			paymentstest.Refuse(rw, http.StatusNotFound, `{"type":"invalid_request_error","code":"resource_missing","param":"intent"}`)
	}, nil)
}

// The provider once said that it has no such intent, so we gave it up; then it is paid.
func TestMoney_OnAnAttemptThatWeGaveUp_Counts(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	hideIntents(b)
	w.Payment(pledge)
	b.Set(nil, nil)
	if n := w.Count("attempts WHERE status = 'canceled'"); n != 1 {
		t.Fatalf("%d attempts are given up", n)
	}
	w.MustPay(a)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	w.Audit()
}

// succeeded is how the provider says so.
var succeeded = regexp.MustCompile(`"status":\s*"succeeded"`)

// While one attempt is in processing, a decline of the other says nothing about it.
func TestDecline_OfOneAttempt_DoesNotFailTheOneInProcessing(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge := w.Pledge()
	declined := w.MustSetup(pledge)
	w.Confirm(declined, "pm_card_visa_chargeDeclined")
	w.Settle()
	w.Redis.SetError("gone")
	w.Page(pledge, "stripe")
	w.Redis.SetError("")
	w.MakePages()
	var page string
	w.Scan(&page, `SELECT page_url FROM attempts WHERE method = 'page'`)
	if !w.PayOnPage(page, "4242424242424242") {
		t.Fatal("the page takes no card")
	}
	// The provider has the page's payment in processing for a while.
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		if paymentstest.IsCall(r, http.MethodGet, "/v1/checkout/sessions/") {
			return succeeded.ReplaceAll(body, []byte(`"status":"processing"`))
		}
		return body
	})
	w.Settle()
	w.WantStatus(pledge, "processing")
	w.Payment(pledge)
	w.WantStatus(pledge, "processing")
	b.Set(nil, nil)
	w.Payment(pledge)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "processing", "succeeded")
	w.Audit()
}

// What the provider had in processing and then canceled is an answer too.
func TestProcessing_ThatEndsCanceled_Fails(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	open := regexp.MustCompile(`"status":\s*"requires_payment_method"`)
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		if paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents/") {
			return open.ReplaceAll(body, []byte(`"status":"processing"`))
		}
		return body
	})
	w.Payment(pledge)
	w.WantStatus(pledge, "processing")
	b.Set(nil, nil)
	if status := w.ByHand("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID+"/cancel",
		url.Values{}); status != http.StatusOK {
		t.Fatalf("canceling by hand answered %d", status)
	}
	w.Settle()
	w.WantStatus(pledge, "failed")
	w.WantHeard(pledge, "started", "processing", "failed")
	w.Audit()
}

// With asynchronous capture the paymentstest.Fee is not known at once.
func TestFee_ThatComesLater_EntersTheBook(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	known := regexp.MustCompile(`"balance_transaction":\s*\{[^{}]*(\{[^{}]*\}[^{}]*)*\}`)
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		if paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents/") {
			return known.ReplaceAll(body, []byte(`"balance_transaction":null`))
		}
		return body
	})
	pledge, _, _ := w.Paid()
	w.WantStatus(pledge, "succeeded")
	if n := w.Count("attempts WHERE fee_minor IS NULL AND status = 'succeeded'"); n != 1 {
		t.Fatalf("%d successes without a fee", n)
	}
	b.Set(nil, nil)
	w.Pass(2 * time.Minute)
	w.Settle()
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
		"provider_fees:stripe": paymentstest.Fee, "backer_funds:stripe:7": -5000})
	w.Audit()
}
