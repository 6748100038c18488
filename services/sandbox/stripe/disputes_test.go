package stripe_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

// disputed pays with the card whose charges are disputed, and waits for the dispute.
func (b *fixture) disputed() (*stripego.PaymentIntent, *stripego.Dispute) {
	b.t.Helper()
	pi := b.pay("pm_card_createDispute")
	var found *stripego.Dispute
	b.control("clock", `{"advance_seconds": 11}`)
	b.eventually(func() bool {
		it := b.api.Disputes.List(&stripego.DisputeListParams{PaymentIntent: &pi.ID})
		if it.Next() {
			found = it.Dispute()
		}
		return found != nil
	}, "the charge is disputed")
	return pi, found
}

func (b *fixture) submit(id, text string) (*stripego.Dispute, error) {
	return b.api.Disputes.Update(id, &stripego.DisputeParams{Evidence: &stripego.DisputeEvidenceParams{UncategorizedText: &text}})
}

// heldInAll is the balance, available and pending, and checks that its transactions add up to it.
func (b *fixture) heldInAll() int64 {
	b.t.Helper()
	sum := int64(0)
	for it := b.api.BalanceTransactions.List(&stripego.BalanceTransactionListParams{}); it.Next(); {
		sum += it.BalanceTransaction().Net
	}
	held, err := b.api.Balance.Get(nil)
	if err != nil || held.Available[0].Amount+held.Pending[0].Amount != sum {
		b.t.Errorf("balance %+v, transactions %d, %v", held, sum, err)
	}
	return sum
}

func TestDispute_TakesTheMoneyAndAFee(t *testing.T) {
	b := start(t, stripe.Options{})
	pi := b.pay("pm_card_createDispute")
	ch, err := b.api.Charges.Get(pi.LatestCharge.ID, nil)
	if err != nil || pi.Status != "succeeded" || ch.Disputed || b.heldInAll() != 960 {
		t.Fatalf("before the dispute: %s %+v %v", pi.Status, ch, err)
	}
	_, d := b.disputed()
	got, err := b.api.Disputes.Get(d.ID, nil)
	if err != nil || got.Status != "needs_response" || got.Reason != "fraudulent" || got.Amount != 1000 || got.Currency != "eur" ||
		got.IsChargeRefundable || got.EvidenceDetails.DueBy <= got.Created || len(got.BalanceTransactions) != 1 {
		t.Fatalf("%+v %v", got, err)
	}
	txn, err := b.api.BalanceTransactions.Get(got.BalanceTransactions[0].ID, nil)
	if err != nil || txn.Type != "adjustment" || txn.ReportingCategory != "dispute" || txn.Amount != -1000 || txn.Fee != 1500 || txn.Net != -2500 ||
		txn.Source.ID != d.ID || got.BalanceTransactions[0].Net != -2500 {
		t.Errorf("%+v %v", txn, err)
	}
	if ch, err = b.api.Charges.Get(got.Charge.ID, nil); err != nil || !ch.Disputed || ch.PaymentIntent.ID != got.PaymentIntent.ID {
		t.Errorf("%+v %v", ch, err)
	}
	_, err = b.api.Refunds.New(&stripego.RefundParams{Charge: &ch.ID})
	if e := stripeError(t, err); e.HTTPStatusCode != 400 || e.Code != stripego.ErrorCodeChargeDisputed {
		t.Errorf("refund of a disputed charge: %v", e)
	}
}

func TestDispute_IsClosedByEvidenceByCallAndByControl(t *testing.T) {
	for name, tc := range map[string]struct {
		end    func(b *fixture, id string) error
		status stripego.DisputeStatus
		held   int64
	}{
		"winning evidence": {func(b *fixture, id string) error { _, err := b.submit(id, "winning_evidence"); return err }, "won", 960},
		"losing evidence":  {func(b *fixture, id string) error { _, err := b.submit(id, "losing_evidence"); return err }, "lost", -1540},
		"given up": {func(b *fixture, id string) error {
			_, err := b.api.Disputes.Close(id, &stripego.DisputeParams{})
			return err
		}, "lost", -1540},
		"won by hand": {func(b *fixture, id string) error {
			b.control("disputes/decide", `{"dispute":"`+id+`","status":"won"}`)
			return nil
		}, "won", 960},
		"won by hand, its fee kept": {func(b *fixture, id string) error {
			b.control("disputes/decide", `{"dispute":"`+id+`","status":"won","keep_fee":true}`)
			return nil
		}, "won", -540},
		"other evidence, then lost by hand": {func(b *fixture, id string) error {
			d, err := b.submit(id, "A letter of the carrier.")
			if err != nil || d.Status != "under_review" || d.EvidenceDetails.SubmissionCount != 1 {
				b.t.Errorf("after evidence: %+v %v", d, err)
			}
			b.control("disputes/decide", `{"dispute":"`+id+`","status":"lost"}`)
			return nil
		}, "lost", -1540},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, stripe.Options{})
			pi, d := b.disputed()
			if err := tc.end(b, d.ID); err != nil {
				t.Fatal(err)
			}
			d, err := b.api.Disputes.Get(d.ID, nil)
			if err != nil || d.Status != tc.status {
				t.Fatalf("%+v %v", d, err)
			}
			if held := b.heldInAll(); held != tc.held {
				t.Errorf("the balance is %d, want %d", held, tc.held)
			}
			_, err = b.api.Disputes.Close(d.ID, &stripego.DisputeParams{})
			if e := stripeError(t, err); e.HTTPStatusCode != 400 {
				t.Errorf("closing a closed one: %v", e)
			}
			_, err = b.submit(d.ID, "winning_evidence")
			if e := stripeError(t, err); e.HTTPStatusCode != 400 {
				t.Errorf("evidence for a closed one: %v", e)
			}
			ch, err := b.api.Charges.Get(pi.LatestCharge.ID, nil)
			if err != nil || !ch.Disputed {
				t.Errorf("a charge stays disputed: %+v %v", ch, err)
			}
			_, err = b.api.Refunds.New(&stripego.RefundParams{Charge: &ch.ID})
			if refundable := err == nil; refundable != (tc.status == "won") {
				t.Errorf("refund after %s: %v", tc.status, err)
			}
		})
	}
}

func TestDispute_StagedEvidenceIsNotSubmitted(t *testing.T) {
	b := start(t, stripe.Options{})
	_, d := b.disputed()
	text, submit := "winning_evidence", false
	d, err := b.api.Disputes.Update(d.ID, &stripego.DisputeParams{Submit: &submit,
		Evidence: &stripego.DisputeEvidenceParams{UncategorizedText: &text}})
	if err != nil || d.Status != "needs_response" || !d.EvidenceDetails.HasEvidence || d.EvidenceDetails.SubmissionCount != 0 {
		t.Fatalf("staged: %+v %v", d, err)
	}
	submit = true
	if d, err = b.api.Disputes.Update(d.ID, &stripego.DisputeParams{Submit: &submit}); err != nil || d.Status != "won" {
		t.Errorf("submitted: %+v %v", d, err)
	}
}

func TestDispute_SendsASignedEventForEveryStep(t *testing.T) {
	r := newReceiver(t)
	b := start(t, stripe.Options{WebhookURL: r.server.URL, WebhookSecret: webhookSecret})
	_, d := b.disputed()
	if _, err := b.submit(d.ID, "winning_evidence"); err != nil {
		t.Fatal(err)
	}
	want := []string{"charge.dispute.closed", "charge.dispute.created", "charge.dispute.funds_reinstated", "charge.dispute.funds_withdrawn", "charge.dispute.updated"}
	var got []string
	for len(got) < len(want) {
		e := r.next(t)
		if !strings.HasPrefix(string(e.Type), "charge.dispute.") {
			continue
		}
		if e.Data.Object["id"] != d.ID || e.Data.Object["object"] != "dispute" {
			t.Errorf("%s is about %v", e.Type, e.Data.Object["id"])
		}
		got = append(got, string(e.Type))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
}

func TestDispute_OpenedByHand_IsListedByCharge(t *testing.T) {
	b := start(t, stripe.Options{})
	for range 2 {
		pi := b.pay("pm_card_visa")
		b.control("disputes", `{"charge":"`+pi.LatestCharge.ID+`","amount":400}`)
		it := b.api.Disputes.List(&stripego.DisputeListParams{Charge: &pi.LatestCharge.ID})
		if !it.Next() || it.Dispute().Amount != 400 || it.Dispute().Charge.ID != pi.LatestCharge.ID || it.Next() || it.Err() != nil {
			t.Errorf("the list of one charge: %v", it.Err())
		}
	}
}

func TestDispute_IsOnThePageWithTheCallThatDecidesIt(t *testing.T) {
	b := start(t, stripe.Options{})
	_, d := b.disputed()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.server.URL+"/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(page), d.ID) || !strings.Contains(string(page), "/_control/disputes/decide") {
		t.Errorf("%v: %s", err, page)
	}
}
