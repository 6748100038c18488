package stripe_test

import (
	"slices"
	"strings"
	"testing"

	"talkoot.fi/sandbox/stripe"
)

// move does one step of a dispute: won, "won, fee kept", lost, or a number of minor units that the bank returns.
func (b *fixture) move(id, step string) {
	b.t.Helper()
	switch status, keepsFee := strings.CutSuffix(step, ", fee kept"); {
	case status == "won" && keepsFee:
		b.control("disputes/decide", `{"dispute":"`+id+`","status":"won","keep_fee":true}`)
	case status == "won" || status == "lost":
		b.control("disputes/decide", `{"dispute":"`+id+`","status":"`+status+`"}`)
	default:
		b.control("disputes/return", `{"dispute":"`+id+`","amount":`+step+`}`)
	}
}

// Of 10.00 with a fee of 0.40 for the charge; a dispute costs 15.00.
func TestDispute_IsDecidedAgain(t *testing.T) {
	for name, tc := range map[string]struct {
		steps     []string
		held      int64
		movements []int64
	}{
		"won on appeal":                          {[]string{"lost", "won"}, 960, []int64{-1000, 1000}},
		"won on appeal, its fee kept":            {[]string{"lost", "won, fee kept"}, -540, []int64{-1000, 1000}},
		"lost on appeal":                         {[]string{"won", "lost"}, -1540, []int64{-1000, 1000, -1000}},
		"lost on appeal, its fee was kept":       {[]string{"won, fee kept", "lost"}, -1540, []int64{-1000, 1000, -1000}},
		"each side once more":                    {[]string{"lost", "won", "lost", "won"}, 960, []int64{-1000, 1000, -1000, 1000}},
		"a part comes back of a lost one":        {[]string{"lost", "300"}, -1240, []int64{-1000, 300}},
		"then the rest on appeal":                {[]string{"lost", "300", "won"}, 960, []int64{-1000, 300, 700}},
		"then the rest on appeal, and all again": {[]string{"lost", "300", "won", "lost"}, -1540, []int64{-1000, 300, 700, -1000}},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, stripe.Options{})
			_, d := b.disputed()
			want, decisions := "", 0
			for _, step := range tc.steps {
				b.move(d.ID, step)
				if status, _, _ := strings.Cut(step, ","); status == "won" || status == "lost" {
					want, decisions = status, decisions+1
				}
			}
			got, err := b.api.Disputes.Get(d.ID, nil)
			if err != nil || string(got.Status) != want {
				t.Fatalf("%+v %v", got, err)
			}
			var moved []int64
			for _, txn := range got.BalanceTransactions {
				moved = append(moved, txn.Amount)
			}
			if held := b.heldInAll(); held != tc.held || !slices.Equal(moved, tc.movements) {
				t.Errorf("the balance is %d, want %d, after %v", held, tc.held, moved)
			}
			told := strings.Join(b.eventsAbout(d.ID), " ")
			if moves := strings.Count(told, ".funds_"); moves != len(tc.movements) || strings.Count(told, ".closed") != decisions {
				t.Errorf("told are %s", told)
			}
		})
	}
}

func TestReturnDisputed_OnlyAPartOfWhatALostOneHas(t *testing.T) {
	sim := newSimulation(t, 1)
	d, err := sim.sandbox.OpenDispute(stripe.DisputeOrder{Charge: sim.paid(1000).LatestCharge})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.sandbox.ReturnDisputed(stripe.DisputeReturn{Dispute: d.ID, Amount: 300}); err == nil {
		t.Error("an open dispute gives a part back")
	}
	if _, err := sim.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: "lost"}); err != nil {
		t.Fatal(err)
	}
	for _, amount := range []int64{0, -1, 1000} {
		if _, err := sim.sandbox.ReturnDisputed(stripe.DisputeReturn{Dispute: d.ID, Amount: amount}); err == nil {
			t.Errorf("it gives %d back", amount)
		}
	}
	if d, err = sim.sandbox.ReturnDisputed(stripe.DisputeReturn{Dispute: d.ID, Amount: 999}); err != nil || d.Status != "lost" {
		t.Errorf("%+v %v", d, err)
	}
	if net := sim.sandbox.Snapshot().Net["eur"]; net != -541 {
		t.Errorf("the balance is %d", net)
	}
}
