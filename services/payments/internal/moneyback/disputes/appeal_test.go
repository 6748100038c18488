package disputes_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// givePartBack is a bank that gives a part of a lost dispute back.
func givePartBack(w *paymentstest.World, dispute string, minor int64) {
	w.T.Helper()
	if _, err := w.Sandbox.ReturnDisputed(sandbox.DisputeReturn{Dispute: dispute, Amount: minor}); err != nil {
		w.T.Fatal(err)
	}
}

// A decision may be appealed, more than once, and a part may come back of what is lost: the book is what the provider's
// balance is, nothing stays on hold, and nobody has to be called; whether we hear of each step or of all at once.
func TestDispute_DecidedAnew_EndsAsTheBankSaysAtLast(t *testing.T) {
	t.Parallel()
	type steps []string
	for name, tc := range map[string]struct {
		steps   steps // won, lost, or a part of 20 euros back
		payment string
		book    paymentstest.Book
		losses  int
	}{
		"lost, won": {steps{"lost", "won"}, "succeeded", paymentstest.Book{}, 1},
		"won, lost": {steps{"won", "lost"}, "disputed",
			paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee}, 1},
		"won, lost, won": {steps{"won", "lost", "won"}, "succeeded", paymentstest.Book{}, 1},
		"lost, won, lost": {steps{"lost", "won", "lost"}, "disputed",
			paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee}, 2},
		"lost, part back": {steps{"lost", "part"}, "disputed",
			paymentstest.Book{Gone: 3000, Cost: paymentstest.DisputeFee}, 2},
		"lost, twice part back": {steps{"lost", "part", "part"}, "disputed",
			paymentstest.Book{Gone: 1000, Cost: paymentstest.DisputeFee}, 3},
		"lost, part back, won": {steps{"lost", "part", "won"}, "succeeded", paymentstest.Book{}, 2},
	} {
		for how, when := range map[string]struct {
			isTold bool // of each step
			pause  time.Duration
		}{"told of each step": {true, time.Minute}, "told at the end": {false, time.Minute},
			"all in one second": {false, 0}} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				w := paymentstest.New(t)
				pledge, id, dispute := w.Disputed()
				w.Settle()
				if !when.isTold {
					w.LoseWebhooks()
				}
				losses := 0 // what was won when we heard of it was never lost
				if when.isTold {
					losses = tc.losses
				} else if tc.payment == "disputed" {
					losses = 1
				}
				for _, step := range tc.steps {
					if step == "part" {
						givePartBack(w, dispute, 2000)
					} else {
						w.Decide(dispute, step)
					}
					if when.isTold {
						w.Settle()
						w.Audit()
					}
					w.Pass(when.pause)
				}
				if !when.isTold {
					if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalDispute); err != nil {
						t.Fatal(err)
					}
				}
				w.Settle()
				w.WantStatus(pledge, tc.payment)
				w.WantBook(tc.book)
				if n := w.Count("ledger_transactions WHERE kind = 'dispute_lost'"); n != losses {
					t.Errorf("%d losses are posted, want %d", n, losses)
				}
				if n := w.Count("anomalies") + w.Count("disputes WHERE next_check_at IS NOT NULL"); n != 0 {
					t.Error("somebody is called, or it is still asked about")
				}
				w.Audit()
			})
		}
	}
}

// The content service asks of which payments banks keep the money for good: who has paid them is needed by no bank any more.
func TestDispute_IsToldAsDecidedWhileItsBankKeepsTheMoneyAlone(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, dispute := w.Disputed()
	_, other, _ := w.PayWith("pm_card_visa")
	told := func(when string, want ...string) {
		t.Helper()
		w.Settle()
		status, body := w.Tell("/internal/disputes/decided", `{"payment_ids": ["`+id+`", "`+other+`"]}`, servicetoken.Payments)
		var answer struct {
			PaymentIDs []string `json:"payment_ids"`
		}
		if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK || answer.PaymentIDs == nil || !slices.Equal(answer.PaymentIDs, want) {
			t.Errorf("%s: %d %s, %v", when, status, body, err)
		}
	}
	told("open")
	w.Decide(dispute, "lost")
	told("lost", id)
	w.Exec(`INSERT INTO disputes (payment_id, attempt_id, provider, provider_ref, status, reason, amount_minor, currency, opened_at, created_at, updated_at)
		SELECT payment_id, attempt_id, provider, 'another', 'open', reason, amount_minor, currency, opened_at, created_at, updated_at FROM disputes`)
	told("another one of the same charge is open")
	w.Exec(`UPDATE disputes SET status = 'returned' WHERE provider_ref = 'another'`)
	told("both are decided", id)
	w.Exec(`DELETE FROM disputes WHERE provider_ref = 'another'`)
	w.Decide(dispute, "won")
	told("won on appeal")
}

// What a loss had covered of a refund is owed again when the loss is taken back: of one that was covered wholly, and of
// one that was covered in part and whose rest went on by itself.
func TestDispute_WonOnAppeal_WakesTheRefundsThatItHadCovered(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		contested int64
		rows      int
	}{"wholly": {5000, 1}, "in part": {2000, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, id, intent := w.Paid()
			dispute := w.DisputeByHand(intent, tc.contested)
			w.Settle()
			w.Refund(id, 0, refunds.RewardGone)
			w.Settle()
			w.Decide(dispute, "lost")
			w.Settle()
			w.Audit()
			w.Decide(dispute, "won")
			w.Settle()
			w.Audit()
			// The rest was refused while the bank had the money: a person has called for it.
			var failed []string
			w.Scan(&failed, `SELECT id FROM refunds WHERE status = 'failed'`)
			for _, r := range failed {
				if _, err := w.App.Payments.RepeatRefund(t.Context(), r,
					payments.Operator{Actor: "aino", Note: "won"}); err != nil {
					t.Fatal(err)
				}
			}
			w.Settle()
			w.WantStatus(pledge, "refunded")
			w.WantBook(paymentstest.Book{Gone: 5000})
			if n := w.Count("refunds WHERE status IN ('creating', 'pending', 'failed')") + w.Anomalies(""); n != 0 {
				t.Errorf("%d refunds or people wait", n)
			}
			var back int64
			w.Scan(&back, `SELECT sum(amount_minor)::bigint FROM refunds WHERE status = 'succeeded'`)
			if back != 5000 {
				t.Errorf("%d went back", back)
			}
			w.Audit()
		})
	}
}

// The provider may tell a dispute's movements in any order, and the decision before its money: the book is the same,
// each movement on its own time.
func TestDispute_MovementsInAnyOrder_AreBookedInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"won", "lost"} {
		for how, change := range map[string]func(lines []any) []any{
			"backwards":          func(lines []any) []any { return reversed(lines) },
			"the decision first": func(lines []any) []any { return lines[:0] },
		} {
			t.Run(status+", "+how, func(t *testing.T) {
				t.Parallel()
				w, b := paymentstest.NewBetween(t)
				pledge, id, intent := w.PayWith("pm_card_createDispute")
				w.LoseWebhooks()
				dispute := w.DisputeComes(intent)
				w.Pass(time.Minute)
				w.Decide(dispute, status)
				b.RewriteDisputes(func(d map[string]any) { d["balance_transactions"] = change(d["balance_transactions"].([]any)) })
				look := func() {
					if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalDispute); err != nil {
						t.Fatal(err)
					}
					w.Settle()
				}
				look()
				b.Set(nil, nil)
				w.Pass(time.Minute)
				look()
				want, book := "succeeded", paymentstest.Book{}
				if status == "lost" {
					want, book = "disputed", paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee}
				}
				w.WantStatus(pledge, want)
				w.WantBook(book)
				if n := w.Count("disputes WHERE next_check_at IS NOT NULL"); n != 0 {
					t.Error("it is still asked about")
				}
				w.Audit()
			})
		}
	}
}

func reversed(list []any) []any {
	out := make([]any, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		out = append(out, list[i])
	}
	return out
}

// A refund had failed, and the bank's loss covered it. When the loss is taken back the backer waits again, and a person
// is called.
func TestDispute_WonOnAppeal_CallsForTheFailedRefundThatItHadCovered(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, intent := w.Paid()
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	w.FailRefund()
	w.Settle()
	dispute := w.DisputeByHand(intent, 0)
	w.Decide(dispute, "lost")
	w.Settle()
	if n := w.Count("refunds WHERE status = 'canceled'"); n != 1 || w.Anomalies("") != 0 {
		t.Errorf("%d refunds are covered, %d people called", n, w.Anomalies(""))
	}
	w.Audit()
	w.Decide(dispute, "won")
	w.Settle()
	var refund string
	w.Scan(&refund, `SELECT id FROM refunds WHERE status = 'failed' AND owed`)
	if refund == "" || w.Anomalies("refund_failed") != 1 {
		t.Fatal("nobody is called")
	}
	w.Audit()
	if _, err := w.App.Payments.RepeatRefund(t.Context(), refund,
		payments.Operator{Actor: "aino", Note: "won"}); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.WantBook(paymentstest.Book{Gone: 5000})
	w.Audit()
}

// The bank's loss covered a part of a refund that had failed at the provider. When the loss is taken back that part
// waits for a person too: nothing goes out by itself to an account that did not take it.
func TestDispute_WonOnAppeal_SendsNoPartOfAFailedRefundByItself(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.Paid()
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	w.FailRefund()
	w.Settle()
	dispute := w.DisputeByHand(intent, 2000)
	w.Decide(dispute, "lost")
	w.Settle()
	w.Decide(dispute, "won")
	w.Pass(7 * time.Hour)
	w.Settle()
	var waiting int64
	w.Scan(&waiting, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM refunds WHERE status = 'failed' AND owed`)
	if waiting != 5000 || w.Anomalies("refund_failed") != 2 || w.Held("refunds") != 1 {
		t.Errorf("%d wait for a person, %d are called, %d refunds were made", waiting, w.Anomalies("refund_failed"),
			w.Held("refunds"))
	}
	w.Audit()
}
