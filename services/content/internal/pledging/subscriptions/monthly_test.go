//go:build unix

package subscriptions_test

import (
	"testing"

	"talkoot.fi/content/internal/pledging/subscriptions"
)

func TestSumUp_IsWhatChargesAsThingsStand(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	sum := func() subscriptions.Monthly {
		t.Helper()
		list, err := subscriptions.SumUp(t.Context(), w.DB, leena)
		if err != nil {
			t.Fatal(err)
		}
		switch len(list) {
		case 0:
			return subscriptions.Monthly{}
		case 1:
			return list[0]
		}
		t.Fatalf("%+v", list)
		return subscriptions.Monthly{}
	}
	w.begins(leena, body("9", 0)) // not paid
	if m := sum(); m.AmountMinor != 0 {
		t.Errorf("before anything is paid: %+v", m)
	}
	w.supporter(leena, "7", w.choir)
	second := w.supporter(leena, "4", 0)
	w.supporter(w.Person("Muu"), "5", 0)
	w.Exec(`UPDATE subscriptions SET next_charge_on = '2026-12-20' WHERE id = ?`, second.SubscriptionID)
	if m := sum(); m.AmountMinor != 11_00 || m.Currency != "EUR" || m.Waiting != 0 || m.NextChargeOn == nil {
		t.Errorf("two go on: %+v", m)
	}
	for statement, want := range map[string]subscriptions.Monthly{
		`UPDATE subscriptions SET status = 'past_due' WHERE id = ?`:     {AmountMinor: 11_00, Waiting: 1},
		`UPDATE subscriptions SET held_on = '2026-12-20' WHERE id = ?`:  {AmountMinor: 11_00, Waiting: 1},
		`UPDATE subscriptions SET status = 'paused' WHERE id = ?`:       {AmountMinor: 7_00},
		`UPDATE subscriptions SET ends_on = '2026-12-20' WHERE id = ?`:  {AmountMinor: 7_00},
		`UPDATE subscriptions SET next_amount_minor = 900 WHERE id = ?`: {AmountMinor: 11_00},
	} {
		w.Exec(statement, second.SubscriptionID)
		if m := sum(); m.AmountMinor != want.AmountMinor || m.Waiting != want.Waiting {
			t.Errorf("%s: %+v", statement, m)
		}
		w.Exec(`UPDATE subscriptions SET status = 'active', held_on = NULL, ends_on = NULL, next_amount_minor = NULL WHERE id = ?`, second.SubscriptionID)
	}
	w.Exec(`UPDATE campaigns SET hold = 'on_hold' WHERE id = ?`, w.campaign)
	if m := sum(); m.AmountMinor != 0 || m.NextChargeOn != nil {
		t.Errorf("nothing comes of a campaign on hold: %+v", m)
	}
}
