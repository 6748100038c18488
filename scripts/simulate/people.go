package simulate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/sandbox/stripe"
)

var operator = payments.Operator{Actor: "simulation", Note: "as drawn"}

// operate does an operator's act, and reports whether it was done. A refusal by the rules is an answer.
func (l *life) operate(what string, fn func(p *process) error) bool {
	err := l.payments.do(fn)
	switch {
	case err == nil:
		l.note("done")
		l.count("operators", what)
	case errors.Is(err, errDown), errors.Is(err, errCrashed), payments.IsRefusal(err):
		l.note("%v", err)
	default:
		l.find("operators' acts do not fail", "%s: %v", what, err)
	}
	return err == nil
}

// rows reads one column of the payment service's database; an error is a finding, and nothing is there.
func (l *life) rows(ctx context.Context, sql string, args ...any) []string {
	list, err := query[string](ctx, l.lane.payments, sql, args...)
	if err != nil {
		l.find("the simulation works", "%v", err)
	}
	return list
}

func (l *life) anyPayment(ctx context.Context, n uint32) (string, bool) {
	return pick(l.rows(ctx, `SELECT id FROM payments ORDER BY created_at, id`), n)
}

func (l *life) key() string {
	l.keys++
	return fmt.Sprintf("operator-%d", l.keys)
}

func (l *life) refund(ctx context.Context, o operation) {
	if id, some := l.anyPayment(ctx, o.n[0]); some {
		key := l.key()
		l.operate("refund", func(p *process) error { return p.payments.Refund(ctx, id, 0, key, operator) })
	}
}

func (l *life) refundPart(ctx context.Context, o operation) {
	if id, some := l.anyPayment(ctx, o.n[0]); some {
		key := l.key()
		l.operate("refund of a part", func(p *process) error {
			return p.payments.Refund(ctx, id, 100*int64(1+o.n[1]%25), key, operator)
		})
	}
}

func (l *life) refundTwice(ctx context.Context, o operation) {
	if id, some := l.anyPayment(ctx, o.n[0]); some {
		key := l.key()
		for range 2 {
			l.operate("refund by a key, again", func(p *process) error { return p.payments.Refund(ctx, id, 500, key, operator) })
		}
	}
}

func (l *life) failedRefunds(ctx context.Context) []string {
	return l.rows(ctx, `SELECT id FROM refunds WHERE status = 'failed' ORDER BY created_at, id`)
}

func (l *life) repeatRefund(ctx context.Context, o operation) {
	if id, some := pick(l.failedRefunds(ctx), o.n[0]); some {
		l.operate("repeat of a refund", func(p *process) error { return p.payments.RepeatRefund(ctx, id, operator) })
	}
}

func (l *life) payByHand(ctx context.Context, o operation) {
	if id, some := pick(l.failedRefunds(ctx), o.n[0]); some {
		l.operate("refund paid by hand", func(p *process) error { return p.payments.RefundPaidByHand(ctx, id, operator) })
	}
}

func (l *life) heldCharges(ctx context.Context) []string {
	return l.rows(ctx, `SELECT charge_ref FROM attempts WHERE status = 'held' ORDER BY id`)
}

func (l *life) releaseHeld(ctx context.Context, o operation) {
	if charge, some := pick(l.heldCharges(ctx), o.n[0]); some {
		l.operate("release of held money", func(p *process) error {
			return p.payments.ReleaseHeld(ctx, charge, o.n[1]%2 == 0, operator)
		})
	}
}

func (l *life) attach(ctx context.Context, o operation) {
	charge, some := pick(l.heldCharges(ctx), o.n[0])
	id, also := l.anyPayment(ctx, o.n[1])
	if some && also {
		l.operate("attached charge", func(p *process) error { return p.payments.Attach(ctx, charge, id, operator) })
	}
}

// resolve closes what a person may close without having done anything: what calls for a deed stays.
func (l *life) resolve(ctx context.Context, o operation) {
	var open []payments.Anomaly
	err := l.payments.do(func(p *process) (err error) {
		open, err = p.payments.Anomalies(ctx)
		return err
	})
	if err != nil {
		l.note("%v", err)
		return
	}
	if a, some := pick(open, o.n[0]); some {
		l.note("%s", a.Kind)
		l.operate("resolved anomaly", func(p *process) error { return p.payments.Resolve(ctx, a.ID, operator) })
	}
}

func (l *life) moveStage(ctx context.Context, o operation) {
	c, _ := pick(l.campaigns, o.n[0])
	to := []content.Stage{content.StageSucceeded, content.StageNotReached, content.StageClosed}[o.n[1]%3]
	err := l.content.do(func(p *process) error { return p.content.MoveStage(ctx, c.ID, to) })
	if err == nil {
		l.note("to %v", to)
		l.count("stages", fmt.Sprint(to))
		return
	}
	l.note("%v", err)
	if !errors.Is(err, errDown) && !errors.Is(err, errCrashed) {
		l.count("stages", "refused")
	}
}

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

// openDispute is a bank taking a charge back, all of it or a part. It does not while it has it, nor when it has kept it; of
// one that we have won it may ask again.
func (l *life) openDispute(_ context.Context, o operation) {
	taken := map[string]bool{}
	for _, d := range l.sandbox.Books().Disputes {
		taken[d.Charge] = taken[d.Charge] || d.Status != "won"
	}
	charges := slices.DeleteFunc(l.ourCharges(), func(c stripe.Charge) bool { return taken[c.ID] })
	if c, some := pick(charges, o.n[0]); some {
		amount := int64(0)
		if o.n[1]%3 == 0 {
			amount = min(100*int64(1+o.n[2]%60), c.AmountCaptured)
		}
		_, err := l.sandbox.OpenDispute(stripe.DisputeOrder{Charge: c.ID, Amount: amount})
		l.told("opened", err)
		if err == nil {
			l.count("at the provider", "dispute opened")
		}
	}
}

func (l *life) openDisputes() []stripe.Dispute {
	var out []stripe.Dispute
	for _, d := range l.sandbox.Books().Disputes {
		if d.Status != "won" && d.Status != "lost" && !strings.HasPrefix(d.Status, "warning_closed") {
			out = append(out, d)
		}
	}
	return out
}

func (l *life) decideDispute(_ context.Context, o operation) {
	if d, some := pick(l.openDisputes(), o.n[0]); some {
		l.decide(d, o.n[1])
	}
}

func (l *life) decide(d stripe.Dispute, n uint32) {
	status := []string{"won", "lost"}[n%2]
	_, err := l.sandbox.DecideDispute(stripe.DisputeDecision{Dispute: d.ID, Status: status, KeepFee: n%3 == 0})
	l.told(status, err)
	if err == nil {
		l.count("at the provider", "dispute "+status)
	}
}

func (l *life) foreignPayment(_ context.Context, o operation) {
	_, err := l.sandbox.MakePayment(stripe.OutsidePayment{Amount: 100 * int64(1+o.n[0]%50), Description: "somebody else's"})
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
	_, err := l.sandbox.MakePayment(stripe.OutsidePayment{Amount: amount, Metadata: map[string]string{"payment_id": id, "attempt": "by hand"}})
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

// failCall makes the next calls to the provider fail, all of them or those of one kind.
func (l *life) failCall(_ context.Context, o operation) {
	kind := []string{"500", "500", "500_stored", "500_stored", "409", "429", "403", "404", "cut_before", "cut_before", "cut_after", "cut_after", "cut_after", "lock", "503"}[o.n[0]%15]
	target := []struct{ method, path string }{
		{"", ""}, {"POST", ""}, {"POST", "/v1/refunds"}, {"POST", "/v1/payment_intents"}, {"POST", "/v1/checkout/sessions"}, {"GET", "/v1/payment_intents/"},
		{"GET", "/v1/refunds"}, {"GET", "/v1/disputes"}, {"GET", "/v1/balance_transactions"},
	}[o.n[1]%9]
	times := 1 + int(o.n[2]%6)
	if err := l.sandbox.AddFault(stripe.FaultRule{Kind: kind, Times: times, Method: target.method, Path: target.path}); err != nil {
		l.find("the simulation works", "%v", err)
	}
	l.note("%s, %d times, %s %s", kind, times, target.method, target.path)
	l.count("faults", "provider "+kind)
}
