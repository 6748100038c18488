package desk_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/mangopay"
)

// contestedAtB is a payment at provider B that its bank disputes, as the desk shows it.
func contestedAtB(b *paymentstest.B, kind string) (ref string, shown api.DeskDisputeCase) {
	b.T.Helper()
	pledge := b.Pledge()
	paid := b.Pay(b.Order(pledge, paymentstest.PlainCard))
	ref, err := b.At.OpenDispute(sandbox.DisputeOrder{PayIn: paid.PayIn.ID, Type: kind, Reason: "PRODUCT_NOT_PROVIDED"})
	if err != nil {
		b.T.Fatal(err)
	}
	hearAtB(b, "DISPUTE_CREATED", ref)
	var p api.DeskPayment
	get(b.World, "payments/"+paid.Payment.ID, &p)
	if len(p.Disputes) != 1 {
		b.T.Fatalf("the payment has %+v", p.Disputes)
	}
	return ref, dispute(b.World, p.Disputes[0].DisputeID)
}

// hearAtB is a hook of provider B, and the worker that follows it.
func hearAtB(b *paymentstest.B, kind, object string) {
	b.T.Helper()
	status, answer := b.Send(http.MethodGet, fmt.Sprintf("%s/api/webhooks/mangopay?EventType=%s&RessourceId=%s&Date=%d", b.API.URL, kind, object, b.Now().Unix()), "", nil, nil)
	if status != http.StatusOK {
		b.T.Fatalf("%d %s", status, answer)
	}
	b.Settle()
}

// theirs is how a dispute stands at provider B, and its documents.
func theirs(b *paymentstest.B, ref string) (status string, documents []struct{ Status, Tag string }) {
	b.T.Helper()
	var at struct{ Status string }
	b.Provide(http.MethodGet, "/disputes/"+ref, "", &at)
	b.Provide(http.MethodGet, "/disputes/"+ref+"/documents", "", &documents)
	return at.Status, documents
}

// daysLeft are those that the overview shows; -1 when it waits for no answer.
func daysLeft(b *paymentstest.B) int {
	b.T.Helper()
	var all api.DeskOverview
	get(b.World, "overview", &all)
	if len(all.Disputes) != 1 {
		b.T.Fatalf("the overview has %+v", all.Disputes)
	}
	if d := all.Disputes[0]; d.EvidenceAt == nil && d.RespondBy != nil {
		return int(d.RespondBy.Sub(b.Now()).Hours() / 24)
	}
	return -1
}

// A bank that has read the answer and asks for more is answered again, by the day that it then says: what it wants is shown, days are left again, and each
// round goes to it once.
func TestDispute_AtProviderB_IsAnswered_AndOnceMoreWhenTheBankAsks(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"CONTESTABLE", "RETRIEVAL"} {
		b := paymentstest.NewB(t)
		appoint(b.World)
		ref, shown := contestedAtB(b, kind)
		if shown.Can != api.ContestYes || shown.AskedAgain || !strings.Contains(shown.Evidence.Product, "A jar of jam") {
			t.Fatalf("%s: it is %+v", kind, shown)
		}
		if left := daysLeft(b); left != 13 {
			t.Errorf("%s: %d days are left", kind, left)
		}
		path := fmt.Sprintf("disputes/%d/evidence", shown.Dispute.DisputeID)
		want(b.World, saara, path, answer(b.World, shown, "It was sent."), "")
		if status, documents := theirs(b, ref); status != "SUBMITTED" || len(documents) != 1 || documents[0].Status != "VALIDATION_ASKED" {
			t.Errorf("%s: %s, %+v", kind, status, documents)
		}
		hearAtB(b, "DISPUTE_SUBMITTED", ref)
		if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestSent || got.Dispute.EvidenceAt == nil || got.AskedAgain || daysLeft(b) != -1 {
			t.Errorf("%s: sent it is %+v", kind, got)
		}
		want(b.World, saara, path, answer(b.World, shown, "More."), "not_possible_now")

		for round := range 2 {
			b.Pass(5 * 24 * time.Hour)
			if err := b.At.ReopenDispute(ref, "Whose signature is on the slip?"); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second hook tells nothing new
				hearAtB(b, "DISPUTE_FURTHER_ACTION_REQUIRED", ref)
			}
			again := dispute(b.World, shown.Dispute.DisputeID)
			if again.Can != api.ContestYes || !again.AskedAgain || again.Wants == nil || *again.Wants != "Whose signature is on the slip?" || again.Dispute.EvidenceAt != nil ||
				again.Evidence == nil || again.SentAt != nil {
				t.Fatalf("%s: asked again it is %+v", kind, again)
			}
			if left := daysLeft(b); left != 13 {
				t.Errorf("%s: asked again, %d days are left", kind, left)
			}
			want(b.World, ilkka, path, answer(b.World, again, "It is the customer's."), "")
			if status, documents := theirs(b, ref); status != "SUBMITTED" || len(documents) != round+2 || documents[0].Tag == documents[round+1].Tag {
				t.Errorf("%s: %s, %+v", kind, status, documents)
			}
			want(b.World, ilkka, path, answer(b.World, again, "It is the customer's."), "not_possible_now") // before any look has seen it
			hearAtB(b, "DISPUTE_SUBMITTED", ref)
			if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestSent || *got.SentBy != "Ilkka Mäkelä" || got.Evidence.Statement != "It is the customer's." {
				t.Errorf("%s: sent again it is %+v", kind, got)
			}
		}
		if n := b.Count("disputes WHERE round = 2") + b.Count("dispute_evidence WHERE state = 'taken'"); n != 4 {
			t.Errorf("%s: %d", kind, n)
		}

		// Once it is decided, nothing of what was said or asked is kept here.
		if err := b.At.DecideDispute(ref, map[string]string{"CONTESTABLE": "WON", "RETRIEVAL": "VOID"}[kind]); err != nil {
			t.Fatal(err)
		}
		hearAtB(b, "DISPUTE_CLOSED", ref)
		if err := disputes.PruneEvidence(t.Context(), b.App.DB); err != nil {
			t.Fatal(err)
		}
		if n := b.Count("dispute_evidence WHERE evidence <> '{}'") + b.Count("disputes WHERE wants <> ''"); n != 0 {
			t.Errorf("%s: %d are kept", kind, n)
		}
		if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestSent || got.AskedAgain {
			t.Errorf("%s: decided it is %+v", kind, got)
		}
		b.Audit()
	}
}

// A look that began before the answer was taken, and is booked after it, asks for nothing: what it saw is answered.
func TestDispute_AnOlderLook_AsksForNothing(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	appoint(b.World)
	ref, shown := contestedAtB(b, "CONTESTABLE")
	path := fmt.Sprintf("disputes/%d/evidence", shown.Dispute.DisputeID)
	want(b.World, saara, path, answer(b.World, shown, "It was sent."), "")
	if err := b.At.ReopenDispute(ref, "More"); err != nil {
		t.Fatal(err)
	}
	b.Exec(`UPDATE dispute_evidence SET look = look + 1000000`) // as if it had been taken after all looks of this test had begun
	hearAtB(b, "DISPUTE_FURTHER_ACTION_REQUIRED", ref)
	if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestSent || got.AskedAgain {
		t.Errorf("it is %+v", got)
	}
	b.Exec(`UPDATE dispute_evidence SET look = 1`)
	hearAtB(b, "DISPUTE_FURTHER_ACTION_REQUIRED", ref)
	if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestYes || !got.AskedAgain {
		t.Errorf("a later one: it is %+v", got)
	}
}

// What was not answered is looked up by the next press, also a day later, and the bank has one document.
func TestDispute_AtProviderB_WhoseAnswerIsLost_IsAnsweredOnce(t *testing.T) {
	t.Parallel()
	for _, later := range []time.Duration{0, 30 * time.Hour} {
		b := paymentstest.NewB(t)
		appoint(b.World)
		ref, shown := contestedAtB(b, "CONTESTABLE")
		path := fmt.Sprintf("disputes/%d/evidence", shown.Dispute.DisputeID)
		b.Fails("cut_after", 100, http.MethodPut, "/disputes/")
		want(b.World, saara, path, answer(b.World, shown, "It was sent."), "provider_unavailable")
		if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestUnknown {
			t.Errorf("it is %+v", got)
		}
		if err := b.At.Calm(); err != nil {
			t.Fatal(err)
		}
		b.Pass(later)
		want(b.World, ilkka, path, answer(b.World, shown, "Something else."), "")
		if status, documents := theirs(b, ref); status != "SUBMITTED" || len(documents) != 1 {
			t.Errorf("%s, %+v", status, documents)
		}
		if got := dispute(b.World, shown.Dispute.DisputeID); got.Can != api.ContestSent || *got.SentBy != "Saara Niemi" {
			t.Errorf("it is %+v", got)
		}
	}
}
