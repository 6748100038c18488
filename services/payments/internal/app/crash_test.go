package app_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/pledges"
)

// What happens when a process dies between two lines, when two are at the same line, or when the provider's answer is
// not what was expected.

// Two makers of one page: one succeeds, the other is refused afterwards. The page that a backer may have open must not
// be given up for it.
func TestPage_OneMakerFailsAfterAnotherSucceeded_PageStays(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge := w.pledge()
	w.redis.SetError("gone")
	w.page(pledge, "stripe")
	w.redis.SetError("")
	var attempt int64
	w.scan(&attempt, `SELECT id FROM attempts WHERE kind = 'session'`)

	var first atomic.Bool
	b.set(func(rw http.ResponseWriter, r *http.Request) bool {
		if !isCall(r, http.MethodPost, "/v1/checkout/sessions") || !first.CompareAndSwap(false, true) {
			return false
		}
		if err := w.app.Pledges.MakePage(context.WithoutCancel(r.Context()), attempt); err != nil {
			t.Error(err)
		}
		return refuse(rw, http.StatusBadRequest, `{"type":"idempotency_error"}`)
	}, nil)
	if err := w.app.Pledges.MakePage(t.Context(), attempt); err == nil {
		t.Error("the refused maker reported no error")
	}
	b.set(nil, nil)

	var page string
	w.scan(&page, `SELECT page_url FROM attempts WHERE id = ?`, attempt)
	if !w.payOnPage(page, "4242424242424242") {
		t.Fatalf("the page %q takes no card", page)
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.audit()
}

// The provider once said that it has no such intent, so we gave it up; then it is paid.
func TestMoney_OnAnAttemptThatWeGaveUp_Counts(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	b.set(func(rw http.ResponseWriter, r *http.Request) bool {
		return isCall(r, http.MethodGet, "/v1/payment_intents/") &&
			refuse(rw, http.StatusNotFound, `{"type":"invalid_request_error","code":"resource_missing","param":"intent"}`)
	}, nil)
	w.payment(pledge)
	b.set(nil, nil)
	if n := w.count("attempts WHERE status = 'canceled'"); n != 1 {
		t.Fatalf("%d attempts are given up", n)
	}
	w.mustPay(a)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	w.audit()
}

// The same when no webhook tells of it.
func TestReconciliation_FindsMoneyOnAnAttemptThatWeGaveUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.exec(`UPDATE attempts SET status = 'canceled'`)
	w.mustPay(a)
	if _, err := w.app.Reconcile.Intents(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	if n, err := w.app.Reconcile.Intents(t.Context(), time.Hour); n != 0 || err != nil {
		t.Errorf("the next pass found %d differences (%v)", n, err)
	}
	w.audit()
}

// An open intent that nobody may pay is found again until it is ended, also when the first time came to nothing.
func TestReconciliation_EndsAnOpenIntentThatWasGivenUp(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.settle()
	w.exec(`UPDATE attempts SET status = 'abandoned', provider_id = NULL`) // its answer was lost, its key burned
	b.set(func(rw http.ResponseWriter, r *http.Request) bool {
		return isCall(r, http.MethodPost, "/v1/payment_intents/") && refuse(rw, http.StatusInternalServerError, `{"type":"api_error"}`)
	}, nil)
	if _, err := w.app.Reconcile.Intents(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	b.set(nil, nil)
	if _, err := w.app.Reconcile.Intents(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	var intent struct{ Status string }
	if w.at("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID, &intent); intent.Status != "canceled" {
		t.Errorf("the intent is %s", intent.Status)
	}
}

// While one attempt is in processing, a decline of the other says nothing about it.
func TestDecline_OfOneAttempt_DoesNotFailTheOneInProcessing(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge := w.pledge()
	declined := w.mustSetup(pledge)
	w.confirm(declined, "pm_card_visa_chargeDeclined")
	w.settle()
	w.redis.SetError("gone")
	w.page(pledge, "stripe")
	w.redis.SetError("")
	w.makePages()
	var page string
	w.scan(&page, `SELECT page_url FROM attempts WHERE kind = 'session'`)
	if !w.payOnPage(page, "4242424242424242") {
		t.Fatal("the page takes no card")
	}
	// The provider has the page's payment in processing for a while.
	succeeded := regexp.MustCompile(`"status":\s*"succeeded"`)
	b.set(nil, func(r *http.Request, body []byte) []byte {
		if isCall(r, http.MethodGet, "/v1/checkout/sessions/") {
			return succeeded.ReplaceAll(body, []byte(`"status":"processing"`))
		}
		return body
	})
	w.settle()
	w.wantStatus(pledge, "processing")
	w.payment(pledge)
	w.wantStatus(pledge, "processing")
	b.set(nil, nil)
	w.payment(pledge)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "processing", "succeeded")
	w.audit()
}

// What the provider had in processing and then canceled is an answer too.
func TestProcessing_ThatEndsCanceled_Fails(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	open := regexp.MustCompile(`"status":\s*"requires_payment_method"`)
	b.set(nil, func(r *http.Request, body []byte) []byte {
		if isCall(r, http.MethodGet, "/v1/payment_intents/") {
			return open.ReplaceAll(body, []byte(`"status":"processing"`))
		}
		return body
	})
	w.payment(pledge)
	w.wantStatus(pledge, "processing")
	b.set(nil, nil)
	if status := w.byHand("/v1/payment_intents/"+a.Stripe.PaymentIntent.ID+"/cancel", url.Values{}); status != http.StatusOK {
		t.Fatalf("canceling by hand answered %d", status)
	}
	w.settle()
	w.wantStatus(pledge, "failed")
	w.wantHeard(pledge, "started", "processing", "failed")
	w.audit()
}

// A day later the provider has forgotten the key, so repeating it blindly would give the money back twice.
func TestRefund_AnswerLostAndKeyForgotten_MadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, id, _ := w.paid()
	w.loseWebhooks()
	w.control("faults", `{"kind":"cut_after","times":9,"method":"POST","path":"/v1/refunds"}`)
	if err := w.app.Pledges.Refund(t.Context(), id, 1000, pledges.ReasonRequested); err != nil {
		t.Fatal(err)
	}
	if err := w.app.Pledges.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := w.held("refunds"); n != 1 {
		t.Fatalf("%d refunds at the provider", n)
	}
	w.control("calm", `{}`)
	w.loseWebhooks()
	w.pass(25 * time.Hour)
	w.settle()
	if n := w.held("refunds"); n != 1 {
		t.Errorf("%d refunds at the provider", n)
	}
	w.wantStatus(pledge, "partly_refunded")
	w.audit()
}

// A provider that keeps failing is asked again after pauses, not in a loop.
func TestRefund_ProviderKeepsFailing_IsNotAskedInALoop(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge, id, _ := w.paid()
	var asked atomic.Int32
	b.set(func(rw http.ResponseWriter, r *http.Request) bool {
		if !isCall(r, http.MethodPost, "/v1/refunds") {
			return false
		}
		asked.Add(1)
		rw.Header().Set("Idempotent-Replayed", "true")
		return refuse(rw, http.StatusInternalServerError, `{"type":"api_error"}`)
	}, nil)
	if err := w.app.Pledges.Refund(t.Context(), id, 0, pledges.ReasonRequested); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := w.app.Pledges.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times at once", n)
	}
	b.set(nil, nil)
	w.pass(2 * time.Minute)
	w.settle()
	w.wantStatus(pledge, "refunded")
	w.audit()
}

// A refund that the bank takes days for is asked about ever less often.
func TestRefund_Pending_IsAskedAboutLessAndLess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.confirm(a, "pm_card_pendingRefund")
	w.settle()
	if err := w.app.Pledges.Refund(t.Context(), a.Payment.ID, 0, pledges.ReasonRequested); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.pass(24 * time.Hour)
	w.settle()
	var next time.Time
	w.scan(&next, `SELECT next_check_at FROM refunds WHERE status = 'pending'`)
	if pause := next.Sub(w.now()); pause < time.Hour || pause > 7*time.Hour {
		t.Errorf("after a day the next look is in %s", pause)
	}
}

// With asynchronous capture the fee is not known at once.
func TestFee_ThatComesLater_EntersTheBook(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	known := regexp.MustCompile(`"balance_transaction":\s*\{[^{}]*(\{[^{}]*\}[^{}]*)*\}`)
	b.set(nil, func(r *http.Request, body []byte) []byte {
		if isCall(r, http.MethodGet, "/v1/payment_intents/") {
			return known.ReplaceAll(body, []byte(`"balance_transaction":null`))
		}
		return body
	})
	pledge, _, _ := w.paid()
	w.wantStatus(pledge, "succeeded")
	if n := w.count("attempts WHERE fee_minor IS NULL AND status = 'succeeded'"); n != 1 {
		t.Fatalf("%d successes without a fee", n)
	}
	b.set(nil, nil)
	w.pass(2 * time.Minute)
	w.settle()
	w.wantLedger(map[string]int64{"provider_clearing:stripe": 5000 - fee, "provider_fees:stripe": fee, "backer_funds:7": -5000})
	w.audit()
}

func (w *world) exec(query string, args ...any) {
	w.t.Helper()
	if err := w.db.Gorm.WithContext(w.t.Context()).Exec(query, args...).Error; err != nil {
		w.t.Fatal(err)
	}
}
