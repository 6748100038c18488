package simulate

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/sandbox/stripe"
)

// ourCharges are those of payments with our tag that took money.
func (sim *simulation) ourCharges() []stripe.Charge {
	var out []stripe.Charge
	for _, c := range sim.sandbox.Snapshot().Charges {
		if c.Status == "succeeded" && c.Metadata["payment_id"] != "" {
			out = append(out, c)
		}
	}
	return out
}

func (sim *simulation) refundAtProvider(_ context.Context, o operation) {
	if c, some := pick(sim.ourCharges(), o.n[0]); some {
		amount := int64(0)
		if o.n[1]%2 == 0 {
			amount = 100 * int64(1+o.n[2]%30)
		}
		_, err := sim.sandbox.RefundByHand(c.ID, amount)
		sim.noteResult("refunded", err)
		if err == nil {
			sim.count("at the provider", "refund by hand")
		}
	}
}

func (sim *simulation) failRefund(_ context.Context, o operation) {
	var list []stripe.Refund
	for _, r := range sim.sandbox.Snapshot().Refunds {
		if r.Status == "succeeded" || r.Status == "pending" {
			list = append(list, r)
		}
	}
	if r, some := pick(list, o.n[0]); some {
		_, err := sim.sandbox.FailRefund(stripe.RefundFailure{Refund: r.ID, Silent: o.n[1]%3 == 0})
		sim.noteResult("failed", err)
		if err == nil {
			sim.count("at the provider", "refund failed that was "+r.Status)
		}
	}
}

func (sim *simulation) foreignPayment(_ context.Context, o operation) {
	_, err := sim.sandbox.MakePayment(stripe.OutsidePayment{Amount: 100 * int64(1+o.n[0]%50),
		Description: "somebody else's"})
	sim.noteResult("made", err)
	sim.count("at the provider", "foreign payment")
}

// taggedPayment makes a charge with our metadata that none of our calls asked for: of a payment that exists, or of
// none.
func (sim *simulation) taggedPayment(ctx context.Context, o operation) {
	id, some := sim.anyPayment(ctx, o.n[0])
	if o.n[1]%3 == 0 || !some {
		id = fmt.Sprintf("0payment%02dfrmanther%07d", o.n[0]%100, sim.step)
	}
	amount := 100 * int64(1+o.n[2]%50)
	if o.n[3]%2 == 0 {
		amount = 50_00
	}
	_, err := sim.sandbox.MakePayment(stripe.OutsidePayment{Amount: amount,
		Metadata: map[string]string{"payment_id": id, "attempt": "by hand"}})
	sim.noteResult("made", err)
	sim.count("at the provider", "payment with our tag")
}

func (sim *simulation) payOut(context.Context, operation) {
	_, err := sim.sandbox.PayOut(stripe.PayoutOrder{})
	sim.noteResult("paid out", err)
	if err == nil {
		sim.count("at the provider", "payout")
	}
}

func (sim *simulation) failPayout(_ context.Context, o operation) {
	if p, some := pick(sim.sandbox.Snapshot().Payouts, o.n[0]); some {
		_, err := sim.sandbox.FailPayout(stripe.PayoutFailure{Payout: p.ID})
		sim.noteResult("failed", err)
	}
}

// changeAmount changes the amount of an unpaid intent, as a person can in the provider's dashboard.
func (sim *simulation) changeAmount(_ context.Context, o operation) {
	var open []string
	for _, in := range sim.sandbox.Snapshot().Intents {
		if in.Metadata["payment_id"] != "" && in.Status != "succeeded" && in.Status != "canceled" &&
			in.Status != "processing" {
			open = append(open, in.ID)
		}
	}
	if id, some := pick(open, o.n[0]); some {
		_, err := sim.sandbox.ChangeAmount(id, 100*int64(1+o.n[1]%70))
		sim.noteResult("changed", err)
		if err == nil {
			sim.count("at the provider", "amount changed")
		}
	}
}

func (sim *simulation) topUp(_ context.Context, o operation) {
	_, err := sim.sandbox.TopUp(100 * int64(1+o.n[0]%90))
	sim.noteResult("topped up", err)
	sim.count("at the provider", "top-up")
}

// addLine moves our balance for a reason that only the provider knows.
func (sim *simulation) addLine(_ context.Context, o operation) {
	order := stripe.LineOrder{Amount: int64(1 + o.n[0]%500), Type: []string{"adjustment", "stripe_fee", "tax_fee",
		"contribution"}[o.n[1]%4]}
	if o.n[2]%2 == 0 {
		order.Amount = -order.Amount
	}
	if o.n[3]%4 == 0 {
		order.Fee = int64(o.n[3] % 90)
	}
	_, err := sim.sandbox.AddLine(order)
	sim.noteResult("added", err)
	if err == nil {
		sim.count("at the provider", "line without an object")
	}
}

// priceRefunds sets the fee that the provider takes for refunds from now on; it may be none.
func (sim *simulation) priceRefunds(_ context.Context, o operation) {
	cost := stripe.RefundCost{Amount: int64(o.n[0] % 60), Returned: o.n[1]%3 > 0}
	if o.n[2]%6 == 0 {
		cost = stripe.RefundCost{}
	}
	sim.noteResult(fmt.Sprintf("%d, returned %v", cost.Amount, cost.Returned), sim.sandbox.SetRefundCost(cost))
	sim.count("at the provider", "price of refunds")
}

// failCall makes the next calls to the provider fail, all of them or those of one kind.
func (sim *simulation) failCall(_ context.Context, o operation) {
	kind := []string{"500", "500", "500_stored", "500_stored", "409", "429", "403", "404", "cut_before", "cut_before",
		"cut_after", "cut_after", "cut_after", "lock", "503"}[o.n[0]%15]
	target := []struct{ method, path string }{
		{"", ""}, {"POST", ""}, {"POST", "/v1/refunds"}, {"POST", "/v1/payment_intents"}, {"POST", "/v1/checkout/sessions"},
		{"GET", "/v1/payment_intents/"},
		{"GET", "/v1/refunds"}, {"GET", "/v1/disputes"}, {"GET", "/v1/balance_transactions"},
	}[o.n[1]%9]
	times := 1 + int(o.n[2]%6)
	if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: times, Method: target.method,
		Path: target.path}); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	sim.note("%s, %d times, %s %s", kind, times, target.method, target.path)
	sim.count("faults", "provider "+kind)
}

// refuseRefunds asks for a refund and lets hours pass in which the provider refuses it and all that are pending.
func (sim *simulation) refuseRefunds(ctx context.Context, o operation) {
	sim.refundPart(ctx, o)
	kind := []string{"500", "500_stored", "429", "503", "lock", "cut_before"}[o.n[2]%6]
	if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: 20 + int(o.n[2]%20), Method: "POST",
		Path: "/v1/refunds"}); err != nil {
		sim.find("the simulation works", "%v", err)
	}
	rounds := 6 + int(o.n[3]%5)
	for range rounds {
		sim.clock.pass(time.Duration(20+o.n[3]%30) * time.Minute)
		sim.tidy(ctx, o)
	}
	sim.note("%s, %d rounds", kind, rounds)
	sim.count("faults", "provider takes no refunds")
}
