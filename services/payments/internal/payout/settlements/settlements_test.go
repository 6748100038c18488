package settlements_test

import (
	"errors"
	"testing"

	"talkoot.fi/payments/internal/payout/settlements"
)

func isErr(err, want error) bool { return errors.Is(err, want) && (err == nil) == (want == nil) }

// The example of proto-docs/flows/settlement.md.
func TestRun_FromPledgesToTheCreatorsBank(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	w.mustWork()
	if n := w.Count("settlement_runs"); n != 0 {
		t.Fatalf("%d runs that nobody has proposed", n)
	}
	r := w.propose()
	w.mustWork()
	w.want(r.ID, settlements.Proposed, "")
	if r.GrossMinor != 15000 || r.FeeMinor != 750 || r.VatMinor != 152 || r.ReserveMinor != 750 || r.NetMinor != 13500 || r.Number != 1 {
		t.Errorf("proposed %+v", r)
	}
	if n := w.Count("ledger_transactions WHERE kind = 'settlement'"); n != 0 {
		t.Fatalf("%d lines are booked and nobody has approved them", n)
	}
	w.approve(r, approver, nil)
	w.mustWork()
	w.want(r.ID, settlements.Paying, "")
	w.WantLedger(map[string]int64{
		"provider_clearing:mangopay:" + w.Wallet.ID: 750, "provider_clearing:mangopay:fees": 750, "platform_revenue": -598, "vat:FI": -152,
		"reserve:mangopay:3": -750, "at_creator:mangopay:3": 13500, "creator_held:mangopay:3": -13500,
	})
	w.arrive()
	shown := w.want(r.ID, settlements.Paid, "")
	w.WantLedger(map[string]int64{
		"provider_clearing:mangopay:" + w.Wallet.ID: 750, "provider_clearing:mangopay:fees": 750, "platform_revenue": -598, "vat:FI": -152,
		"reserve:mangopay:3": -750,
	})
	if len(shown.Charges) != 2 || len(shown.Moves) != 2 || len(shown.Approvals) != 1 {
		t.Errorf("shown with %d charges, %d moves, %d approvals", len(shown.Charges), len(shown.Moves), len(shown.Approvals))
	}
	if w.held(w.own) != 0 || w.held(w.Wallet.ID) != 750 {
		t.Errorf("%d on their wallet, %d on the campaign's", w.held(w.own), w.held(w.Wallet.ID))
	}
	if list, err := w.App.Settlements.Propose(t.Context(), campaign, maker, why); err != nil || len(list) != 0 {
		t.Errorf("proposed once more: %+v, %v", list, err)
	}
	w.audit()
}
