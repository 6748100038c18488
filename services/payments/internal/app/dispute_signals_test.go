package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/reconcile"
)

// Whoever tells us of a dispute, and of its end, in whatever order and however often: the end is the same.
func TestDispute_HoweverWeHearOfIt_EndsTheSame(t *testing.T) {
	t.Parallel()
	run := func(pass func(*world) error) func(*world) {
		return func(w *world) {
			if err := pass(w); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		webhooks string
		hear     func(*world)
	}{
		"webhooks":                        {`{}`, (*world).settle},
		"webhooks three times, any order": {`{"duplicate":3,"shuffle_ms":50}`, (*world).settle},
		"the last webhook only":           {`{"drop":1}`, (*world).settle},
		"no webhook, the pass over disputes": {`{"drop":1000000}`, run(func(w *world) error {
			_, err := w.app.Reconcile.Disputes(w.t.Context(), w.now().Add(-time.Hour))
			return err
		})},
		"no webhook, the pass of every few minutes": {`{"drop":1000000}`, run(func(w *world) error {
			return w.app.Reconcile.RunIntents(w.t.Context(), reconcile.Pass{Slot: "s", To: w.now().UTC()})
		})},
		"no webhook, the daily comparison": {`{"drop":1000000}`, run(func(w *world) error {
			return w.app.Reconcile.RunLedger(w.t.Context(), reconcile.Pass{Slot: "s", To: w.now().UTC().Add(time.Minute)})
		})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, _, intent := w.payWith("pm_card_createDispute")
			w.control("webhooks", tc.webhooks)
			dispute := w.disputeComes(intent)
			for range 2 {
				tc.hear(w)
				w.settle()
			}
			w.wantStatus(pledge, "disputed")
			w.wantBook(5000, disputeFee)
			w.control("webhooks", tc.webhooks)
			w.submitEvidence(dispute, "winning_evidence")
			for range 2 {
				tc.hear(w)
				w.settle()
			}
			w.wantStatus(pledge, "succeeded")
			w.wantHeard(pledge, "started", "succeeded", "disputed", "reinstated")
			w.wantBook(0, 0)
			if n, err := w.app.Reconcile.Disputes(t.Context(), w.now().Add(-time.Hour)); n != 0 || err != nil {
				t.Errorf("the next pass found %d differences (%v)", n, err)
			}
			if n := w.count("anomalies"); n != 0 {
				t.Errorf("%d anomalies", n)
			}
			w.audit()
		})
	}
}

func TestDispute_ThatWasOverBeforeWeHeardOfIt(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]struct {
		payment         string
		heard           []string
		withdrawn, cost int64
	}{
		"won":  {"succeeded", []string{"started", "succeeded"}, 0, 0},
		"lost": {"disputed", []string{"started", "succeeded", "disputed"}, 5000, disputeFee},
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.control("webhooks", `{"hold":true,"shuffle_ms":30,"duplicate":4}`)
			pledge := w.pledge()
			a := w.mustSetup(pledge)
			w.confirm(a, "pm_card_createDispute")
			w.payment(pledge) // the browser tells us of the success
			w.decide(w.disputeComes(a.Stripe.PaymentIntent.ID), status)
			w.control("webhooks/release", `{}`)
			w.settle()
			w.wantStatus(pledge, want.payment)
			w.wantHeard(pledge, want.heard...)
			w.wantBook(want.withdrawn, want.cost)
			w.audit()
		})
	}
}

// An intent and all its story at once: nobody told us even that it was paid.
func TestDispute_BeforeWeHeardOfTheSuccess_IsTakenInWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.confirm(a, "pm_card_createDispute")
	w.disputeComes(a.Stripe.PaymentIntent.ID)
	w.payment(pledge)
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantHeard(pledge, "started", "succeeded", "disputed")
	w.wantBook(5000, disputeFee)
	w.audit()
}

// A dispute lasts for months, longer than any pass looks back: the worker asks about it until it is settled.
func TestDispute_WhoseEndNobodyTold_IsAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, _, dispute := w.disputed()
	w.settle()
	w.loseWebhooks()
	w.pass(60 * 24 * time.Hour)
	w.settle()
	w.decide(dispute, "won")
	w.settle()
	w.wantStatus(pledge, "disputed") // it was asked about just now
	w.pass(6 * time.Hour)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantBook(0, 0)
	w.audit()
}

// rewriteDisputes changes the provider's lists of disputes on their way to us, as long as on says so.
func rewriteDisputes(b *between, change func(dispute map[string]any)) {
	b.set(nil, func(r *http.Request, body []byte) []byte {
		if !strings.HasPrefix(r.URL.Path, "/v1/disputes") {
			return body
		}
		var list map[string]any
		if json.Unmarshal(body, &list) != nil {
			return body
		}
		for _, d := range list["data"].([]any) {
			change(d.(map[string]any))
		}
		out, err := json.Marshal(list)
		if err != nil {
			return body
		}
		return out
	})
}

// The decision may be known before the money is back; then it is waited for.
func TestDispute_WonBeforeTheMoneyIsBack_IsAskedAboutUntilItIs(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge, _, dispute := w.disputed()
	w.settle()
	rewriteDisputes(b, func(d map[string]any) { d["balance_transactions"] = d["balance_transactions"].([]any)[:1] })
	w.decide(dispute, "won")
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantBook(5000, disputeFee)
	b.set(nil, nil)
	w.loseWebhooks()
	w.pass(6 * time.Hour)
	w.settle()
	w.wantBook(0, 0)
	if n := w.count("disputes WHERE next_check_at IS NOT NULL"); n != 0 {
		t.Error("it is still asked about")
	}
	w.audit()
}

// An answer that is older than what we know undoes nothing.
func TestDispute_OlderNewsAfterItsEnd_ChangesNothing(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	pledge, id, dispute := w.disputed()
	w.settle()
	w.decide(dispute, "won")
	w.settle()
	rewriteDisputes(b, func(d map[string]any) {
		d["status"], d["balance_transactions"] = "needs_response", d["balance_transactions"].([]any)[:1]
	})
	if _, err := w.app.Pledges.Advance(t.Context(), id, "dispute"); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded", "disputed", "reinstated")
	w.wantBook(0, 0)
	w.audit()
}

// A bank that only asks has not taken the money; it may do so later.
func TestDispute_Inquiry_TakesNothingUntilItIsRaised(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	rewriteDisputes(b, func(d map[string]any) {
		d["status"], d["balance_transactions"] = "warning_needs_response", []any{}
	})
	pledge, _, _ := w.disputed()
	w.settle()
	w.wantStatus(pledge, "succeeded")
	if n := w.count("disputes WHERE status = 'inquiry' AND next_check_at IS NOT NULL"); n != 1 {
		t.Errorf("%d inquiries", n)
	}
	w.wantBook(0, 0)
	b.set(nil, nil)
	w.pass(2 * time.Minute)
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantHeard(pledge, "started", "succeeded", "disputed")
	w.wantBook(5000, disputeFee)
	w.audit()
}

// The provider fails on a dispute's list: nothing is taken in by halves, and the event comes again.
func TestDispute_ProviderStumbles_TakenInLater(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"500", "503", "429", "cut_before", "cut_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pledge, _, intent := w.payWith("pm_card_createDispute")
			w.control("faults", `{"kind":"`+kind+`","times":6,"method":"GET","path":"/v1/disputes"}`)
			w.control("clock", `{"advance_seconds":11}`)
			w.eventually("the provider to open the dispute", func() bool { return w.held("balance_transactions") == 2 })
			w.settle()
			w.control("calm", `{}`)
			w.pass(10 * time.Minute)
			w.settle()
			if len(w.disputesAt(intent)) != 1 {
				t.Fatal("there is no dispute")
			}
			w.wantStatus(pledge, "disputed")
			w.wantHeard(pledge, "started", "succeeded", "disputed")
			w.wantBook(5000, disputeFee)
			w.audit()
		})
	}
}

// We had taken the attempt for over (a wrong answer of the provider), and the first word of its money is the dispute.
func TestDispute_OfAnAttemptThatWeTookForOver_IsTakenInWithItsMoney(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.confirm(a, "pm_card_createDispute")
	w.exec(`UPDATE attempts SET status = 'canceled'`)
	w.awaitWebhooks()
	w.control("webhooks", `{}`)
	w.disputeComes(a.Stripe.PaymentIntent.ID)
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantHeard(pledge, "started", "succeeded", "disputed")
	w.wantBook(5000, disputeFee)
	w.audit()
}

// One that was opened long ago is decided untold, shortly before the daily comparison: that is no difference.
func TestReconciliation_DisputeDecidedSinceItWasAskedAbout_CallsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge, _, dispute := w.disputed()
	w.settle()
	w.loseWebhooks()
	w.pass(60 * 24 * time.Hour)
	w.settle()
	w.decide(dispute, "won")
	w.pass(time.Hour)
	if err := w.app.Reconcile.RunLedger(t.Context(), reconcile.Pass{Slot: "s", To: w.now().UTC()}); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	if n := w.count("anomalies"); n != 0 {
		t.Errorf("%d anomalies", n)
	}
	w.audit()
}
