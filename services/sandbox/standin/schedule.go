package standin

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"
)

const bucketSchedule = "schedule"

// Task is something that happens to an object later.
type Task struct {
	Act string `json:"act"`
	ID  string `json:"id"`
}

// Schedule stores a task for later.
func (u *Unit) Schedule(at int64, t Task) error {
	bucket := u.Tx.Bucket([]byte(bucketSchedule))
	n, err := bucket.NextSequence()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("encode task: %w", err)
	}
	key := binary.BigEndian.AppendUint64(nil, uint64(at)) //nolint:gosec // times are positive
	u.scheduled = true
	return bucket.Put(binary.BigEndian.AppendUint64(key, n), raw)
}

func (e *Engine) kickSchedule() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// runSchedule does what is due and sleeps until the next task, or until one is added.
func (e *Engine) runSchedule(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
		case <-timer.C:
		}
		_, wait, err := e.runDue(ctx)
		if err != nil && ctx.Err() == nil {
			e.log.Error("scheduled work", "error", err)
			wait = time.Second
		}
		timer.Reset(wait)
	}
}

// RunDue does the tasks that are due by the stand-in's clock. It returns how many it did; a second call does nothing
// until the clock moves on.
func (e *Engine) RunDue(ctx context.Context) (n int, err error) {
	n, _, err = e.runDue(ctx)
	return n, err
}

// runDue does every task that is due, each in its own transaction, those included that a task makes due. It returns
// how many it did, and the wait for the next: a minute at most, since the clock may be advanced meanwhile.
func (e *Engine) runDue(ctx context.Context) (n int, wait time.Duration, err error) {
	for ; ; n++ {
		done, wait := false, time.Minute
		err := e.Write(func(u *Unit) error {
			done, wait = false, time.Minute
			cursor := u.Tx.Bucket([]byte(bucketSchedule)).Cursor()
			key, raw := cursor.First()
			if key == nil {
				return nil
			}
			if at := dueAt(key); at > u.Now {
				wait = min(time.Duration(at-u.Now)*time.Second, time.Minute)
				return nil
			}
			var t Task
			if err := json.Unmarshal(raw, &t); err != nil {
				return fmt.Errorf("read task: %w", err)
			}
			if err := cursor.Delete(); err != nil {
				return err
			}
			done = true
			return e.opts.Perform(u, t)
		})
		if err != nil || !done {
			return n, wait, err
		}
		if err := ctx.Err(); err != nil {
			return n + 1, wait, err
		}
	}
}

func dueAt(key []byte) int64 {
	return int64(binary.BigEndian.Uint64(key)) //nolint:gosec // written by Schedule
}

// NextDue is when, by Options.Now, the next task is due, so that a simulation can move its clock there; false when
// there is none.
func (e *Engine) NextDue() (at time.Time, some bool, err error) {
	err = e.Read(func(u *Unit) error {
		if key, _ := u.Tx.Bucket([]byte(bucketSchedule)).Cursor().First(); key != nil {
			at, some = time.Unix(dueAt(key)-e.offset.Load(), 0).UTC(), true
		}
		return nil
	})
	return at, some, err
}
