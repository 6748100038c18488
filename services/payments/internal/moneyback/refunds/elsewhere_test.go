package refunds_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
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
		t.Errorf("%d wait for a person, %d are called, %d refunds at the provider", rest, w.Anomalies("refund_failed"),
			w.Held("refunds"))
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
	w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
		"provider_fees:stripe": paymentstest.Fee, "owed_to_backers:stripe": -5000})
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

// paidByHand is a payment of 50 euros of which a refund failed and was paid by hand.
func paidByHand(w *paymentstest.World, minor int64) (pledge, intent string) {
	w.T.Helper()
	pledge, id, intent := w.Paid()
	w.Refund(id, minor, refunds.Requested)
	w.Settle()
	w.FailRefund()
	w.Settle()
	var failed string
	w.Scan(&failed, `SELECT id FROM refunds WHERE status = 'failed'`)
	if err := w.App.Payments.RefundPaidByHand(w.T.Context(), failed, aino); err != nil {
		w.T.Fatal(err)
	}
	return pledge, intent
}

// A failed refund was paid by hand, and then made in the provider's pages too: the backer has it twice, and a person is
// called. When that one comes back nobody has lost anything: the loss is taken back, nothing is owed, and nobody is
// called any more.
func TestRefundMadeElsewhere_AfterItWasPaidByHand_IsALossUntilItComesBack(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, intent := paidByHand(w, 0)
	w.RefundByHand(intent, 5000)
	w.Settle()
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": -paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "bank": -5000,
		"loss:refund_begun": 5000,
	})
	if n := w.Count(
		"anomalies WHERE kind = 'refund_failed' AND resolved_at IS NULL AND detail ->> 'code' = 'made_twice'"); n != 1 {
		t.Errorf("%d people are called", n)
	}
	w.Pass(time.Hour)
	w.FailRefund()
	for range 2 {
		w.Settle()
		w.WantLedger(map[string]int64{
			"provider_clearing:stripe:main": 5000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "bank": -5000,
		})
		if n := w.Anomalies(""); n != 0 || w.Count("refunds WHERE status = 'canceled' AND NOT owed") != 1 {
			t.Errorf("%d people are called", n)
		}
		w.WantStatus(pledge, "refunded")
		w.Audit()
		w.Pass(time.Hour)
		w.Reconcile()
	}
}

// Of one that was a loss in part, that part is taken back. The rest was the campaign's money, promised to the backer
// who was told so: it is owed, and a person decides how to send it.
func TestRefundMadeElsewhere_ThatWasALossInPart_OwesTheRestWhenItComesBack(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, intent := paidByHand(w, 3000)
	w.RefundByHand(intent, 5000)
	w.Settle()
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": -paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "bank": -3000,
		"loss:refund_begun": 3000,
	})
	w.Pass(time.Hour)
	w.FailRefund()
	w.Settle()
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": 5000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "bank": -3000,
		"owed_to_backers:stripe": -2000,
	})
	var rest string
	w.Scan(&rest, `SELECT id FROM refunds WHERE status = 'failed' AND owed AND amount_minor = 2000`)
	if n := w.Count("anomalies WHERE resolved_at IS NULL AND kind = 'refund_failed' AND reference = ?", rest); n != 1 ||
		w.Anomalies("") != 1 {
		t.Errorf("%d people are called, %d of them for the rest", w.Anomalies(""), n)
	}
	w.Audit()
	if _, err := w.App.Payments.RepeatRefund(t.Context(), rest, aino); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": 3000 - paymentstest.Fee, "provider_fees:stripe": paymentstest.Fee, "bank": -3000,
	})
	if n := w.Anomalies(""); n != 0 {
		t.Errorf("%d people are called", n)
	}
	w.WantStatus(pledge, "refunded")
	w.Audit()
}
