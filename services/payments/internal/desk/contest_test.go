package desk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/paymentstest"
)

// contested is a disputed payment with its dispute, as the desk shows it.
func contested(w *paymentstest.World) (ref string, shown api.DeskDisputeCase) {
	w.T.Helper()
	_, payment, ref := w.Disputed()
	w.Settle()
	var p api.DeskPayment
	get(w, "payments/"+payment, &p)
	if len(p.Disputes) != 1 {
		w.T.Fatalf("the payment has %+v", p.Disputes)
	}
	return ref, dispute(w, p.Disputes[0].DisputeID)
}

func dispute(w *paymentstest.World, id int64) (shown api.DeskDisputeCase) {
	w.T.Helper()
	get(w, fmt.Sprintf("disputes/%d", id), &shown)
	return shown
}

// answer is the body by which what is shown is sent, with another statement.
func answer(w *paymentstest.World, shown api.DeskDisputeCase, statement string) string {
	w.T.Helper()
	shown.Evidence.Statement = statement
	raw, err := json.Marshal(api.DeskContest{Evidence: *shown.Evidence, Note: "the creator's letter"})
	if err != nil {
		w.T.Fatal(err)
	}
	return string(raw)
}

// submissions is how often the provider has had evidence, and what it was.
func submissions(w *paymentstest.World, ref string) (n int, evidence map[string]*string) {
	w.T.Helper()
	var at struct {
		Evidence        map[string]*string `json:"evidence"`
		EvidenceDetails struct {
			SubmissionCount int `json:"submission_count"`
		} `json:"evidence_details"`
	}
	w.At("/v1/disputes/"+ref, &at)
	return at.EvidenceDetails.SubmissionCount, at.Evidence
}

// The draft says who paid when and how, what they were promised and what was sent; what a person makes of it goes to the bank, once, and the history says so.
func TestDispute_IsAnsweredFromTheDesk(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	ref, shown := contested(w)
	if shown.Can != api.ContestYes {
		t.Fatalf("it is %+v", shown)
	}
	for part, want := range map[string][2]string{
		"name": {shown.Evidence.CustomerName, "Aino"}, "email": {shown.Evidence.CustomerEmail, "@"}, "product": {shown.Evidence.Product, "A jar of jam: 40.00 EUR"},
		"address": {shown.Evidence.ShippingAddress, "Hämeentie 1"}, "day of sending": {shown.Evidence.ShippingDate, "2026-"},
		"story": {shown.Evidence.Statement, "paid with"}, "policy": {shown.Evidence.Policy, "/en/info/terms/"},
	} {
		if !strings.Contains(want[0], want[1]) {
			t.Errorf("%s: %q has no %q", part, want[0], want[1])
		}
	}
	path := fmt.Sprintf("disputes/%d/evidence", shown.Dispute.DisputeID)
	want(w, onlyLooks, path, answer(w, shown, "It was sent."), "not_operator")
	want(w, saara, path, answer(w, shown, ""), "invalid_fields")
	want(w, saara, path, answer(w, shown, "It was sent."), "")
	n, got := submissions(w, ref)
	if n != 1 || *got["uncategorized_text"] != "It was sent." || *got["customer_name"] != shown.Evidence.CustomerName || *got["shipping_address"] != shown.Evidence.ShippingAddress {
		t.Errorf("the bank has %d: %+v", n, got)
	}
	after := dispute(w, shown.Dispute.DisputeID)
	if after.Can != api.ContestSent || after.Evidence.Statement != "It was sent." || after.SentBy == nil || *after.SentBy != "Saara Niemi" {
		t.Errorf("it is %+v", after)
	}
	want(w, saara, path, answer(w, shown, "More."), "not_possible_now")
	if n, _ := submissions(w, ref); n != 1 {
		t.Errorf("the bank has %d", n)
	}
	var p api.DeskPayment
	get(w, "payments/"+shown.Dispute.PaymentID, &p)
	if p.Disputes[0].EvidenceAt == nil || !strings.Contains(fmt.Sprint(p.History), "evidence_taken") {
		t.Errorf("the payment does not say it: %+v %+v", p.Disputes, p.History)
	}
	w.Audit()

	// Once it is decided, nothing of what it says of people is kept here.
	w.Decide(ref, "won")
	w.Settle()
	if err := disputes.PruneEvidence(t.Context(), w.App.DB); err != nil {
		t.Fatal(err)
	}
	if left := dispute(w, shown.Dispute.DisputeID); left.Can != api.ContestSent || left.Evidence != nil || w.Count(`dispute_evidence WHERE evidence::text LIKE '%Aino%'`) != 0 {
		t.Errorf("it is %+v", left)
	}
}

// What was not answered is not told as refused. The next press finds out what became of it, and sends nothing else and nothing twice.
func TestDispute_WhoseAnswerIsLost_IsAnsweredOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	ref, shown := contested(w)
	path := fmt.Sprintf("disputes/%d/evidence", shown.Dispute.DisputeID)
	unknown := func(submitted int) {
		t.Helper()
		if got := dispute(w, shown.Dispute.DisputeID); got.Can != api.ContestUnknown || got.Evidence.Statement != "It was sent." {
			t.Errorf("it is %+v", got)
		}
		if n, _ := submissions(w, ref); n != submitted {
			t.Errorf("the bank has %d", n)
		}
	}
	w.Fault("cut_before", 100, http.MethodPost, "/v1/disputes")
	want(w, saara, path, answer(w, shown, "It was sent."), "provider_unavailable")
	unknown(0)
	if err := w.Sandbox.Calm(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		want(w, ilkka, path, answer(w, shown, "Something else."), "")
		if n, got := submissions(w, ref); n != 1 || *got["uncategorized_text"] != "It was sent." {
			t.Errorf("the bank has %d: %v", n, *got["uncategorized_text"])
		}
		if got := dispute(w, shown.Dispute.DisputeID); got.Can != api.ContestSent || *got.SentBy != "Saara Niemi" {
			t.Errorf("it is %+v", got)
		}
		w.Exec(`UPDATE dispute_evidence SET state = 'asked', answered_at = NULL`) // as if we had been killed before the answer was kept
		unknown(1)
	}

	// A decision ends it: there is nobody to say anything to, and nothing of it is sent any more.
	w.Decide(ref, "lost")
	w.Settle()
	if err := disputes.PruneEvidence(t.Context(), w.App.DB); err != nil {
		t.Fatal(err)
	}
	if got := dispute(w, shown.Dispute.DisputeID); got.Can != api.ContestDecided || got.Evidence != nil {
		t.Errorf("after the decision it is %+v", got)
	}
	want(w, ilkka, path, answer(w, shown, "Something else."), "not_possible_now")
	if n, _ := submissions(w, ref); n != 1 {
		t.Errorf("the bank has %d", n)
	}
}

// Of a dispute that is decided a bank takes nothing, and a provider without a call for it says so.
func TestDispute_ThatCannotBeAnswered_SaysWhy(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	ref, shown := contested(w)
	w.Decide(ref, "lost")
	path := fmt.Sprintf("disputes/%d", shown.Dispute.DisputeID)
	want(w, saara, path+"/evidence", answer(w, shown, "It was sent."), "not_possible_now") // the bank's word, before ours has it
	w.Settle()
	if got := dispute(w, shown.Dispute.DisputeID); got.Can != api.ContestDecided {
		t.Errorf("it is %+v", got)
	}
	want(w, saara, path+"/evidence", answer(w, shown, "It was sent."), "not_possible_now")
	want(w, saara, "disputes/999/evidence", answer(w, shown, "It was sent."), "not_found")
	if n, _ := submissions(w, ref); n != 0 {
		t.Errorf("the bank has %d", n)
	}
	w.Exec(`UPDATE disputes SET provider = 'mangopay', status = 'open'`)
	if got := dispute(w, shown.Dispute.DisputeID); got.Can != api.ContestAtProvider {
		t.Errorf("it is %+v", got)
	}
}
