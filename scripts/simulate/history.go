package simulate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// history is a subscription with what was asked of it, as the payment service keeps it.
type history struct {
	id     string
	anchor *time.Time
	steps  []transition
	months map[int]monthRow
}

type transition struct {
	From, To, Cause string
	Period          int
	At              time.Time
}

type monthRow struct {
	Status    string
	SettledAt *time.Time
	BegunAt   time.Time
}

func (sim *simulation) histories(ctx context.Context) ([]history, error) {
	rows, err := sim.runner.payments.Query(ctx, `SELECT id, anchor_day FROM subscriptions ORDER BY created_at`)
	if err != nil {
		return nil, fmt.Errorf("read the subscriptions: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h history, err error) {
		h.months = map[int]monthRow{}
		return h, row.Scan(&h.id, &h.anchor)
	})
	if err != nil {
		return nil, fmt.Errorf("read the subscriptions: %w", err)
	}
	for i := range list {
		rows, err := sim.runner.payments.Query(ctx, `SELECT from_status, to_status, cause, coalesce(period, 0), at FROM subscription_transitions
			WHERE subscription_id = $1 ORDER BY id`, list[i].id)
		if err == nil {
			list[i].steps, err = pgx.CollectRows(rows, pgx.RowToStructByPos[transition])
		}
		if err == nil {
			rows, err = sim.runner.payments.Query(ctx, `SELECT period, status, settled_at, begun_at FROM subscription_periods WHERE subscription_id = $1`, list[i].id)
		}
		if err == nil {
			var period int
			var m monthRow
			_, err = pgx.ForEachRow(rows, []any{&period, &m.Status, &m.SettledAt, &m.BegunAt}, func() error {
				list[i].months[period] = m
				return nil
			})
		}
		if err != nil {
			return nil, fmt.Errorf("read the history of a subscription: %w", err)
		}
	}
	return list, nil
}

// triesFrom is the hour from which the tries of a month are reckoned: its own, or that of the later day on which it began.
func (h history) triesFrom(period int) time.Time {
	at, begun := chargeTime(*h.anchor, period), h.months[period].BegunAt.In(finland)
	if late := time.Date(begun.Year(), begun.Month(), begun.Day(), 9, 0, 0, 0, finland).UTC(); late.After(at) {
		return late
	}
	return at
}

// excuse is why a month need not have been paid in its time; "" when it must have been.
func (h history) excuse(period int, at, within time.Time) string {
	status, until, hasEnd, skipped := "", 0, false, false
	for _, t := range h.steps {
		if t.At.After(within) {
			break
		}
		switch t.Cause {
		case "pause":
			until = t.Period
		case "resume":
			if t.At.Before(at) { // later it does not bring the month back
				hasEnd, until, skipped = false, 0, h.months[period].Status == "skipped"
			}
		case "cancel":
			hasEnd = true
		case "skip":
			skipped = skipped || t.Period == period
			if t.Period == until { // the month that ends a pause
				until++
			}
		}
		switch {
		case t.At.Before(at.Add(clocksOff)):
			status = t.To
		case t.To == "canceled", t.To == "paused":
			status = t.To // in the time that the charge had
		}
	}
	switch {
	case status == "canceled" || status == "expired" || status == "":
		return "over"
	case hasEnd:
		return "to end"
	case skipped:
		return "skipped"
	case until > period || status == "paused" && until != period:
		return "paused"
	case status == "past_due":
		return "past due"
	}
	for earlier, m := range h.months { // one that is paid on the day itself leaves the month out
		if earlier < period && (m.SettledAt == nil || m.SettledAt.After(at.Add(-chargeHour-clocksOff))) {
			return "an earlier month was open"
		}
	}
	return ""
}

// takenBack tells that what was asked for was taken back between two moments.
func (h history) takenBack(from, to time.Time) bool {
	return slices.ContainsFunc(h.steps, func(t transition) bool { return t.Cause == "resume" && t.At.After(from) && t.At.Before(to) })
}
