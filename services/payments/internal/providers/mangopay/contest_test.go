package mangopay

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

// evidence is enough for two pages.
var evidence = provider.Evidence{CustomerName: "Aino Häkkinen", CustomerEmail: "aino@example.com", ShippingAddress: "Katu 1\n90100 Oulu", ShippingDate: "2026-10-30",
	Product: "A jar of jam: 30.00 EUR", Policy: "It can be taken back for 14 days.", Statement: strings.Repeat("2026-10-30: the creator has sent the reward.\n", 50)}

func answerTo(d provider.Dispute, key string) provider.ContestOrder {
	return provider.ContestOrder{Key: key, Dispute: d.Ref, Evidence: evidence}
}

// theirs is what Mangopay has of a dispute: how it stands, and each document with its pages.
func (w *world) theirs(d provider.Dispute) (status string, contested int64, documents []disputeDocument, pages [][]byte) {
	w.t.Helper()
	var at struct {
		Status         string
		ContestedFunds *funds
	}
	w.ok(w.get(w.t.Context(), "read", "/disputes/"+d.Ref, &at))
	if at.ContestedFunds != nil {
		contested = at.ContestedFunds.Amount
	}
	w.ok(w.get(w.t.Context(), "list", "/disputes/"+d.Ref+"/documents", &documents))
	for _, doc := range documents {
		var links []struct{ Url string } //nolint:revive // the wire's
		w.ok(w.call(w.t.Context(), request{act: "look", method: http.MethodPost, path: "/dispute-documents/" + doc.Id + "/consult", out: &links}))
		for _, link := range links {
			r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, link.Url, http.NoBody)
			w.ok(err)
			answer, err := w.at.Transport().RoundTrip(r)
			w.ok(err)
			raw, err := io.ReadAll(answer.Body)
			w.ok(errors.Join(err, answer.Body.Close()))
			pages = append(pages, raw)
		}
	}
	return at.Status, contested, documents, pages
}

// The bank gets one document with every page of what is said, and the dispute with all of its sum; a question of a bank has none.
func TestContest_HandsInADocument_AndSubmitsTheDispute(t *testing.T) {
	t.Parallel()
	for kind, sum := range map[string]int64{"CONTESTABLE": 3000, "RETRIEVAL": 0} {
		w := newWorld(t)
		d := w.disputed(w.paid(1, w.card(frictionless), 3000), kind, "FRAUD")
		w.ok(w.Contest(t.Context(), answerTo(d, "evidence-1")))
		status, contested, documents, pages := w.theirs(d)
		if status != disputeSubmitted || contested != sum || len(documents) != 1 || documents[0].Status != documentAsked || len(pages) != 2 {
			t.Errorf("%s: %s, %d, %+v, %d pages", kind, status, contested, documents, len(pages))
		}
		for i, page := range pages {
			if _, err := png.Decode(bytes.NewReader(page)); err != nil || i > 0 && bytes.Equal(page, pages[0]) {
				t.Errorf("%s: page %d: %v", kind, i+1, err)
			}
		}
		// A question that was answered is still one, and evidence that is there is not sent again, by whatever key.
		w.ok(w.Contest(t.Context(), answerTo(d, "evidence-1")))
		w.ok(w.Contest(t.Context(), answerTo(d, "evidence-2")))
		if _, _, documents, pages := w.theirs(d); len(documents) != 1 || len(pages) != 2 {
			t.Errorf("%s: sent again it is %+v, %d pages", kind, documents, len(pages))
		}
	}
}

// Wherever it breaks off, and also when it goes on after the keys are forgotten, the bank gets one document, each page once, one submission.
func TestContest_BrokenOffAtAnyStep_IsDoneOnce(t *testing.T) {
	t.Parallel()
	steps := map[string]struct {
		method, path string
		spared       int // how many calls of the step pass before
	}{
		"read the dispute":   {http.MethodGet, "/disputes/dispute_", 0},
		"list the documents": {http.MethodGet, "/disputes/dispute_", 1},
		"make the document":  {http.MethodPost, "/disputes/dispute_", 0},
		"add the first page": {http.MethodPost, "/disputes/dispute_", 1},
		"add the last page":  {http.MethodPost, "/disputes/dispute_", 2},
		"hand it in":         {http.MethodPut, "/disputes/dispute_", 0},
		"submit the dispute": {http.MethodPut, "/disputes/dispute_", 1},
	}
	for name, step := range steps {
		for _, effect := range []string{standin.CutAfter, standin.CutBefore, "500", "500_after"} {
			for _, later := range []time.Duration{time.Minute, 25 * time.Hour} {
				if step.method == http.MethodGet && effect == "500_after" || later > time.Hour && strings.HasPrefix(effect, "500") {
					continue // a read has no effect; and it is as with a connection that is cut
				}
				t.Run(name+" "+effect+" "+later.String(), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					d := w.disputed(w.paid(1, w.card(frictionless), 3000), "CONTESTABLE", "FRAUD")
					o := answerTo(d, "evidence-1")
					breaks := &breaking{RoundTripper: w.http.Transport, method: step.method, path: "/disputes/", spared: step.spared, fault: func() {
						w.ok(w.at.AddFault(sandbox.FaultRule{Kind: effect, Times: 100, Method: step.method, Path: step.path}))
					}}
					w.http.Transport = breaks
					if err := w.Contest(t.Context(), o); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
						t.Fatalf("while it fails: %v", err)
					}
					w.ok(w.at.Calm())
					w.clock = w.clock.Add(later)
					err := w.Contest(t.Context(), o)
					status, contested, documents, pages := w.theirs(d)
					if err != nil || status != disputeSubmitted || contested != 3000 || len(documents) != 1 || documents[0].Status != documentAsked || len(pages) != 2 {
						t.Errorf("%v: %s, %d, %+v, %d pages", err, status, contested, documents, len(pages))
					}
					for i := 1; i < len(pages); i++ {
						if bytes.Equal(pages[i], pages[i-1]) {
							t.Errorf("page %d is there twice", i)
						}
					}
				})
			}
		}
	}
}

// breaking lets some calls pass, and then breaks.
type breaking struct {
	http.RoundTripper
	method, path string
	spared       int
	fault        func()
}

func (b *breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.fault != nil && r.Method == b.method && strings.Contains(r.URL.Path, b.path) {
		if b.spared--; b.spared < 0 {
			b.fault()
			b.fault = nil
		}
	}
	return b.RoundTripper.RoundTrip(r)
}

func TestContest_LinksToPagesAreNotGiven_PagesAreToldApartByTheirKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.disputed(w.paid(1, w.card(frictionless), 3000), "CONTESTABLE", "FRAUD")
	w.ok(w.at.AddFault(sandbox.FaultRule{Kind: standin.CutBefore, Times: 100, Method: http.MethodPut, Path: "/disputes/"}))
	if err := w.Contest(t.Context(), answerTo(d, "evidence-1")); err == nil {
		t.Fatal("it is sent")
	}
	w.ok(w.at.Calm())
	w.ok(w.at.AddFault(sandbox.FaultRule{Kind: "404", Times: 1, Method: http.MethodPost, Path: "/dispute-documents/"}))
	w.ok(w.Contest(t.Context(), answerTo(d, "evidence-1")))
	if status, _, documents, pages := w.theirs(d); status != disputeSubmitted || len(documents) != 1 || len(pages) != 2 {
		t.Errorf("%s, %+v, %d pages", status, documents, len(pages))
	}
}

func TestContest_ThatIsNotTaken_SaysSo(t *testing.T) {
	t.Parallel()
	refused := func(w *world, d provider.Dispute, what string) {
		t.Helper()
		if err := w.Contest(t.Context(), answerTo(d, "evidence-of "+what)); !errors.Is(err, provider.ErrRefused) {
			t.Errorf("%s: %v", what, err)
		}
		if _, _, documents, _ := w.theirs(d); len(documents) > 0 {
			t.Errorf("%s: %+v", what, documents)
		}
	}
	w := newWorld(t)
	card := w.card(frictionless)
	closed := w.disputed(w.paid(1, card, 3000), "CONTESTABLE", "FRAUD")
	w.ok(w.at.DecideDispute(closed.Ref, "WON"))
	refused(w, closed, "what is decided")
	refused(w, w.disputed(w.paid(2, card, 3000), "NOT_CONTESTABLE", "FRAUD"), "what cannot be contested")
	late := w.disputed(w.paid(3, card, 3000), "CONTESTABLE", "FRAUD")
	w.clock = w.clock.Add(15 * 24 * time.Hour)
	refused(w, late, "what is late")
	if err := w.Contest(t.Context(), provider.ContestOrder{Key: "evidence-9", Dispute: "dispute_m_nobodys"}); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("of nobody: %v", err)
	}
}

// A dispute that was opened again says so and what is wanted; by another key more is sent, by the same key nothing is.
func TestContest_OpenedAgain_TakesMoreByAnotherKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid := w.paid(1, w.card(frictionless), 3000)
	d := w.disputed(paid, "CONTESTABLE", "FRAUD")
	w.ok(w.Contest(t.Context(), answerTo(d, "evidence-1")))
	if d = w.dispute(paid); d.Reopened || d.Wants != "" {
		t.Errorf("submitted it is %+v", d)
	}
	_, _, first, _ := w.theirs(d)
	w.ok(w.at.DecideDocument(first[0].Id, ""))
	w.clock = w.clock.Add(5 * 24 * time.Hour)
	w.ok(w.at.ReopenDispute(d.Ref, "The slip cannot be read"))
	if d = w.dispute(paid); !d.Reopened || d.Wants != "The slip cannot be read" || d.State != provider.DisputeOpen || !d.RespondBy.Equal(w.clock.Add(14*24*time.Hour)) {
		t.Errorf("opened again it is %+v", d)
	}
	w.ok(w.Contest(t.Context(), answerTo(d, "evidence-1"))) // its answer was late: it was submitted
	if status, _, documents, _ := w.theirs(d); status != disputeReopened || len(documents) != 1 {
		t.Errorf("by the same key: %s, %+v", status, documents)
	}
	w.ok(w.Contest(t.Context(), answerTo(d, "evidence-2")))
	status, contested, documents, pages := w.theirs(d)
	if status != disputeSubmitted || contested != 3000 || len(documents) != 2 || len(pages) != 4 {
		t.Errorf("by another key: %s, %d, %+v, %d pages", status, contested, documents, len(pages))
	}
	if d = w.dispute(paid); d.Reopened {
		t.Errorf("it is %+v", d)
	}
}

// A document that Mangopay has refused is no evidence: it is told so, and what is written anew is another one.
func TestContest_TheDocumentIsRefused_IsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.disputed(w.paid(1, w.card(frictionless), 3000), "CONTESTABLE", "FRAUD")
	w.ok(w.at.AddFault(sandbox.FaultRule{Kind: standin.CutBefore, Times: 100, Method: http.MethodPut, Path: "/disputes/" + strings.ToLower(d.Ref) + "/submit"}))
	if err := w.Contest(t.Context(), answerTo(d, "evidence-1")); err == nil {
		t.Fatal("it is submitted")
	}
	w.ok(w.at.Calm())
	_, _, documents, _ := w.theirs(d)
	w.ok(w.at.DecideDocument(documents[0].Id, "DOCUMENT_UNREADABLE"))
	if err := w.Contest(t.Context(), answerTo(d, "evidence-1")); !errors.Is(err, provider.ErrRefused) {
		t.Errorf("by the same key: %v", err)
	}
	w.ok(w.Contest(t.Context(), answerTo(d, "evidence-2")))
	if status, _, documents, _ := w.theirs(d); status != disputeSubmitted || len(documents) != 2 {
		t.Errorf("by another key: %s, %+v", status, documents)
	}
}
