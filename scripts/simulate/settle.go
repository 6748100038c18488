package simulate

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// mostRounds bounds how often time is moved on to what is due next.
	mostRounds = 200
	// idleStep is how far time is moved when nothing is due, idleSteps how often: three days in all, in which what happens
	// daily has happened at the provider and with us.
	idleStep  = 6 * time.Hour
	idleSteps = 13
)

// settle brings a life to rest: no more faults are injected, time runs, the workers work, people do what only they can.
// What still waits after that is a finding: something is stuck.
func (l *life) settle(ctx context.Context) error {
	if err := l.sandbox.Calm(); err != nil {
		return err
	}
	for _, h := range l.hosts() {
		h.isDown, h.skew = false, 0
		h.current.planCrash(0, false)
	}
	l.note("calm at %s", l.clock.peek().Format(time.DateTime))
	idle := 0
	for range mostRounds {
		l.everyStep(ctx)
		if err := l.checkStep(ctx); err != nil || l.hasFindings() {
			return err
		}
		if l.peopleAct(ctx) {
			continue
		}
		next, some, err := l.nextDue(ctx)
		if err != nil {
			return err
		}
		now := l.clock.peek()
		switch {
		case some && next.After(now.Add(idleStep)) && idle < idleSteps:
			some = false // what is that far away is looked for on the way
		case some:
			l.clock.pass(max(next.Sub(now), 0) + time.Millisecond)
		}
		if some {
			continue
		}
		if idle == idleSteps {
			l.note("at rest at %s", now.Format(time.DateTime))
			return nil
		}
		idle++
		l.clock.pass(idleStep)
		if err := l.payments.do(func(p *process) error { return p.payments.Reconcile(ctx) }); err != nil {
			l.find("reconciliation works", "%v", err)
		}
	}
	l.find("everything comes to rest", "%s", l.restless(ctx))
	return nil
}

// everyStep lets the provider do what is due, delivers due webhooks, and runs each worker once.
func (l *life) everyStep(ctx context.Context) {
	o := operation{}
	l.quietly(func() {
		l.runProvider(ctx, o)
		for _, d := range l.sandbox.Deliveries() {
			if !d.Due.After(l.clock.peek()) {
				l.deliver(ctx, oldest)
			}
		}
		for _, do := range []func(context.Context, operation){l.lapse, l.relayContent, l.drain, l.tidy, l.sweep,
			l.relayPayments} {
			do(ctx, o)
		}
	})
}

// quietly keeps what f notes out of the story.
func (l *life) quietly(f func()) {
	l.mu.Lock()
	kept := len(l.notes)
	last := ""
	if kept > 0 {
		last = l.notes[kept-1]
	}
	l.mu.Unlock()
	f()
	l.mu.Lock()
	defer l.mu.Unlock()
	if kept > 0 {
		l.notes[kept-1] = last
		l.notes = l.notes[:kept]
	}
}

// peopleAct does what only people can, and reports whether anything could be done: banks decide, held money goes back,
// a failed refund is repeated, one that fails again is paid by hand, and lines are explained.
func (l *life) peopleAct(ctx context.Context) bool {
	acted := false
	for i, d := range l.openDisputes() {
		l.decide(d, uint32(i+len(d.ID)+int(d.Amount/100))) // #nosec G115 -- small
		acted = true
	}
	for _, charge := range l.heldCharges(ctx) {
		acted = l.operate("return of held money",
			func(p *process) error { return p.payments.ReleaseHeld(ctx, charge, false, operator) }) || acted
	}
	for _, id := range l.rows(ctx, `SELECT id FROM refunds WHERE status = 'failed' AND repeats IS NULL ORDER BY created_at, id`) {
		acted = l.operate("repeat of a refund",
			func(p *process) error { return p.payments.RepeatRefund(ctx, id, operator) }) || acted
	}
	for _, id := range l.rows(ctx, `SELECT id FROM refunds WHERE status = 'failed' AND repeats IS NOT NULL ORDER BY created_at, id`) {
		acted = l.operate("refund paid by hand",
			func(p *process) error { return p.payments.RefundPaidByHand(ctx, id, operator) }) || acted
	}
	for _, line := range l.suspended(ctx) {
		acted = l.operate("explained line", func(p *process) error { return p.payments.Explain(ctx, line, operator) }) ||
			acted
	}
	for _, id := range l.rows(ctx, `SELECT id::text FROM anomalies WHERE resolved_at IS NULL AND detail ->> 'code' = 'made_twice' ORDER BY id`) {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			l.find("the simulation works", "%v", err)
			continue
		}
		acted = l.operate("money asked back that a backer had twice",
			func(p *process) error { return p.payments.Resolve(ctx, n, operator) }) || acted
	}
	return acted
}

// What waits for a time in either service, each with that time.
const (
	undone = `SELECT format('message %s (%s): %s', o.id, o.kind, o.last_error) AS what, o.next_attempt_at AS at FROM outbox o WHERE o.done_at IS NULL
		AND (o.stream IS NULL OR NOT EXISTS (SELECT FROM outbox e WHERE e.stream = o.stream AND e.id < o.id AND e.done_at IS NULL))`
	paymentsDue = undone + `
		UNION ALL SELECT format('attempt %s, %s', id, status), next_check_at FROM attempts WHERE next_check_at IS NOT NULL
		UNION ALL SELECT format('refund %s, %s, failures %s', id, status, failures), next_check_at FROM refunds WHERE next_check_at IS NOT NULL
		UNION ALL SELECT format('dispute %s, %s', id, status), next_check_at FROM disputes WHERE next_check_at IS NOT NULL
		UNION ALL SELECT format('payment %s, %s', id, status), CASE WHEN closing_at IS NULL AND status <> 'processing' THEN least(next_check_at, closes_at) ELSE next_check_at END
			FROM payments WHERE status IN ('created', 'requires_action', 'processing')
		UNION ALL SELECT format('webhook %s: %s', type, last_error), next_attempt_at FROM webhook_events WHERE status = 'received'`
	contentDue = undone + `
		UNION ALL SELECT format('pledge %s, %s', id, status), reserved_until FROM pledges WHERE status IN ('created', 'awaiting_payment')`
)

// nextDue is when the next thing is due; false when nothing is.
func (l *life) nextDue(ctx context.Context) (next time.Time, some bool, err error) {
	earlier := func(at time.Time) {
		if !some || at.Before(next) {
			next, some = at, true
		}
	}
	for conn, sql := range map[*pgx.Conn]string{l.lane.payments: paymentsDue, l.lane.content: contentDue} {
		at, err := query[*time.Time](ctx, conn, `SELECT min(at) FROM (`+sql+`) d`)
		if err != nil {
			return next, false, err
		}
		if at[0] != nil {
			earlier(*at[0])
		}
	}
	for _, d := range l.sandbox.Deliveries() {
		earlier(d.Due)
	}
	// What the provider does by itself is mostly an hourly tidying of its own; that is done on the way.
	if at, has := l.sandbox.NextDue(); has && at.Before(l.clock.peek().Add(time.Minute)) {
		earlier(at)
	}
	return next, some, nil
}

// restless lists what still waits, for the finding's text.
func (l *life) restless(ctx context.Context) string {
	out := fmt.Sprintf("at %s", l.clock.peek().Format(time.DateTime))
	for _, one := range []struct {
		conn *pgx.Conn
		sql  string
	}{{l.lane.payments, paymentsDue}, {l.lane.content, contentDue}} {
		list, err := query[string](ctx, one.conn, `SELECT what || ' at ' || at FROM (`+one.sql+`) d ORDER BY at LIMIT 10`)
		if err != nil {
			return err.Error()
		}
		for _, w := range list {
			out += "; " + w
		}
	}
	return out
}
