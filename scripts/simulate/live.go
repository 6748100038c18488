package simulate

import (
	"context"
	"slices"
	"time"

	_ "time/tzdata" // the calendar of months is Finland's
)

const (
	// livePace is the shortest time between two looks of the workers while time passes.
	livePace = time.Minute
	// reconcileEvery is how often the daily passes run while time passes.
	reconcileEvery = 20 * time.Hour
	// bankTakes is how long a bank takes at most to decide a dispute. One that is open is looked at several times a day, which
	// over years would be most of a run's time.
	bankTakes = 75 * 24 * time.Hour
	// justBefore is how far ahead of the next charge an operation may be put, at most.
	justBefore = 40 * 24 * time.Hour
)

// live lets time pass until a moment, with all workers at work whenever something is due. It ends at the first finding.
func (sim *simulation) live(ctx context.Context, until time.Time) error {
	for !sim.hasFindings() {
		now := sim.clock.peek()
		if !now.Before(until) {
			return nil
		}
		next, some, err := sim.nextDue(ctx)
		if err != nil {
			return err
		}
		if !some || next.After(until) {
			next = until
		}
		sim.clock.pass(min(max(next.Sub(now)+time.Millisecond, livePace, sim.pace), max(until.Sub(now), time.Microsecond)))
		if err := sim.lookAfter(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lookAfter runs every worker once, the daily passes when it is time, with the banks that have to decide by then, and starts what
// has died.
func (sim *simulation) lookAfter(ctx context.Context) error {
	sim.everyStep(ctx)
	if now := sim.clock.peek(); now.Sub(sim.reconciled) > reconcileEvery {
		sim.reconciled = now
		sim.withoutNotes(func() {
			sim.reconcile(ctx, operation{})
			for _, d := range sim.openDisputes() {
				if now.Sub(time.Unix(d.Created, 0)) > bankTakes {
					sim.decide(d, uint32(d.Created)) // #nosec G115 -- any number
				}
			}
		})
	}
	for _, h := range sim.hosts() {
		if err := h.restart(ctx); err != nil {
			return err
		}
	}
	return sim.watch(ctx)
}

// liveTo lets time pass until an operation's own moment. Half of them are put right before the next charge, notice or
// retry of a subscription, every fourth of these after it is due and before a worker looks.
func (sim *simulation) liveTo(ctx context.Context, o operation) error {
	if err := sim.live(ctx, startTime.Add(o.at)); err != nil || o.n[3]%2 == 0 {
		return err
	}
	due, err := query[*time.Time](ctx, sim.runner.payments, `SELECT min(step_at) FROM subscriptions`)
	if err != nil || due[0] == nil || due[0].After(sim.clock.peek().Add(justBefore)) {
		return err
	}
	if err := sim.live(ctx, due[0].Add(-time.Duration(1+o.n[2]%90)*time.Second)); err != nil {
		return err
	}
	if o.n[3]%8 == 1 || len(o.both) > 0 {
		sim.clock.pass(max(due[0].Sub(sim.clock.peek())+time.Second, 0))
	}
	return nil
}

// drawTimes spreads operations over the theme's span: in bunches, because what happens close together goes wrong together.
func (th theme) drawTimes(out []operation, from func() float64) {
	at := make([]time.Duration, len(out))
	for i := range at {
		at[i] = time.Duration(from() * float64(th.span))
		if i%3 > 0 {
			at[i] = at[i-i%3] + time.Duration(from()*float64(48*time.Hour))
		}
	}
	slices.Sort(at)
	for i := range out {
		out[i].at = at[i]
	}
	for i := range th.openings {
		out[i].at = time.Duration(i) * 24 * time.Hour
	}
}

var finland = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Helsinki")
	if err != nil {
		panic(err)
	}
	return zone
}()

// dayOf is the day in Finland on which a moment is, as midnight UTC.
func dayOf(t time.Time) time.Time {
	y, m, d := t.In(finland).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// chargeTime is when the charge of a subscription's month begins, reckoned anew here: nine o'clock in Finland, on the
// anchor's day of the month or its last.
func chargeTime(anchor time.Time, period int) time.Time {
	y, m := anchor.Year(), int(anchor.Month())+period-1
	last := time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(y, time.Month(m), min(anchor.Day(), last), 9, 0, 0, 0, finland).UTC()
}
