package pledges_test

import (
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
)

// abandon has a reward held by many pledges that nobody pays.
func (w *world) abandon(t *testing.T, reward int64, many int) {
	t.Helper()
	first := w.mustCreate(t, w.input(reward, "10"))
	err := w.db.Exec(`INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, currency, quantity, lines, stock_held, email, first_name,
			last_name, language, reserved_until, created_at, updated_at)
		SELECT lpad(n::text, 26, '0'), campaign_id, reward_id, status, amount_minor, currency, quantity, lines, stock_held, n || '@example.fi', first_name,
			last_name, language, reserved_until, created_at, updated_at FROM pledges, generate_series(2, ?) n WHERE id = ?`, many, first.ID).Error
	if err == nil {
		err = w.db.Exec(`UPDATE rewards SET stock_reserved = ? WHERE id = ?`, many, reward).Error
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestLapse_WhatManyHaveAbandoned_IsFreeAgainInOneRun(t *testing.T) {
	t.Parallel()
	const many = 450
	w := setup(t)
	reward := w.addReward(t, many)
	w.abandon(t, reward, many)
	w.clock.advance(firstHold + time.Second)
	if err := jobs.UntilNone(w.Lapse)(t.Context()); err != nil {
		t.Fatal(err)
	}
	if held := w.reserved(t, reward); held != 0 {
		t.Errorf("%d are held still", held)
	}
	if n := w.number(t, `SELECT count(*) FROM pledge_transitions WHERE to_status = 'expired'`); n != many {
		t.Errorf("%d transitions", n)
	}
}
