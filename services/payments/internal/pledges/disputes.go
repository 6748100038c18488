package pledges

import (
	"context"
	"fmt"
	"slices"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/providers/stripe"
)

// lookAtDisputes adds the disputes of a success to its sighting, so that nobody takes in the success alone.
func (s *Service) lookAtDisputes(ctx context.Context, one *sighting, signal Signal) (err error) {
	in := one.intent
	if in == nil || in.Status != stripe.IntentSucceeded || signal != SignalDispute && (in.Charge == nil || !in.Charge.Disputed) {
		return nil
	}
	one.disputes, err = s.Stripe.Disputes(ctx, in.ID)
	return err
}

// seeDisputes brings the disputes of an attempt to what the provider says.
func (c *change) seeDisputes(ctx context.Context, a *attempt, seen []stripe.Dispute) error {
	if len(seen) == 0 {
		return nil
	}
	rows, err := readDisputes(ctx, c.tx, c.payment.ID)
	if err != nil {
		return err
	}
	for _, one := range seen {
		i := slices.IndexFunc(rows, func(d disputeRow) bool { return d.ProviderID == one.ID })
		d := disputeRow{AttemptID: a.ID}
		if i >= 0 {
			d = rows[i]
		} else if d.ID, err = c.takeInDispute(ctx, a, one); err != nil {
			return err
		}
		if err := c.seeDispute(ctx, d, a, one); err != nil {
			return err
		}
	}
	return nil
}

func (c *change) takeInDispute(ctx context.Context, a *attempt, one stripe.Dispute) (id int64, err error) {
	var respondBy *time.Time
	if !one.RespondBy.IsZero() {
		respondBy = &one.RespondBy
	}
	err = c.tx.WithContext(ctx).Raw(`INSERT INTO disputes (payment_id, attempt_id, provider_id, status, reason, amount_minor, currency, respond_by,
		opened_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, c.payment.ID, a.ID, one.ID, one.Status, one.Reason,
		one.Amount.Minor, one.Amount.Currency, respondBy, one.CreatedAt, c.now, c.now).Scan(&id).Error
	if err != nil {
		return 0, fmt.Errorf("take in dispute %s: %w", one.ID, err)
	}
	c.svc.Log.WarnContext(ctx, "a payment is disputed", "payment_id", c.payment.ID, "dispute_id", one.ID, "reason", one.Reason,
		"status", one.Status, "respond_by", one.RespondBy)
	return id, nil
}

// seeDispute books what a dispute has moved and takes it a step on.
func (c *change) seeDispute(ctx context.Context, d disputeRow, a *attempt, one stripe.Dispute) error {
	for _, m := range one.Movements {
		if err := c.bookDispute(ctx, &d, a, m); err != nil {
			return err
		}
	}
	if to := DisputeStatus(one.Status); slices.Contains(d.Status.next(), to) {
		d.Status = to
		if !to.takesMoney() {
			if err := c.resumeRefunds(ctx, a); err != nil {
				return err
			}
		}
	}
	if d.Status == DisputeLost {
		if err := c.cancelRefunds(ctx, d, a); err != nil {
			return err
		}
	}
	err := c.tx.WithContext(ctx).Exec(`UPDATE disputes SET status = @status, withdrawn_minor = @withdrawn, fee_minor = @fee, updated_at = @now,
		next_check_at = CASE WHEN NOT @settled THEN coalesce(next_check_at, CAST(@later AS timestamptz)) END WHERE id = @id`, map[string]any{
		"status": d.Status, "withdrawn": d.WithdrawnMinor, "fee": d.FeeMinor, "now": c.now, "settled": d.isSettled(), "later": c.now.Add(refundRetry), "id": d.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save dispute %s: %w", one.ID, err)
	}
	return nil
}

// bookDispute enters one movement of a dispute's money and its fee, each once. Another currency than the charge's
// belongs to a conversion, which the comparison with the provider's list brings up.
func (c *change) bookDispute(ctx context.Context, d *disputeRow, a *attempt, m stripe.DisputeMovement) error {
	if m.Amount.Currency != c.payment.Currency {
		return nil
	}
	clearing, fees := ledger.ProviderClearing(stripe.Name), ledger.ProviderFees(stripe.Name)
	for _, part := range []struct {
		minor       int64 // above nought: from us to the bank
		there, back ledger.Kind
		counterpart ledger.Account
		total       *int64
	}{
		{-m.Amount.Minor, ledger.Dispute, ledger.DisputeReversal, c.fundsOf(a), &d.WithdrawnMinor},
		{m.FeeMinor, ledger.DisputeFee, ledger.DisputeFeeReversal, fees, &d.FeeMinor},
	} {
		posting := ledger.Movement{
			Kind: part.there, Reference: m.ID, PaymentID: c.payment.ID, At: m.At, Amount: money.New(part.minor, m.Amount.Currency),
			Debit: part.counterpart, Credit: clearing,
		}
		switch {
		case part.minor == 0:
			continue
		case part.minor < 0:
			posting.Kind, posting.Amount.Minor, posting.Debit, posting.Credit = part.back, -part.minor, clearing, part.counterpart
		}
		isNew, err := ledger.Post(ctx, c.tx, posting)
		if err != nil {
			return err
		}
		if isNew {
			*part.total += part.minor
		}
	}
	return nil
}

// resumeRefunds has refunds sent that the provider refused while the charge was disputed.
func (c *change) resumeRefunds(ctx context.Context, a *attempt) error {
	result := c.tx.WithContext(ctx).Exec(`UPDATE refunds SET next_check_at = ?, updated_at = ? WHERE attempt_id = ? AND status = 'creating'`,
		c.now, c.now, a.ID)
	if result.Error != nil {
		return fmt.Errorf("resume refunds of payment %s: %w", c.payment.ID, result.Error)
	}
	c.workDue = c.workDue || result.RowsAffected > 0
	return nil
}

// cancelRefunds ends refunds that wait for a dispute that was lost: the backer has the money from their bank. When that
// was less than the refund, a person is called.
func (c *change) cancelRefunds(ctx context.Context, d disputeRow, a *attempt) error {
	rows, err := readRefunds(ctx, c.tx, c.payment.ID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		switch {
		case r.AttemptID != a.ID || r.Status != RefundCreating:
		case r.AmountMinor > d.WithdrawnMinor:
			if err := c.failRefund(ctx, r, "charge_disputed", "the backer's bank took back less than this"); err != nil {
				return err
			}
		default:
			err := c.tx.WithContext(ctx).Exec(`UPDATE refunds SET status = ?, failure_code = 'charge_disputed', next_check_at = NULL, updated_at = ?
				WHERE id = ?`, RefundCanceled, c.now, r.ID).Error
			if err != nil {
				return fmt.Errorf("cancel refund %s: %w", r.ID, err)
			}
		}
	}
	return nil
}

// standing is the state of a payment that was paid, by what became of its money. All of it refunded is final, whatever
// the bank does then; else a dispute counts before a part refund.
func standing(amountMinor, refundedMinor int64, disputed bool) Status {
	switch {
	case refundedMinor >= amountMinor:
		return StatusRefunded
	case disputed:
		return StatusDisputed
	case refundedMinor > 0:
		return StatusPartlyRefunded
	}
	return StatusSucceeded
}

// stand brings the payment to its standing, and tells the content service when a dispute begins or ends to do with it.
func (c *change) stand(ctx context.Context, a *attempt) error {
	if !c.isPaidBy(a) {
		return nil
	}
	disputes, err := readDisputes(ctx, c.tx, c.payment.ID)
	if err != nil {
		return err
	}
	disputed := slices.ContainsFunc(disputes, func(d disputeRow) bool { return d.AttemptID == a.ID && d.Status.takesMoney() })
	from := c.payment.Status
	moved, err := c.move(ctx, standing(c.payment.AmountMinor, c.payment.AmountRefundedMinor, disputed), a)
	switch {
	case err != nil || !moved:
		return err
	case c.payment.Status == StatusDisputed:
		return c.emit(ctx, contentclient.PaymentDisputed, "")
	case from == StatusDisputed && c.payment.Status != StatusRefunded:
		return c.emit(ctx, contentclient.PaymentReinstated, "")
	}
	return nil
}

// awaitDispute lets a refund wait that the provider refused because its charge is disputed. The key keeps the refusal,
// so the next time has another.
func (s *Service) awaitDispute(ctx context.Context, r refundRow) error {
	if _, err := s.Advance(ctx, r.PaymentID, SignalDispute); err != nil {
		return err
	}
	_, err := s.change(ctx, r.PaymentID, SignalRefund, func(c *change) error {
		disputes, err := readDisputes(ctx, c.tx, r.PaymentID)
		if err != nil {
			return err
		}
		pause := burnedPause(r.Try)
		if slices.ContainsFunc(disputes, func(d disputeRow) bool { return d.AttemptID == r.AttemptID && d.Status.takesMoney() }) {
			pause = refundLongest // its end is what wakes the refund, see resumeRefunds
		}
		return tryAnew(ctx, c.tx, r, c.now, pause)
	})
	return err
}
