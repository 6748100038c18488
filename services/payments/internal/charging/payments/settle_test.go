package payments_test

import (
	"errors"
	"sync"
	"testing"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// line settles a payment of 50 euros: a fee of 5 % with 25.5 % of tax in it, and 5 % are kept back.
func line(paymentID string) payments.SettlementLine {
	return payments.SettlementLine{Run: "run-1", PaymentID: paymentID, Amount: money.New(5000, money.EUR), Payee: 31, Country: "FI",
		Shares: ledger.Shares{Revenue: 199, VAT: 51, Reserve: 250}}
}

// settled is a world with a settled payment.
func settled(t *testing.T, card string) (w *paymentstest.World, pledge, id, intent string) {
	t.Helper()
	w = paymentstest.New(t)
	pledge, id, intent = w.PayWith(card)
	for _, want := range []bool{true, false} { // a run that was cut settles the same line again
		if isNew, err := w.App.Payments.Settle(t.Context(), line(id)); err != nil || isNew != want {
			t.Fatalf("settled anew: %t, %v; want %t", isNew, err, want)
		}
	}
	return w, pledge, id, intent
}

// Whatever comes back of a settled payment, the backer has it, and each who had a part of the payment gives theirs.
func TestSettle_AndThenMoneyGoesBack(t *testing.T) {
	t.Parallel()
	const good = "pm_card_visa"
	type world struct {
		*paymentstest.World
		pledge, id, intent string
	}
	lost := func(w world) string {
		dispute := w.DisputeByHand(w.intent, 0)
		w.Settle()
		w.Decide(dispute, "lost")
		w.Settle()
		return dispute
	}
	payDebt := func(w world, want int64) {
		if left, err := w.App.Payments.PayDebt(t.Context(), w.id); err != nil || left != want {
			t.Errorf("%d left of the debt, want %d (%v)", left, want, err)
		}
	}
	for name, c := range map[string]struct {
		card   string
		happen func(w world)
		status string
		gone   int64 // from our balance, besides the charge's fee
		want   map[string]int64
	}{
		"a part is given back": {good, func(w world) { w.Refund(w.id, 3000, refunds.Requested); w.Settle() }, "partly_refunded", 3000,
			map[string]int64{"creator_debt": 2850, "creator_payable": -4500, "reserve": -250, "platform_revenue": -80, "vat:FI": -20}},
		"all is given back, and the creator pays": {good, func(w world) {
			w.Refund(w.id, 0, refunds.Requested)
			w.Settle()
			payDebt(w, 250)
			payDebt(w, 250)
		}, "refunded", 5000, map[string]int64{"creator_debt": 250, "reserve": -250}},
		"somebody gives back in the provider's own pages": {good, func(w world) { w.RefundByHand(w.intent, 3000); w.Settle() },
			"partly_refunded", 3000,
			map[string]int64{"creator_debt": 2850, "creator_payable": -4500, "reserve": -250, "platform_revenue": -80, "vat:FI": -20}},
		"a bank takes it": {good, func(w world) { lost(w); payDebt(w, 250) }, "disputed", 5000 + paymentstest.DisputeFee,
			map[string]int64{"provider_fees": paymentstest.DisputeFee, "creator_debt": 250, "reserve": -250}},
		"a bank asks and gives it back": {good, func(w world) {
			dispute := w.DisputeByHand(w.intent, 0)
			w.Settle()
			w.Decide(dispute, "won")
			w.Settle()
		}, "succeeded", 0, map[string]int64{"creator_payable": -4500, "reserve": -250, "platform_revenue": -199, "vat:FI": -51}},
		"a bank asks, and what is to be given back waits until it takes the money": {good, func(w world) {
			dispute := w.DisputeByHand(w.intent, 0)
			w.Settle()
			w.Refund(w.id, 3000, refunds.Requested)
			w.Settle()
			w.Decide(dispute, "lost")
			w.Settle()
			payDebt(w, 250)
		}, "disputed", 5000 + paymentstest.DisputeFee, map[string]int64{"provider_fees": paymentstest.DisputeFee, "creator_debt": 250, "reserve": -250}},
		"given back in part, and then a bank takes all": {good, func(w world) {
			w.Refund(w.id, 3000, refunds.Requested)
			w.Settle()
			lost(w)
			payDebt(w, 250)
		}, "disputed", 5000 + paymentstest.DisputeFee, map[string]int64{"provider_fees": paymentstest.DisputeFee, "creator_debt": 250, "reserve": -250}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pledge, id, intent := settled(t, c.card)
			c.happen(world{w, pledge, id, intent})
			w.WantStatus(pledge, c.status)
			want := map[string]int64{"provider_clearing:stripe:main": 5000 - paymentstest.Fee - c.gone,
				"provider_fees:stripe": paymentstest.Fee + c.want["provider_fees"], "platform_revenue": c.want["platform_revenue"], "vat:FI": c.want["vat:FI"]}
			for _, class := range []string{"creator_debt", "creator_payable", "reserve"} {
				want[class+":stripe:31"] = c.want[class]
			}
			w.WantLedger(want)
			w.Audit()
		})
	}
}

// What was refunded, disputed or never paid cannot be settled by a line that was frozen before.
func TestSettle_OfWhatIsNotAsFrozen_IsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	_, refunded, _ := w.Paid()
	w.Refund(refunded, 1000, refunds.Requested)
	w.Settle()
	_, disputed, intent := w.Paid()
	w.DisputeByHand(intent, 0)
	w.Settle()
	unpaid := w.MustSetup(w.Pledge()).Payment.ID
	for what, id := range map[string]string{"refunded": refunded, "disputed": disputed, "unpaid": unpaid} {
		if _, err := w.App.Payments.Settle(t.Context(), line(id)); !errors.Is(err, payments.ErrNotAsFrozen) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n := w.Anomalies(""); n != 0 {
		t.Errorf("%d anomalies", n)
	}
	w.Audit()
}

// A refund and a settlement at once: one is first, and no cent is with two.
func TestSettle_BesideARefund_NoCentIsWithTwo(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for range 5 {
		_, id, _ := w.Paid()
		var both sync.WaitGroup
		both.Go(func() {
			if _, err := w.App.Payments.Settle(t.Context(), line(id)); err != nil && !errors.Is(err, payments.ErrNotAsFrozen) {
				t.Error(err)
			}
		})
		both.Go(func() { w.Refund(id, 3000, refunds.Requested) })
		both.Wait()
		w.Settle()
	}
	if funds := w.Count(`ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'owed_to_backers'`); funds != 10 {
		t.Errorf("%d entries of what is owed", funds)
	}
	w.Audit()
}
