package stripe_test

import (
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func TestAddLine_MovesTheBalanceWithoutAnObject(t *testing.T) {
	b := start(t, stripe.Options{})
	b.control("lines", `{"amount":120}`)
	b.control("lines", `{"amount":-300,"fee":7,"type":"stripe_fee"}`)
	params := &stripego.BalanceTransactionListParams{}
	params.AddExpand("data.source")
	found := b.transactions(params)
	if len(found) != 2 || found[1].Type != "adjustment" || found[1].ReportingCategory != "other_adjustment" || found[1].Net != 120 {
		t.Fatalf("%+v", found)
	}
	if last := found[0]; last.Type != "stripe_fee" || last.ReportingCategory != "fee" || last.Amount != -300 || last.Fee != 7 || last.Net != -307 || last.Source != nil {
		t.Errorf("%+v", last)
	}
	if held := b.heldInAll(); held != -187 {
		t.Errorf("the balance is %d", held)
	}
	for name, in := range map[string]stripe.LineOrder{"nothing": {}, "an unknown type": {Amount: 1, Type: "mood"}} {
		if _, err := b.sandbox.AddLine(in); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestTopUp_IsOnTheBalanceAtOnce(t *testing.T) {
	sim := newSimulation(t, 1)
	tu, err := sim.sandbox.TopUp(5000)
	if err != nil || tu.Status != "succeeded" || tu.Amount != 5000 || sim.sandbox.Snapshot().Net["eur"] != 5000 {
		t.Errorf("%+v %v", tu, err)
	}
	if _, err := sim.sandbox.TopUp(1); refusal(t, err).Code != "amount_too_small" {
		t.Error(err)
	}
}
