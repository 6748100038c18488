package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// What people may do by hand. Each act is one transaction with its row in operator_actions, and doing it twice is doing
// it once.

// Operator is who acts, and why. Both are kept.
type Operator struct{ Actor, Note string }

// Errors of operators' acts; test with errors.Is.
var (
	// ErrOperator means that an act lacks who does it or why.
	ErrOperator = errors.New("say who does it (actor) and why (note)")
	// ErrUnnamed means that a refund lacks the key of its request.
	ErrUnnamed = errors.New("name the request (key)")
	// ErrNotHeld means that the charge's money is not held.
	ErrNotHeld = errors.New("charge is not held")
	// ErrDoesNotFit means that held money cannot become a payment's: another amount, or it is paid already.
	ErrDoesNotFit = errors.New("money does not fit the payment")
	// ErrWaits means that an anomaly's money stands apart until it is released, attached or explained.
	ErrWaits = errors.New("its money waits for release-held, attach or explain")
	// ErrContested means that a bank has the money until it decides.
	ErrContested = errors.New("a bank has not decided about the charge")
)

// IsRefusal reports whether an error of an act says that a rule forbids it: nothing was changed, and nothing is broken.
func IsRefusal(err error) bool {
	for _, rule := range []error{
		ErrOperator, ErrUnnamed, ErrNotHeld, ErrDoesNotFit, ErrContested, ErrWaits, ErrNothingPaid, refunds.ErrNothingLeft,
		refunds.ErrExceeds, refunds.ErrKey, refunds.ErrNotFailed, warnings.ErrEnded, warnings.ErrPaidOut, warnings.ErrOwnMoney,
		ledger.ErrOverdrawn, apperr.New(apperr.NotFound),
	} {
		if errors.Is(err, rule) {
			return true
		}
	}
	return false
}

// act runs an operator's act on a locked payment and keeps it, when it changed anything. Error: warnings.ErrOwnMoney of a payment that is the operator's own.
func (s *Service) act(ctx context.Context, paymentID, action string, op Operator,
	fn func(c *change) (changed bool, what map[string]string, err error)) error {
	if op.Actor == "" || op.Note == "" {
		return ErrOperator
	}
	_, err := s.change(ctx, paymentID, SignalOperator, func(c *change) error {
		c.actor = op.Actor
		if err := warnings.NotTheirs(ctx, c.tx, paymentID, op.Actor); err != nil {
			return err //nolint:wrapcheck // it says all
		}
		changed, what, err := fn(c)
		if err != nil || !changed {
			return err
		}
		return c.keepAct(ctx, action, op, what)
	})
	return err
}

func (c *change) keepAct(ctx context.Context, action string, op Operator, what map[string]string) error {
	before, err := json.Marshal(map[string]any{"status": c.before.Status, "refunded_minor": c.before.Refunded.Minor})
	if err != nil {
		return fmt.Errorf("encode an act: %w", err)
	}
	what["status"] = string(c.payment.Status)
	after, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("encode an act: %w", err)
	}
	return keepAct(ctx, c.tx, &c.payment.ID, action, op, string(before), string(after), c.now)
}

func keepAct(ctx context.Context, tx *gorm.DB, payment *string, action string, op Operator, before, after string,
	now time.Time) error {
	err := tx.WithContext(ctx).Exec(`INSERT INTO operator_actions (at, actor, note, action, payment_id, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		now, op.Actor, op.Note, action, payment, before, after).Error
	if err != nil {
		return fmt.Errorf("keep an act: %w", err)
	}
	return nil
}

// Note keeps an act that changes nothing here, such as a report that was taken. Error: ErrOperator.
func (s *Service) Note(ctx context.Context, action string, op Operator, what map[string]string) error {
	return s.Keep(ctx, s.db, action, op, what)
}

// Keep writes an operator's act that is about no payment, in the transaction of what it does. Error: ErrOperator.
func (s *Service) Keep(ctx context.Context, tx *gorm.DB, action string, op Operator, what map[string]string) error {
	if op.Actor == "" || op.Note == "" {
		return ErrOperator
	}
	after, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("encode an act: %w", err)
	}
	return keepAct(ctx, tx, nil, action, op, "{}", string(after), s.now())
}

// RefundByOperator begins a refund of a payment; amountMinor 0 is all that is left. The same key is the same refund.
// Errors: as Refund, ErrOperator, ErrUnnamed, refunds.ErrKey.
func (s *Service) RefundByOperator(ctx context.Context, paymentID string, amountMinor int64, key string, op Operator) (
	r refunds.Refund, err error) {
	if key == "" {
		return r, ErrUnnamed
	}
	err = s.act(ctx, paymentID, "refund", op, func(c *change) (bool, map[string]string, error) {
		if c.payment.PaidAttemptID == nil {
			return false, nil, fmt.Errorf("refund payment %s: %w", paymentID, ErrNothingPaid)
		}
		var isNew bool
		r, isNew, err = refunds.Begin(ctx, c.tx, c.source(c.attempt(*c.payment.PaidAttemptID)),
			refunds.Wish{AmountMinor: amountMinor, Reason: refunds.Requested, Key: key, Actor: op.Actor, Note: op.Note}, c.now)
		c.workDue = c.workDue || isNew
		if err == nil && isNew {
			err = c.seeWarnings(ctx, c.attempt(*c.payment.PaidAttemptID), nil)
		}
		return isNew, map[string]string{"refund": r.ID, "amount": r.Amount.String()}, err
	})
	return r, err
}

// RepeatRefund sends a failed refund anew. Errors: NotFound, refunds.ErrNotFailed, ErrOperator.
func (s *Service) RepeatRefund(ctx context.Context, refundID string, op Operator) (next refunds.Refund, err error) {
	r, found, err := refunds.ByID(ctx, s.db, refundID)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return next, err
	}
	err = s.act(ctx, r.PaymentID, "refund_repeat", op, func(c *change) (isNew bool, what map[string]string, err error) {
		if r, _, err = refunds.ByID(ctx, c.tx, refundID); err != nil { // as it is under the lock
			return false, nil, err
		}
		a := c.attempt(r.AttemptID)
		if a == nil { // its charge was just attached to another payment
			return false, nil, apperr.New(apperr.NotFound)
		}
		next, isNew, err = refunds.Repeat(ctx, c.tx, c.source(a), r, op.Actor, op.Note, c.now)
		c.workDue = c.workDue || isNew
		return isNew, map[string]string{"refund": refundID, "repeated_by": next.ID}, err
	})
	return next, err
}

// RefundPaidByHand notes that a person has sent a failed refund from our bank account. Errors: NotFound,
// refunds.ErrNotFailed, ledger.ErrOverdrawn, ErrOperator.
func (s *Service) RefundPaidByHand(ctx context.Context, refundID string, op Operator) error {
	r, found, err := refunds.ByID(ctx, s.db, refundID)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return err
	}
	return s.act(ctx, r.PaymentID, "refund_by_hand", op, func(c *change) (isNew bool, what map[string]string, err error) {
		if r, _, err = refunds.ByID(ctx, c.tx, refundID); err != nil {
			return false, nil, err
		}
		a := c.attempt(r.AttemptID)
		if a == nil {
			return false, nil, apperr.New(apperr.NotFound)
		}
		if isNew, err = refunds.PaidByHand(ctx, c.tx, c.source(a), r, op.Actor, op.Note, c.now); err != nil || !isNew {
			return false, nil, err
		}
		if err := c.totalRefunds(ctx, a); err != nil {
			return false, nil, err
		}
		return true, map[string]string{"refund": refundID, "amount": r.Amount.String()}, c.stand(ctx, a)
	})
}

// Explain takes a line of the provider out of suspense that a person found to be a fee, or the return of one. Errors:
// NotFound, ErrOperator.
func (s *Service) Explain(ctx context.Context, provider, line string, op Operator) error {
	if op.Actor == "" || op.Note == "" {
		return ErrOperator
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		now := s.now()
		for _, kinds := range [][2]ledger.Kind{{ledger.Unexplained, ledger.Explained}, {ledger.UnexplainedOut, ledger.ExplainedOut}} {
			was, to := kinds[0], kinds[1]
			id, err := ledger.TransactionOf(ctx, tx, provider, was, line)
			if err != nil {
				return err
			}
			if id == nil {
				continue
			}
			amount, err := ledger.AmountOf(ctx, tx, *id)
			if err != nil {
				return err
			}
			isNew, err := ledger.Post(ctx, tx, ledger.Movement{
				Kind: to, Provider: provider, Reference: line, Amount: amount, Opening: id, Happened: now, Booked: now,
				Actor: op.Actor, Note: op.Note,
			})
			if err != nil || !isNew {
				return err
			}
			if err := anomalies.Settle(ctx, tx, anomalies.LedgerDifference, provider, string(was)+":"+line, op.Actor, op.Note,
				now); err != nil {
				return err
			}
			after, err := json.Marshal(map[string]string{"line": line, "amount": amount.String(), "is": "a fee"})
			if err != nil {
				return fmt.Errorf("encode an act: %w", err)
			}
			return keepAct(ctx, tx, nil, "explain", op, "{}", string(after), now)
		}
		return apperr.New(apperr.NotFound)
	})
}

// stillWaits reports whether money stands apart until an act of its own. Error: ErrWaits.
func stillWaits(ctx context.Context, tx *gorm.DB, a anomalies.Anomaly) error {
	waits := false
	err := tx.WithContext(ctx).Raw(`SELECT CASE
			WHEN @kind IN ('held_money', 'unknown_charge') THEN EXISTS (
				SELECT FROM attempts WHERE provider = @provider AND charge_ref = @reference AND status = 'held')
			WHEN @kind = 'ledger_difference' THEN EXISTS (SELECT FROM ledger_transactions t
				WHERE t.provider = @provider AND t.kind = split_part(@reference, ':', 1) AND t.reference = split_part(@reference, ':', 2)
				AND t.kind IN ('unexplained', 'unexplained_out') AND NOT EXISTS (SELECT FROM ledger_transactions e WHERE e.reverses = t.id))
			ELSE false END`, map[string]any{"kind": a.Kind, "provider": a.Provider, "reference": a.Reference}).Scan(&waits).Error
	if err == nil && waits {
		err = ErrWaits
	}
	if err != nil {
		return fmt.Errorf("resolve %s of %s: %w", a.Kind, a.Reference, err)
	}
	return nil
}

// Resolve closes an anomaly at a person's word, after they have done what its runbook says. Errors: NotFound, ErrWaits,
// ErrOperator, warnings.ErrOwnMoney.
func (s *Service) Resolve(ctx context.Context, id int64, op Operator) error {
	if op.Actor == "" || op.Note == "" {
		return ErrOperator
	}
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		a, err := anomalies.ByID(ctx, tx, id)
		if err != nil || a.ResolvedAt != nil {
			return err
		}
		if a.PaymentID != nil {
			err = warnings.NotTheirs(ctx, tx, *a.PaymentID, op.Actor)
		}
		if err == nil {
			err = stillWaits(ctx, tx, a)
		}
		if err != nil {
			return err
		}
		if err := anomalies.Resolve(ctx, tx, id, op.Actor, op.Note, s.now()); err != nil {
			return err
		}
		after, err := json.Marshal(map[string]string{"anomaly": string(a.Kind) + ":" + a.Reference})
		if err != nil {
			return fmt.Errorf("encode an act: %w", err)
		}
		return keepAct(ctx, tx, a.PaymentID, "resolve", op, "{}", string(after), s.now())
	})
}
