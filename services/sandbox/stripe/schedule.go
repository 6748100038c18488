package stripe

import (
	"encoding/json"
	"fmt"

	"talkoot.fi/sandbox/standin"
)

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

// perform does one task. It does nothing if the object's status has changed meanwhile.
func (c *call) perform(t standin.Task) error {
	switch t.Act {
	case actExpireSession:
		session, err := sessions.Find(c.tx, t.ID)
		if err != nil || session == nil || session.Status != sessionOpen {
			return err
		}
		return c.expireSession(session)
	case actSettleRefund, actFailRefund:
		r, err := refunds.Find(c.tx, t.ID)
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
		pi, err := intents.Find(c.tx, t.ID)
		if err != nil || pi == nil || pi.Status != statusRequiresCapture {
			return err
		}
		return c.cancelIntent(pi, "automatic")
	case actOpenDispute:
		ch, err := charges.Find(c.tx, t.ID)
		if err != nil || ch == nil || ch.Disputed || ch.AmountCaptured == ch.AmountRefunded {
			return err
		}
		return c.openDispute(ch, ch.AmountCaptured-ch.AmountRefunded, disputeFraudulent)
	case actWarn:
		ch, err := charges.Find(c.tx, t.ID)
		if err != nil || ch == nil {
			return err
		}
		_, err = c.warn(ch, "unauthorized_use_of_card")
		return err
	case actEndProcessing:
		pi, err := intents.Find(c.tx, t.ID)
		if err != nil || pi == nil || pi.Status != statusProcessing {
			return err
		}
		return c.endProcessing(pi)
	case actMovePayout:
		po, err := payouts.Find(c.tx, t.ID)
		if err != nil || po == nil {
			return err
		}
		return c.movePayoutOn(po)
	case actPastDue:
		return c.passDeadline(t.ID)
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
	return c.unit.Schedule(c.now+3600, standin.Task{Act: actForgetIdemKeys})
}

// ensurePruning schedules the first run of forgetIdempotencyKeys, once per state file.
func ensurePruning(c *call) error {
	var planned bool
	if _, err := standin.GetJSON(c.tx, standin.Settings, "pruning", &planned); err != nil || planned {
		return err
	}
	if err := c.unit.Schedule(c.now+3600, standin.Task{Act: actForgetIdemKeys}); err != nil {
		return err
	}
	return standin.PutJSON(c.tx, standin.Settings, "pruning", true)
}
