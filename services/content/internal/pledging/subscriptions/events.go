package subscriptions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/mail/mails"
)

// Outcome is what came of an event.
type Outcome = internalapi.EventOutcomeOutcome

// Outcomes of an event. closed tells the payment service to give the money back.
const (
	applied = internalapi.EventOutcomeOutcomeApplied
	ignored = internalapi.EventOutcomeOutcomeIgnored
	closed  = internalapi.EventOutcomeOutcomePledgeClosed
)

// received is a row of the inbox.
type received struct {
	eventID, subscriptionID, paymentID string
	sequence                           int64
	kind                               string // payment.succeeded, …, or subscription.<cause>
	body                               any
}

// effect is what an event does; the mail, if any, has the id of the event.
type effect func(tx *gorm.DB, r *row) (Outcome, *mail, error)

// mail is one that an event causes; it is queued once for the event that it is about.
type mail struct {
	kind string
	mails.SubscriptionMail
	eventID string // of the event that it is about, when that is another one
}

// once gives an event its effect, once: the effect and the inbox row commit together, and a repeat reads the outcome. Events of
// one subscription wait for each other on its row. Error: ErrUnknown for a subscription we never made.
func (s *Service) once(ctx context.Context, e received, take effect) (outcome Outcome, err error) {
	id, err := ids.Parse(e.subscriptionID) // one spelling: it is a key in the database
	if err != nil {
		return "", ErrUnknown
	}
	body, err := json.Marshal(e.body)
	if err != nil {
		return "", fmt.Errorf("encode event: %w", err)
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		outcome = ""
		r, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := tx.WithContext(ctx).Raw(`SELECT outcome FROM subscription_events WHERE event_id = ?`, e.eventID).Scan(&outcome).Error; err != nil {
			return fmt.Errorf("look for event %s: %w", e.eventID, err)
		}
		if outcome != "" {
			return nil
		}
		var m *mail
		if outcome, m, err = take(tx, r); err != nil {
			return err
		}
		if err := queue(ctx, tx, m, e.eventID); err != nil {
			return err
		}
		err = tx.WithContext(ctx).Exec(`
			INSERT INTO subscription_events (event_id, subscription_id, payment_id, sequence, type, body, outcome, received_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			e.eventID, id, e.paymentID, e.sequence, e.kind, string(body), string(outcome), s.now()).Error
		if err != nil {
			return fmt.Errorf("keep event %s: %w", e.eventID, err)
		}
		return nil
	})
	if err == nil {
		s.outboxAdded()
	}
	return outcome, err
}

// queue puts a mail into the outbox, in the caller's transaction.
func queue(ctx context.Context, tx *gorm.DB, m *mail, eventID string) error {
	if m == nil {
		return nil
	}
	payload, err := json.Marshal(m.SubscriptionMail)
	if err == nil {
		_, err = outbox.Add(ctx, tx, outbox.Message{Kind: m.kind, Payload: payload, DedupeKey: m.kind + ":" + cmp.Or(m.eventID, eventID)})
	}
	if err != nil {
		return fmt.Errorf("put %s into the outbox: %w", m.kind, err)
	}
	return nil
}

// applied takes the step; one that the table forbids comes late and is ignored.
func (s *Service) applied(ctx context.Context, tx *gorm.DB, r *row, st step) (Outcome, error) {
	switch err := s.move(ctx, tx, r, st); {
	case errors.Is(err, errForbidden):
		return ignored, nil
	case err != nil:
		return "", err
	}
	return applied, nil
}
