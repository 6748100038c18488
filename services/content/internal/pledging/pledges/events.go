package pledges

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
)

// EventType says what happened to a payment.
type EventType string

// The events that the payment service sends.
const (
	PaymentStarted    EventType = "payment.started"
	PaymentProcessing EventType = "payment.processing"
	PaymentSucceeded  EventType = "payment.succeeded"
	PaymentFailed     EventType = "payment.failed"   // one attempt was refused; or, after processing, the bank has refused for good
	PaymentCanceled   EventType = "payment.canceled" // nobody will pay it any more
	PaymentRefunded   EventType = "payment.refunded"
	PaymentDisputed   EventType = "payment.disputed"   // the bank has taken the money back
	PaymentReinstated EventType = "payment.reinstated" // the bank has given it back
	PaymentStranded   EventType = "payment.stranded"   // it waits where nothing begins any more; told once at most
)

// reasonDuplicate is the refund of a second payment of the same pledge.
const reasonDuplicate = "duplicate"

// reasonChanged is the refund of what a change came to less.
const reasonChanged = "changed"

// Outcome is what came of an event.
type Outcome string

// Outcomes of an event. RewardGone and PledgeClosed tell the payment service to give the money back.
const (
	Applied      Outcome = "applied"
	Ignored      Outcome = "ignored"
	RewardGone   Outcome = "reward_gone"
	PledgeClosed Outcome = "pledge_closed"
)

// Event is one message about a pledge's payment.
type Event struct {
	ID                  string
	Sequence            int64
	Type                EventType
	PledgeID, PaymentID string
	Amount              money.Amount // the payment's; its currency is that of the refunds too
	RefundMinor         int64        // of PaymentRefunded: what went back with this event
	RefundedMinor       int64        // all refunds so far
	ChangedMinor        int64        // of it, what went back because the pledge was changed
	RefundReason        string
	Method              string
	Body                []byte // as received
}

// Apply gives an event its effect, once: the effect and the inbox row commit together, and a repeat reads the outcome.
// Events of one pledge wait for each other on the pledge's row. Error: ErrUnknown for a pledge we never made.
func (s *Service) Apply(ctx context.Context, e Event) (Outcome, error) {
	var outcome Outcome
	isMailed := false
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		outcome, isMailed = "", false
		p, r, err := lockCharged(ctx, tx, e.PledgeID)
		if err != nil {
			return err
		}
		if err := tx.WithContext(ctx).Raw(`SELECT outcome FROM payment_events WHERE event_id = ?`, e.ID).Scan(&outcome).Error; err != nil {
			return fmt.Errorf("look for event %s: %w", e.ID, err)
		}
		if outcome != "" {
			return nil
		}
		if r != nil {
			outcome, isMailed, err = s.takeRaise(ctx, tx, p, r, e)
		} else {
			outcome, isMailed, err = s.takeFirst(ctx, tx, p, e)
		}
		if err != nil {
			return err
		}
		err = tx.WithContext(ctx).Exec(`
			INSERT INTO payment_events (event_id, payment_id, pledge_id, sequence, type, body, outcome, received_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			e.ID, e.PaymentID, p.ID, e.Sequence, string(e.Type), string(e.Body), string(outcome), s.now()).Error
		if err != nil {
			return fmt.Errorf("keep event %s: %w", e.ID, err)
		}
		return s.count(ctx, tx, p)
	})
	if isMailed && err == nil {
		s.outboxAdded()
	}
	return outcome, err
}

// takeFirst gives an event of a pledge's first payment its effect, with its mail.
func (s *Service) takeFirst(ctx context.Context, tx *gorm.DB, p *row, e Event) (outcome Outcome, isMailed bool, err error) {
	charges, err := chargesOf(ctx, tx, p)
	if err != nil {
		return "", false, err
	}
	if e.Type == PaymentRefunded && e.RefundMinor == 0 { // not said: what went back since the last refund that we know of
		e.RefundMinor = e.RefundedMinor - charges[0].RefundedMinor
	}
	if outcome, err = s.take(ctx, tx, p, charges, e); err == nil && outcome == Applied {
		isMailed, err = s.queueMail(ctx, tx, p, charges, e)
	}
	return outcome, isMailed, err
}

// take turns an event into a step. A step that the table forbids comes from an event that is late; it is ignored, no error.
func (s *Service) take(ctx context.Context, tx *gorm.DB, p *row, charges []charge, e Event) (Outcome, error) {
	st := step{cause: string(e.Type), eventID: e.ID, paymentID: e.PaymentID, method: e.Method}
	switch e.Type {
	case PaymentStarted:
		st.to = AwaitingPayment
	case PaymentProcessing:
		return s.process(ctx, tx, p, st)
	case PaymentSucceeded:
		return s.succeed(ctx, tx, p, e, st)
	case PaymentFailed:
		if p.Status != Processing && p.Status != Withdrawn {
			return Ignored, nil // the backer may try again on the same payment
		}
		st.to = Failed
	case PaymentCanceled:
		st.to = Expired
		if p.Status == Processing || p.Status == Withdrawn {
			st.to = Failed
		}
	case PaymentRefunded:
		return s.refund(ctx, tx, p, charges, e, st)
	case PaymentDisputed, PaymentReinstated:
		return s.dispute(ctx, tx, p, charges, e, st)
	case PaymentStranded:
		if !p.Status.Waiting() {
			return Ignored, nil
		}
		return Applied, nil // its backer is told; the mail looks again
	default:
		return "", fmt.Errorf("payment event %s of unknown type %q", e.ID, e.Type)
	}
	return s.applied(ctx, tx, p, st)
}

// applied takes the step; one that the table forbids comes late and is ignored.
func (s *Service) applied(ctx context.Context, tx *gorm.DB, p *row, st step) (Outcome, error) {
	switch err := s.advance(ctx, tx, p, st); {
	case errors.Is(err, errForbidden):
		return Ignored, nil
	case err != nil:
		return "", err
	}
	return Applied, nil
}

// logForeign logs an error for an operator: the payment service has another amount than the pledge. Logs hold no ids of
// what people pay for; the payment's id leads to it.
func (s *Service) logForeign(ctx context.Context, what string, p *row, e Event) {
	s.log.ErrorContext(ctx, "event does not fit its pledge", "what", what, "payment_id", e.PaymentID,
		"pledge_minor", p.Amount.Minor, "pledge_currency", p.Amount.Currency, "payment_minor", e.Amount.Minor, "payment_currency", e.Amount.Currency)
}
