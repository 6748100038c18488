package payments

import (
	"context"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// What follows from the refunds and disputes of a charge: the payment's status, and where money goes that a bank
// returned.

// refundsByReturn splits the refunds into those that took money before a bank first returned some, and those after. The
// ledger books them in that order.
func (one snapshot) refundsByReturn() (before, after []provider.Refund) {
	var first time.Time // when a bank first returned money; zero when none did
	for _, d := range one.disputes {
		for _, m := range d.Movements {
			if m.Amount.Minor > 0 && (first.IsZero() || m.Happened.Before(first)) {
				first = m.Happened
			}
		}
	}
	for _, r := range one.refunds {
		if r.Taken && !first.IsZero() && !r.Happened.Before(first) {
			after = append(after, r)
		} else {
			before = append(before, r)
		}
	}
	return before, after
}

// seeLeft deals with money that has come back and that is no longer the payment's: it is refunded when the
// content service has refused the payment, its pledge was taken back or its campaign's money has gone back, and held for an operator when it never
// fitted the payment.
func (c *change) seeLeft(ctx context.Context, a *attempt) error {
	src := c.source(a)
	switch {
	case c.isPaidBy(a) && (c.payment.Refused || c.payment.TakenBack || c.payment.GoesBack):
		left, err := refunds.Left(ctx, c.tx, src)
		if err != nil || left == 0 {
			return err
		}
		c.workDue = true
		_, _, err = refunds.Begin(ctx, c.tx, src, refunds.Wish{AmountMinor: left, Reason: refunds.Requested}, c.now)
		return err
	case !c.isPaidBy(a) && a.Status == AttemptSucceeded:
		p, err := src.Position(ctx, c.tx, a.Provider, a.Received.Currency)
		if err != nil || p.Held == 0 {
			return err
		}
		a.Status = AttemptHeld
		if err := c.saveAttempt(ctx, a); err != nil {
			return err
		}
		_, err = anomalies.Open(ctx, c.tx, anomalies.Anomaly{
			Kind: anomalies.HeldMoney, Provider: a.Provider, Reference: a.ChargeRef, PaymentID: &c.payment.ID,
			Detail: map[string]string{"received": a.Received.String(), "held": money.New(p.Held, a.Received.Currency).String(),
				"why": "it came back"},
		}, c.now)
		return err
	}
	return nil
}

// standing is the status of a payment that was paid, by its refunds and disputes. A full refund is final, whatever the
// bank does then; otherwise a dispute counts before a part refund.
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

// stand moves the payment to its standing, and tells the content service when it becomes disputed or ceases to be.
func (c *change) stand(ctx context.Context, a *attempt) error {
	if !c.isPaidBy(a) {
		return nil
	}
	disputed, err := disputes.TakesMoney(ctx, c.tx, a.ID)
	if err != nil {
		return err
	}
	from := c.payment.Status
	moved, err := c.move(ctx, standing(c.payment.Amount.Minor, c.payment.Refunded.Minor, disputed), a)
	switch {
	case err != nil || !moved:
		return err
	case c.payment.Status == StatusDisputed:
		return c.emit(ctx, contentclient.PaymentDisputed, c.now, nil)
	case from == StatusDisputed && c.payment.Status != StatusRefunded:
		return c.emit(ctx, contentclient.PaymentReinstated, c.now, nil)
	}
	return nil
}
