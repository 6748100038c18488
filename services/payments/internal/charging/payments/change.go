package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	openapi "github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// change is one payment with its row locked, and what is about to be written with it.
type change struct {
	svc      *Service
	tx       *gorm.DB
	signal   Signal
	actor    string // the person; "" for the service itself, until fn says otherwise
	now      time.Time
	payment  Payment
	before   Payment
	attempts []attempt

	card    *provider.Instrument // kept by the success of this change
	events  int                  // written in this change
	fresh   []provider.Decline   // that were counted in this change
	workDue bool                 // something is left for Tidy
}

// change locks a payment, lets fn work on it, and writes what became of it, all in one transaction. When the ledger
// refuses a movement, an anomaly is opened. Error: NotFound.
func (s *Service) change(ctx context.Context, paymentID string, signal Signal, fn func(c *change) error) (
	Payment, error) {
	var c *change
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		p, found, err := readPayment(ctx, tx, `WHERE id = ? FOR UPDATE`, paymentID)
		if err != nil {
			return err
		}
		if !found {
			return apperr.New(apperr.NotFound)
		}
		if f := s.followers[p.Subject.Kind]; f != nil {
			if err := f.Lock(ctx, tx, p.Subject.ID); err != nil {
				return err
			}
		}
		c = &change{svc: s, tx: tx.WithContext(ctx), signal: signal, now: s.now(), payment: p, before: p}
		if c.attempts, err = readAttempts(ctx, tx, ofPayment, paymentID); err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		if err := c.finish(ctx); err != nil {
			return err
		}
		if err := c.follow(ctx); err != nil {
			return err
		}
		return c.save(ctx)
	})
	if err != nil {
		return Payment{}, errors.Join(err, s.noteRefusal(ctx, paymentID, signal, err))
	}
	if c.events > 0 {
		s.wakeEvents()
	}
	if c.workDue {
		s.wakeTidy()
	}
	return c.payment, nil
}

// noteRefusal opens an anomaly when the ledger refused what the provider says has happened. An act of ours is not noted:
// who asked for it sees the refusal.
func (s *Service) noteRefusal(ctx context.Context, paymentID string, signal Signal, cause error) error {
	if signal == SignalOperator || !errors.Is(cause, ledger.ErrDiffers) && !errors.Is(cause, ledger.ErrOverdrawn) {
		return nil
	}
	p, err := s.Payment(ctx, paymentID)
	if err != nil {
		return err
	}
	isNew, err := anomalies.Open(ctx, s.db, anomalies.Anomaly{
		Kind: anomalies.LedgerRefused, Provider: p.Provider, Reference: paymentID, PaymentID: &paymentID,
		Detail: map[string]string{"why": cause.Error()},
	}, s.now())
	if isNew {
		s.log.ErrorContext(ctx, "the ledger refused a movement", "payment_id", paymentID, "error", cause)
	}
	return err
}

func (c *change) attempt(id int64) *attempt {
	for i := range c.attempts {
		if c.attempts[i].ID == id {
			return &c.attempts[i]
		}
	}
	return nil
}

func (c *change) isPaidBy(a *attempt) bool {
	return c.payment.PaidAttemptID != nil && *c.payment.PaidAttemptID == a.ID
}

// source is an attempt's charge, for packages refunds and disputes.
func (c *change) source(a *attempt) refunds.Source {
	return refunds.Source{
		Money:     ledger.Money{PaymentID: c.payment.ID, CampaignID: c.payment.CampaignID, Charge: a.ChargeRef},
		AttemptID: a.ID, Provider: a.Provider, MoneyRef: a.ref().Money, Amount: a.Received, Counts: c.isPaidBy(a),
	}
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
	err := c.tx.WithContext(ctx).Exec(`INSERT INTO payment_transitions (payment_id, attempt_id, from_status, to_status, cause, actor, at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, c.payment.ID, attemptID, from, to, c.signal, c.actor, c.now).Error
	if err != nil {
		return false, fmt.Errorf("record %s → %s of payment %s: %w", from, to, c.payment.ID, err)
	}
	return true, nil
}

// emit writes an event to the content service, with the payment's next number; fill, which may be nil, adds what only
// some kinds of events have.
func (c *change) emit(ctx context.Context, kind contentclient.PaymentEventType, happened time.Time,
	fill func(e *events.Event)) error {
	isMonth := c.payment.Subject.Period > 0
	if c.payment.Subject.Kind == Unclaimed || isMonth && !concernsMonth(kind, c.payment.Subject.Period) { // nobody there knows of it, or wants to
		return nil
	}
	c.payment.EventSequence++
	c.events++
	p := c.payment
	e := events.Event{
		Sequence: p.EventSequence, Type: kind, SubjectKind: contentclient.SubjectKind(p.Subject.Kind),
		SubjectID: p.Subject.ID, PaymentID: p.ID,
		Provider: p.Provider, AmountMinor: p.Amount.Minor, Currency: string(p.Amount.Currency), OccurredAt: happened,
	}
	if p.Refunded.Minor > 0 {
		e.AmountRefundedMinor = &p.Refunded.Minor
	}
	if p.Method != "" {
		e.Method = &p.Method
	}
	if p.FailureCode != "" {
		e.FailureCode = &p.FailureCode
	}
	if isMonth {
		e.Period = &p.Subject.Period
	}
	if isMonth && p.PeriodDay != nil {
		e.PeriodDay = &openapi.Date{Time: *p.PeriodDay}
	}
	if fill != nil {
		fill(&e)
	}
	return events.Add(ctx, c.tx, e)
}

// concernsMonth tells whether a kind of event is sent for a month of a subscription: what moves money, and of the first month, of
// which the subscription has nothing to tell before it is paid, also whether a bank has it. The rest the subscription tells itself.
func concernsMonth(kind contentclient.PaymentEventType, period int) bool {
	switch kind {
	case contentclient.PaymentSucceeded, contentclient.PaymentRefunded, contentclient.PaymentDisputed, contentclient.PaymentReinstated:
		return true
	case contentclient.PaymentProcessing, contentclient.PaymentFailed:
		return period == 1
	case contentclient.PaymentStarted, contentclient.PaymentCanceled, contentclient.PaymentStranded:
	}
	return false
}

// finish applies what follows from any change. An open payment is in requires_action exactly while the backer has a
// challenge before them on any attempt; a payment that is over ends its live attempts, and one whose time is over is
// canceled when none is left.
func (c *change) finish(ctx context.Context) error {
	if c.payment.Status == StatusCreated || c.payment.Status == StatusRequiresAction {
		to, asked := StatusCreated, slices.IndexFunc(c.attempts,
			func(a attempt) bool { return a.Status.isLive() && a.ActionRequired })
		var by *attempt
		if asked >= 0 {
			to, by = StatusRequiresAction, &c.attempts[asked]
		}
		if _, err := c.move(ctx, to, by); err != nil {
			return err
		}
	}
	if c.payment.Status.IsOpen() && c.payment.ClosingAt == nil {
		return nil
	}
	if slices.ContainsFunc(c.attempts, func(a attempt) bool { return a.Status.isLive() }) {
		return c.haveEnded(ctx)
	}
	if c.payment.ClosingAt == nil || !c.payment.Status.IsOpen() {
		return nil
	}
	moved, err := c.move(ctx, StatusCanceled, nil)
	if err != nil || !moved {
		return err
	}
	return c.emit(ctx, contentclient.PaymentCanceled, c.now, nil)
}

// haveEnded schedules the worker to end every live attempt: now, when this change has ended the payment or the attempt
// has no time yet; else at the time that it has.
func (c *change) haveEnded(ctx context.Context) error {
	justOver := c.before.Status.IsOpen() && c.before.ClosingAt == nil
	result := c.tx.WithContext(ctx).Exec(`UPDATE attempts SET next_check_at = @now WHERE payment_id = @id AND status IN ('creating', 'open')
		AND (@just OR next_check_at IS NULL)`, map[string]any{"now": c.now, "id": c.payment.ID, "just": justOver})
	if result.Error != nil {
		return fmt.Errorf("have the attempts of payment %s ended: %w", c.payment.ID, result.Error)
	}
	c.workDue = c.workDue || result.RowsAffected > 0
	return nil
}

// save writes the payment when anything of it changed.
func (c *change) save(ctx context.Context) error {
	if c.payment == c.before {
		return nil
	}
	c.payment.UpdatedAt = c.now
	if !c.payment.Status.IsOpen() {
		c.payment.Network = ""
	}
	p := c.payment
	err := c.tx.WithContext(ctx).Exec(`UPDATE payments SET status = @status, provider = @provider, amount_refunded_minor = @refunded, failure_code = @failure,
		method = @method, paid_attempt_id = @paid, network = @network, refused = @refused, taken_back = @back, closing_at = @closing, event_sequence = @sequence, period_day = @day, paid_on = @paid_on, customer_ref = @customer, updated_at = @now
		WHERE id = @id`, map[string]any{
		"status": p.Status, "provider": p.Provider, "refunded": p.Refunded.Minor, "failure": p.FailureCode, "method": p.Method,
		"paid": p.PaidAttemptID, "network": p.Network,
		"refused": p.Refused, "back": p.TakenBack, "closing": p.ClosingAt, "sequence": p.EventSequence, "day": p.PeriodDay, "paid_on": p.PaidOn, "customer": p.Customer, "now": c.now, "id": p.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save payment %s: %w", p.ID, err)
	}
	mayBeStuck := c.now.After(p.ClosesAt.Add(stuckAfter)) || p.Subject.Period > 0 && c.now.After(p.CreatedAt.Add(stuckMonth))
	if c.before.Status.IsOpen() && !p.Status.IsOpen() && mayBeStuck {
		return anomalies.MendPayment(ctx, c.tx, anomalies.PaymentStuck, p.ID, "it has ended as "+string(p.Status), c.now)
	}
	return nil
}

// feeRetry is when a charge is looked at again whose fee the provider did not know.
const feeRetry = time.Minute

// saveAttempt writes an attempt that changed. The worker's next look at it is canceled when it was just made or has
// ended, unless its fee is still unknown.
func (c *change) saveAttempt(ctx context.Context, a *attempt) error {
	err := c.tx.WithContext(ctx).Exec(`UPDATE attempts SET status = @status, object_ref = @object, money_ref = @money, page_url = @url,
		action_required = @action, charge_ref = @charge, amount_minor = @amount, currency = @currency, fee_minor = @fee, look = @look,
		declines = @declines, last_decline = @decline, updated_at = @now,
		next_check_at = CASE WHEN @live AND status = @status THEN next_check_at WHEN @fee_due THEN CAST(@later AS timestamptz) END WHERE id = @id`, map[string]any{
		"fee_due": a.Status.tookMoney() && a.FeeMinor == nil, "later": c.now.Add(feeRetry),
		"action": a.ActionRequired, "status": a.Status, "object": a.ObjectRef, "money": a.MoneyRef, "url": a.PageURL,
		"charge": a.ChargeRef,
		"amount": a.Received.Minor, "currency": a.Received.Currency, "fee": a.FeeMinor, "look": a.Look,
		"declines": a.Declines, "decline": a.LastDecline, "now": c.now, "live": a.Status.isLive(), "id": a.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save attempt %d: %w", a.ID, err)
	}
	return nil
}

// saveLook keeps that an attempt was looked at and stands as before.
func (c *change) saveLook(ctx context.Context, a *attempt) error {
	err := c.tx.WithContext(ctx).Exec(`UPDATE attempts SET look = ? WHERE id = ?`, a.Look, a.ID).Error
	if err != nil {
		return fmt.Errorf("keep the look at attempt %d: %w", a.ID, err)
	}
	return nil
}

// addAttempt writes a new attempt of the payment; without a paid one, the payment is where its last attempt is. A number whose key belongs to an attempt that was attached to another
// payment is passed over: a key is never used again.
func (c *change) addAttempt(ctx context.Context, a attempt, checkAt *time.Time) (*attempt, error) {
	a.PaymentID, a.Received.Currency = c.payment.ID, c.payment.Amount.Currency
	if c.payment.PaidAttemptID == nil {
		c.payment.Provider = a.Provider
	}
	for _, other := range c.attempts {
		if other.Method == a.Method {
			a.Number = max(a.Number, other.Number)
		}
	}
	for a.ID == 0 {
		a.Number++
		a.IdempotencyKey = fmt.Sprintf("payment:%s:%s:%d", a.PaymentID, a.Method, a.Number)
		err := c.tx.WithContext(ctx).Raw(`INSERT INTO attempts (payment_id, provider, method, number, idempotency_key, prefilled, status, object_ref,
				money_ref, page_expires_at, instrument_ref, caller_key, keeps, currency, next_check_at, created_at, updated_at)
			VALUES (@payment, @provider, @method, @number, @key, @prefilled, @status, @object, @money, @expires, @instrument, @caller_key, @keeps, @currency, @check, @now, @now)
			ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`, map[string]any{
			"payment": a.PaymentID, "provider": a.Provider, "method": a.Method, "number": a.Number, "key": a.IdempotencyKey,
			"prefilled": a.Prefilled,
			"status":    a.Status, "object": a.ObjectRef, "money": a.MoneyRef, "expires": a.PageExpiresAt, "instrument": a.InstrumentRef, "caller_key": a.CallerKey, "keeps": a.Keeps,
			"currency": a.Received.Currency, "check": checkAt, "now": c.now,
		}).Scan(&a.ID).Error
		if err != nil {
			return nil, fmt.Errorf("begin %s %d of payment %s: %w", a.Method, a.Number, c.payment.ID, err)
		}
	}
	c.attempts = append(c.attempts, a)
	return &c.attempts[len(c.attempts)-1], nil
}
