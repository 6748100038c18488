//go:build unix

package contenttest

import (
	"context"
	"time"

	"gorm.io/gorm"
)

// Race makes calls while a transaction holds what hold has locked. Each begins once the one before it waits for a lock or
// has been answered; then the transaction is committed, and the calls go on. It returns their answers.
func (w *World) Race(hold func(ctx context.Context, tx *gorm.DB) error, calls ...func() Answer) []Answer {
	w.t.Helper()
	answered := make([]chan Answer, len(calls))
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		if err := hold(ctx, tx); err != nil {
			return err
		}
		for i, call := range calls {
			before := w.waiting()
			answered[i] = make(chan Answer, 1)
			go func() { answered[i] <- call() }()
			for len(answered[i]) == 0 && w.waiting() == before {
				time.Sleep(time.Millisecond)
			}
		}
		return nil
	})
	answers := make([]Answer, len(calls))
	for i := range calls {
		answers[i] = <-answered[i]
	}
	return answers
}

// waiting is how many sessions of this database wait for a lock.
func (w *World) waiting() (n int) {
	w.t.Helper()
	err := w.DB.Raw(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n).Error
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}
