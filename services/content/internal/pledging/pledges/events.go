package pledges

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/mail/mails"
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

// refund records a refund of one of a pledge's charges. The refund of a second payment of the same pledge is ignored, because that money was never the
// pledge's; so is a sum that is not above the last one, which came late. A pledge whose money was not accepted is refunded
// by any refund, however small.
func (s *Service) refund(ctx context.Context, tx *gorm.DB, p *row, charges []charge, e Event, st step) (Outcome, error) {
	st.to, st.refundReason = Refunded, e.RefundReason
	c := &charges[of(charges, e.PaymentID)]
	c.RefundedMinor, c.ChangedMinor = e.RefundedMinor, e.ChangedMinor
	back := sumUp(charges, p.Amount.Minor)
	st.refundedMinor, st.changeRefundedMinor, st.uncontestedMinor = back.refundedMinor, back.ofChangesMinor, back.uncontestedMinor
	isOfChange := st.changeRefundedMinor > p.ChangeRefundedMinor && st.refundedMinor <= p.AmountRefundedMinor
	left := e.Amount.Minor - e.RefundedMinor // also of another amount than the pledge's
	for _, other := range charges {
		if other.PaymentID != c.PaymentID {
			left += other.PaidMinor - other.RefundedMinor
		}
	}
	if e.RefundReason == reasonChanged { // why money of what it comes to went back stays
		st.refundReason = ""
	}
	if e.RefundReason == reasonDuplicate || st.refundedMinor <= p.AmountRefundedMinor && !isOfChange {
		return Ignored, nil
	}
	if p.Status.HasMoney() && e.Amount.Currency != p.Amount.Currency {
		s.logForeign(ctx, "refund of another currency than the pledge's", p, e)
		return Ignored, nil
	}
	switch {
	case p.Status == Withdrawn && left > 0: // the rest is on its way
		st.to = Withdrawn
	case isOfChange && p.Status.HasMoney(): // what the pledge comes to is all there
		st.to = p.Status
	case st.refundedMinor == p.Amount.Minor || !p.Status.HasMoney():
	case p.Status == Disputed: // a part that went back ends no dispute
		st.to = Disputed
	default:
		st.to = PartlyRefunded
	}
	return s.applied(ctx, tx, p, st)
}

// dispute records that the bank took the money of one of a pledge's charges, or that it is back: the pledge is disputed while a bank has that of one.
// Of these two the event with the highest sequence counts;
// an earlier one that comes after it is ignored. So is a dispute about money that was not accepted: it never was the
// pledge's, and the table has no such step.
func (s *Service) dispute(ctx context.Context, tx *gorm.DB, p *row, charges []charge, e Event, st step) (Outcome, error) {
	if (p.Status == Processing || p.Status == Withdrawn) && e.Type == PaymentDisputed {
		return s.disputeRefused(ctx, tx, p, e, st)
	}
	c := &charges[of(charges, e.PaymentID)]
	isContested := e.Type == PaymentDisputed
	if c.IsContested == isContested {
		return Ignored, nil
	}
	c.IsContested = isContested
	st.uncontestedMinor = sumUp(charges, p.Amount.Minor).uncontestedMinor
	switch {
	case slices.ContainsFunc(charges, func(c charge) bool { return c.IsContested }):
		st.to = Disputed
	case p.AmountRefundedMinor > 0:
		st.to = PartlyRefunded
	default:
		st.to = Paid
	}
	overtaken := false
	err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM payment_events WHERE pledge_id = ? AND sequence > ? AND payment_id = ?
		AND type IN ?)`, p.ID, e.Sequence, e.PaymentID, []string{string(PaymentDisputed), string(PaymentReinstated)}).Scan(&overtaken).Error
	if err != nil {
		return "", fmt.Errorf("look for later word on the dispute: %w", err)
	}
	if overtaken {
		return Ignored, nil
	}
	return s.applied(ctx, tx, p, st)
}

// disputeRefused ends a pledge that waited for its bank, when the bank has confirmed money that was not accepted, and took it back
// before it was refunded: no refund will tell of it.
func (s *Service) disputeRefused(ctx context.Context, tx *gorm.DB, p *row, e Event, st step) (Outcome, error) {
	isRefused := false
	err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM payment_events WHERE pledge_id = ? AND payment_id = ? AND type = ? AND outcome IN ?)`,
		p.ID, e.PaymentID, string(PaymentSucceeded), []string{string(PledgeClosed), string(RewardGone)}).Scan(&isRefused).Error
	if err != nil {
		return "", fmt.Errorf("look for money that was not accepted: %w", err)
	}
	if !isRefused {
		return Ignored, nil
	}
	st.to = Failed
	return s.applied(ctx, tx, p, st)
}

// process records that the bank is still confirming the payment; the campaign is not settled meanwhile. When the campaign is
// not open any more it is ignored, because the money will not be accepted either.
func (s *Service) process(ctx context.Context, tx *gorm.DB, p *row, st step) (Outcome, error) {
	st.to = Processing
	if !p.Status.CanMove(st.to) {
		return Ignored, nil
	}
	if standing, err := campaigns.LockStage(ctx, tx, p.CampaignID); err != nil || !standing.Takes(campaigns.StageFunding) {
		return Ignored, err
	}
	return s.applied(ctx, tx, p, st)
}

// succeed accepts the money, or says why the pledge cannot have it any more.
func (s *Service) succeed(ctx context.Context, tx *gorm.DB, p *row, e Event, st step) (Outcome, error) {
	if p.Status == Withdrawn {
		return PledgeClosed, nil
	}
	if !p.Status.CanMove(Paid) || p.Status.HasMoney() { // only payment.reinstated ends a dispute
		return Ignored, nil // the money is here already, or has gone back
	}
	if e.Amount != p.Amount {
		s.logForeign(ctx, "payment of another amount than the pledge's", p, e)
		return PledgeClosed, nil
	}
	if p.ReleasedAt != nil {
		return PledgeClosed, nil
	}
	// Only stage and hold count, not the deadline: a payment that was begun in time may take a bank days.
	standing, err := campaigns.LockStage(ctx, tx, p.CampaignID)
	if err != nil {
		return "", err
	}
	if !standing.Takes(campaigns.StageFunding) {
		isLate := false
		if p.Status == Processing {
			isLate, err = campaigns.TakesLate(ctx, tx, p.CampaignID)
		}
		if err != nil || !isLate {
			return PledgeClosed, err
		}
	}
	st.to = Paid
	switch err := s.advance(ctx, tx, p, st); {
	case errors.Is(err, rewards.ErrGone), errors.Is(err, rewards.ErrAboveStock), errors.Is(err, rewards.ErrClosed):
		return RewardGone, nil
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

// queueMail puts the mail that an event causes, if any, into the outbox in the same transaction, and reports whether
// there is one.
func (s *Service) queueMail(ctx context.Context, tx *gorm.DB, p *row, charges []charge, e Event) (bool, error) {
	var kind string
	switch {
	case e.Type == PaymentRefunded:
		kind = mails.KindRefund
	case p.Status == Paid && e.Type == PaymentSucceeded:
		kind = mails.KindReceipt
	case e.Type == PaymentStranded:
		kind = mails.KindStranded
	case p.Status == Failed && p.ReleasedAt == nil && e.Type != PaymentDisputed: // who has taken it back was told what happens then; who disputes knows
		kind = mails.KindPaymentFailed
	default:
		return false, nil
	}
	about := mails.PledgeMail{PledgeID: p.ID}
	if e.Type == PaymentRefunded {
		about.Refund = &mails.Refund{Minor: e.RefundMinor, AllMinor: e.RefundedMinor, LeftMinor: e.Amount.Minor - e.RefundedMinor,
			Reason: e.RefundReason, IsReleased: p.ReleasedAt != nil, IsDisputed: p.Status == Disputed}
		for _, other := range charges {
			if other.PaymentID != charges[of(charges, e.PaymentID)].PaymentID {
				about.Refund.AllMinor += other.RefundedMinor
				about.Refund.LeftMinor += other.PaidMinor - other.RefundedMinor
			}
		}
	}
	if about.Refund != nil && len(charges) > 1 {
		about.Refund.LeftMinor = leftInTheEnd(p, e, about.Refund.LeftMinor)
		about.Refund.IsDisputed = about.Refund.IsDisputed || p.Status == Withdrawn && slices.ContainsFunc(charges, func(c charge) bool { return c.IsContested })
	}
	if err := addMail(ctx, tx, kind, about, e.ID); err != nil {
		return false, err
	}
	return true, nil
}

// leftInTheEnd is what stays charged of a pledge with several charges once all of a refund's money is back: each charge's arrives by itself, and
// the first is no promise that the others stay.
func leftInTheEnd(p *row, e Event, leftMinor int64) int64 {
	switch {
	case p.Status == Withdrawn, e.RefundReason == "withdrawn", e.RefundReason == "campaign_failed", e.RefundReason == "campaign_canceled":
		return 0
	case e.RefundReason == reasonChanged:
		return p.Amount.Minor - p.AmountRefundedMinor
	}
	return leftMinor
}
