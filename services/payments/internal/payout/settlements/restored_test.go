package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/payout/settlements"
)

// lost has a bank take the money of a payment for good.
func (w *worldA) lost(payment string) (dispute string) {
	w.T.Helper()
	dispute = w.openDispute(w.chargeOf(payment))
	w.Settle()
	w.Pass(time.Minute)
	w.Decide(dispute, "lost")
	w.Settle()
	return dispute
}

// What a creator has paid of a debt that ends is theirs again, and a run sends it, once: of what was kept back, and of a run that was set off.
func TestRestored_WhatADebtHadTaken_IsSentWhenTheDebtHasEnded(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100, 50)
	w.end()
	first := w.approved()
	w.mustWork()
	w.arrive()
	w.want(first.ID, settlements.Paid, "")

	dispute := w.lost(w.payments[1])
	w.sweepReserves() // pays 750 of 4750
	w.audit()
	proposed := func() []settlements.Run {
		t.Helper()
		list, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why)
		w.ok(err)
		return list
	}
	w.Pass(time.Minute)
	w.Decide(dispute, "won") // on appeal
	w.Settle()
	w.audit()

	// While a bank contests the charge once more, nothing of it is sent.
	second := w.openDispute(w.chargeOf(w.payments[1]))
	w.Settle()
	if list := proposed(); len(list) != 0 {
		t.Errorf("proposed %+v while a bank contests the charge", list)
	}
	w.Pass(time.Minute)
	w.Decide(second, "won")
	w.Settle()
	w.audit()
	list := proposed()
	if len(list) != 1 || list[0].State != settlements.Proposed || list[0].ReleasedMinor != 750 || list[0].NetMinor != 750 || list[0].GrossMinor != 0 {
		t.Fatalf("proposed %+v, want a run of the 750 that were paid of the debt", list)
	}
	w.audit()

	// Ended by a person, it is there for the next.
	w.ok(w.App.Settlements.Cancel(t.Context(), list[0].ID, maker, why))
	if list = proposed(); len(list) != 1 || list[0].ReleasedMinor != 750 {
		t.Fatalf("proposed %+v after the first was ended", list)
	}
	w.approve(list[0], approver, nil)
	w.mustWork()
	w.arrive()
	shown := w.want(list[0].ID, settlements.Paid, "")
	if shown.Moves[0].AmountMinor != 750 {
		t.Errorf("sent %+v", shown.Moves)
	}
	if again := proposed(); len(again) != 0 {
		t.Errorf("proposed %+v once more", again)
	}
	var payable int64
	w.Scan(&payable, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'creator_payable'`)
	if payable != 0 {
		t.Errorf("%d are payable still", -payable)
	}
	w.audit()
}
