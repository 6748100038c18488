package subscriptions

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/closing"
)

// endBatch is how many subscriptions one pass looks up for each reason; each is ended in a transaction of its own.
const endBatch = 1000

// ending is why a subscription ends without word of the payment service; package closing then tells that service.
type ending struct {
	cause  string // in the subscription's history, and why it ended
	reason closing.Reason
}

var (
	lapsed         = ending{"lapsed", ""} // no message: the payment service knows until when it may be paid
	refused        = ending{"refused", closing.Released}
	campaignClosed = ending{"campaign_closed", closing.CampaignClosed}
	campaignOnHold = ending{"campaign_on_hold", closing.CampaignOnHold} // of what waits for its first month
	personBlocked  = ending{"person_blocked", closing.PersonBlocked}
	personErased   = ending{"person_erased", closing.PersonErased}
)

// dueSQL are those that are to end: not paid in time; of a closed campaign; not paid yet, of one on hold; of a person who was blocked.
const dueSQL = `
	(SELECT id, 'lapsed' AS cause FROM subscriptions WHERE status = 'created' AND NOT is_processing AND payable_until < @late ORDER BY payable_until LIMIT @batch)
	UNION ALL
	(SELECT s.id, 'campaign_closed' FROM campaigns c JOIN subscriptions s ON s.campaign_id = c.id
	WHERE c.stage = @closed AND s.status IN ('created', 'active', 'past_due', 'paused') LIMIT @batch)
	UNION ALL
	(SELECT s.id, 'campaign_on_hold' FROM campaigns c JOIN subscriptions s ON s.campaign_id = c.id
	WHERE c.hold = 'on_hold' AND s.status = 'created' LIMIT @batch)
	UNION ALL
	(SELECT s.id, 'person_blocked' FROM users u JOIN subscriptions s ON s.user_id = u.id
	WHERE u.blocked_at IS NOT NULL AND s.status IN ('created', 'active', 'past_due', 'paused') LIMIT @batch)
	UNION ALL
	(SELECT s.id, 'person_blocked' FROM users u JOIN subscriptions s ON lower(s.email) = lower(u.email) AND s.user_id IS NULL
	WHERE u.blocked_at IS NOT NULL AND u.verified AND s.status IN ('created', 'active', 'past_due', 'paused') LIMIT @batch)`

// EndDue ends one batch of subscriptions that were not paid in time, whose campaign was closed or whose person was blocked. It
// returns how many it ended. Any number of workers may run it at once.
func (s *Service) EndDue(ctx context.Context) (int, error) {
	var due []struct{ ID, Cause string }
	err := s.db.WithContext(ctx).Raw(dueSQL, map[string]any{"late": s.now().Add(-lapseAfter), "batch": endBatch,
		"closed": int(campaigns.StageClosed)}).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for subscriptions that end: %w", err)
	}
	endings := map[string]ending{}
	for _, how := range []ending{lapsed, campaignClosed, campaignOnHold, personBlocked} {
		endings[how.cause] = how
	}
	ended := 0
	var faults []error
	for _, d := range due {
		moved, err := s.end(ctx, d.ID, endings[d.Cause])
		if err != nil { // one that cannot be ended must not keep the others
			faults = append(faults, fmt.Errorf("end a subscription: %w", err))
		} else if moved {
			ended++
		}
	}
	if ended > 0 {
		s.outboxAdded()
	}
	return ended, errors.Join(faults...)
}

// end ends a subscription, unless it has ended, or was paid in time, between the look and the lock.
func (s *Service) end(ctx context.Context, id string, how ending) (moved bool, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		r, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		moved = r.Status == Created && (how != lapsed || !r.IsProcessing) || r.Status.IsLive() && how != lapsed && how != campaignOnHold
		if !moved {
			return nil
		}
		return s.endLocked(ctx, tx, r, how)
	})
	return moved && err == nil, err
}

// endLocked ends a locked subscription, also one that has lapsed. When the ending has a reason for the payment service, it never lives
// again, and the message goes into the outbox.
func (s *Service) endLocked(ctx context.Context, tx *gorm.DB, r *row, how ending) error {
	to := Canceled
	if r.Status == Created || r.Status == Expired {
		to = Expired
	}
	if r.Status.IsLive() {
		if err := s.move(ctx, tx, r, r.stepTo(to, how.cause, "")); err != nil {
			return err
		}
	}
	if how.reason == "" {
		return nil
	}
	now := s.now()
	err := tx.WithContext(ctx).Exec(`
		UPDATE subscriptions SET closed_at = coalesce(closed_at, @now), ended_because = coalesce(nullif(ended_because, ''), @because),
		    next_charge_on = NULL, held_on = NULL, due_on = NULL, next_try_on = NULL, next_amount_minor = NULL, next_reward_id = NULL, next_bought = NULL, updated_at = @now
		WHERE id = @id`, map[string]any{"id": r.ID, "because": how.cause, "now": now}).Error
	if err != nil {
		return fmt.Errorf("note the end of a subscription: %w", err)
	}
	r.ClosedAt = &now
	return closing.Add(ctx, tx, closing.Subscription, r.ID, how.reason)
}
