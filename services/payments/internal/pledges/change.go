package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
)

// change is one payment with its row locked, and what is about to be written with it.
type change struct {
	svc      *Service
	tx       *gorm.DB
	signal   Signal
	now      time.Time
	payment  Payment
	before   Payment
	attempts []attempt

	events  int  // written in this change
	workDue bool // something is left for Tidy
}

// change locks a payment, lets fn work on it, and writes what became of it, all in one transaction. Error: NotFound.
func (s *Service) change(ctx context.Context, paymentID string, signal Signal, fn func(c *change) error) (Payment, error) {
	var c *change
	err := dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		p, found, err := readPayment(ctx, tx, `WHERE p.id = ? FOR UPDATE OF p`, paymentID)
		if err != nil {
			return err
		}
		if !found {
			return apperr.New(apperr.NotFound)
		}
		c = &change{svc: s, tx: tx.WithContext(ctx), signal: signal, now: s.clock(), payment: p, before: p}
		if c.attempts, err = readAttempts(ctx, tx, paymentID); err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		if err := c.finish(ctx); err != nil {
			return err
		}
		return c.save(ctx)
	})
	if err != nil {
		return Payment{}, err
	}
	if c.events > 0 {
		s.NudgeEvents()
	}
	if c.workDue {
		s.NudgeTidy()
	}
	return c.payment, nil
}

func (c *change) attempt(id int64) *attempt {
	for i := range c.attempts {
		if c.attempts[i].ID == id {
			return &c.attempts[i]
		}
	}
	return nil
}

func (c *change) hasLiveAttempt() bool {
	for _, a := range c.attempts {
		if a.Status.isLive() {
			return true
		}
	}
	return false
}

// move takes the payment a step on and reports whether the state machine has that step. The step is written at once,
// the payment by save.
func (c *change) move(ctx context.Context, to Status, a *attempt) (bool, error) {
	from := c.payment.Status
	if from == to || !from.MayBecome(to) {
		return false, nil
	}
	c.payment.Status = to
	var attemptID *int64
	if a != nil {
		attemptID = &a.ID
	}
	return true, c.record(ctx, from, to, attemptID)
}

func (c *change) record(ctx context.Context, from, to Status, attemptID *int64) error {
	err := c.tx.WithContext(ctx).Exec(`INSERT INTO payment_transitions (payment_id, attempt_id, from_status, to_status, cause, at)
		VALUES (?, ?, ?, ?, ?, ?)`, c.payment.ID, attemptID, from, to, c.signal, c.now).Error
	if err != nil {
		return fmt.Errorf("record %s → %s of payment %s: %w", from, to, c.payment.ID, err)
	}
	return nil
}

// emit writes an event to the content service, numbered in the payment's order.
func (c *change) emit(ctx context.Context, kind contentclient.PaymentEventType, reason Reason) error {
	c.payment.EventSequence++
	c.events++
	e := events.Event{
		Sequence: c.payment.EventSequence, Type: kind, PledgeID: c.payment.PledgeID, PaymentID: c.payment.ID,
		Provider: contentclient.PaymentEventProvider(c.payment.Provider), AmountMinor: c.payment.AmountMinor,
		Currency: string(c.payment.Currency), OccurredAt: c.now,
	}
	if c.payment.AmountRefundedMinor > 0 {
		e.AmountRefundedMinor = &c.payment.AmountRefundedMinor
	}
	if reason != "" {
		wire := contentclient.PaymentEventRefundReason(reason)
		e.RefundReason = &wire
	}
	if c.payment.Method != "" {
		e.Method = &c.payment.Method
	}
	if c.payment.FailureCode != "" {
		e.FailureCode = &c.payment.FailureCode
	}
	return events.Add(ctx, c.tx, e)
}

// settle keeps an open payment in requires_action exactly while the backer has a challenge before them on any attempt.
func (c *change) settle(ctx context.Context) error {
	if c.payment.Status != StatusCreated && c.payment.Status != StatusRequiresAction {
		return nil
	}
	for i := range c.attempts {
		if a := &c.attempts[i]; a.Status.isLive() && a.ActionRequired {
			_, err := c.move(ctx, StatusRequiresAction, a)
			return err
		}
	}
	_, err := c.move(ctx, StatusCreated, nil)
	return err
}

// finish draws what follows from the change: a payment that is over ends its live attempts, and one whose time is over
// is canceled when none is left.
func (c *change) finish(ctx context.Context) error {
	if err := c.settle(ctx); err != nil {
		return err
	}
	over := !c.payment.Status.IsOpen() || c.payment.ClosingAt != nil
	if !over {
		return nil
	}
	if c.hasLiveAttempt() {
		justOver := c.before.Status.IsOpen() && c.before.ClosingAt == nil
		if !justOver {
			return nil
		}
		c.workDue = true
		err := c.tx.WithContext(ctx).Exec(`UPDATE attempts SET next_check_at = ? WHERE payment_id = ? AND status IN ('creating', 'open')`,
			c.now, c.payment.ID).Error
		if err != nil {
			return fmt.Errorf("have the attempts of payment %s ended: %w", c.payment.ID, err)
		}
		return nil
	}
	if c.payment.ClosingAt == nil || !c.payment.Status.IsOpen() {
		return nil
	}
	moved, err := c.move(ctx, StatusCanceled, nil)
	if err != nil || !moved {
		return err
	}
	return c.emit(ctx, contentclient.PaymentCanceled, "")
}

// save writes the payment when anything of it changed.
func (c *change) save(ctx context.Context) error {
	if c.payment == c.before {
		return nil
	}
	c.payment.UpdatedAt = c.now
	p := c.payment
	err := c.tx.WithContext(ctx).Exec(`UPDATE payments SET status = @status, amount_refunded_minor = @refunded, failure_code = @failure,
		method = @method, paid_attempt_id = @paid, alert = @alert, closing_at = @closing, event_sequence = @sequence, updated_at = @now
		WHERE id = @id`, map[string]any{
		"status": p.Status, "refunded": p.AmountRefundedMinor, "failure": p.FailureCode, "method": p.Method, "paid": p.PaidAttemptID,
		"alert": p.Alert, "closing": p.ClosingAt, "sequence": p.EventSequence, "now": c.now, "id": p.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save payment %s: %w", p.ID, err)
	}
	return nil
}

// feeRetry is when a charge is looked at again whose fee the provider did not know.
const feeRetry = time.Minute

// saveAttempt writes an attempt that changed. A final one needs the worker no more, but for a fee that is not known yet.
func (c *change) saveAttempt(ctx context.Context, a *attempt) error {
	err := c.tx.WithContext(ctx).Exec(`UPDATE attempts SET status = @status, provider_id = @provider_id, intent_id = @intent_id,
		page_url = @url, action_required = @action, charge_id = @charge, amount_minor = @amount, fee_minor = @fee, observed_at = @observed, updated_at = @now,
		next_check_at = CASE WHEN @live THEN next_check_at WHEN @fee_due THEN CAST(@later AS timestamptz) END WHERE id = @id`, map[string]any{
		"fee_due": a.Status.tookMoney() && a.FeeMinor == nil, "later": c.now.Add(feeRetry),
		"action": a.ActionRequired, "status": a.Status, "provider_id": a.ProviderID, "intent_id": a.IntentID, "url": a.PageURL, "charge": a.ChargeID,
		"amount": a.AmountMinor, "fee": a.FeeMinor, "observed": a.ObservedAt, "now": c.now, "live": a.Status.isLive(), "id": a.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save attempt %d: %w", a.ID, err)
	}
	return nil
}

// AnomalyKind is a sort of things that no rule of ours can settle.
type AnomalyKind string

// The sorts of anomalies.
const (
	AnomalyAmountMismatch   AnomalyKind = "amount_mismatch"
	AnomalyRefundFailed     AnomalyKind = "refund_failed"
	AnomalyUnknownCharge    AnomalyKind = "unknown_charge"
	AnomalyLedgerDifference AnomalyKind = "ledger_difference"
)

// Anomaly is a thing for a person to look at.
type Anomaly struct {
	Kind      AnomalyKind
	Reference string // the provider's id
	PaymentID *string
	Detail    map[string]string
	At        time.Time
}

// NoteAnomaly keeps an anomaly, once per kind and reference, and reports whether it is new.
func NoteAnomaly(ctx context.Context, db *gorm.DB, a Anomaly) (bool, error) {
	detail, err := json.Marshal(a.Detail)
	if err != nil {
		return false, fmt.Errorf("encode anomaly: %w", err)
	}
	result := db.WithContext(ctx).Exec(`INSERT INTO anomalies (kind, reference, payment_id, detail, found_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (kind, reference) DO NOTHING`, a.Kind, a.Reference, a.PaymentID, string(detail), a.At)
	if result.Error != nil {
		return false, fmt.Errorf("note %s of %s: %w", a.Kind, a.Reference, result.Error)
	}
	return result.RowsAffected > 0, nil
}
