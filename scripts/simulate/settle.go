package simulate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// mostRounds bounds how often the clock is moved to what is due next: with six debits that take days it is some hundreds.
	mostRounds = 1000
	// mostRefusedRounds is the same where refunds are refused for days, for want of money where they leave from: each is asked for 125 times.
	mostRefusedRounds = 900
	// idleStep is how far the clock is moved when nothing is due, idleSteps how often: three days in all, so that the
	// daily jobs of the provider and of the platform have run.
	idleStep  = 6 * time.Hour
	idleSteps = 13
	idleDay   = 5 // steps in which a day begins, whatever the hour is
)

// settle ends a run: no more faults are injected, time passes, the workers run, operators and banks do their part.
// What is still pending after that is stuck, which is a finding.
func (sim *simulation) settle(ctx context.Context) error {
	for _, t := range sim.takers() {
		if err := t.Calm(); err != nil {
			return err
		}
	}
	for _, h := range sim.hosts() {
		h.isDown, h.skew = false, 0
		h.current.planCrash(0, false)
	}
	sim.losing, sim.settling = 0, true
	sim.note("calm at %s", sim.clock.peek().Format(time.DateTime))
	if sim.theme.span > 0 {
		sim.heal()
	}
	if sim.theme.takesB {
		sim.mangopay.ForceCode("")
		sim.verify("REGULAR")
		sim.switchTo(ctx, providerA, true)
		sim.switchTo(ctx, providerB, true)
		sim.keepHooks(ctx, operation{})
	}
	idle := 0
	for range max(sim.theme.rounds, mostRounds) {
		sim.everyStep(ctx)
		if err := sim.checkStep(ctx); err != nil || sim.hasFindings() {
			return err
		}
		if sim.peopleAct(ctx) {
			continue
		}
		next, some, err := sim.nextDue(ctx)
		if err != nil {
			return err
		}
		now := sim.clock.peek()
		switch {
		case some && next.After(now.Add(idleStep)) && idle < idleSteps:
			some = false // first take a daily step, which may make something due earlier
		case some:
			if next.After(now.Add(idleStep)) { // what comes of it is compared by daily jobs too
				idle -= idleDay
			}
			sim.clock.pass(max(next.Sub(now), 0) + time.Millisecond)
		}
		if some {
			continue
		}
		if idle == idleSteps {
			sim.note("at rest at %s", now.Format(time.DateTime))
			return nil
		}
		idle++
		sim.clock.pass(idleStep)
		if err := sim.payments.do(func(p *process) error { return p.payments.Reconcile(ctx) }); err != nil {
			sim.find("reconciliation works", "%v", err)
		}
	}
	sim.find("everything comes to rest", "%s", sim.pendingWork(ctx))
	return nil
}

// everyStep lets the provider do what is due, delivers due webhooks, and runs each worker once.
func (sim *simulation) everyStep(ctx context.Context) {
	o := operation{}
	sim.withoutNotes(func() {
		sim.runProvider(ctx, o)
		for _, d := range sim.deliveries() {
			switch {
			case d.Due.After(sim.clock.peek()):
			case sim.losing > 0:
				sim.losing--
				sim.loseWebhook(ctx, operation{n: [4]uint32{oldest}})
			default:
				sim.deliver(ctx, oldest)
			}
		}
		workers := []func(context.Context, operation){sim.lapse, sim.endCampaigns, sim.relayContent, sim.drain, sim.runRefunds, sim.runSettlements, sim.runReserves,
			sim.tidy, sim.sweep, sim.sweepPayees, sim.relayPayments}
		if sim.theme.span > 0 {
			workers = []func(context.Context, operation){sim.endSupport, sim.relayContent, sim.drain, sim.chargeMonths, sim.tidy, sim.sweep,
				sim.sweepPayees, sim.relayPayments}
		}
		for _, do := range workers {
			do(ctx, o)
		}
	})
}

// withoutNotes keeps what f notes out of the trace.
func (sim *simulation) withoutNotes(f func()) {
	sim.mu.Lock()
	kept := len(sim.notes)
	last := ""
	if kept > 0 {
		last = sim.notes[kept-1]
	}
	sim.mu.Unlock()
	f()
	sim.mu.Lock()
	defer sim.mu.Unlock()
	if kept > 0 {
		sim.notes[kept-1] = last
		sim.notes = sim.notes[:kept]
	}
}

// peopleAct does what only people can, and reports whether anything could be done: banks decide, held money goes back,
// a failed refund is repeated, one that fails again is paid by hand, and lines are explained.
func (sim *simulation) peopleAct(ctx context.Context) bool {
	acted := sim.theme.span > 0 && sim.supportersAct(ctx) || sim.theme.takesB && sim.settlersAct(ctx)
	for _, t := range sim.takers() {
		acted = t.act() || acted
	}
	for _, held := range sim.heldCharges(ctx) {
		at, charge := held.read()
		acted = sim.operate("return of held money",
			func(p *process) error { return p.payments.ReleaseHeld(ctx, at, charge, false, operator) }) || acted
	}
	for _, id := range sim.rows(ctx, `SELECT id FROM refunds WHERE status = 'failed' AND repeats IS NULL ORDER BY created_at, id`) {
		acted = sim.operate("repeat of a refund",
			func(p *process) error { return p.payments.RepeatRefund(ctx, id, operator) }) || acted
	}
	for _, id := range sim.rows(ctx, `SELECT id FROM refunds WHERE status = 'failed' AND repeats IS NOT NULL ORDER BY created_at, id`) {
		acted = sim.operate("refund paid by hand",
			func(p *process) error { return p.payments.RefundPaidByHand(ctx, id, operator) }) || acted
	}
	for _, line := range sim.suspended(ctx) {
		at, ref := line.read()
		acted = sim.operate("explained line", func(p *process) error { return p.payments.Explain(ctx, at, ref, operator) }) ||
			acted
	}
	sim.coverRefunds(ctx)
	for _, id := range sim.rows(ctx, `SELECT id::text FROM anomalies WHERE resolved_at IS NULL AND detail ->> 'code' = 'made_twice' ORDER BY id`) {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			sim.find("the simulation works", "%v", err)
			continue
		}
		acted = sim.operate("resolved anomaly of a refund made twice",
			func(p *process) error { return p.payments.Resolve(ctx, n, operator) }) || acted
	}
	return acted
}

// coverRefunds tops up what is missing for the refunds of whole campaigns, once for each time that it was told; they look again by themselves.
func (sim *simulation) coverRefunds(ctx context.Context) {
	for _, told := range sim.rows(ctx, `SELECT id || ' ' || extract(epoch FROM seen_at) || ' ' || replace(split_part(detail ->> 'missing', ' ', 1), '.', '') FROM anomalies
			WHERE resolved_at IS NULL AND kind = 'refunds_uncovered' AND provider = 'stripe' ORDER BY id`) {
		if sim.covered[told] {
			continue
		}
		minor, err := strconv.ParseInt(told[strings.LastIndexByte(told, ' ')+1:], 10, 64)
		if err == nil {
			_, err = sim.sandbox.TopUp(max(minor, 50)) // the least that the provider takes
		}
		sim.noteResult("topped up for refunds", err)
		sim.covered[told] = true
	}
}

// What is scheduled in either service, each with its time.
const (
	undone = `SELECT format('message %s (%s): %s', o.id, o.kind, o.last_error) AS what, o.next_attempt_at AS at FROM outbox o WHERE o.done_at IS NULL
		AND (o.stream IS NULL OR NOT EXISTS (SELECT FROM outbox e WHERE e.stream = o.stream AND e.id < o.id AND e.done_at IS NULL))`
	paymentsDue = undone + `
		UNION ALL SELECT format('attempt %s, %s', id, status), next_check_at FROM attempts WHERE next_check_at IS NOT NULL
		UNION ALL SELECT format('refund %s, %s, failures %s', id, status, failures), next_check_at FROM refunds WHERE next_check_at IS NOT NULL
		UNION ALL SELECT format('dispute %s, %s', id, status), next_check_at FROM disputes WHERE next_check_at IS NOT NULL
		UNION ALL SELECT format('payment %s, %s', id, status), CASE WHEN closing_at IS NULL AND status <> 'processing' THEN least(next_check_at, closes_at) ELSE next_check_at END
			FROM payments WHERE status IN ('created', 'requires_action', 'processing')
		UNION ALL SELECT format('run %s, %s', id, state), next_at FROM settlement_runs WHERE state IN ('approved', 'booked', 'sending', 'sent') AND reason = '' AND next_at IS NOT NULL
		UNION ALL SELECT format('reversal %s of run %s', id, run_id), next_at FROM transfer_reversals WHERE next_at IS NOT NULL
		UNION ALL SELECT format('what run %s kept back', run_id), next_at FROM settlement_reserves WHERE next_at IS NOT NULL AND waits_for = '' AND due_on < coalesce((
			SELECT max(at)::date + 30 FROM settlement_steps), '2000-01-01')
		UNION ALL SELECT format('refund run of campaign %s', campaign_id), next_at FROM refund_runs WHERE next_at IS NOT NULL
		UNION ALL SELECT format('webhook %s: %s', type, last_error), next_attempt_at FROM webhook_events WHERE status = 'received'`
	contentDue = undone + `
		UNION ALL SELECT format('pledge %s, %s', id, status), reserved_until FROM pledges WHERE status IN ('created', 'awaiting_payment')`
)

// nextDue is when the next thing is due; false when nothing is.
func (sim *simulation) nextDue(ctx context.Context) (next time.Time, some bool, err error) {
	earlier := func(at time.Time) {
		if !some || at.Before(next) {
			next, some = at, true
		}
	}
	for conn, sql := range map[*pgx.Conn]string{sim.runner.payments: paymentsDue, sim.runner.content: contentDue} {
		at, err := query[*time.Time](ctx, conn, `SELECT min(at) FROM (`+sql+`) d`)
		if err != nil {
			return next, false, err
		}
		if at[0] != nil {
			earlier(*at[0])
		}
	}
	if sim.theme.span > 0 {
		at, err := sim.nextMonthDue(ctx)
		if err != nil {
			return next, false, err
		}
		for _, one := range at {
			if one != nil {
				earlier(*one)
			}
		}
	}
	for _, d := range sim.deliveries() {
		earlier(d.Due)
	}
	for _, t := range sim.takers() {
		if at, has := t.NextDue(); has && at.Before(sim.clock.peek().Add(t.ahead)) {
			earlier(at)
		}
	}
	return next, some, nil
}

// nextMonthDue is when the next thing of monthly support is due in either service. While a run comes to rest, months that lie
// ahead are none of it.
func (sim *simulation) nextMonthDue(ctx context.Context) ([]*time.Time, error) {
	soon := sim.clock.peek().AddDate(100, 0, 0)
	if sim.settling {
		soon = sim.clock.peek().Add(idleStep)
	}
	steps, err := query[*time.Time](ctx, sim.runner.payments, `SELECT min(step_at) FROM subscriptions s
		WHERE step_at <= $1 OR status IN ('canceled', 'expired') OR EXISTS (
			SELECT FROM subscription_periods m WHERE m.subscription_id = s.id AND (m.status = 'open' OR m.is_ending))`, soon)
	if err != nil {
		return nil, err
	}
	unpaid, err := query[*time.Time](ctx, sim.runner.content, `SELECT min(payable_until) + interval '15 minutes' FROM subscriptions WHERE status = 'created'`)
	return append(steps, unpaid...), err
}

// pendingWork lists what is still pending, for the finding's text.
func (sim *simulation) pendingWork(ctx context.Context) string {
	out := fmt.Sprintf("at %s", sim.clock.peek().Format(time.DateTime))
	for _, one := range []struct {
		conn *pgx.Conn
		sql  string
	}{{sim.runner.payments, paymentsDue}, {sim.runner.content, contentDue}} {
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
