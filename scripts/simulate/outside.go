package simulate

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/sandbox/stripe"
)

// ourCharges are those of payments with our tag that took money.
func (l *life) ourCharges() []stripe.Charge {
	var out []stripe.Charge
	for _, c := range l.sandbox.Books().Charges {
		if c.Status == "succeeded" && c.Metadata["payment_id"] != "" {
			out = append(out, c)
		}
	}
	return out
}

func (l *life) refundAtProvider(_ context.Context, o operation) {
	if c, some := pick(l.ourCharges(), o.n[0]); some {
		amount := int64(0)
		if o.n[1]%2 == 0 {
			amount = 100 * int64(1+o.n[2]%30)
		}
		_, err := l.sandbox.RefundByHand(c.ID, amount)
		l.told("refunded", err)
		if err == nil {
			l.count("at the provider", "refund by hand")
		}
	}
}

func (l *life) failRefund(_ context.Context, o operation) {
	var list []stripe.Refund
	for _, r := range l.sandbox.Books().Refunds {
		if r.Status == "succeeded" || r.Status == "pending" {
			list = append(list, r)
		}
	}
	if r, some := pick(list, o.n[0]); some {
		_, err := l.sandbox.FailRefund(stripe.RefundFailure{Refund: r.ID, Silent: o.n[1]%3 == 0})
		l.told("failed", err)
		if err == nil {
			l.count("at the provider", "refund failed that was "+r.Status)
		}
	}
}

func (l *life) foreignPayment(_ context.Context, o operation) {
	_, err := l.sandbox.MakePayment(stripe.OutsidePayment{Amount: 100 * int64(1+o.n[0]%50),
		Description: "somebody else's"})
	l.told("made", err)
	l.count("at the provider", "foreign payment")
}

// taggedPayment is money with our tag that none of our calls made: of a payment that we have, or of none.
func (l *life) taggedPayment(ctx context.Context, o operation) {
	id, some := l.anyPayment(ctx, o.n[0])
	if o.n[1]%3 == 0 || !some {
		id = fmt.Sprintf("0payment%02dfrmanther%07d", o.n[0]%100, l.step)
	}
	amount := 100 * int64(1+o.n[2]%50)
	if o.n[3]%2 == 0 {
		amount = 50_00
	}
	_, err := l.sandbox.MakePayment(stripe.OutsidePayment{Amount: amount,
		Metadata: map[string]string{"payment_id": id, "attempt": "by hand"}})
	l.told("made", err)
	l.count("at the provider", "payment with our tag")
}

func (l *life) payOut(context.Context, operation) {
	_, err := l.sandbox.PayOut(stripe.PayoutOrder{})
	l.told("paid out", err)
	if err == nil {
		l.count("at the provider", "payout")
	}
}

func (l *life) failPayout(_ context.Context, o operation) {
	if p, some := pick(l.sandbox.Books().Payouts, o.n[0]); some {
		_, err := l.sandbox.FailPayout(stripe.PayoutFailure{Payout: p.ID})
		l.told("failed", err)
	}
}

// changeAmount is a person who changes the sum of an unpaid payment in the provider's pages.
func (l *life) changeAmount(_ context.Context, o operation) {
	var open []string
	for _, in := range l.sandbox.Books().Intents {
		if in.Metadata["payment_id"] != "" && in.Status != "succeeded" && in.Status != "canceled" &&
			in.Status != "processing" {
			open = append(open, in.ID)
		}
	}
	if id, some := pick(open, o.n[0]); some {
		_, err := l.sandbox.ChangeAmount(id, 100*int64(1+o.n[1]%70))
		l.told("changed", err)
		if err == nil {
			l.count("at the provider", "amount changed")
		}
	}
}

func (l *life) topUp(_ context.Context, o operation) {
	_, err := l.sandbox.TopUp(100 * int64(1+o.n[0]%90))
	l.told("topped up", err)
	l.count("at the provider", "top-up")
}

// addLine moves our balance for a reason that only the provider knows.
func (l *life) addLine(_ context.Context, o operation) {
	order := stripe.LineOrder{Amount: int64(1 + o.n[0]%500), Type: []string{"adjustment", "stripe_fee", "tax_fee",
		"contribution"}[o.n[1]%4]}
	if o.n[2]%2 == 0 {
		order.Amount = -order.Amount
	}
	if o.n[3]%4 == 0 {
		order.Fee = int64(o.n[3] % 90)
	}
	_, err := l.sandbox.AddLine(order)
	l.told("added", err)
	if err == nil {
		l.count("at the provider", "line without an object")
	}
}

// priceRefunds has refunds cost something from now on, or nothing any more.
func (l *life) priceRefunds(_ context.Context, o operation) {
	cost := stripe.RefundCost{Amount: int64(o.n[0] % 60), Returned: o.n[1]%3 > 0}
	if o.n[2]%6 == 0 {
		cost = stripe.RefundCost{}
	}
	l.told(fmt.Sprintf("%d, returned %v", cost.Amount, cost.Returned), l.sandbox.SetRefundCost(cost))
	l.count("at the provider", "price of refunds")
}

// failCall makes the next calls to the provider fail, all of them or those of one kind.
func (l *life) failCall(_ context.Context, o operation) {
	kind := []string{"500", "500", "500_stored", "500_stored", "409", "429", "403", "404", "cut_before", "cut_before",
		"cut_after", "cut_after", "cut_after", "lock", "503"}[o.n[0]%15]
	target := []struct{ method, path string }{
		{"", ""}, {"POST", ""}, {"POST", "/v1/refunds"}, {"POST", "/v1/payment_intents"}, {"POST", "/v1/checkout/sessions"},
		{"GET", "/v1/payment_intents/"},
		{"GET", "/v1/refunds"}, {"GET", "/v1/disputes"}, {"GET", "/v1/balance_transactions"},
	}[o.n[1]%9]
	times := 1 + int(o.n[2]%6)
	if err := l.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: times, Method: target.method,
		Path: target.path}); err != nil {
		l.find("the simulation works", "%v", err)
	}
	l.note("%s, %d times, %s %s", kind, times, target.method, target.path)
	l.count("faults", "provider "+kind)
}

// refuseRefunds has hours go by in which the provider takes no refund: of those that wait, and of one that is asked
// for.
func (l *life) refuseRefunds(ctx context.Context, o operation) {
	l.refundPart(ctx, o)
	kind := []string{"500", "500_stored", "429", "503", "lock", "cut_before"}[o.n[2]%6]
	if err := l.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: 20 + int(o.n[2]%20), Method: "POST",
		Path: "/v1/refunds"}); err != nil {
		l.find("the simulation works", "%v", err)
	}
	rounds := 6 + int(o.n[3]%5)
	for range rounds {
		l.clock.pass(time.Duration(20+o.n[3]%30) * time.Minute)
		l.tidy(ctx, o)
	}
	l.note("%s, %d rounds", kind, rounds)
	l.count("faults", "provider takes no refunds")
}
