package payments_test

import (
	"errors"
	"testing"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

// Money that names a payment which we do not have has an exit: to the payment that it was meant for, or back.
func TestUnknownCharge_HasItsExits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hear   func(w *paymentstest.World)
		exit   func(w *paymentstest.World, charge, pledge string) error
		action string
		status string // of the pledge that it was meant for
		heard  []string
		gone   bool
	}{
		"by its event, given to the payment": {(*paymentstest.World).Settle,
			func(w *paymentstest.World, charge, pledge string) error {
				return w.App.Payments.Attach(w.T.Context(), stripeName, charge, w.PaymentOf(pledge), aino)
			}, "attach", "succeeded", []string{"started", "succeeded"}, false},
		"by a pass, given to the payment": {func(w *paymentstest.World) { w.Reconcile() },
			func(w *paymentstest.World, charge, pledge string) error {
				return w.App.Payments.Attach(w.T.Context(), stripeName, charge, w.PaymentOf(pledge), aino)
			}, "attach", "succeeded", []string{"started", "succeeded"}, false},
		"by the comparison, sent back": {(*paymentstest.World).Compare, func(w *paymentstest.World, charge, _ string) error {
			return w.App.Payments.ReleaseHeld(w.T.Context(), stripeName, charge, false, aino)
		}, "release_held", "created", []string{"started"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			form := w.MustSetup(pledge)
			w.Settle()
			if c.action != "attach" || name[3] == 'a' {
				w.LoseWebhooks()
			}
			charge := outside(w, 5000, map[string]string{"payment_id": ids.New(), "attempt": "payment:lost:form:1"})
			w.Pass(1e9)
			for range 3 {
				c.hear(w)
			}
			wantHeld(w, "unknown_charge", charge, 5000)
			if err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, true, aino); !errors.Is(err,
				payments.ErrDoesNotFit) {
				t.Errorf("accepting it for nothing gave %v", err)
			}
			for range 2 {
				if err := c.exit(w, charge, pledge); err != nil {
					t.Fatal(err)
				}
				w.Settle()
				wantAct(w, c.action, "unknown_charge", charge)
				w.WantStatus(pledge, c.status)
				w.WantHeard(pledge, c.heard...)
				if c.gone {
					w.WantLedger(map[string]int64{"provider_clearing:stripe:main": -paymentstest.Fee,
						"provider_fees:stripe": paymentstest.Fee})
				} else {
					w.WantBook(paymentstest.Book{})
				}
				w.Audit()
			}
			if c.status == "succeeded" && w.IntentStatus(form.Stripe.PaymentIntent.ID) != "canceled" {
				t.Error("the form can still be paid")
			}
		})
	}
}

// Of a payment that is paid already it is a second success, and goes back.
func TestAttach_ToAPaidPayment_GoesBack(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	charge := outside(w, 5000, map[string]string{"payment_id": ids.New()})
	w.Settle()
	wantHeld(w, "unknown_charge", charge, 5000)
	pledge, id, _ := w.Paid()
	for range 2 {
		if err := w.App.Payments.Attach(t.Context(), stripeName, charge, id, aino); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		wantAct(w, "attach", "unknown_charge", charge)
		w.WantStatus(pledge, "succeeded")
		w.WantHeard(pledge, "started", "succeeded")
		w.WantBook(paymentstest.Book{Cost: paymentstest.Fee})
		w.Audit()
	}
	if n := w.Count("refunds WHERE reason = 'duplicate' AND status = 'succeeded' AND amount_minor = 5000"); n != 1 ||
		w.Held("refunds") != 1 {
		t.Errorf("%d refunds", n)
	}
}

func TestAttach_WhatDoesNotFit_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, paid, intent := w.Paid()
	counted := w.ChargeOf(intent)
	charge := outside(w, 1000, map[string]string{"payment_id": ids.New()})
	w.Settle()
	pledge := w.Pledge()
	w.MustSetup(pledge)
	for name, c := range map[string]struct {
		charge, payment string
		want            error
	}{
		"another sum":     {charge, w.PaymentOf(pledge), payments.ErrDoesNotFit},
		"never held":      {counted, paid, payments.ErrNotHeld},
		"unknown charge":  {"ch_nobodys", w.PaymentOf(pledge), apperr.New(apperr.NotFound)},
		"unknown payment": {charge, ids.New(), apperr.New(apperr.NotFound)},
	} {
		if err := w.App.Payments.Attach(t.Context(), stripeName, c.charge, c.payment, aino); !errors.Is(err, c.want) ||
			!payments.IsRefusal(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := w.Count("operator_actions"); n != 0 || w.Anomalies("unknown_charge") != 1 || w.Anomalies("") != 1 {
		t.Errorf("%d acts, %d anomalies", n, w.Anomalies(""))
	}
	w.Audit()
}

// Money with the name of a payment of ours, that none of its attempts asked for.
func TestUnaskedMoney_IsHeldUntilAPersonDecides(t *testing.T) {
	t.Parallel()
	for name, accept := range map[string]bool{"accepted": true, "sent back": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			form := w.MustSetup(pledge)
			charge := outside(w, 5000, map[string]string{"payment_id": w.PaymentOf(pledge)})
			w.Settle()
			w.Reconcile()
			wantHeld(w, "unknown_charge", charge, 5000)
			w.WantStatus(pledge, "created")
			if a := w.Setup(pledge); a.Code != "pledge_not_payable" {
				t.Errorf("setup answered %+v", a)
			}
			for range 2 {
				if err := w.App.Payments.ReleaseHeld(t.Context(), stripeName, charge, accept, aino); err != nil {
					t.Fatal(err)
				}
				w.Settle()
				wantAct(w, "release_held", "unknown_charge", charge)
			}
			if accept {
				w.WantStatus(pledge, "succeeded")
				w.WantHeard(pledge, "started", "succeeded")
				w.WantBook(paymentstest.Book{})
				if got := w.IntentStatus(form.Stripe.PaymentIntent.ID); got != "canceled" {
					t.Errorf("the form's intent is %s", got)
				}
			} else {
				w.WantStatus(pledge, "created")
				w.WantLedger(map[string]int64{"provider_clearing:stripe:main": -paymentstest.Fee,
					"provider_fees:stripe": paymentstest.Fee})
				if again := w.MustSetup(pledge); again.Stripe != form.Stripe {
					t.Error("another form")
				}
			}
			w.Audit()
		})
	}
}
