package disputes_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// A lost card: the refund comes back, and the bank has taken the charge. The backer has the money from their bank, so
// nobody owes it a second time, in whatever order it happens and whenever we hear of it.
func TestDispute_OfACharge_WhoseRefundComesBack_IsPaidOnce(t *testing.T) {
	t.Parallel()
	for name, refundFailsFirst := range map[string]bool{"the refund fails before the decision": true,
		"and after it": false} {
		for how, isTold := range map[string]bool{"told of each step": true, "told at the end": false} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				w := paymentstest.New(t)
				_, id, intent := w.Paid()
				w.Refund(id, 0, refunds.Requested)
				w.Settle()
				if !isTold {
					w.LoseWebhooks()
				}
				dispute := w.DisputeByHand(intent, 5000)
				steps := []func(){func() { w.FailRefund() }, func() { w.Decide(dispute, "lost") }}
				if !refundFailsFirst {
					steps[0], steps[1] = steps[1], steps[0]
				}
				for _, step := range steps {
					w.Pass(time.Hour)
					if isTold {
						w.Settle()
					}
					step()
				}
				if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalDispute); err != nil {
					t.Fatal(err)
				}
				w.Settle()
				w.WantBook(paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee})
				if n := w.Count("refunds WHERE status = 'canceled' AND NOT owed"); n != 1 || w.Anomalies("") != 0 {
					t.Errorf("%d refunds are covered, %d people called", n, w.Anomalies(""))
				}
				w.Audit()
				w.Control("webhooks", `{}`)
				w.Decide(dispute, "won")
				w.Settle()
				if n := w.Count("refunds WHERE status = 'failed' AND owed"); n != 1 || w.Anomalies("refund_failed") != 1 {
					t.Errorf("after an appeal %d refunds are owed, %d people called", n, w.Anomalies(""))
				}
				w.Audit()
			})
		}
	}
}

// Two banks' claims on one charge, both lost: what one of them gives back wakes what that one had covered, and nothing
// else.
func TestDispute_WonOnAppeal_LeavesWhatAnotherCovered(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.Paid()
	first := w.DisputeByHand(intent, 2000)
	w.Settle()
	w.Pass(time.Minute)
	second := w.DisputeByHand(intent, 3000)
	w.Settle()
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	for _, d := range []string{first, second} {
		w.Decide(d, "lost")
		w.Settle()
	}
	w.Pass(time.Minute)
	w.Decide(second, "won")
	w.Settle()
	for range 8 {
		w.Pass(6 * time.Hour)
		w.Settle()
	}
	var waiting int64
	w.Scan(&waiting, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM refunds WHERE status IN ('creating', 'failed')`)
	if waiting != 3000 || w.Count("refunds WHERE status = 'failed'") != w.Anomalies("refund_failed") {
		t.Errorf("%d wait, %d people are called", waiting, w.Anomalies("refund_failed"))
	}
	w.Audit()
}

// Providers usually take once and give back once, but nothing says that they must: each sum goes back to where it came
// from.
func TestDispute_MovedInParts_EndsWhereItBegan(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sign   float64 // of the movements that come in two
		status string
		want   map[string]int64
	}{
		"taken twice, lost": {-1, "lost", map[string]int64{
			"provider_clearing:stripe:main": -paymentstest.Fee - paymentstest.DisputeFee,
			"provider_fees:stripe":          paymentstest.Fee + paymentstest.DisputeFee}},
		"taken twice, won": {-1, "won", map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
			"provider_fees:stripe":  paymentstest.Fee,
			"backer_funds:stripe:7": -3000, "owed_to_backers:stripe": -2000}},
		"given back twice": {1, "won", map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee,
			"provider_fees:stripe":  paymentstest.Fee,
			"backer_funds:stripe:7": -3000, "owed_to_backers:stripe": -2000}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			b.RewriteDisputes(func(d map[string]any) {
				var out []any
				for _, line := range d["balance_transactions"].([]any) {
					one := line.(map[string]any)
					out = append(out, one)
					if amount := one["amount"].(float64); amount*tc.sign > 0 {
						other := maps.Clone(one)
						one["amount"], one["net"] = amount/2, amount/2-one["fee"].(float64)
						other["id"], other["amount"], other["net"], other["fee"] = fmt.Sprint(one["id"])+"b", amount/2, amount/2, 0.0
						out = append(out, other)
					}
				}
				d["balance_transactions"] = out
			})
			_, id, intent := w.Paid()
			w.Refund(id, 2000, refunds.Requested)
			w.Settle()
			w.FailRefund()
			w.Settle()
			dispute := w.DisputeByHand(intent, 5000)
			w.Settle()
			w.Pass(time.Minute)
			w.Decide(dispute, tc.status)
			w.Settle()
			w.WantLedger(tc.want)
		})
	}
}

// A bank that has said to give the money back and gives less calls a person, until the rest comes.
func TestDispute_WonForLess_CallsAPersonUntilTheRestComes(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	_, _, dispute := w.Disputed()
	w.Settle()
	b.RewriteDisputes(func(d map[string]any) {
		for _, line := range d["balance_transactions"].([]any) {
			if one := line.(map[string]any); one["amount"].(float64) > 0 {
				d["balance_transactions"] = d["balance_transactions"].([]any)[:1]
			}
		}
	})
	w.Decide(dispute, "won")
	w.Settle()
	for day := 1; day <= 16; day++ {
		w.Pass(24 * time.Hour)
		w.Settle()
		if n := w.Anomalies("dispute_stuck"); (n == 1) != (day >= 15) {
			t.Fatalf("%d people are called on day %d", n, day)
		}
	}
	b.Set(nil, nil)
	w.Pass(7 * time.Hour)
	w.Settle()
	if n := w.Count("anomalies WHERE kind = 'dispute_stuck' AND resolved_by = 'service'"); n != 1 || w.Anomalies("") != 0 {
		t.Errorf("%d are mended", n)
	}
	w.WantBook(paymentstest.Book{})
	w.Audit()
}

// A refund that the provider had not taken yet when the bank took the charge, that went out, and came back: the bank
// has given the backer the money, and nobody owes it a second time.
func TestDispute_WithARefundInFlight_ThatComesBack_IsPaidOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.PayWith("pm_card_pendingRefund")
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	dispute := w.DisputeByHand(intent, 5000)
	w.Settle()
	w.SettleRefundsAtProvider()
	w.Pass(time.Hour)
	w.FailRefund()
	w.Settle()
	w.Decide(dispute, "lost")
	w.Settle()
	w.WantBook(paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee})
	if n := w.Count("refunds WHERE owed") + w.Anomalies(""); n != 0 {
		t.Errorf("%d refunds are owed or people called", n)
	}
	w.Audit()
}
