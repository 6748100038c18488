package disputes_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/reconcile"
)

// Whoever tells us of a dispute, and of its end, in whatever order and however often: the end is the same.
func TestDispute_HoweverWeHearOfIt_EndsTheSame(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		webhooks string
		hear     func(*paymentstest.World)
	}{
		"webhooks":                        {`{}`, (*paymentstest.World).Settle},
		"webhooks three times, any order": {`{"duplicate":3,"shuffle_ms":50}`, (*paymentstest.World).Settle},
		"the last webhook only":           {`{"drop":1}`, (*paymentstest.World).Settle},
		"no webhook, the pass of every few minutes": {`{"drop":1000000}`, func(w *paymentstest.World) {
			if err := w.App.Reconcile.RunRecent(w.T.Context(), reconcile.Pass{Provider: "stripe", Slot: "s", To: w.Now().UTC()}); err != nil {
				w.T.Fatal(err)
			}
		}},
		"no webhook, the daily comparison": {`{"drop":1000000}`, func(w *paymentstest.World) {
			w.Pass(time.Minute)
			w.Compare()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, _, intent := w.PayWith("pm_card_createDispute")
			w.Control("webhooks", tc.webhooks)
			dispute := w.DisputeComes(intent)
			for range 2 {
				tc.hear(w)
				w.Settle()
			}
			w.WantStatus(pledge, "disputed")
			w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
			w.Control("webhooks", tc.webhooks)
			submitEvidence(w, dispute, "winning_evidence")
			for range 2 {
				tc.hear(w)
				w.Settle()
			}
			w.WantStatus(pledge, "succeeded")
			w.WantHeard(pledge, "started", "succeeded", "disputed", "reinstated")
			w.WantBook(paymentstest.Book{})
			if found := w.Reconcile(); found != (reconcile.Found{}) {
				t.Errorf("the next pass found %+v", found)
			}
			if n := w.Count("anomalies"); n != 0 {
				t.Errorf("%d anomalies", n)
			}
			w.Audit()
		})
	}
}

func TestDispute_ThatWasOverBeforeWeHeardOfIt(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]struct {
		payment string
		heard   []string
		book    paymentstest.Book
	}{
		"won": {"succeeded", []string{"started", "succeeded"}, paymentstest.Book{}},
		"lost": {"disputed", []string{"started", "succeeded", "disputed"},
			paymentstest.Book{Gone: 5000, Cost: paymentstest.DisputeFee}},
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.Control("webhooks", `{"hold":true,"shuffle_ms":30,"duplicate":4}`)
			pledge := w.Pledge()
			a := w.MustSetup(pledge)
			w.Confirm(a, "pm_card_createDispute")
			w.Payment(pledge) // the browser tells us of the success
			w.Decide(w.DisputeComes(a.Stripe.PaymentIntent.ID), status)
			w.Control("webhooks/release", `{}`)
			w.Settle()
			w.WantStatus(pledge, want.payment)
			w.WantHeard(pledge, want.heard...)
			w.WantBook(want.book)
			w.Audit()
		})
	}
}

// An intent and all its story at once: nobody told us even that it was paid.
func TestDispute_BeforeWeHeardOfTheSuccess_IsTakenInWithIt(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Confirm(a, "pm_card_createDispute")
	w.DisputeComes(a.Stripe.PaymentIntent.ID)
	w.Payment(pledge)
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.WantHeard(pledge, "started", "succeeded", "disputed")
	w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
	w.Audit()
}

// A dispute lasts for months, longer than any pass looks back: the worker asks about it until it is settled.
func TestDispute_WhoseEndNobodyTold_IsAskedAbout(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, _, dispute := w.Disputed()
	w.Settle()
	w.LoseWebhooks()
	w.Pass(60 * 24 * time.Hour)
	w.Settle()
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "disputed") // it was asked about just now
	w.Pass(6 * time.Hour)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantBook(paymentstest.Book{})
	w.Audit()
}

// The decision may be known before the money is back; then it is waited for.
func TestDispute_WonBeforeTheMoneyIsBack_IsAskedAboutUntilItIs(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge, _, dispute := w.Disputed()
	w.Settle()
	b.RewriteDisputes(func(d map[string]any) { d["balance_transactions"] = d["balance_transactions"].([]any)[:1] })
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
	b.Set(nil, nil)
	w.LoseWebhooks()
	w.Pass(6 * time.Hour)
	w.Settle()
	w.WantBook(paymentstest.Book{})
	if n := w.Count("disputes WHERE next_check_at IS NOT NULL"); n != 0 {
		t.Error("it is still asked about")
	}
	w.Audit()
}

// An answer that was asked for earlier than what we know undoes nothing.
func TestDispute_OlderNewsAfterItsEnd_ChangesNothing(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	pledge, id, dispute := w.Disputed()
	w.Settle()
	asked, answer := make(chan struct{}), make(chan struct{})
	var isHeld atomic.Bool
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		if strings.HasPrefix(r.URL.Path, "/v1/disputes") && isHeld.CompareAndSwap(false, true) {
			close(asked)
			<-answer
		}
		return body
	})
	late := make(chan error, 1)
	go func() {
		_, err := w.App.Payments.Advance(t.Context(), id, "dispute")
		late <- err
	}()
	<-asked // the provider has said that it is open
	w.Decide(dispute, "won")
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	close(answer)
	if err := <-late; err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded", "disputed", "reinstated")
	w.WantBook(paymentstest.Book{})
	w.Audit()
}

// A bank that only asks has not taken the money; it may do so later.
func TestDispute_Inquiry_TakesNothingUntilItIsRaised(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	b.RewriteDisputes(func(d map[string]any) {
		d["status"], d["balance_transactions"] = "warning_needs_response", []any{}
	})
	pledge, _, _ := w.Disputed()
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if n := w.Count("disputes WHERE status = 'inquiry' AND next_check_at IS NOT NULL"); n != 1 {
		t.Errorf("%d inquiries", n)
	}
	w.WantBook(paymentstest.Book{})
	b.Set(nil, nil)
	w.Pass(2 * time.Minute)
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.WantHeard(pledge, "started", "succeeded", "disputed")
	w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
	w.Audit()
}

// The provider fails on a dispute's list: nothing is taken in by halves, and the event comes again.
func TestDispute_ProviderStumbles_TakenInLater(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"500", "503", "429", "cut_before", "cut_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, _, intent := w.PayWith("pm_card_createDispute")
			w.Control("faults", `{"kind":"`+kind+`","times":6,"method":"GET","path":"/v1/disputes"}`)
			w.Control("clock", `{"advance_seconds":11}`)
			w.Eventually("the provider to open the dispute", func() bool { return w.Held("balance_transactions") == 2 })
			w.Settle()
			w.Control("calm", `{}`)
			w.Pass(10 * time.Minute)
			w.Settle()
			if len(w.DisputesAt(intent)) != 1 {
				t.Fatal("there is no dispute")
			}
			w.WantStatus(pledge, "disputed")
			w.WantHeard(pledge, "started", "succeeded", "disputed")
			w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
			w.Audit()
		})
	}
}

// We had taken the attempt for over (a wrong answer of the provider), and the first word of its money is the dispute.
func TestDispute_OfAnAttemptThatWeTookForOver_IsTakenInWithItsMoney(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Confirm(a, "pm_card_createDispute")
	w.Exec(`UPDATE attempts SET status = 'canceled'`)
	w.AwaitWebhooks()
	w.Control("webhooks", `{}`)
	w.DisputeComes(a.Stripe.PaymentIntent.ID)
	w.Settle()
	w.WantStatus(pledge, "disputed")
	w.WantHeard(pledge, "started", "succeeded", "disputed")
	w.WantBook(paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee})
	w.Audit()
}
