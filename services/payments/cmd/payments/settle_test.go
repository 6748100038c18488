package main

import (
	"strings"
	"testing"

	"talkoot.fi/payments/internal/paymentstest"
)

// A run at a provider by which creators cannot be paid yet says so, and nothing of it is booked; who ends it is kept.
func TestSettle_AtProviderA_SaysThatItIsNotOffered(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Paid()
	w.EndCampaign("reached", "creator")
	w.Settle()
	do := func(line string) string {
		t.Helper()
		act, err := parseAct(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := act(t.Context(), w.App, &out); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return out.String()
	}
	if said := do("settle -campaign 7 -actor maija -note x"); !strings.Contains(said, "counting") || !strings.Contains(said, "not_offered") {
		t.Errorf("proposed: %s", said)
	}
	w.Settle()
	id := ""
	w.Scan(&id, `SELECT id FROM settlement_runs`)
	for line, want := range map[string]string{"settlements": "not_offered", "settlements -campaign 7": id, "settle -show " + id: "begun"} {
		if said := do(line); !strings.Contains(said, want) {
			t.Errorf("%s says %s, want %s", line, said, want)
		}
	}
	do("settle -resume " + id + " -actor maija -note x")
	w.Settle()
	if n := w.Count(`ledger_transactions WHERE kind = 'settlement'`); n != 0 {
		t.Errorf("%d settlements", n)
	}
	do("settle -cancel " + id + " -actor aino -note x")
	if said := do("settle -show " + id); !strings.Contains(said, "aino") || !strings.Contains(said, "void") {
		t.Errorf("ended: %s", said)
	}
	w.Audit()
}
