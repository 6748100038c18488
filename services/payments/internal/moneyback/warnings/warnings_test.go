package warnings_test

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/reconcile"
	sandbox "talkoot.fi/sandbox/stripe"
)

func wantWarning(w *paymentstest.World, ref, status string) {
	w.T.Helper()
	var got string
	w.Scan(&got, fmt.Sprintf(`SELECT coalesce(max(status), 'unknown') FROM fraud_warnings WHERE provider_ref = '%s'`, ref))
	if got != status {
		w.T.Errorf("the warning is %s, want %s", got, status)
	}
}

// Whoever tells us of a warning, and of its end, in whatever order and however often: the end is the same, and no money has moved.
func TestWarning_HoweverWeHearOfIt_IsTakenInOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		webhooks string
		hear     func(*paymentstest.World)
	}{
		"webhooks":                        {`{}`, (*paymentstest.World).Settle},
		"webhooks three times, any order": {`{"duplicate":3,"shuffle_ms":50}`, (*paymentstest.World).Settle},
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
			pledge, _, intent := w.PayWith("pm_card_createIssuerFraudRecord")
			w.Control("webhooks", tc.webhooks)
			ref := w.WarningComes(intent)
			for range 2 {
				tc.hear(w)
				w.Settle()
			}
			wantWarning(w, ref, "open")
			w.WantStatus(pledge, "succeeded")
			w.WantBook(paymentstest.Book{})
			w.RefundByHand(intent, 5000) // in the provider's own pages
			for range 2 {
				tc.hear(w)
				w.Settle()
			}
			wantWarning(w, ref, "refunded")
			w.WantStatus(pledge, "refunded")
			if found := w.Reconcile(); found != (reconcile.Found{}) {
				t.Errorf("the next pass found %+v", found)
			}
			if n := w.Count("fraud_warnings"); n != 1 {
				t.Errorf("%d warnings", n)
			}
			w.Audit()
		})
	}
}

// Warnings, refunds and disputes of a charge may be told in any order, the warning also before its charge.
func TestWarning_TogetherWithOthers_EndsAsTheChargeDoes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		do   func(w *paymentstest.World, intent, paymentID string)
		want string
	}{
		"a part is refunded": {func(w *paymentstest.World, _, id string) { w.Refund(id, 2000, refunds.Requested) }, "open"},
		"all is refunded":    {func(w *paymentstest.World, _, id string) { w.Refund(id, 0, refunds.Requested) }, "refunded"},
		"it is disputed":     {func(w *paymentstest.World, intent, _ string) { w.DisputeByHand(intent, 0) }, "disputed"},
		"its dispute was won": {func(w *paymentstest.World, intent, _ string) {
			w.Decide(w.DisputeByHand(intent, 0), "won")
		}, "disputed"},
		"a part is refunded, the rest disputed": {func(w *paymentstest.World, intent, id string) {
			w.Refund(id, 2000, refunds.Requested)
			w.Settle()
			w.DisputeByHand(intent, 0)
		}, "disputed"},
		"it was pulled back without our hearing why": {func(w *paymentstest.World, _, _ string) {
			w.Exec(`UPDATE fraud_warnings SET status = 'lapsed', ended_at = now()`)
		}, "lapsed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.Control("webhooks", `{"hold":true,"shuffle_ms":30,"duplicate":4}`)
			pledge := w.Pledge()
			a := w.MustSetup(pledge)
			w.Confirm(a, "pm_card_createIssuerFraudRecord")
			ref := w.WarningComes(a.Stripe.PaymentIntent.ID)
			w.Control("webhooks/release", `{}`)
			w.Settle()
			wantWarning(w, ref, "open")
			w.Control("webhooks", `{"shuffle_ms":50,"duplicate":4}`)
			var id string
			w.Scan(&id, `SELECT max(id) FROM payments`)
			tc.do(w, a.Stripe.PaymentIntent.ID, id)
			for range 2 { // the refund is sent, and then told of
				w.AwaitWebhooks()
				w.Settle()
			}
			wantWarning(w, ref, tc.want)
			w.Audit()
		})
	}
}

// A bank that asks about a charge has taken nothing: the warning stays, its money waits, and a refund still avoids the dispute.
func TestWarning_OfAChargeThatABankOnlyAsksAbout_StaysOpen(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	b.RewriteDisputes(func(d map[string]any) { d["status"], d["balance_transactions"] = "warning_needs_response", []any{} })
	_, id, intent, ref := w.Warned()
	w.Settle()
	w.DisputeByHand(intent, 0)
	w.AwaitWebhooks()
	w.Settle()
	if n := w.Count("disputes WHERE status = 'inquiry'"); n != 1 {
		t.Fatalf("%d inquiries", n)
	}
	wantWarning(w, ref, "open")
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	wantWarning(w, ref, "refunded")
}

// What is over before we hear of it is no proposal.
func TestWarning_OfWhatHasGoneBack_IsOverFromTheStart(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, id, intent := w.PayWith("pm_card_visa")
	w.Refund(id, 0, refunds.Requested)
	w.Settle()
	if _, err := w.Sandbox.Warn(sandbox.WarningOrder{Charge: w.ChargeOf(intent)}); err != nil {
		t.Fatal(err)
	}
	w.AwaitWebhooks()
	w.Settle()
	if n := w.Count(`fraud_warnings WHERE status = 'refunded' AND ended_at IS NOT NULL`); n != 1 {
		t.Errorf("%d warnings are over", n)
	}
	w.Audit()
}

// A charge of another system on our account may be reported too: that is heard, counted, and nothing to us.
func TestWarning_OfAChargeThatIsNotOurs_IsIgnoredAndCounted(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	other, err := w.Sandbox.MakePayment(sandbox.OutsidePayment{Amount: 900})
	if err == nil {
		_, err = w.Sandbox.Warn(sandbox.WarningOrder{Charge: other.LatestCharge})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.AwaitWebhooks()
	w.Settle()
	if found := w.Reconcile(); found.Differ != 0 || found.Foreign != 2 { // the payment and its warning
		t.Errorf("found %+v", found)
	}
	if n, hooks := w.Count("fraud_warnings"), w.Count(`webhook_events WHERE about = 'warning' AND status = 'processed'`); n != 0 || hooks != 1 {
		t.Errorf("%d warnings, %d events", n, hooks)
	}
}
