package payments

import (
	"context"
	"fmt"

	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/provider"
)

// What is done about charges that a cardholder has reported as fraud. Nothing is by itself.

// seeWarnings takes in what the provider has told of, and lets what was known follow the refunds and disputes of its charge.
func (c *change) seeWarnings(ctx context.Context, a *attempt, told []provider.Warning) error {
	if len(told) == 0 && !a.IsWarned { // as nearly every charge: no statement for those
		return nil
	}
	fresh, err := warnings.See(ctx, c.tx, c.source(a), told, c.now)
	for _, w := range fresh {
		c.svc.log.WarnContext(ctx, "a payment was reported as fraud", "payment_id", c.payment.ID, "warning", w.Ref, "reason", w.Reason)
	}
	return err
}

// actOnWarning runs an operator's act on a warning, with its payment locked. Errors: warnings.ErrNone, ErrOwnMoney, ErrOperator, those of fn.
func (s *Service) actOnWarning(ctx context.Context, warningID int64, action string, op Operator,
	fn func(c *change, a *attempt, w warnings.Warning) (changed bool, what map[string]string, err error)) error {
	w, err := warnings.ByID(ctx, s.db, warningID)
	if err != nil {
		return err
	}
	return s.act(ctx, w.PaymentID, action, op, func(c *change) (bool, map[string]string, error) {
		w, err := warnings.ByID(ctx, c.tx, warningID) // as it is under the lock
		a := c.attempt(w.AttemptID)
		if err == nil && a == nil { // its charge was just attached to another payment
			err = warnings.ErrNone
		}
		if err != nil {
			return false, nil, err
		}
		return fn(c, a, w)
	})
}

// CostOfRefund is what a refund of a charge that was reported as fraud would give back, and how much of that its creator would bear, because it was settled to
// them. Error: warnings.ErrNone.
func (s *Service) CostOfRefund(ctx context.Context, warningID int64) (left, creators int64, err error) {
	w, err := warnings.ByID(ctx, s.db, warningID)
	if err != nil {
		return 0, 0, err
	}
	p, err := s.Payment(ctx, w.PaymentID)
	if err != nil {
		return 0, 0, err
	}
	list, err := readAttempts(ctx, s.db, `WHERE id = ?`, w.AttemptID)
	if err != nil || len(list) == 0 {
		return 0, 0, err
	}
	src := (&change{payment: p}).source(&list[0])
	if left, err = refunds.Left(ctx, s.db, src); err != nil {
		return 0, 0, err
	}
	position, err := src.Position(ctx, s.db, src.Provider, src.Amount.Currency)
	if err != nil {
		return 0, 0, err
	}
	return left, ledger.CreatorsPart(left, position), nil
}

// RefundWarned begins to give back all that is left of a charge that was reported as fraud. A repeat changes nothing. Errors: warnings.ErrNone,
// warnings.ErrEnded, refunds.ErrNothingLeft, ErrOperator.
func (s *Service) RefundWarned(ctx context.Context, warningID int64, op Operator) error {
	return s.actOnWarning(ctx, warningID, "refund", op, func(c *change, a *attempt, w warnings.Warning) (bool, map[string]string, error) {
		key := fmt.Sprintf("warning:%d", w.ID)
		if w.Status != warnings.Open {
			rows, err := refunds.OfAttempt(ctx, c.tx, a.ID)
			for _, r := range rows {
				if r.RequestKey == key {
					return false, nil, err
				}
			}
			if err == nil {
				err = warnings.ErrEnded
			}
			return false, nil, err
		}
		r, isNew, err := refunds.Begin(ctx, c.tx, c.source(a), refunds.Wish{Reason: refunds.Requested, Key: key, Actor: op.Actor, Note: op.Note}, c.now)
		if err != nil {
			return false, nil, err
		}
		c.workDue = c.workDue || isNew
		return isNew, map[string]string{"refund": r.ID, "amount": r.Amount.String(), "warning": w.ProviderRef}, c.seeWarnings(ctx, a, nil)
	})
}

// NoteSupportEnded keeps that an operator has ended monthly support with the refund of a charge that was reported as fraud. Error: ErrOperator.
func (s *Service) NoteSupportEnded(ctx context.Context, paymentID, supportID string, op Operator) error {
	return s.act(ctx, paymentID, "support_ended", op, func(*change) (bool, map[string]string, error) {
		return true, map[string]string{"subscription": supportID}, nil
	})
}

// DismissWarning notes that a person has looked at a warning and refunds nothing. A repeat changes nothing. Errors: warnings.ErrNone, warnings.ErrEnded,
// ErrOperator.
func (s *Service) DismissWarning(ctx context.Context, warningID int64, op Operator) error {
	return s.actOnWarning(ctx, warningID, "warning_dismissed", op, func(c *change, _ *attempt, w warnings.Warning) (bool, map[string]string, error) {
		isNew, err := warnings.Dismiss(ctx, c.tx, w, c.now)
		return isNew, map[string]string{"warning": w.ProviderRef}, err
	})
}

// ReopenWarning has a warning that a person has dismissed be decided about anew; a repeat changes nothing. What has become of its charge meanwhile counts.
// Errors: warnings.ErrNone, warnings.ErrEnded, warnings.ErrPaidOut, ErrOperator.
func (s *Service) ReopenWarning(ctx context.Context, warningID int64, op Operator) error {
	return s.actOnWarning(ctx, warningID, "warning_reopened", op, func(c *change, a *attempt, w warnings.Warning) (bool, map[string]string, error) {
		isNew, err := warnings.Reopen(ctx, c.tx, w)
		if err == nil && isNew {
			err = c.seeWarnings(ctx, a, nil)
		}
		return isNew, map[string]string{"warning": w.ProviderRef}, err
	})
}

// MayReopen reports whether ReopenWarning is possible now. Error: warnings.ErrNone.
func (s *Service) MayReopen(ctx context.Context, warningID int64) (bool, error) {
	w, err := warnings.ByID(ctx, s.db, warningID)
	if err != nil || w.Status != warnings.Dismissed {
		return false, err
	}
	hasLeft, err := warnings.HasLeft(ctx, s.db, w.AttemptID)
	return !hasLeft, err
}
