package payments_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
	sandbox "talkoot.fi/sandbox/stripe"
)

var aino = payments.Operator{Actor: "aino", Note: "asked the backer"}

const stripeName = "stripe"

// bankRefuses is a card whose bank takes days, and refuses then.
const bankRefuses = "4000005100000018"

// outside is money under our name that none of our calls made.
func outside(w *paymentstest.World, amount int64, tags map[string]string) (charge string) {
	w.T.Helper()
	in, err := w.Sandbox.MakePayment(sandbox.OutsidePayment{Amount: amount, Metadata: tags})
	if err != nil {
		w.T.Fatal(err)
	}
	return in.LatestCharge
}

// cost of a charge at the provider's stand-in.
func cost(amount int64) int64 { return amount*15/1000 + 25 }

// wantAct wants an act kept, and the anomaly about a charge closed by who acted.
func wantAct(w *paymentstest.World, action, kind, charge string) {
	w.T.Helper()
	if n := w.Count("operator_actions WHERE action = ? AND actor = ? AND note = ?", action, aino.Actor,
		aino.Note); n != 1 || w.Count("operator_actions") != 1 {
		w.T.Errorf("%d of %d acts are %s", n, w.Count("operator_actions"), action)
	}
	if n := w.Count("anomalies WHERE kind = ? AND reference = ? AND resolved_by = ? AND note = ?", kind, charge,
		aino.Actor, aino.Note); n != 1 || w.Anomalies("") != 0 {
		w.T.Errorf("the anomaly %s is not closed, %d are open", kind, w.Anomalies(""))
	}
}

// wantHeld wants a charge held for a person, in the book and as the only anomaly.
func wantHeld(w *paymentstest.World, kind, charge string, amount int64) {
	w.T.Helper()
	if n := w.Count("anomalies WHERE kind = ? AND reference = ? AND resolved_at IS NULL", kind, charge); n != 1 ||
		w.Anomalies("") != 1 {
		w.T.Fatalf("%d of %d anomalies are %s of %s", n, w.Anomalies(""), kind, charge)
	}
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": amount - cost(amount), "provider_fees:stripe": cost(amount),
		"held_funds:stripe": -amount,
	})
	w.Audit()
}

// misfit is a pledge whose form was paid with another sum, or with another payment's name on it.
func misfit(w *paymentstest.World, change url.Values) (pledge, charge string) {
	w.T.Helper()
	pledge = w.Pledge()
	form := w.MustSetup(pledge)
	if status := w.ByHand("/v1/payment_intents/"+form.Stripe.PaymentIntent.ID, change); status != http.StatusOK {
		w.T.Fatalf("changing the intent answered %d", status)
	}
	w.MustPay(form)
	w.Settle()
	w.WantStatus(pledge, "created")
	return pledge, w.ChargeOf(form.Stripe.PaymentIntent.ID)
}

func TestReleaseHeld_Return_SendsTheMoneyBack_Once(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change url.Values
		amount int64
	}{
		"another sum":       {url.Values{"amount": {"1000"}}, 1000},
		"another's payment": {url.Values{"metadata[payment_id]": {ids.New()}}, 5000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge, charge := misfit(w, c.change)
			wantHeld(w, "held_money", charge, c.amount)
			for range 2 {
				if err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, false, aino); err != nil {
					t.Fatal(err)
				}
				w.Settle()
				wantAct(w, "release_held", "held_money", charge)
				w.WantLedger(map[string]int64{"provider_clearing:stripe:main": -cost(c.amount),
					"provider_fees:stripe": cost(c.amount)})
				w.Audit()
			}
			if n := w.Held("refunds"); n != 1 ||
				w.Count("refunds WHERE status = 'succeeded' AND amount_minor = ? AND actor = 'aino'", c.amount) != 1 {
				t.Errorf("%d refunds at the provider", n)
			}
			w.WantStatus(pledge, "created") // and can be paid rightly
			w.MustPay(w.MustSetup(pledge))
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			w.WantHeard(pledge, "started", "succeeded")
			w.Audit()
		})
	}
}

// A spending limit counts money in the month in which it was taken, and not in which a person looked at it.
func TestReleaseHeld_AcceptedDaysLater_WasPaidOnTheDayOfItsCharge(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, charge := misfit(w, url.Values{"metadata[payment_id]": {ids.New()}})
	var taken string
	w.Scan(&taken, `SELECT to_char(happened_at AT TIME ZONE 'Europe/Helsinki', 'YYYY-MM-DD') FROM ledger_transactions WHERE kind = 'charge'`)
	w.Pass(48 * time.Hour)
	if err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, true, aino); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	var paid string
	w.Scan(&paid, `SELECT to_char(paid_on, 'YYYY-MM-DD') FROM payments WHERE paid_attempt_id IS NOT NULL`)
	if paid != taken {
		t.Errorf("it was paid on %s, its charge is of %s", paid, taken)
	}
	w.Audit()
}

func TestReleaseHeld_Accept_MakesItThePaymentsSuccess_Once(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge, charge := misfit(w, url.Values{"metadata[payment_id]": {ids.New()}})
	wantHeld(w, "held_money", charge, 5000)
	for range 2 {
		if err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, true, aino); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		wantAct(w, "release_held", "held_money", charge)
		w.WantStatus(pledge, "succeeded")
		w.WantHeard(pledge, "started", "succeeded")
		w.WantBook(paymentstest.Book{})
		w.Audit()
	}
	w.Refund(w.PaymentOf(pledge), 0, "requested") // as of any other
	w.Settle()
	w.WantStatus(pledge, "refunded")
	w.WantBook(paymentstest.Book{Gone: 5000})
	w.Audit()
}

func TestReleaseHeld_WhatDoesNotFit_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, charge := misfit(w, url.Values{"amount": {"1000"}})
	_, paid, _ := w.Paid()
	var counted string
	w.Scan(&counted, `SELECT charge_ref FROM attempts WHERE payment_id = ?`, paid)
	for name, c := range map[string]struct {
		charge string
		accept bool
		op     payments.Operator
		want   error
	}{
		"another sum":       {charge, true, aino, payments.ErrDoesNotFit},
		"unknown":           {"ch_nobodys", false, aino, apperr.New(apperr.NotFound)},
		"nobody's decision": {charge, false, payments.Operator{}, payments.ErrOperator},
		"nobody's reason":   {charge, false, payments.Operator{Actor: "aino"}, payments.ErrOperator},
		"never held":        {counted, false, aino, payments.ErrNotHeld},
	} {
		err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, c.charge, c.accept, c.op)
		if !errors.Is(err, c.want) || err != nil && !payments.IsRefusal(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := w.Count("operator_actions") + w.Count("refunds"); n != 0 || w.Anomalies("held_money") != 1 {
		t.Errorf("%d acts or refunds", n)
	}
	w.Audit()
}

// An anomaly is closed by a person once, with who and why.
func TestResolve_KeepsWhoAndWhy_Once(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.MustSetup(pledge)
	stuck := w.PaymentOf(pledge)
	var id int64
	w.Scan(&id, `INSERT INTO anomalies (kind, provider, reference, payment_id, detail, found_at, seen_at)
		VALUES ('payment_stuck', 'stripe', ?, ?, '{}', now(), now()) RETURNING id`, stuck, stuck)
	if err := w.App.Payments.Resolve(t.Context(), id, payments.Operator{Actor: "aino"}); !errors.Is(err,
		payments.ErrOperator) {
		t.Errorf("without a note: %v", err)
	}
	for range 2 {
		if err := w.App.Payments.Resolve(t.Context(), id, aino); err != nil {
			t.Fatal(err)
		}
		wantAct(w, "resolve", "payment_stuck", stuck)
	}
	if err := w.App.Payments.Resolve(t.Context(), id+1, aino); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Errorf("of none: %v", err)
	}
}

// It was found while another provider was to take the payment: once it has ended, nobody is called for it.
func TestPaymentStuck_ClosesItselfWhicheverProviderItWasAt(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.MustSetup(pledge)
	stuck := w.PaymentOf(pledge)
	w.Exec(`INSERT INTO anomalies (kind, provider, reference, payment_id, detail, found_at, seen_at) VALUES ('payment_stuck', 'mangopay', ?, ?, '{}', now(), now())`,
		stuck, stuck)
	w.Pass(3 * time.Hour)
	w.CloseLapsed()
	w.Settle()
	w.WantStatus(pledge, "canceled")
	if n := w.Count("anomalies WHERE resolved_at IS NULL"); n != 0 {
		t.Errorf("%d are open", n)
	}
}

// What stands apart needs its own act: closed without one, nobody would ever be called for it again.
func TestResolve_OfMoneyThatWaits_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, charge := misfit(w, url.Values{"amount": {"1000"}})
	var id int64
	w.Scan(&id, `SELECT id FROM anomalies`)
	if err := w.App.Payments.Resolve(t.Context(), id, aino); !errors.Is(err, payments.ErrWaits) ||
		!payments.IsRefusal(err) {
		t.Errorf("resolving held money gave %v", err)
	}
	wantHeld(w, "held_money", charge, 1000)
}

// Who is told that it was done must be able to believe it: the opposite of what was decided is refused.
func TestHeldMoney_TheOppositeOfWhatWasDecided_IsRefused(t *testing.T) {
	t.Parallel()
	for name, accept := range map[string]bool{"accepted": true, "sent back": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			w.MustSetup(pledge)
			charge := outside(w, 5000, map[string]string{"payment_id": w.PaymentOf(pledge)})
			w.Settle()
			release := func(accept bool) error {
				defer w.Settle()
				return w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, accept, aino)
			}
			if err := errors.Join(release(accept), release(accept)); err != nil {
				t.Fatal(err)
			}
			if err := release(!accept); !errors.Is(err, payments.ErrNotHeld) {
				t.Errorf("the opposite gave %v", err)
			}
			err := w.App.Payments.Attach(t.Context(), stripeName, charge, w.PaymentOf(pledge), aino)
			if accept && err != nil || !accept && !errors.Is(err, payments.ErrNotHeld) {
				t.Errorf("attaching it gave %v", err)
			}
			w.Audit()
		})
	}
}
