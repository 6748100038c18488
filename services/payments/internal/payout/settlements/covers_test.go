package settlements_test

import (
	"context"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// heldAtA says what is in our balance there.
type heldAtA int64

func (heldAtA) Name() string { return stripe.Name }

func (a heldAtA) Balance(context.Context, string) (provider.Held, error) {
	return provider.Held{All: money.New(int64(a), money.EUR)}, nil
}

// What is settled is its creator's, and covers no refunds of another campaign whose money is in the same balance.
func TestRun_AtA_WhatIsSettledCoversNoOtherCampaign(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.pay(8, 50)
	w.end()
	r := w.approved()
	if _, err := w.App.Settlements.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.want(r.ID, settlements.Booked, "")
	w.ok(w.App.Endings.End(t.Context(), endings.Ending{CampaignID: 8, Outcome: endings.NotReached, GoesTo: endings.ToBackers, EndedAt: w.Now(), Accepted: 1,
		AcceptedMinor: 5000, Currency: "EUR"}))
	look := func(held int64) int {
		w.Pass(11 * time.Minute)
		_, err := endings.New(w.App.DB, w.App.Payments, map[string]endings.Provider{stripe.Name: heldAtA(held)}, w.Now).Sweep(t.Context())
		w.ok(err)
		return w.Count("refunds")
	}
	if n := look(5000 + 9500 - 1); n != 0 {
		t.Errorf("%d refunds have begun with a creator's money", n)
	}
	if n := look(5000 + 9500); n != 1 {
		t.Errorf("%d refunds have begun, our fee is ours", n)
	}
}

// What backers of another campaign were promised from the same balance is theirs, also while their refunds wait for their turn: a run waits until there is more.
func TestSend_AtA_LeavesWhatBackersWerePromised(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 20)
	w.pay(8, 1000)
	w.Pass(ripe)
	w.end()
	r := w.approved()
	w.ok(w.App.Endings.End(t.Context(), endings.Ending{CampaignID: 8, Outcome: endings.NotReached, GoesTo: endings.ToBackers, EndedAt: w.Now(), Accepted: 1,
		AcceptedMinor: 100000, Currency: "EUR"}))
	_, err := w.App.Endings.Sweep(t.Context())
	w.ok(err)
	if n := w.Count("refunds WHERE status = 'creating'"); n != 1 {
		t.Fatalf("%d refunds have begun", n)
	}
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.BalanceShort)
	w.Settle()
	if n := w.Count("refunds WHERE status = 'succeeded'"); n != 1 {
		t.Errorf("%d are back", n)
	}
	_, err = w.Sandbox.TopUp(5000)
	w.ok(err)
	_, err = w.App.Reconcile.Lines(t.Context(), w.Stripe(), w.Now().AddDate(0, -1, 0), w.Now().Add(time.Hour))
	w.ok(err)
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.want(r.ID, settlements.Paying, "")
	w.audit()
}
