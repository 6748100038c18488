package main

import (
	"strings"
	"testing"

	"talkoot.fi/payments/internal/calendar"
	"talkoot.fi/payments/internal/contentclient"
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
		said, err := settling(t, w, line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return said
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

// Monthly support of provider A: one press proposes the month of every campaign, and what is too little is said to wait.
func TestSettle_OfAMonth(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	large := w.Subscribed(paymentstest.Visa, func(o *contentclient.Order) { o.CampaignID, o.AmountMinor, o.Level.AmountMinor = 8, 5000, 5000 })
	small := w.Subscribed(paymentstest.Visa, func(o *contentclient.Order) { o.CampaignID, o.AmountMinor, o.Level.AmountMinor = 9, 500, 500 })
	paid := calendar.DayOf(w.Now())
	month := paid.Format("2006-01")
	if _, err := settling(t, w, "settle -month "+month+" -actor maija -note x"); err == nil {
		t.Error("a month that goes on is proposed")
	}
	w.GoTo(calendar.At(calendar.Month(calendar.Add(paid, 1-paid.Day()), 1), 5)) // before anything is charged in the next one
	w.Settle()
	said, err := settling(t, w, "settle -month "+month+" -actor maija -note x")
	for _, want := range []string{"not_offered", month, "campaign 9 at stripe has 5.00 EUR, too little"} {
		if err != nil || !strings.Contains(said, want) {
			t.Errorf("it says %q (%v), want %q", said, err, want)
		}
	}
	if said, err = settling(t, w, "settle -month "+month+" -campaign 9 -actor maija -note x"); err != nil || strings.Contains(said, "not_offered") {
		t.Errorf("of one campaign it says %q, %v", said, err)
	}
	if n := w.Count("settlement_runs WHERE campaign_id = 8"); n != 1 || w.Count("settlement_runs") != 1 {
		t.Errorf("%d runs of %s and %s", n, large, small)
	}
	w.Audit()
}

// settling does a command and gives what it says.
func settling(t *testing.T, w *paymentstest.World, line string) (string, error) {
	t.Helper()
	act, err := parseAct(strings.Fields(line))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = act(t.Context(), w.App, &out)
	return out.String(), err
}
