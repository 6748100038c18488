package refunds_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/refunds"
)

// Somebody who makes a failed refund again in the provider's pages has made that one: nothing more goes out by itself.
func TestRefundMadeElsewhere_OfAFailedOnesSum_StandsForIt(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, intent := w.Paid()
	w.Refund(id, 4000, refunds.Requested)
	w.Settle()
	w.FailRefund()
	w.Settle()
	w.RefundByHand(intent, 4000)
	w.Settle()
	w.Pass(7 * time.Hour)
	w.Settle()
	w.WantStatus(pledge, "partly_refunded")
	w.WantBook(paymentstest.Book{Gone: 4000})
	if n := w.Anomalies(""); n != 0 {
		t.Errorf("%d people are called", n)
	}
	w.Audit()
}

// Of a larger failed one the rest waits for a person, as the whole did.
func TestRefundMadeElsewhere_OfAPartOfAFailedOne_LeavesTheRestToAPerson(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.Paid()
	w.Refund(id, 4000, refunds.Requested)
	w.Settle()
	w.FailRefund()
	w.Settle()
	w.RefundByHand(intent, 3000)
	w.Settle()
	w.Pass(7 * time.Hour)
	w.Settle()
	var rest int64
	w.Scan(&rest, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM refunds WHERE status = 'failed' AND owed`)
	if rest != 2000 || w.Anomalies("refund_failed") != 1 || w.Held("refunds") != 2 {
		t.Errorf("%d wait for a person, %d are called, %d refunds at the provider", rest, w.Anomalies("refund_failed"), w.Held("refunds"))
	}
	w.Audit()
}

// The provider has not taken it yet, as when our balance is short: it is promised, and nobody can promise it once more.
func TestRefundMadeElsewhere_ThatIsNotTakenYet_IsPromised(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge, id, intent := w.Paid()
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		var list map[string]any
		if !strings.HasPrefix(r.URL.Path, "/v1/refunds") || json.Unmarshal(body, &list) != nil || list["data"] == nil {
			return body
		}
		for _, one := range list["data"].([]any) {
			one.(map[string]any)["status"], one.(map[string]any)["balance_transaction"] = "pending", nil
		}
		out, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		return out
	})
	w.RefundByHand(intent, 5000)
	w.Settle()
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "owed_to_backers:stripe": -5000})
	if _, _, err := w.App.Payments.Refund(t.Context(), id, refunds.Wish{Reason: refunds.Requested}); err == nil {
		t.Error("it can be refunded again")
	}
	b.Set(nil, nil)
	w.Pass(7 * time.Hour)
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.WantBook(paymentstest.Book{Gone: 5000})
	w.Audit()
}

// A failed refund was paid by hand, and then made in the provider's pages too: the backer has it twice, and a person is called.
func TestRefundMadeElsewhere_AfterItWasPaidByHand_CallsAPerson(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.Paid()
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	w.FailRefund()
	w.Settle()
	var failed string
	w.Scan(&failed, `SELECT id FROM refunds WHERE status = 'failed'`)
	if err := w.App.Payments.RefundPaidByHand(t.Context(), failed, aino); err != nil {
		t.Fatal(err)
	}
	w.RefundByHand(intent, 5000)
	w.Settle()
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": -paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "bank": -5000, "loss:refund_begun": 5000})
	if n := w.Count("anomalies WHERE kind = 'refund_failed' AND resolved_at IS NULL AND detail ->> 'code' = 'made_twice'"); n != 1 {
		t.Errorf("%d people are called", n)
	}
}
