package simulate

import (
	"context"
	"errors"
	"fmt"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
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

// suspended are the lines that nobody has explained yet.
func (l *life) suspended(ctx context.Context) []string {
	return l.rows(ctx, `SELECT t.reference FROM ledger_transactions t WHERE t.kind IN ('unexplained', 'unexplained_out')
		AND NOT EXISTS (SELECT FROM ledger_transactions e WHERE e.reverses = t.id) ORDER BY t.id`)
}

func (l *life) explain(ctx context.Context, o operation) {
	if line, some := pick(l.suspended(ctx), o.n[0]); some {
		l.operate("explained line", func(p *process) error { return p.payments.Explain(ctx, line, operator) })
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
