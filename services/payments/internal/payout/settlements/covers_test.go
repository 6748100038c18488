package settlements_test

import (
	"context"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
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

// What a campaign was found to have for its backers is theirs before the last of its refunds has begun, such as while its worker is away.
func TestSend_AtA_LeavesWhatACoveredCampaignHasStillToPromise(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 20)
	w.pay(8, 1000)
	w.Pass(ripe)
	w.end()
	r := w.approved()
	w.ok(w.App.Endings.End(t.Context(), endings.Ending{CampaignID: 8, Outcome: endings.NotReached, GoesTo: endings.ToBackers, EndedAt: w.Now(), Accepted: 1,
		AcceptedMinor: 100000, Currency: "EUR"}))
	w.Exec(`UPDATE refund_runs SET covered_at = ?, next_at = ?`, w.Now(), w.Now().Add(2*time.Minute)) // its worker was killed before its first page
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.BalanceShort)
	w.Pass(3 * time.Minute)
	_, err := w.App.Endings.Sweep(t.Context())
	w.ok(err)
	w.Settle()
	if n := w.Count("refunds WHERE status = 'succeeded'"); n != 1 {
		t.Errorf("%d are back", n)
	}
	w.audit()
}

// Two creators who are paid at the same moment do not both get what only one of them can have without what backers were promised.
func TestSend_AtA_TwoAtOnce_LeaveWhatBackersWerePromised(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 20)
	first := w.account
	w.onboard(501)
	w.paidBy(9)
	w.pay(9, 20)
	w.account = first
	w.pay(8, 1000)
	w.Pass(ripe)
	w.end()
	w.endOther(9)
	list, err := w.App.Settlements.Propose(t.Context(), 9, maker, why)
	w.ok(err)
	w.approve(list[0], approver, nil)
	r := w.approved()
	w.ok(w.App.Endings.End(t.Context(), endings.Ending{CampaignID: 8, Outcome: endings.NotReached, GoesTo: endings.ToBackers, EndedAt: w.Now(), Accepted: 1,
		AcceptedMinor: 100000, Currency: "EUR"}))
	_, err = w.App.Endings.Sweep(t.Context())
	w.ok(err)

	sent := 0
	transport := &meanwhile{path: "/v1/transfers", do: func() { sent++; w.mustWork() }} // by another worker
	o := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = transport }).Settlements.Options
	w.ok(jobs.UntilNone(settlements.New(o).Sweep)(t.Context()))
	if sent != 1 || w.Count(`settlement_moves WHERE kind = 'transfer'`) != 1 {
		t.Errorf("%d transfers from what is enough for one", w.Count(`settlement_moves WHERE kind = 'transfer'`))
	}
	if n := w.Count(`settlement_runs WHERE state = 'booked' AND reason = 'balance_short'`); n != 1 {
		t.Errorf("%d runs wait, of %s and %s", n, r.ID, list[0].ID)
	}
	w.Settle()
	if n := w.Count("refunds WHERE status = 'succeeded'"); n != 1 {
		t.Errorf("%d are back", n)
	}
	w.audit()
}
