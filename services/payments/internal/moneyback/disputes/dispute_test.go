package disputes_test

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

func submitEvidence(w *paymentstest.World, dispute, text string) {
	w.T.Helper()
	if status := w.ByHand("/v1/disputes/"+dispute,
		url.Values{"evidence[uncategorized_text]": {text}}); status != http.StatusOK {
		w.T.Fatalf("evidence answered %d", status)
	}
}

func TestDispute_TakesTheMoneyAndAFee_Once(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Control("webhooks", `{"duplicate":3,"shuffle_ms":20}`)
	pledge, _, dispute := w.Disputed()
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.WantHeard(pledge, "started", "succeeded", "disputed")
	w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
	var row struct {
		ProviderRef, Status, Reason           string
		AmountMinor, WithdrawnMinor, FeeMinor int64
		RespondBy                             *time.Time
	}
	w.Scan(&row, `SELECT * FROM disputes`)
	if row.ProviderRef != dispute || row.Status != "open" || row.Reason != "fraudulent" || row.AmountMinor != 5000 ||
		row.WithdrawnMinor != 5000 ||
		row.FeeMinor != paymentstest.DisputeFee || row.RespondBy == nil || !row.RespondBy.After(w.Now()) {
		t.Errorf("the dispute is %+v", row)
	}
	w.Audit()
}

func TestDispute_EachEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end          func(w *paymentstest.World, dispute string)
		payment, row string
		heard        []string
		book         paymentstest.Book
	}{
		"winning evidence": {func(w *paymentstest.World, d string) { submitEvidence(w, d, "winning_evidence") },
			"succeeded", "won", []string{"started", "succeeded", "disputed", "reinstated"}, paymentstest.Book{}},
		"won, and the provider keeps its fee": {func(w *paymentstest.World, d string) {
			w.Control("disputes/decide", `{"dispute":"`+d+`","status":"won","keep_fee":true}`)
		}, "succeeded", "won", []string{"started", "succeeded", "disputed", "reinstated"}, paymentstest.Book{
			Cost: paymentstest.DisputeFee}},
		"losing evidence": {func(w *paymentstest.World, d string) { submitEvidence(w, d, "losing_evidence") },
			"disputed", "lost", []string{"started", "succeeded", "disputed"},
			paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee}},
		"given up": {func(w *paymentstest.World, d string) { w.ByHand("/v1/disputes/"+d+"/close", nil) },
			"disputed", "lost", []string{"started", "succeeded", "disputed"},
			paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee}},
		"under review": {func(w *paymentstest.World, d string) { submitEvidence(w, d, "A letter.") },
			"disputed", "open", []string{"started", "succeeded", "disputed"},
			paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, _, dispute := w.Disputed()
			w.Settle()
			tc.end(w, dispute)
			w.Settle()
			w.WantStatus(pledge, tc.payment)
			w.WantHeard(pledge, tc.heard...)
			w.WantBook(tc.book)
			if n := w.Count("disputes WHERE status = ? AND (next_check_at IS NULL) = ?", tc.row, tc.row != "open"); n != 1 {
				t.Errorf("the dispute is not %s, or is still asked about", tc.row)
			}
			w.Audit()
		})
	}
}

func TestDispute_OfAPartlyRefundedPayment_WonGoesBackToThat(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, intent := w.Paid()
	w.RefundByHand(intent, 1500)
	w.Settle()
	dispute := w.DisputeByHand(intent, 0)
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.WantBook(paymentstest.Book{Gone: 1500, OnHold: 3500, Cost: paymentstest.DisputeFee})
	w.Audit()
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "partly_refunded")
	w.WantHeard(pledge, "started", "succeeded", "refunded", "disputed", "reinstated")
	w.WantBook(paymentstest.Book{Gone: 1500})
	w.Audit()
}

// A refund that was on its way when the dispute came ends no dispute, when it is of a part; a full one ends the
// payment, whatever the bank says.
func TestDispute_RefundThatSettlesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		refund, dispute int64
		during, won     string
		after           []string
		bare            int64 // the bank has what went back before
	}{
		"a part": {1500, 3500, "disputed", "partly_refunded", []string{"reinstated"}, 0},
		"all":    {5000, 5000, "refunded", "refunded", nil, 5000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, id, intent := w.PayWith("pm_card_pendingRefund")
			w.Refund(id, tc.refund, refunds.Requested)
			w.Settle()
			dispute := w.DisputeByHand(intent, tc.dispute)
			w.Settle()
			w.WantStatus(pledge, "disputed")
			w.SettleRefundsAtProvider()
			w.WantStatus(pledge, tc.during)
			w.WantHeard(pledge, "started", "succeeded", "disputed", "refunded")
			w.WantBook(paymentstest.Book{Gone: tc.refund, OnHold: tc.dispute, Bare: tc.bare, Cost: paymentstest.DisputeFee})
			w.Audit()
			w.Decide(dispute, "won")
			w.Settle()
			w.WantStatus(pledge, tc.won)
			w.WantHeard(pledge, append([]string{"started", "succeeded", "disputed", "refunded"}, tc.after...)...)
			w.WantBook(paymentstest.Book{Gone: tc.refund})
			w.Audit()
		})
	}
}

// The provider refuses to refund what is disputed, so a refund waits: it is sent when the dispute is won, and not
// needed when it is lost.
func TestRefund_OfADisputedPayment_WaitsForTheEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status        string
		reason        refunds.Reason
		told          bool // before the refund is asked for
		wait          time.Duration
		payment       string
		refund        string
		heard         []string
		refundsAtThem int
	}{
		"won": {"won", refunds.Requested, true, 0, "refunded", "succeeded",
			[]string{"started", "succeeded", "disputed", "reinstated", "refunded"}, 1},
		"won, and we had not heard of the dispute": {"won", refunds.Requested, false, 0, "refunded", "succeeded",
			[]string{"started", "succeeded", "disputed", "refunded"}, 1},
		"won after keys were forgotten": {"won", refunds.PledgeClosed, true, 60 * 24 * time.Hour, "refunded", "succeeded",
			[]string{"started", "succeeded", "disputed", "reinstated", "refunded"}, 1},
		"lost": {"lost", refunds.Requested, true, 0, "disputed", "canceled", []string{"started", "succeeded", "disputed"}, 0},
		"lost, and we had not heard of the dispute": {"lost", refunds.RewardGone, false, 0, "disputed", "canceled",
			[]string{"started", "succeeded", "disputed"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, id, intent := w.PayWith("pm_card_createDispute")
			if !tc.told {
				w.LoseWebhooks()
			}
			dispute := w.DisputeComes(intent)
			w.Settle()
			w.Refund(id, 0, tc.reason)
			w.Settle()
			w.WantStatus(pledge, "disputed")
			if w.Count("refunds WHERE status = 'creating' AND next_check_at > ?", w.Now().Add(time.Hour)) != 1 ||
				w.Held("refunds") != 0 {
				t.Error("the refund does not wait")
			}
			w.Audit()
			w.Pass(tc.wait)
			w.Settle()
			w.Decide(dispute, tc.status)
			w.Settle()
			if !tc.told { // then we ask
				w.Pass(6 * time.Hour)
				w.Settle()
			}
			w.WantStatus(pledge, tc.payment)
			heard := w.Heard(pledge)
			if !tc.told { // the refund may be made before we ask about the dispute, and then nothing is reinstated
				heard = slices.DeleteFunc(heard, func(e string) bool { return e == "reinstated" })
			}
			if !slices.Equal(heard, tc.heard) {
				t.Errorf("content heard %v, want %v", heard, tc.heard)
			}
			if n := w.Count("refunds WHERE status = ?", tc.refund); n != 1 || w.Held("refunds") != tc.refundsAtThem {
				t.Errorf("%d refunds are %s, %d at the provider", n, tc.refund, w.Held("refunds"))
			}
			if w.Count("anomalies") != 0 {
				t.Error("a person is called")
			}
			if _, _, err := w.App.Payments.Refund(t.Context(), id,
				refunds.Wish{AmountMinor: 100, Reason: refunds.Requested}); !errors.Is(err, refunds.ErrExceeds) {
				t.Errorf("refunding what went back already: %v", err)
			}
			w.Audit()
		})
	}
}

// The backer's bank took less back than the refund that waited for it, and of such a charge the provider gives nothing
// back any more: the rest is owed.
func TestDispute_LostForLessThanTheRefund_CallsAPerson(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, id, intent := w.Paid()
	dispute := w.DisputeByHand(intent, 2000)
	w.Settle()
	w.Refund(id, 0, refunds.RewardGone)
	w.Settle()
	w.Decide(dispute, "lost")
	w.Settle()
	w.WantStatus(pledge, "disputed")
	if w.Anomalies("refund_failed") != 1 || w.Anomalies("") != 1 {
		t.Error("nobody is called")
	}
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": 3000 - paymentstest.Fee - paymentstest.DisputeFee,
		"provider_fees:stripe":          paymentstest.Fee + paymentstest.DisputeFee, "owed_to_backers:stripe": -3000,
	})
	w.Audit()
}

// Money that is held for a person, or has come twice, may be disputed too: it is no one's payment, but in the book.
func TestDispute_OfMoneyThatDoesNotCount_IsInTheBookOnly(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	intent := a.Stripe.PaymentIntent.ID
	if status := w.ByHand("/v1/payment_intents/"+intent, url.Values{"amount": {"1000"}}); status != http.StatusOK {
		t.Fatal(status)
	}
	w.MustPay(a)
	w.Settle()
	before := w.Heard(pledge)
	w.DisputeByHand(intent, 0)
	w.Settle()
	w.WantHeard(pledge, before...)
	var funds int64
	w.Scan(&funds, `SELECT sum(e.amount_minor)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = 'held_funds:stripe'`)
	if funds != 0 || w.Count("disputes WHERE withdrawn_minor = 1000") != 1 {
		t.Errorf("held funds are %d", funds)
	}
	w.Audit()
}
