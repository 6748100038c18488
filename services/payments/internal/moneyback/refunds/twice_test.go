package refunds_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// refusedButMade is a payment of 50 euros with a refund of 20 that the provider made, answering that it refuses it, and
// that it does not list until it is shown.
func refusedButMade(t *testing.T) (w *paymentstest.World, pledge, paymentID, refundID string, show func()) {
	t.Helper()
	w, b := paymentstest.NewBetween(t)
	pledge, paymentID, _ = w.Paid()
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		switch {
		case paymentstest.IsCall(r, http.MethodPost, "/v1/refunds"):
			w.Sandbox.Handler().ServeHTTP(httptest.NewRecorder(), r)
			return paymentstest.Refuse(rw, http.StatusBadRequest, `{"type":"invalid_request_error","code":"charge_already_refunded"}`)
		case paymentstest.IsCall(r, http.MethodGet, "/v1/refunds"):
			_, _ = rw.Write([]byte(`{"object":"list","data":[],"has_more":false,"url":"/v1/refunds"}`))
			return true
		}
		return false
	}, nil)
	w.Refund(paymentID, 2000, refunds.Requested)
	w.Settle()
	w.Scan(&refundID, `SELECT id FROM refunds WHERE status = 'failed'`)
	if refundID == "" || w.Held("refunds") != 1 {
		t.Fatal("no refund was refused and made")
	}
	return w, pledge, paymentID, refundID, func() { b.Set(nil, nil) }
}

// look has the worker ask about the payment's money.
func look(w *paymentstest.World, paymentID string) {
	w.T.Helper()
	if _, err := w.App.Payments.Advance(w.T.Context(), paymentID, "money_sweep"); err != nil {
		w.T.Fatal(err)
	}
	w.Settle()
}

// madeTwice is the book when 20 of 50 euros went back by way of account, and 20 once more from the provider.
func madeTwice(w *paymentstest.World, from string) {
	w.T.Helper()
	book := map[string]int64{
		"provider_clearing:stripe:main": 3000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee,
		"backer_funds:stripe:7": -3000, "loss:refund_begun": 2000,
	}
	book[from] -= 2000
	w.WantLedger(book)
}

// The backer has the money twice: that is our loss, not the campaign's, and a person asks for it.
func TestRefund_MadeByTheProviderAfterItWasPaidByHand_IsOurLoss(t *testing.T) {
	t.Parallel()
	w, pledge, payment, refund, show := refusedButMade(t)
	if err := w.App.Payments.RefundPaidByHand(t.Context(), refund, aino); err != nil {
		t.Fatal(err)
	}
	show()
	for range 2 {
		look(w, payment)
		w.WantStatus(pledge, "partly_refunded")
		madeTwice(w, "bank")
		if n := w.Count("refunds WHERE status = 'by_hand' AND made_twice AND provider_ref IS NOT NULL"); n != 1 ||
			w.Count("refunds") != 1 {
			t.Errorf("%d refunds are by hand and made twice", n)
		}
		if n := w.Count(
			"anomalies WHERE kind = 'refund_failed' AND resolved_at IS NULL AND detail ->> 'code' = 'made_twice'"); n != 1 {
			t.Errorf("%d people are called", n)
		}
		w.Audit()
	}
	// The bank sends it back after all: then nobody has anything twice.
	w.FailRefund()
	for range 2 {
		look(w, payment)
		w.WantLedger(map[string]int64{
			"provider_clearing:stripe:main": 5000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee,
			"backer_funds:stripe:7": -3000, "bank": -2000,
		})
		if n := w.Anomalies(""); n != 0 {
			t.Errorf("%d people are called", n)
		}
		w.WantStatus(pledge, "partly_refunded")
		w.Audit()
	}
}

func TestRefund_MadeByTheProviderAfterItWasRepeated(t *testing.T) {
	t.Parallel()
	t.Run("and the other went out: our loss", func(t *testing.T) {
		t.Parallel()
		w, _, payment, refund, show := refusedButMade(t)
		if _, err := w.App.Payments.RepeatRefund(t.Context(), refund, aino); err != nil {
			t.Fatal(err)
		}
		// The one that takes its place is made before we hear of the first.
		show()
		w.Tidy()
		w.Settle()
		look(w, payment)
		if w.Held("refunds") != 2 {
			t.Fatalf("%d refunds at the provider", w.Held("refunds"))
		}
		book := map[string]int64{
			"provider_clearing:stripe:main": 1000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee,
			"backer_funds:stripe:7": -3000, "loss:refund_begun": 2000,
		}
		w.WantLedger(book)
		if n := w.Anomalies("refund_failed"); n != 1 {
			t.Errorf("%d people are called", n)
		}
		w.Audit()
	})
	t.Run("and the other waits: it stands for the other", func(t *testing.T) {
		t.Parallel()
		w, pledge, payment, refund, show := refusedButMade(t)
		next, err := w.App.Payments.RepeatRefund(t.Context(), refund, aino)
		if err != nil {
			t.Fatal(err)
		}
		show()
		look(w, payment)
		w.Pass(time.Hour)
		w.Settle()
		if n := w.Count("refunds WHERE id = ? AND status = 'succeeded' AND provider_ref = ?", next.ID,
			w.Sandbox.Snapshot().Refunds[0].ID); n != 1 || w.Held("refunds") != 1 {
			t.Errorf("%d refunds at the provider, %d of them stands for the repeated", w.Held("refunds"), n)
		}
		w.WantStatus(pledge, "partly_refunded")
		w.WantBook(paymentstest.Book{Gone: 2000})
		if n := w.Anomalies(""); n != 0 {
			t.Errorf("%d people are called", n)
		}
		w.Audit()
	})
}

// A bank may take its ten working days, and no more without a person looking at it.
func TestRefund_ThatStaysPending_CallsAPersonUntilItSettles(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge, payment, _ := w.PayWith("pm_card_pendingRefund")
	b.Set(nil, func(r *http.Request, body []byte) []byte { // whatever the provider says of it
		if !strings.HasPrefix(r.URL.Path, "/v1/refunds") {
			return body
		}
		return []byte(strings.ReplaceAll(string(body), `"status":"succeeded"`, `"status":"pending"`))
	})
	w.Refund(payment, 0, refunds.Requested)
	w.Settle()
	for day := 1; day <= 17; day++ {
		w.Pass(24 * time.Hour)
		w.Settle()
		if n := w.Anomalies("refund_stuck"); (n == 1) != (day >= 15) {
			t.Fatalf("%d people are called on day %d", n, day)
		}
	}
	b.Set(nil, nil)
	w.SettleRefundsAtProvider()
	w.WantStatus(pledge, "refunded")
	if n := w.Count("anomalies WHERE kind = 'refund_stuck' AND resolved_by = 'service'"); n != 1 || w.Anomalies("") != 0 {
		t.Errorf("%d are mended", n)
	}
	w.Audit()
}

// madeDespiteALoss is a payment of 50 euros that a bank took back for good; a refund of 20 that had ended with it was
// made by the provider all the same. The backer has 70.
func madeDespiteALoss(t *testing.T) (w *paymentstest.World, pledge, dispute string) {
	t.Helper()
	w, pledge, payment, _, show := refusedButMade(t)
	var intent string
	w.Scan(&intent, `SELECT money_ref FROM attempts WHERE payment_id = ?`, payment)
	dispute = w.DisputeByHand(intent, 5000)
	w.Settle()
	w.Decide(dispute, "lost")
	w.Settle()
	show()
	look(w, payment)
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": -2000 - paymentstest.Fee - paymentstest.DisputeFee,
		"provider_fees:stripe":          paymentstest.Fee + paymentstest.DisputeFee, "loss:refund_begun": 2000,
	})
	if n := w.Anomalies("refund_failed"); n != 1 {
		t.Errorf("%d people are called", n)
	}
	w.Audit()
	w.Pass(time.Hour)
	return w, pledge, dispute
}

// What the bank gives back of the charge pays that refund first, as it would have without the dispute: the loss is
// taken back as far as it goes, and the campaign has what the backer paid less what they have.
func TestRefund_MadeDespiteALostDispute_IsPaidByWhatTheBankGivesBack(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		back         []int64 // parts; 0 is all that is left
		loss, funds  int64
		fee          int64
		status       string
		calledPeople int
	}{
		"all of it":               {[]int64{0}, 0, 3000, 0, "partly_refunded", 0},
		"less than the loss":      {[]int64{1500}, 500, 0, paymentstest.DisputeFee, "disputed", 1},
		"the loss in two parts":   {[]int64{1500, 500}, 0, 0, paymentstest.DisputeFee, "disputed", 0},
		"a part, then all of it":  {[]int64{1500, 0}, 0, 3000, 0, "partly_refunded", 0},
		"more than the loss, all": {[]int64{2500, 0}, 0, 3000, 0, "partly_refunded", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pledge, dispute := madeDespiteALoss(t)
			kept := int64(5000)
			for _, minor := range tc.back {
				if minor == 0 {
					w.Decide(dispute, "won")
					kept = 0
				} else {
					if _, err := w.Sandbox.ReturnDisputed(sandbox.DisputeReturn{Dispute: dispute, Amount: minor}); err != nil {
						t.Fatal(err)
					}
					kept -= minor
				}
				w.Settle()
				w.Audit()
				w.Pass(time.Hour)
			}
			w.WantLedger(map[string]int64{
				"provider_clearing:stripe:main": 5000 - kept - 2000 - paymentstest.Fee - tc.fee,
				"provider_fees:stripe":          paymentstest.Fee + tc.fee, "loss:refund_begun": tc.loss,
				"backer_funds:stripe:7": -tc.funds,
			})
			w.WantStatus(pledge, tc.status)
			if n := w.Anomalies(""); n != tc.calledPeople {
				t.Errorf("%d people are called, want %d", n, tc.calledPeople)
			}
			w.Reconcile()
			w.Audit()
		})
	}
}

// It comes back: nobody has anything twice and nothing is owed, until the bank gives the charge back; then that refund
// waits for a person, as it did before.
func TestRefund_MadeDespiteALostDispute_IsNoLossWhenItComesBack(t *testing.T) {
	t.Parallel()
	w, pledge, dispute := madeDespiteALoss(t)
	w.FailRefund()
	w.Settle()
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": -paymentstest.Fee - paymentstest.DisputeFee,
		"provider_fees:stripe":          paymentstest.Fee + paymentstest.DisputeFee,
	})
	if n := w.Anomalies(""); n != 0 {
		t.Errorf("%d people are called", n)
	}
	w.Audit()
	w.Decide(dispute, "won")
	w.Settle()
	w.Audit()
	var failed string
	w.Scan(&failed, `SELECT id FROM refunds WHERE status = 'failed'`)
	if _, err := w.App.Payments.RepeatRefund(t.Context(), failed, aino); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "partly_refunded")
	w.WantBook(paymentstest.Book{Gone: 2000})
	if n := w.Anomalies(""); n != 0 {
		t.Errorf("%d people are called", n)
	}
	w.Audit()
}
