package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"talkoot.fi/payments/internal/pledges"
)

const disputeFee = 1500

// payWith pays a new pledge with a ready-made card, and settles.
func (w *world) payWith(card string) (pledge, paymentID, intent string) {
	w.t.Helper()
	pledge = w.pledge()
	a := w.mustSetup(pledge)
	if got := w.confirm(a, card); got.Status != "succeeded" {
		w.t.Fatalf("paying with %s gave %+v", card, got)
	}
	w.settle()
	return pledge, a.Payment.ID, a.Stripe.PaymentIntent.ID
}

type wireDispute struct{ ID, Status string }

func (w *world) disputesAt(intent string) []wireDispute {
	w.t.Helper()
	var list struct{ Data []wireDispute }
	w.at("/v1/disputes?payment_intent="+intent, &list)
	return list.Data
}

// disputed pays with the card whose charge is disputed soon after, waits for that, and gives the dispute.
func (w *world) disputed() (pledge, paymentID, dispute string) {
	w.t.Helper()
	pledge, paymentID, intent := w.payWith("pm_card_createDispute")
	w.wantStatus(pledge, "succeeded")
	return pledge, paymentID, w.disputeComes(intent)
}

func (w *world) disputeComes(intent string) string {
	w.t.Helper()
	w.control("clock", `{"advance_seconds":11}`)
	w.eventually("the dispute", func() bool { return len(w.disputesAt(intent)) == 1 })
	return w.disputesAt(intent)[0].ID
}

// disputeByHand opens a dispute of a part of an intent's charge; 0 is all of it.
func (w *world) disputeByHand(intent string, minor int64) string {
	w.t.Helper()
	var in struct {
		Charge string `json:"latest_charge"`
	}
	w.at("/v1/payment_intents/"+intent, &in)
	w.control("disputes", fmt.Sprintf(`{"charge":%q,"amount":%d}`, in.Charge, minor))
	return w.disputesAt(intent)[0].ID
}

func (w *world) decide(dispute, status string) {
	w.t.Helper()
	w.control("disputes/decide", fmt.Sprintf(`{"dispute":%q,"status":%q}`, dispute, status))
}

func (w *world) submitEvidence(dispute, text string) {
	w.t.Helper()
	if status := w.byHand("/v1/disputes/"+dispute, url.Values{"evidence[uncategorized_text]": {text}}); status != http.StatusOK {
		w.t.Fatalf("evidence answered %d", status)
	}
}

// wantBook is the book of one charge of 50 euros, given what the dispute has withdrawn and cost.
func (w *world) wantBook(withdrawn, cost int64) {
	w.t.Helper()
	w.wantLedger(map[string]int64{
		"provider_clearing:stripe": 5000 - fee - withdrawn - cost, "provider_fees:stripe": fee + cost, "backer_funds:7": withdrawn - 5000,
	})
}

func TestDispute_TakesTheMoneyAndAFee_Once(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.control("webhooks", `{"duplicate":3,"shuffle_ms":20}`)
	pledge, _, dispute := w.disputed()
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantHeard(pledge, "started", "succeeded", "disputed")
	w.wantBook(5000, disputeFee)
	var row struct {
		ProviderID, Status, Reason            string
		AmountMinor, WithdrawnMinor, FeeMinor int64
		RespondBy                             *time.Time
	}
	w.scan(&row, `SELECT * FROM disputes`)
	if row.ProviderID != dispute || row.Status != "open" || row.Reason != "fraudulent" || row.AmountMinor != 5000 || row.WithdrawnMinor != 5000 ||
		row.FeeMinor != disputeFee || row.RespondBy == nil || !row.RespondBy.After(w.now()) {
		t.Errorf("the dispute is %+v", row)
	}
	w.audit()
}

func TestDispute_EachEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end             func(w *world, dispute string)
		payment, row    string
		heard           []string
		withdrawn, cost int64
	}{
		"winning evidence": {func(w *world, d string) { w.submitEvidence(d, "winning_evidence") },
			"succeeded", "won", []string{"started", "succeeded", "disputed", "reinstated"}, 0, 0},
		"won, and the provider keeps its fee": {func(w *world, d string) {
			w.control("disputes/decide", `{"dispute":"`+d+`","status":"won","keep_fee":true}`)
		}, "succeeded", "won", []string{"started", "succeeded", "disputed", "reinstated"}, 0, disputeFee},
		"losing evidence": {func(w *world, d string) { w.submitEvidence(d, "losing_evidence") },
			"disputed", "lost", []string{"started", "succeeded", "disputed"}, 5000, disputeFee},
		"given up": {func(w *world, d string) { w.byHand("/v1/disputes/"+d+"/close", nil) },
			"disputed", "lost", []string{"started", "succeeded", "disputed"}, 5000, disputeFee},
		"under review": {func(w *world, d string) { w.submitEvidence(d, "A letter.") },
			"disputed", "open", []string{"started", "succeeded", "disputed"}, 5000, disputeFee},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, _, dispute := w.disputed()
			w.settle()
			tc.end(w, dispute)
			w.settle()
			w.wantStatus(pledge, tc.payment)
			w.wantHeard(pledge, tc.heard...)
			w.wantBook(tc.withdrawn, tc.cost)
			if n := w.count("disputes WHERE status = ? AND (next_check_at IS NULL) = ?", tc.row, tc.row != "open"); n != 1 {
				t.Errorf("the dispute is not %s, or is still asked about", tc.row)
			}
			w.audit()
		})
	}
}

func TestDispute_OfAPartlyRefundedPayment_WonGoesBackToThat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, _, intent := w.paid()
	w.refundByHand(intent, 1500)
	w.settle()
	dispute := w.disputeByHand(intent, 0)
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantBook(5000, disputeFee) // 15 refunded and 35 disputed
	w.audit()
	w.decide(dispute, "won")
	w.settle()
	w.wantStatus(pledge, "partly_refunded")
	w.wantHeard(pledge, "started", "succeeded", "refunded", "disputed", "reinstated")
	w.wantBook(1500, 0)
	w.audit()
}

// A refund that was on its way when the dispute came ends no dispute, when it is of a part; a full one ends the payment,
// whatever the bank says.
func TestDispute_RefundThatSettlesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		refund, dispute int64
		during, won     string
		after           []string
		loss            int64 // while the bank has it too
	}{
		"a part": {1500, 3500, "disputed", "partly_refunded", []string{"reinstated"}, 0},
		"all":    {5000, 5000, "refunded", "refunded", nil, 5000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, id, intent := w.payWith("pm_card_pendingRefund")
			if err := w.app.Pledges.Refund(t.Context(), id, tc.refund, pledges.ReasonRequested); err != nil {
				t.Fatal(err)
			}
			w.settle()
			dispute := w.disputeByHand(intent, tc.dispute)
			w.settle()
			w.wantStatus(pledge, "disputed")
			w.settleRefundsAtProvider()
			w.wantStatus(pledge, tc.during)
			w.wantHeard(pledge, "started", "succeeded", "disputed", "refunded")
			w.wantBook(5000+tc.loss, disputeFee)
			w.audit()
			w.decide(dispute, "won")
			w.settle()
			w.wantStatus(pledge, tc.won)
			w.wantHeard(pledge, append([]string{"started", "succeeded", "disputed", "refunded"}, tc.after...)...)
			w.wantBook(tc.refund, 0)
			w.audit()
		})
	}
}

// The provider refuses to refund what is disputed, so a refund waits: it is sent when the dispute is won, and not needed
// when it is lost.
func TestRefund_OfADisputedPayment_WaitsForTheEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status        string
		reason        pledges.Reason
		told          bool // before the refund is asked for
		wait          time.Duration
		payment       string
		refund        string
		heard         []string
		refundsAtThem int
	}{
		"won": {"won", pledges.ReasonRequested, true, 0, "refunded", "succeeded",
			[]string{"started", "succeeded", "disputed", "reinstated", "refunded"}, 1},
		"won, and we had not heard of the dispute": {"won", pledges.ReasonRequested, false, 0, "refunded", "succeeded",
			[]string{"started", "succeeded", "disputed", "refunded"}, 1},
		"won after keys were forgotten": {"won", pledges.ReasonPledgeClosed, true, 60 * 24 * time.Hour, "refunded", "succeeded",
			[]string{"started", "succeeded", "disputed", "reinstated", "refunded"}, 1},
		"lost": {"lost", pledges.ReasonRequested, true, 0, "disputed", "canceled", []string{"started", "succeeded", "disputed"}, 0},
		"lost, and we had not heard of the dispute": {"lost", pledges.ReasonRewardGone, false, 0, "disputed", "canceled",
			[]string{"started", "succeeded", "disputed"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, id, intent := w.payWith("pm_card_createDispute")
			if !tc.told {
				w.loseWebhooks()
			}
			dispute := w.disputeComes(intent)
			w.settle()
			if err := w.app.Pledges.Refund(t.Context(), id, 0, tc.reason); err != nil {
				t.Fatal(err)
			}
			w.settle()
			w.wantStatus(pledge, "disputed")
			if w.count("refunds WHERE status = 'creating' AND next_check_at > ?", w.now().Add(time.Hour)) != 1 || w.held("refunds") != 0 {
				t.Error("the refund does not wait")
			}
			w.audit()
			w.pass(tc.wait)
			w.settle()
			w.decide(dispute, tc.status)
			w.settle()
			if !tc.told { // then we ask
				w.pass(6 * time.Hour)
				w.settle()
			}
			w.wantStatus(pledge, tc.payment)
			heard := w.heard(pledge)
			if !tc.told { // the refund may be made before we ask about the dispute, and then nothing is reinstated
				heard = slices.DeleteFunc(heard, func(e string) bool { return e == "reinstated" })
			}
			if !slices.Equal(heard, tc.heard) {
				t.Errorf("content heard %v, want %v", heard, tc.heard)
			}
			if n := w.count("refunds WHERE status = ?", tc.refund); n != 1 || w.held("refunds") != tc.refundsAtThem {
				t.Errorf("%d refunds are %s, %d at the provider", n, tc.refund, w.held("refunds"))
			}
			if w.count("anomalies") != 0 || w.count("payments WHERE alert <> ''") != 0 {
				t.Error("a person is called")
			}
			if err := w.app.Pledges.Refund(t.Context(), id, 100, pledges.ReasonRequested); !errors.Is(err, pledges.ErrExceeds) {
				t.Errorf("refunding what went back already: %v", err)
			}
			w.audit()
		})
	}
}

// The backer's bank took less back than the refund that waited for it.
func TestDispute_LostForLessThanTheRefund_CallsAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, id, intent := w.paid()
	dispute := w.disputeByHand(intent, 2000)
	w.settle()
	if err := w.app.Pledges.Refund(t.Context(), id, 0, pledges.ReasonRewardGone); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.decide(dispute, "lost")
	w.settle()
	w.wantStatus(pledge, "disputed")
	if w.count("anomalies WHERE kind = 'refund_failed'") != 1 || w.count("payments WHERE alert = 'refund_failed'") != 1 {
		t.Error("nobody is called")
	}
	w.wantBook(2000, disputeFee)
	w.audit()
}

// Money that is held for a person, or has come twice, may be disputed too: it is no one's payment, but in the book.
func TestDispute_OfMoneyThatDoesNotCount_IsInTheBookOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	intent := a.Stripe.PaymentIntent.ID
	if status := w.byHand("/v1/payment_intents/"+intent, url.Values{"amount": {"1000"}}); status != http.StatusOK {
		t.Fatal(status)
	}
	w.mustPay(a)
	w.settle()
	before := w.heard(pledge)
	w.disputeByHand(intent, 0)
	w.settle()
	w.wantHeard(pledge, before...)
	var funds int64
	w.scan(&funds, `SELECT sum(e.amount_minor)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = 'unallocated_funds'`)
	if funds != 0 || w.count("disputes WHERE withdrawn_minor = 1000") != 1 {
		t.Errorf("unallocated funds are %d", funds)
	}
	w.audit()
}
