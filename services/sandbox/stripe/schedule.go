package stripe

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// task is something that happens to an object later.
type task struct {
	Act string `json:"act"`
	ID  string `json:"id"`
}

const (
	actExpireSession   = "expire_session"
	actSettleRefund    = "settle_refund"
	actFailRefund      = "fail_refund"
	actReleaseHold     = "release_hold"
	actOpenDispute     = "open_dispute"
	actMovePayout      = "move_payout"
	actEndProcessing   = "hear_bank"
	actForgetIdemKeys  = "forget_idempotency_keys"
	refundSettleDelay  = 10            // seconds until a pending refund succeeds, or that of card 4000 0000 0000 5126 fails
	bankDelay          = 3 * 24 * 3600 // seconds that a payment stays processing
	disputeDelay       = 10            // seconds until a charge of card 4000 0000 0000 0259 is disputed
	holdLifetime       = 7 * 24 * 3600 // seconds an uncaptured hold lasts
	settlementDelay    = 7 * 24 * 3600 // seconds until a charge's money is available
	sessionMinLifetime = 30 * 60
	sessionMaxLifetime = 24 * 3600
)

// schedule stores a task for later in the call's transaction.
func (c *call) schedule(at int64, t task) error {
	bucket := c.tx.Bucket([]byte(bucketSchedule))
	n, err := bucket.NextSequence()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("encode task: %w", err)
	}
	key := binary.BigEndian.AppendUint64(nil, uint64(at)) //nolint:gosec // times are positive
	c.scheduled = true
	return bucket.Put(binary.BigEndian.AppendUint64(key, n), raw)
}

func (s *Sandbox) kickSchedule() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// runSchedule does what is due and sleeps until the next task, or until one is added.
func (s *Sandbox) runSchedule(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-timer.C:
		}
		_, wait, err := s.runDue(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Error("scheduled work", "error", err)
			wait = time.Second
		}
		timer.Reset(wait)
	}
}

// runDue does every task that is due, each in its own transaction, those included that a task makes due. It returns
// how many it did, and the wait for the next: a minute at most, since the clock may be advanced meanwhile.
func (s *Sandbox) runDue(ctx context.Context) (n int, wait time.Duration, err error) {
	for ; ; n++ {
		done, wait := false, time.Minute
		err := s.write(&call{}, func(c *call) error {
			done, wait = false, time.Minute
			cursor := c.tx.Bucket([]byte(bucketSchedule)).Cursor()
			key, raw := cursor.First()
			if key == nil {
				return nil
			}
			if at := dueAt(key); at > c.now {
				wait = min(time.Duration(at-c.now)*time.Second, time.Minute)
				return nil
			}
			var t task
			if err := json.Unmarshal(raw, &t); err != nil {
				return fmt.Errorf("read task: %w", err)
			}
			if err := cursor.Delete(); err != nil {
				return err
			}
			done = true
			return c.perform(t)
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
	return int64(binary.BigEndian.Uint64(key)) //nolint:gosec // written by schedule
}

// perform does one task. It does nothing if the object's status has changed meanwhile.
func (c *call) perform(t task) error {
	switch t.Act {
	case actExpireSession:
		session, err := sessions.find(c.tx, t.ID)
		if err != nil || session == nil || session.Status != sessionOpen {
			return err
		}
		return c.expireSession(session)
	case actSettleRefund, actFailRefund:
		r, err := refunds.find(c.tx, t.ID)
		if err != nil || r == nil {
			return err
		}
		if t.Act == actSettleRefund {
			return c.settleRefund(r)
		}
		if !r.fails() {
			return nil
		}
		if err := c.failRefund(r, refundCardExpired); err != nil {
			return err
		}
		return c.saveRefund(r)
	case actReleaseHold:
		pi, err := intents.find(c.tx, t.ID)
		if err != nil || pi == nil || pi.Status != statusRequiresCapture {
			return err
		}
		return c.cancelIntent(pi, "automatic")
	case actOpenDispute:
		ch, err := charges.find(c.tx, t.ID)
		if err != nil || ch == nil || ch.Disputed || ch.AmountCaptured == ch.AmountRefunded {
			return err
		}
		return c.openDispute(ch, ch.AmountCaptured-ch.AmountRefunded, disputeFraudulent)
	case actEndProcessing:
		pi, err := intents.find(c.tx, t.ID)
		if err != nil || pi == nil || pi.Status != statusProcessing {
			return err
		}
		return c.endProcessing(pi)
	case actMovePayout:
		po, err := payouts.find(c.tx, t.ID)
		if err != nil || po == nil {
			return err
		}
		return c.movePayoutOn(po)
	case actForgetIdemKeys:
		return c.forgetIdempotencyKeys()
	}
	return fmt.Errorf("unknown task %q", t.Act)
}

// forgetIdempotencyKeys drops answers that are older than their lifetime, and schedules the next run in an hour.
func (c *call) forgetIdempotencyKeys() error {
	bucket := c.tx.Bucket([]byte(bucketIdempotency))
	var old [][]byte
	err := bucket.ForEach(func(key, raw []byte) error {
		var record idempotencyRecord
		if err := json.Unmarshal(raw, &record); err != nil {
			return fmt.Errorf("read stored answer: %w", err)
		}
		if c.now-record.Created >= idempotencyTTL {
			old = append(old, key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range old {
		if err := bucket.Delete(key); err != nil {
			return err
		}
	}
	return c.schedule(c.now+3600, task{Act: actForgetIdemKeys})
}

// ensurePruning schedules the first run of forgetIdempotencyKeys, once per state file.
func ensurePruning(tx *bolt.Tx, s *Sandbox) error {
	var planned bool
	if _, err := getJSON(tx, bucketSettings, "pruning", &planned); err != nil || planned {
		return err
	}
	c := &call{s: s, tx: tx, now: s.now()}
	if err := c.schedule(c.now+3600, task{Act: actForgetIdemKeys}); err != nil {
		return err
	}
	return putJSON(tx, bucketSettings, "pruning", true)
}
