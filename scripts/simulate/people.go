package simulate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
)

var operator = payments.Operator{Actor: "simulation", Note: "as drawn"}

// operate does an operator's act, and reports whether it was done. A refusal by the rules is no finding.
func (sim *simulation) operate(what string, fn func(p *process) error) bool {
	err := sim.payments.do(fn)
	switch {
	case err == nil:
		sim.note("done")
		sim.count("operators", what)
	case errors.Is(err, errDown), errors.Is(err, errCrashed), payments.IsRefusal(err):
		sim.note("%v", err)
	default:
		sim.find("operators' acts do not fail", "%s: %v", what, err)
	}
	return err == nil
}

// rows reads one column of the payment service's database; an error is a finding, and nothing is there.
func (sim *simulation) rows(ctx context.Context, sql string, args ...any) []string {
	list, err := query[string](ctx, sim.runner.payments, sql, args...)
	if err != nil {
		sim.find("the simulation works", "%v", err)
	}
	return list
}

func (sim *simulation) anyPayment(ctx context.Context, n uint32) (string, bool) {
	return pick(sim.rows(ctx, `SELECT id FROM payments ORDER BY created_at, id`), n)
}

func (sim *simulation) key() string {
	sim.keys++
	return fmt.Sprintf("operator-%d", sim.keys)
}

func (sim *simulation) refund(ctx context.Context, o operation) {
	if id, some := sim.anyPayment(ctx, o.n[0]); some {
		key := sim.key()
		sim.operate("refund", func(p *process) error { return p.payments.Refund(ctx, id, 0, key, operator) })
	}
}

func (sim *simulation) refundPart(ctx context.Context, o operation) {
	if id, some := sim.anyPayment(ctx, o.n[0]); some {
		key := sim.key()
		sim.operate("refund of a part", func(p *process) error {
			return p.payments.Refund(ctx, id, 100*int64(1+o.n[1]%25), key, operator)
		})
	}
}

func (sim *simulation) refundTwice(ctx context.Context, o operation) {
	if id, some := sim.anyPayment(ctx, o.n[0]); some {
		key := sim.key()
		for range 2 {
			sim.operate("refund by a key, again", func(p *process) error { return p.payments.Refund(ctx, id, 500, key, operator) })
		}
	}
}

func (sim *simulation) failedRefunds(ctx context.Context) []string {
	return sim.rows(ctx, `SELECT id FROM refunds WHERE status = 'failed' ORDER BY created_at, id`)
}

func (sim *simulation) repeatRefund(ctx context.Context, o operation) {
	if id, some := pick(sim.failedRefunds(ctx), o.n[0]); some {
		sim.operate("repeat of a refund", func(p *process) error { return p.payments.RepeatRefund(ctx, id, operator) })
	}
}

func (sim *simulation) payByHand(ctx context.Context, o operation) {
	if id, some := pick(sim.failedRefunds(ctx), o.n[0]); some {
		sim.operate("refund paid by hand", func(p *process) error { return p.payments.RefundPaidByHand(ctx, id, operator) })
	}
}

// thing is an object at a provider: its name, and what it calls the object.
type thing string

func (t thing) read() (provider, ref string) {
	provider, ref, _ = strings.Cut(string(t), " ")
	return provider, ref
}

// things reads objects at providers from the payment service's database.
func (sim *simulation) things(ctx context.Context, sql string) []thing {
	var out []thing
	for _, one := range sim.rows(ctx, sql) {
		out = append(out, thing(one))
	}
	return out
}

func (sim *simulation) heldCharges(ctx context.Context) []thing {
	return sim.things(ctx, `SELECT provider || ' ' || charge_ref FROM attempts WHERE status = 'held' ORDER BY id`)
}

func (sim *simulation) releaseHeld(ctx context.Context, o operation) {
	if held, some := pick(sim.heldCharges(ctx), o.n[0]); some {
		at, charge := held.read()
		sim.operate("release of held money", func(p *process) error {
			return p.payments.ReleaseHeld(ctx, at, charge, o.n[1]%2 == 0, operator)
		})
	}
}

func (sim *simulation) attach(ctx context.Context, o operation) {
	held, some := pick(sim.heldCharges(ctx), o.n[0])
	id, also := sim.anyPayment(ctx, o.n[1])
	if some && also {
		at, charge := held.read()
		sim.operate("attached charge", func(p *process) error { return p.payments.Attach(ctx, at, charge, id, operator) })
	}
}

// suspended are the lines that nobody has explained yet.
func (sim *simulation) suspended(ctx context.Context) []thing {
	return sim.things(ctx, `SELECT t.provider || ' ' || t.reference FROM ledger_transactions t WHERE t.kind IN ('unexplained', 'unexplained_out')
		AND NOT EXISTS (SELECT FROM ledger_transactions e WHERE e.reverses = t.id) ORDER BY t.id`)
}

func (sim *simulation) explain(ctx context.Context, o operation) {
	if line, some := pick(sim.suspended(ctx), o.n[0]); some {
		at, ref := line.read()
		sim.operate("explained line", func(p *process) error { return p.payments.Explain(ctx, at, ref, operator) })
	}
}

// resolve tries to close an anomaly without any other act; the service refuses it for those that need one.
func (sim *simulation) resolve(ctx context.Context, o operation) {
	var open []payments.Anomaly
	err := sim.payments.do(func(p *process) (err error) {
		open, err = p.payments.Anomalies(ctx)
		return err
	})
	if err != nil {
		sim.note("%v", err)
		return
	}
	if a, some := pick(open, o.n[0]); some {
		sim.note("%s", a.Kind)
		sim.operate("resolved anomaly", func(p *process) error { return p.payments.Resolve(ctx, a.ID, operator) })
	}
}

func (sim *simulation) moveStage(ctx context.Context, o operation) {
	c, _ := pick(sim.campaigns, o.n[0])
	to := []content.Stage{content.StageSucceeded, content.StageNotReached, content.StageClosed}[o.n[1]%3]
	err := sim.content.do(func(p *process) error { return p.content.MoveStage(ctx, c.ID, to) })
	if err == nil {
		sim.note("to %v", to)
		sim.count("stages", fmt.Sprint(to))
		return
	}
	sim.note("%v", err)
	if !errors.Is(err, errDown) && !errors.Is(err, errCrashed) {
		sim.count("stages", "refused")
	}
}
