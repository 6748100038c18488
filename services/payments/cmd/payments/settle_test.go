package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// A run is proposed, shown, approved by another person, sent and paid by the commands alone; until its creator has an account it says so, and who
// does what is kept.
func TestSettle_ByCommands_FromTheProposalToTheBank(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appointed(t, w, "maija", "aino")
	w.Paid()
	w.Pass(8 * 24 * time.Hour)
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
	says := func(line string, want ...string) {
		t.Helper()
		said := do(line)
		for _, one := range want {
			if !strings.Contains(said, one) {
				t.Errorf("%s says %s, want %s", line, said, one)
			}
		}
	}
	says("settle -campaign 7 -actor maija -note x", "counting", "no_account")
	made, err := w.App.Payees.Make(t.Context(), 3, stripe.Name, &provider.PayeeOrder{Kind: provider.PayeeNatural, Email: "maija@example.com", AcceptedTerms: true,
		Currency: money.EUR, Country: "FI", Type: "individual", Website: "https://talkoot.example/profile/3/"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Sandbox.OnboardAccount(made.Ref); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	if err := w.App.Payees.SetAccounts(t.Context(), 7, 1, map[string]string{stripe.Name: made.Ref}); err != nil {
		t.Fatal(err)
	}
	id, hash := "", ""
	w.Scan(&id, `SELECT id FROM settlement_runs`)
	do("settle -resume " + id + " -actor maija -note x")
	w.Settle()
	w.Scan(&hash, `SELECT hash FROM settlement_runs`)
	says("settlements", "proposed", id)
	says("settle -show "+id, "DE ···· 3000", "begun", "maija", hash)
	says("settle -approve "+id+" -hash "+hash+" -actor aino -note x", "approved")
	w.Settle()
	says("settlements -campaign 7", "paying", "45.00 EUR")
	for range 3 {
		w.Pass(25 * time.Hour)
		if _, err := w.Sandbox.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Settle()
	}
	says("settle -show "+id, "paid", "aino", "po_", "tr_")
	says("settle -campaign 7 -actor maija -note x", "no money that is not settled")
	w.Audit()
}

// Who ends a run of which nothing is booked is kept.
func TestSettle_Cancelled_SaysByWhom(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appointed(t, w, "maija", "aino")
	w.Paid()
	w.EndCampaign("reached", "creator")
	w.Settle()
	id := ""
	for _, line := range []string{"settle -campaign 7 -actor maija -note x", "settle -cancel RUN -actor aino -note x", "settle -show RUN"} {
		act, err := parseAct(strings.Fields(strings.ReplaceAll(line, "RUN", id)))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := act(t.Context(), w.App, &out); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		w.Scan(&id, `SELECT id FROM settlement_runs`)
		if strings.Contains(line, "-show") && (!strings.Contains(out.String(), "aino") || !strings.Contains(out.String(), "void")) {
			t.Errorf("ended: %s", out.String())
		}
	}
	if n := w.Count(`ledger_transactions WHERE kind = 'settlement'`); n != 0 {
		t.Errorf("%d settlements", n)
	}
}

// Monthly support of provider A: one press proposes the month of every campaign, and what is too little is said to wait.
func TestSettle_OfAMonth(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appointed(t, w, "maija", "aino")
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
	for _, want := range []string{"no_account", month, "campaign 9 at stripe has 5.00 EUR, too little"} {
		if err != nil || !strings.Contains(said, want) {
			t.Errorf("it says %q (%v), want %q", said, err, want)
		}
	}
	if said, err = settling(t, w, "settle -month "+month+" -campaign 9 -actor maija -note x"); err != nil || strings.Contains(said, "no_account") {
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

// appointed has people answer for money, each by an account; the first has appointed the others.
func appointed(t *testing.T, w *paymentstest.World, names ...string) {
	t.Helper()
	for i, name := range names {
		if _, err := settling(t, w, fmt.Sprintf("operator -user %d -name %s -on -actor %s -note x", 900+i, name, names[0])); err != nil {
			t.Fatal(err)
		}
	}
}
