package simulate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// gaveUpAfter and endedAfter are the days after which an unpaid month makes its subscription past_due, and ends it.
	gaveUpAfter, endedAfter = 8, 30
	// retriedWithin is how long after its time a refused card must have been tried again, when nothing was broken for long.
	retriedWithin = 12 * time.Hour
)

// tryRow is a charge of a kept card, as the payment service keeps it.
type tryRow struct {
	Period, Number int
	Card, Outcome  string
	Begun          time.Time
	Answered       *time.Time
}

// checkTries checks when refused cards are tried again, and when unpaid months are given up.
func (sim *simulation) checkTries(ctx context.Context, list []history) error {
	for _, h := range list {
		if h.anchor == nil {
			continue
		}
		rows, err := sim.runner.payments.Query(ctx, `SELECT period, number, card_ref, outcome, begun_at, answered_at FROM subscription_tries
			WHERE subscription_id = $1 ORDER BY period, number`, h.id)
		if err != nil {
			return fmt.Errorf("read the tries: %w", err)
		}
		tries, err := pgx.CollectRows(rows, pgx.RowToStructByPos[tryRow])
		if err != nil {
			return fmt.Errorf("read the tries: %w", err)
		}
		// Of these the form or the bank decided when they ended.
		other, err := query[int](ctx, sim.runner.payments, `SELECT period FROM payments p WHERE subject_id = $1 AND EXISTS (SELECT FROM payment_transitions t
			WHERE t.payment_id = p.id AND t.to_status IN ('processing', 'failed'))`, h.id)
		if err != nil {
			return err
		}
		sim.checkRetries(h, tries)
		sim.checkLostCards(h, tries)
		sim.checkGivingUp(h, other)
	}
	return nil
}

// checkRetries requires that a refused card that is tried again, without another one or its bank's word between, is tried on the
// next of its days.
func (sim *simulation) checkRetries(h history, tries []tryRow) {
	for i, t := range tries[min(1, len(tries)):] {
		before := tries[i]
		if before.Outcome != "declined" || before.Period != t.Period || before.Card != t.Card || before.Answered == nil ||
			h.happened(before.Begun, t.Begun, "card", "card renewed", "card gone") {
			continue
		}
		due, some := h.retryTime(t.Period, *before.Answered)
		switch {
		case !some || t.Begun.Before(due.Add(-clocksOff)):
			sim.find("a refused card rests until a day for it", "try %d of month %d of %s at %s, refused at %s", t.Number, t.Period, h.id,
				t.Begun.Format(time.DateTime), before.Answered.Format(time.DateTime))
		case t.Begun.After(sim.delayed(due, retriedWithin)):
			sim.find("a refused card is tried again on its day", "try %d of month %d of %s at %s, due at %s", t.Number, t.Period, h.id,
				t.Begun.Format(time.DateTime), due.Format(time.DateTime))
		}
		sim.count("tries", "again on its day")
	}
}

// retryTime is when a month is tried again after a refusal.
func (h history) retryTime(period int, refused time.Time) (at time.Time, some bool) {
	for _, days := range []int{1, 3, 5, 7} {
		if at := daysLater(h.triesFrom(period), days); at.After(refused) {
			return at, true
		}
	}
	return time.Time{}, false
}

// checkLostCards requires that a card is not tried again after its bank has said that it was lost, until it was renewed.
func (sim *simulation) checkLostCards(h history, tries []tryRow) {
	for i, t := range tries {
		lost := func(number string) bool { return number == hardDecline }
		if t.Outcome != "declined" || t.Answered == nil ||
			!sim.behaved(t.Card, t.Begun.Add(-clocksOff), t.Answered.Add(clocksOff), lost) {
			continue
		}
		for _, again := range tries[i+1:] {
			if again.Card == t.Card && !h.happened(t.Begun, again.Begun, "card renewed") {
				sim.find("a lost card is not tried again", "try %d of month %d of %s at %s, its bank had said so at %s", again.Number, again.Period,
					h.id, again.Begun.Format(time.DateTime), t.Answered.Format(time.DateTime))
			}
		}
		sim.count("tries", "with a lost card")
	}
}

// checkGivingUp requires that an unpaid month makes its subscription past_due on the eighth day, and ends it thirty days later:
// not before, and not later, unless something was broken for long. other are the months that a form or the bank decided about.
func (sim *simulation) checkGivingUp(h history, other []int) {
	for i, s := range h.steps {
		if s.To != "past_due" || s.From == "past_due" {
			continue
		}
		due := daysLater(h.triesFrom(s.Period), gaveUpAfter)
		decides := slices.Contains(other, s.Period)
		if s.At.Before(due.Add(-clocksOff)) || s.At.After(sim.delayed(due, chargeWithin)) && !decides {
			sim.find("an unpaid month is given up on its day", "month %d of %s at %s, due at %s", s.Period, h.id, s.At.Format(time.DateTime),
				due.Format(time.DateTime))
		}
		sim.count("months", "given up")
		due = s.At.AddDate(0, 0, endedAfter)
		until := sim.clock.peek()
		if next := slices.IndexFunc(h.steps[i+1:], func(t transition) bool { return t.To != "past_due" }); next >= 0 {
			end := h.steps[i+1+next]
			until = end.At
			if end.Cause == "unpaid" && end.At.Before(due.Add(-clocksOff)) && !decides {
				sim.find("who owes a month has thirty days", "%s is past_due since %s and ended at %s", h.id, s.At.Format(time.DateTime),
					end.At.Format(time.DateTime))
			}
		}
		if until.After(sim.delayed(due, chargeWithin)) && !decides {
			sim.find("who owes a month has thirty days", "%s was past_due from %s until %s", h.id, s.At.Format(time.DateTime),
				until.Format(time.DateTime))
		}
	}
}

// delayed is until when something must have happened that was due at a moment: within a while, and as much later as something
// was broken about then.
func (sim *simulation) delayed(due time.Time, within time.Duration) time.Time {
	until := due.Add(within)
	for _, t := range sim.troubles {
		if t[0].Before(until) && t[1].After(due.Add(-chargeWithin)) {
			until = until.Add(t[1].Sub(t[0]))
		}
	}
	return until
}

// happened tells that one of these causes is in the history between two moments.
func (h history) happened(from, to time.Time, causes ...string) bool {
	return slices.ContainsFunc(h.steps, func(t transition) bool {
		return slices.Contains(causes, t.Cause) && !t.At.Before(from.Add(-clocksOff)) && !t.At.After(to.Add(clocksOff))
	})
}

// daysLater is the same hour in Finland some days later.
func daysLater(at time.Time, days int) time.Time {
	in := at.In(finland)
	return time.Date(in.Year(), in.Month(), in.Day()+days, in.Hour(), 0, 0, 0, finland).UTC()
}
