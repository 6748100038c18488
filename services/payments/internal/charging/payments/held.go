package payments

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// An operator decides what becomes of held money: it goes back to the backer, or becomes the success of a payment.

// heldCharge finds the attempt that holds a charge. Errors: NotFound, ErrNotHeld.
func (s *Service) heldCharge(ctx context.Context, provider, charge string) (attempt, error) {
	list, err := readAttempts(ctx, s.db, `WHERE provider = ? AND charge_ref = ?`, provider, charge)
	switch {
	case err != nil:
		return attempt{}, err
	case len(list) == 0:
		return attempt{}, apperr.New(apperr.NotFound)
	}
	return list[0], nil
}

// ReleaseHeld decides about held money: back to the backer, or as its payment's success. Errors: NotFound, ErrNotHeld,
// ErrDoesNotFit, ErrContested, ErrOperator.
func (s *Service) ReleaseHeld(ctx context.Context, provider, charge string, accept bool, op Operator) error {
	a, err := s.heldCharge(ctx, provider, charge)
	if err != nil {
		return err
	}
	return s.act(ctx, a.PaymentID, "release_held", op, func(c *change) (bool, map[string]string, error) {
		held := c.attempt(a.ID)
		if held == nil { // just attached to another payment
			return false, nil, apperr.New(apperr.NotFound)
		}
		if held.Status != AttemptHeld {
			return false, nil, c.decidedBefore(ctx, *held, accept)
		}
		if accept {
			return true, map[string]string{"charge": charge, "accepted": held.Received.String()}, c.accept(ctx, held, op)
		}
		return true, map[string]string{"charge": charge, "returned": held.Received.String()},
			c.giveBack(ctx, held, refunds.Requested, op)
	})
}

// decidedBefore is no error when the same was decided about an attempt's money before. Error: ErrNotHeld.
func (c *change) decidedBefore(ctx context.Context, a attempt, accept bool) error {
	for _, kind := range []anomalies.Kind{anomalies.HeldMoney, anomalies.UnknownCharge} {
		was, err := anomalies.Was(ctx, c.tx, kind, a.Provider, a.ChargeRef)
		if err != nil {
			return err
		}
		if !was {
			continue
		}
		accepted, err := ledger.TransactionOf(ctx, c.tx, a.Provider, ledger.HeldAccepted, a.ChargeRef)
		if err != nil || (accepted != nil) == accept {
			return err
		}
	}
	return fmt.Errorf("charge %s: %w", a.ChargeRef, ErrNotHeld)
}

// accept makes held money the payment's success. It does not fit when a dispute or a refund has taken a part of it.
// Errors: ErrDoesNotFit, ErrContested.
func (c *change) accept(ctx context.Context, a *attempt, op Operator) error {
	held, err := c.stillHeld(ctx, a)
	if err != nil {
		return err
	}
	if c.payment.PaidAttemptID != nil || held != c.payment.Amount.Minor || a.Received != c.payment.Amount ||
		c.payment.Subject.Kind == Unclaimed {
		return fmt.Errorf("accept %s for payment %s of %s: %w", a.Received, c.payment.ID, c.payment.Amount, ErrDoesNotFit)
	}
	if err := c.isInPlace(ctx, a); err != nil {
		return err
	}
	if err := c.post(ctx, a, ledger.Movement{Kind: ledger.HeldAccepted, Reference: a.ChargeRef, Amount: a.Received,
		Happened: c.now, Note: op.Note}); err != nil {
		return err
	}
	a.Status, c.payment.PaidAttemptID, c.payment.Provider = AttemptSucceeded, &a.ID, a.Provider
	if err := c.saveAttempt(ctx, a); err != nil {
		return err
	}
	if err := c.settleHeld(ctx, a, op); err != nil {
		return err
	}
	return c.succeed(ctx, a, nil)
}

// isInPlace refuses money that is in another campaign's wallet: its creator would be paid what this one's backer gave. Error: ErrDoesNotFit.
func (c *change) isInPlace(ctx context.Context, a *attempt) error {
	place, err := ledger.PlaceOf(ctx, c.tx, a.Provider, a.ChargeRef)
	if err != nil {
		return err
	}
	is, err := c.svc.isPaidInto(ctx, c.tx, a.Provider, place, c.payment.CampaignID)
	if err == nil && !is {
		err = fmt.Errorf("charge %s is in %s, which is no wallet of campaign %d: %w", a.ChargeRef, place, c.payment.CampaignID, ErrDoesNotFit)
	}
	return err
}

// stillHeld is how much of an attempt's money is held, in minor units: all of it, less what disputes and refunds have
// taken. Error: ErrContested.
func (c *change) stillHeld(ctx context.Context, a *attempt) (int64, error) {
	src := c.source(a)
	p, err := src.Position(ctx, c.tx, a.Provider, a.Received.Currency)
	if err == nil && p.Disputed > 0 {
		err = fmt.Errorf("decide about charge %s: %w", a.ChargeRef, ErrContested)
	}
	return p.Held, err
}

// giveBack has held money sent back, as far as it is still held.
func (c *change) giveBack(ctx context.Context, a *attempt, reason refunds.Reason, op Operator) error {
	held, err := c.stillHeld(ctx, a)
	if err != nil {
		return err
	}
	if held > 0 {
		reference, err := c.returnRef(ctx, a)
		if err != nil {
			return err
		}
		err = c.post(ctx, a, ledger.Movement{
			Kind: ledger.HeldReturned, Reference: reference, Amount: money.New(held, a.Received.Currency), Happened: c.now,
			Note: op.Note,
		})
		if err != nil {
			return err
		}
	}
	a.Status = AttemptSucceeded
	if err := c.saveAttempt(ctx, a); err != nil {
		return err
	}
	if err := c.settleHeld(ctx, a, op); err != nil || held == 0 {
		return err
	}
	c.workDue = true
	wish := refunds.Wish{Reason: reason, Actor: op.Actor, Note: op.Note}
	if _, isNew, err := refunds.Begin(ctx, c.tx, c.source(a), wish, c.now); err != nil || isNew {
		return err
	}
	wish.Reason = refunds.Requested // it went back once before, and a bank has returned it
	_, _, err = refunds.Begin(ctx, c.tx, c.source(a), wish, c.now)
	return err
}

// returnRef names one return of a charge's held money: what a bank gives back later is held and returned again.
func (c *change) returnRef(ctx context.Context, a *attempt) (string, error) {
	for n, reference := 1, a.ChargeRef; ; n++ {
		posted, err := ledger.TransactionOf(ctx, c.tx, a.Provider, ledger.HeldReturned, reference)
		if err != nil || posted == nil {
			return reference, err
		}
		reference = fmt.Sprintf("%s:%d", a.ChargeRef, n)
	}
}

func (c *change) settleHeld(ctx context.Context, a *attempt, op Operator) error {
	for _, kind := range []anomalies.Kind{anomalies.HeldMoney, anomalies.UnknownCharge} {
		if err := anomalies.Settle(ctx, c.tx, kind, a.Provider, a.ChargeRef, op.Actor, op.Note, c.now); err != nil {
			return err
		}
	}
	return nil
}

// Attach gives a charge that nothing explains to a payment: as its success, or, when that is paid already, as a second
// payment that goes back. Errors: NotFound, ErrNotHeld, ErrDoesNotFit, ErrContested, ErrOperator.
func (s *Service) Attach(ctx context.Context, provider, charge, paymentID string, op Operator) error {
	a, err := s.heldCharge(ctx, provider, charge)
	if err != nil {
		return err
	}
	return s.act(ctx, paymentID, "attach", op, func(c *change) (bool, map[string]string, error) {
		// The payment that holds the attempt is locked too: a change of it may be writing the attempt just now.
		if _, _, err := readPayment(ctx, c.tx, `WHERE id = ? FOR UPDATE`, a.PaymentID); err != nil {
			return false, nil, err
		}
		held, err := readAttempts(ctx, c.tx, `WHERE id = ?`, a.ID)
		if err != nil || len(held) == 0 {
			return false, nil, errors.Join(err, ErrNotHeld)
		}
		switch {
		case held[0].PaymentID == paymentID && held[0].Status == AttemptSucceeded:
			return false, nil, c.decidedBefore(ctx, held[0], c.payment.PaidAttemptID == nil || c.isPaidBy(&held[0]))
		case held[0].Status != AttemptHeld:
			return false, nil, fmt.Errorf("attach charge %s: %w", charge, ErrNotHeld)
		}
		mine := c.attempt(a.ID)
		if mine == nil {
			if mine, err = c.takeOver(ctx, held[0]); err != nil {
				return false, nil, err
			}
		}
		what := map[string]string{"charge": charge, "from": held[0].PaymentID, "amount": mine.Received.String()}
		if c.payment.PaidAttemptID != nil {
			return true, what, c.giveBack(ctx, mine, refunds.Duplicate, op)
		}
		return true, what, c.accept(ctx, mine, op)
	})
}

// takeOver moves an attempt from the payment that held its money to this one.
func (c *change) takeOver(ctx context.Context, a attempt) (*attempt, error) {
	number := 1
	for _, other := range c.attempts {
		if other.Method == a.Method {
			number = max(number, other.Number+1)
		}
	}
	for _, statement := range []string{
		`UPDATE attempts SET payment_id = @payment, number = @number, updated_at = @now WHERE id = @id`,
		// Refunds, disputes, warnings and anomalies of its money go with it.
		// A refund that was not sent yet gets a new idempotency key: the old one's request names the other payment.
		`UPDATE refunds SET payment_id = @payment, try = try + CASE status WHEN 'creating' THEN 1 ELSE 0 END, updated_at = @now WHERE attempt_id = @id`,
		`UPDATE disputes SET payment_id = @payment, updated_at = @now WHERE attempt_id = @id`,
		`UPDATE fraud_warnings SET payment_id = @payment WHERE attempt_id = @id`,
		`UPDATE anomalies SET payment_id = @payment WHERE resolved_at IS NULL AND kind IN ('refund_failed', 'refund_stuck')
			AND reference IN (SELECT id FROM refunds WHERE attempt_id = @id)`,
	} {
		err := c.tx.WithContext(ctx).Exec(statement, map[string]any{"payment": c.payment.ID, "number": number, "now": c.now,
			"id": a.ID}).Error
		if err != nil {
			return nil, fmt.Errorf("attach attempt %d to payment %s: %w", a.ID, c.payment.ID, err)
		}
	}
	a.PaymentID, a.Number = c.payment.ID, number
	c.attempts = append(c.attempts, a)
	return &c.attempts[len(c.attempts)-1], nil
}
