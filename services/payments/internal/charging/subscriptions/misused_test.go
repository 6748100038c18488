package subscriptions_test

import (
	"context"
	"net/http"
	"testing"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// pledged is a pledge of an account, paid with a card; 0 is without an account.
func pledged(w *paymentstest.World, user int64) (payment, intent string) {
	w.T.Helper()
	a := w.MustSetup(w.Content.Pledge(w.Now(), func(o *contentclient.Order) {
		if user != 0 {
			o.BackerUserID = &user
		}
	}))
	if got := w.Confirm(a, paymentstest.Visa); got.Status != "succeeded" {
		w.T.Fatalf("paying gave %+v", got)
	}
	w.Settle()
	return a.Payment.ID, a.Stripe.PaymentIntent.ID
}

func disputed(w *paymentstest.World, intent, reason, decision string) {
	w.T.Helper()
	d, err := w.Sandbox.OpenDispute(sandbox.DisputeOrder{Charge: w.ChargeOf(intent), Reason: reason})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Settle()
	if decision != "" {
		w.Decide(d.ID, decision)
	}
	w.Settle()
}

// waitsForCard reports whether support goes on and its card is charged no more.
func waitsForCard(w *paymentstest.World, id string) bool {
	return w.Count(`subscriptions WHERE status = 'active' AND card_refused AND id = '`+id+`'`) == 1
}

func warned(w *paymentstest.World, intent string) (id int64) {
	w.T.Helper()
	if _, err := w.Sandbox.Warn(sandbox.WarningOrder{Charge: w.ChargeOf(intent)}); err != nil {
		w.T.Fatal(err)
	}
	w.AwaitWebhooks()
	w.Settle()
	w.Scan(&id, `SELECT id FROM fraud_warnings WHERE status = 'open'`)
	return id
}

// Whatever was charged: support with the card of a charge that was fraud is charged to it no more, and goes on by another card.
func TestPledgeThatWasFraud_ItsCardIsChargedForNoSupportOfTheSamePayer(t *testing.T) {
	t.Parallel()
	operator := payments.Operator{Actor: "Saara Niemi", Note: "the payer does not know of it"}
	lost := func(reason, decision string) func(w *paymentstest.World, payment, intent string) {
		return func(w *paymentstest.World, _, intent string) { disputed(w, intent, reason, decision) }
	}
	for name, tt := range map[string]struct {
		payer int64
		fraud func(w *paymentstest.World, payment, intent string)
		waits bool
	}{
		"lost as fraud":                     {aino, lost("fraudulent", "lost"), true},
		"lost as fraud, without an account": {0, lost("fraudulent", "lost"), false},
		"lost as fraud, of another account": {aino + 1, lost("fraudulent", "lost"), false},
		"won":                               {aino, lost("fraudulent", "won"), false},
		"open":                              {aino, lost("fraudulent", ""), false},
		"lost because nothing was received": {aino, lost("product_not_received", "lost"), false},
		"lost as what the other provider calls": {aino, func(w *paymentstest.World, payment, intent string) {
			disputed(w, intent, "product_not_received", "lost")
			w.Exec(`UPDATE disputes SET reason = 'fraud' WHERE payment_id = ?`, payment)
		}, true},
		"reported and refunded": {aino, func(w *paymentstest.World, _, intent string) {
			if err := w.App.Payments.RefundWarned(w.T.Context(), warned(w, intent), operator); err != nil {
				w.T.Fatal(err)
			}
		}, true},
		"reported and dismissed": {aino, func(w *paymentstest.World, _, intent string) {
			if err := w.App.Payments.DismissWarning(w.T.Context(), warned(w, intent), operator); err != nil {
				w.T.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.GoTo(noon(anchor))
			id, other, guest := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino)), w.Subscribed(paymentstest.Mastercard, paymentstest.OfUser(aino)),
				w.Subscribed(paymentstest.Visa)
			payment, intent := pledged(w, tt.payer)
			tt.fraud(w, payment, intent)
			w.Settle()
			if got := waitsForCard(w, id); got != tt.waits {
				t.Errorf("it waits for another card: %t", got)
			}
			before := charges(w)
			overDays(w, day(2027, 2, 11))
			want := 3
			if tt.waits {
				want = 2
			}
			if got := charges(w) - before; got != want {
				t.Errorf("%d charges in the next month, want %d", got, want)
			}
			for _, one := range []string{id, other, guest} {
				wantStatus(w, one, "active")
			}
			if due := w.Show(id).Due; tt.waits != (due != nil) {
				t.Errorf("its backer has to pay %+v", due)
			}
			if told := w.Told(id); tt.waits != (told[len(told)-1].Cause == "charge_failed") {
				t.Errorf("they were told %+v last", told[len(told)-1].Cause)
			}
			w.Audit()
		})
	}
}

// Who gives a card since the decision is charged to it, also when it is called the same; what the bank sends in place of a misused one is not given.
func TestPledgeThatWasFraud_ACardThatIsGivenSinceIsCharged_AndARenewedOneIsNot(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		since func(w *paymentstest.World, id string)
		goes  bool
	}{
		"given anew": {func(w *paymentstest.World, id string) {
			if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+w.SetupCardOf(id, paymentstest.Visa)+`"}`); status != http.StatusOK {
				w.T.Fatalf("the card answered %d %s", status, code)
			}
		}, true},
		"renewed by its bank": {func(w *paymentstest.World, id string) {
			if err := w.RenewCard(id, 2099, 12); err != nil {
				w.T.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			w.GoTo(noon(anchor))
			id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
			_, intent := pledged(w, aino)
			disputed(w, intent, "fraudulent", "lost")
			if !waitsForCard(w, id) {
				t.Fatal("its card is charged on")
			}
			tt.since(w, id)
			w.AwaitWebhooks()
			w.Settle()
			before := charges(w)
			overDays(w, day(2027, 2, 11))
			if got := charges(w) - before; tt.goes != (got == 1) {
				t.Errorf("%d charges in the next month", got)
			}
			w.Audit()
		})
	}
}

// The worker is killed at each statement of the rule: it goes on where it was, and nobody is told twice.
func TestFraud_KilledAtAnyStatement_LeavesNoSupportOut(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it runs": false, "after it took effect": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &paymentstest.Killer{After: after}
			w := paymentstest.New(t, func(c *app.Config) { c.Tracer = k })
			w.GoTo(noon(anchor))
			theirs := []string{w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))}
			payment, intent := pledged(w, aino)
			disputed(w, intent, "product_not_received", "lost")
			w.Exec(`UPDATE disputes SET reason = 'fraudulent' WHERE payment_id = ?`, payment)
			for statement, wasKilled := 1, true; wasKilled; statement++ {
				wasKilled = k.Kill(t.Context(), statement, func(ctx context.Context) { _ = w.App.Subscriptions.EndDefrauded(ctx) })
				w.Bury()
			}
			for _, id := range theirs {
				if !waitsForCard(w, id) {
					t.Error("one was left out")
				}
				if n := w.Count(`subscription_transitions WHERE cause = 'card disputed' AND subscription_id = '` + id + `'`); n != 1 {
					t.Errorf("it is noted %d times", n)
				}
			}
			overDays(w, calendar.DayOf(w.Now()).AddDate(0, 0, 1))
			w.Audit()
		})
	}
}
