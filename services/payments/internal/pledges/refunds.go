package pledges

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/providers/stripe"
)

// Errors of refunds; test with errors.Is.
var (
	// ErrNothingPaid means that the payment has no success to give back.
	ErrNothingPaid = errors.New("nothing was paid")
	// ErrExceeds means that less is left of the payment than should be given back.
	ErrExceeds = errors.New("refund exceeds what is left of the payment")
)

// Refund begins to give money of a payment back; the worker sends it. amountMinor 0 is all that is left. A reason other
// than ReasonRequested begins one refund however often it is called. Errors: NotFound, ErrNothingPaid, ErrExceeds.
func (s *Service) Refund(ctx context.Context, paymentID string, amountMinor int64, reason Reason) error {
	_, err := s.change(ctx, paymentID, SignalRefund, func(c *change) error {
		if c.payment.PaidAttemptID == nil {
			return fmt.Errorf("refund payment %s: %w", paymentID, ErrNothingPaid)
		}
		_, err := c.beginRefund(ctx, c.attempt(*c.payment.PaidAttemptID), amountMinor, reason)
		return err
	})
	return err
}

// beginRefund writes a refund of an attempt's money and reports whether it is new.
func (c *change) beginRefund(ctx context.Context, a *attempt, amountMinor int64, reason Reason) (bool, error) {
	rows, err := readRefunds(ctx, c.tx, c.payment.ID)
	if err != nil {
		return false, err
	}
	left := a.AmountMinor
	for _, r := range rows {
		if r.AttemptID != a.ID {
			continue
		}
		if r.Reason == reason && reason != ReasonRequested {
			return false, nil
		}
		if r.Status != RefundFailed && r.Status != RefundCanceled {
			left -= r.AmountMinor
		}
	}
	disputes, err := readDisputes(ctx, c.tx, c.payment.ID)
	if err != nil {
		return false, err
	}
	for _, d := range disputes {
		if d.AttemptID == a.ID && d.Status == DisputeLost { // an open one may be won yet: the refund waits for it
			left = max(0, left-d.WithdrawnMinor)
		}
	}
	if amountMinor == 0 {
		amountMinor = left
	}
	if amountMinor == 0 { // all of it is on its way back already
		return false, nil
	}
	if amountMinor < 0 || amountMinor > left {
		return false, fmt.Errorf("refund %d of payment %s: %w", amountMinor, c.payment.ID, ErrExceeds)
	}
	// Index refunds_automatic stands behind the look above.
	err = c.tx.WithContext(ctx).Exec(`INSERT INTO refunds (id, payment_id, attempt_id, amount_minor, currency, reason, status, next_check_at,
		created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 'creating', ?, ?, ?)`,
		ids.New(), c.payment.ID, a.ID, amountMinor, c.payment.Currency, reason, c.now, c.now, c.now).Error
	if err != nil {
		return false, fmt.Errorf("begin a refund of payment %s: %w", c.payment.ID, err)
	}
	c.workDue = true
	return true, nil
}

func (s *Service) applyRefunds(ctx context.Context, paymentID string, attemptID int64, seen []stripe.Refund) error {
	_, err := s.change(ctx, paymentID, SignalRefund, func(c *change) error {
		a := c.attempt(attemptID)
		if err := c.seeRefunds(ctx, a, seen); err != nil {
			return err
		}
		return c.stand(ctx, a)
	})
	return err
}

// seeRefunds brings the refunds of an attempt to what the provider says. One that was made elsewhere (by hand, in the
// provider's own pages) is taken in.
func (c *change) seeRefunds(ctx context.Context, a *attempt, seen []stripe.Refund) error {
	if len(seen) == 0 {
		return nil
	}
	rows, err := readRefunds(ctx, c.tx, c.payment.ID)
	if err != nil {
		return err
	}
	for _, one := range seen {
		i, err := c.matchRefund(ctx, &rows, a, one)
		if err != nil {
			return err
		}
		if err := c.seeRefund(ctx, &rows[i], a, one); err != nil {
			return err
		}
	}
	return c.totalRefunds(ctx, rows, a)
}

func (c *change) matchRefund(ctx context.Context, rows *[]refundRow, a *attempt, one stripe.Refund) (int, error) {
	for i, r := range *rows {
		if r.ProviderID != nil && *r.ProviderID == one.ID || r.ProviderID == nil && r.ID == one.RefundID {
			return i, nil
		}
	}
	r := refundRow{
		CreatedAt: c.now, ID: ids.New(), PaymentID: c.payment.ID, AttemptID: a.ID, AmountMinor: one.Amount.Minor, Currency: one.Amount.Currency,
		Reason: ReasonRequested, Status: RefundCreating, Try: 1,
	}
	err := c.tx.WithContext(ctx).Exec(`INSERT INTO refunds (id, payment_id, attempt_id, amount_minor, currency, reason, status, next_check_at,
		created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 'creating', ?, ?, ?)`,
		r.ID, r.PaymentID, r.AttemptID, r.AmountMinor, r.Currency, r.Reason, c.now, c.now, c.now).Error
	if err != nil {
		return 0, fmt.Errorf("take in refund %s: %w", one.ID, err)
	}
	*rows = append(*rows, r)
	return len(*rows) - 1, nil
}

// seeRefund moves one refund forward: creating → pending → succeeded or failed.
func (c *change) seeRefund(ctx context.Context, r *refundRow, a *attempt, one stripe.Refund) error {
	over := r.Status == RefundFailed || r.Status == RefundCanceled
	refused := over && r.ProviderID == nil // by a call, while an earlier one had made it
	if over && !refused || r.Status == RefundSucceeded && one.Status != stripe.RefundFailed {
		return nil
	}
	if r.Status == RefundCreating || refused {
		if _, err := ledger.Post(ctx, c.tx, ledger.Movement{
			Kind: ledger.Refund, Reference: one.ID, PaymentID: c.payment.ID, At: one.CreatedAt, Amount: one.Amount,
			Debit: c.fundsOf(a), Credit: ledger.ProviderClearing(stripe.Name),
		}); err != nil {
			return err
		}
		r.ProviderID, r.Status = &one.ID, RefundPending
	}
	switch one.Status {
	case stripe.RefundFailed:
		if _, err := ledger.Post(ctx, c.tx, ledger.Movement{
			Kind: ledger.RefundFailed, Reference: one.ID, PaymentID: c.payment.ID, At: c.now, Amount: one.Amount,
			Debit: ledger.ProviderClearing(stripe.Name), Credit: c.fundsOf(a),
		}); err != nil {
			return err
		}
		r.Status = RefundFailed
		return c.failRefund(ctx, *r, one.FailureCode, "the provider gave the money back to us")
	case stripe.RefundSucceeded:
		r.Status = RefundSucceeded
	case stripe.RefundPending:
	}
	err := c.tx.WithContext(ctx).Exec(`UPDATE refunds SET status = @status, provider_id = @provider_id, updated_at = @now,
		next_check_at = CASE WHEN @final THEN NULL ELSE greatest(next_check_at, CAST(@later AS timestamptz)) END WHERE id = @id`, map[string]any{
		"status": r.Status, "provider_id": r.ProviderID, "now": c.now, "final": r.Status == RefundSucceeded, "later": c.now.Add(refundRetry), "id": r.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save refund %s: %w", r.ID, err)
	}
	return nil
}

// fundsOf is the account that an attempt's money was credited to.
func (c *change) fundsOf(a *attempt) ledger.Account {
	if c.isPaidBy(a) {
		return ledger.BackerFunds(c.payment.CampaignID)
	}
	return ledger.UnallocatedFunds()
}

// failRefund ends a refund that did not work and calls a person: the backer still waits for the money.
func (c *change) failRefund(ctx context.Context, r refundRow, code, detail string) error {
	c.payment.Alert = string(AnomalyRefundFailed)
	c.svc.Log.ErrorContext(ctx, "refund failed", "payment_id", r.PaymentID, "refund_id", r.ID, "code", code)
	id := r.PaymentID
	_, err := NoteAnomaly(ctx, c.tx, Anomaly{Kind: AnomalyRefundFailed, Reference: r.ID, PaymentID: &id, At: c.now,
		Detail: map[string]string{"code": code, "detail": detail, "reason": string(r.Reason)}})
	if err != nil {
		return err
	}
	err = c.tx.WithContext(ctx).Exec(`UPDATE refunds SET status = 'failed', provider_id = ?, failure_code = ?, next_check_at = NULL, updated_at = ?
		WHERE id = ?`, r.ProviderID, code, c.now, r.ID).Error
	if err != nil {
		return fmt.Errorf("end refund %s: %w", r.ID, err)
	}
	return nil
}

// totalRefunds brings the payment to the sum of its settled refunds; stand follows. The sum never falls: a refund that
// came back after it was settled is a person's case, see failRefund.
func (c *change) totalRefunds(ctx context.Context, rows []refundRow, a *attempt) error {
	if !c.isPaidBy(a) {
		return nil
	}
	total, reason := int64(0), Reason("")
	for _, r := range rows {
		if r.AttemptID == a.ID && r.Status == RefundSucceeded {
			total, reason = total+r.AmountMinor, r.Reason
		}
	}
	if total <= c.payment.AmountRefundedMinor {
		return nil
	}
	c.payment.AmountRefundedMinor = total
	return c.emit(ctx, contentclient.PaymentRefunded, reason)
}
