package payments

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// leaveCard has the card that an account's pledge was paid with forgotten at its provider, unless it is kept: nothing needs it after a success,
// since a refund is of the payment. Those of who has no account go with their payer.
func (c *change) leaveCard(ctx context.Context, a *attempt) error {
	if a.InstrumentRef == "" || a.Method != provider.MethodCard || a.Status != AttemptSucceeded || c.payment.BackerUserID == nil ||
		c.payment.Subject.Kind != string(contentclient.Pledge) {
		return nil
	}
	return vault.LeaveUnkept(ctx, c.tx, a.Provider, a.InstrumentRef)
}

// seeMoney books a success once, and then its refunds and disputes.
func (c *change) seeMoney(ctx context.Context, a *attempt, one snapshot) error {
	if !a.Status.tookMoney() {
		if err := c.bookMoney(ctx, a, *one.snap); err != nil {
			return err
		}
		if a.InstrumentRef != "" && c.payment.BackerUserID != nil { // a guest's is not kept
			if err := vault.CardPaid(ctx, c.tx, a.Provider, a.InstrumentRef, one.snap.Charge.Happened); err != nil {
				return err
			}
		}
		err := c.keepPaid(ctx, a, one.snap.Charge)
		if err == nil {
			err = c.leaveCard(ctx, a)
		}
		if err != nil {
			return err
		}
	} else if err := a.sameAsBooked(*one.snap); err != nil {
		return err
	} else if a.FeeMinor == nil {
		if err := c.bookFee(ctx, a, one.snap.Charge); err != nil {
			return err
		}
	}
	if len(one.refunds)+len(one.disputes)+len(one.warnings) == 0 {
		return nil
	}
	before, after := one.refundsByReturn()
	if err := c.seeRefunds(ctx, a, before); err != nil {
		return err
	}
	if err := c.seeDisputes(ctx, a, one, func() error { return c.seeRefunds(ctx, a, after) }); err != nil {
		return err
	}
	if err := c.seeLeft(ctx, a); err != nil {
		return err
	}
	if err := c.seeWarnings(ctx, a, one.warnings); err != nil {
		return err
	}
	return c.stand(ctx, a)
}

// bookMoney enters a new charge: as the payment's success, as a duplicate that goes back, or as money that does not
// fit and is held.
func (c *change) bookMoney(ctx context.Context, a *attempt, snap provider.Snapshot) error {
	a.learn(snap.Ref)
	a.ChargeRef, a.Received, a.PageURL, a.ActionRequired = snap.Charge.Ref, snap.Received, "", false
	fits := a.Method != unasked && snap.Received == c.payment.Amount && snap.Tag.Payment == c.payment.ID
	counts := fits && c.payment.PaidAttemptID == nil
	m := ledger.Movement{Kind: ledger.Charge, To: ledger.Owed, Reference: a.ChargeRef, Amount: a.Received,
		Place: snap.Charge.Place, Happened: snap.Charge.Happened}
	a.Status = AttemptSucceeded
	switch {
	case counts:
		m.To, c.payment.PaidAttemptID, c.payment.Provider = ledger.Funds, &a.ID, a.Provider
	case !fits:
		m.To, a.Status = ledger.Held, AttemptHeld
	}
	if err := c.post(ctx, a, m); err != nil {
		return err
	}
	if err := c.bookFee(ctx, a, snap.Charge); err != nil { // saves the attempt
		return err
	}
	switch {
	case counts:
		c.payment.Method, c.card = snap.Charge.Label, snap.Charge.Instrument
		return c.succeed(ctx, a, snap.Charge)
	case fits:
		_, _, err := refunds.Begin(ctx, c.tx, c.source(a), refunds.Wish{Reason: refunds.Duplicate}, c.now)
		c.workDue = true
		return err
	}
	return c.hold(ctx, a, snap)
}

// sameAsBooked compares a charge with what is booked of it: a provider does not change a charge or its fee afterwards,
// so another one is for a person to look at. Error: ledger.ErrDiffers.
func (a *attempt) sameAsBooked(snap provider.Snapshot) error {
	charge := snap.Charge
	if snap.Received != a.Received || charge.Ref != a.ChargeRef {
		return fmt.Errorf("charge %s of %s, booked as %s of %s: %w", charge.Ref, snap.Received, a.ChargeRef, a.Received,
			ledger.ErrDiffers)
	}
	if charge.Fee != nil && a.FeeMinor != nil && charge.Fee.Minor != *a.FeeMinor {
		booked := money.New(*a.FeeMinor, charge.Fee.Currency)
		return fmt.Errorf("fee of charge %s of %s, booked as %s: %w", charge.Ref, charge.Fee, booked, ledger.ErrDiffers)
	}
	return nil
}

// post books a movement of an attempt's charge.
func (c *change) post(ctx context.Context, a *attempt, m ledger.Movement) error {
	src := c.source(a)
	m.Provider, m.Of, m.Booked, m.Actor = a.Provider, &src.Money, c.now, c.actor
	_, err := ledger.Post(ctx, c.tx, m)
	return err
}

// succeed makes an attempt's money the payment's.
func (c *change) succeed(ctx context.Context, a *attempt, charge *provider.Charge) error {
	c.payment.FailureCode = ""
	moved, err := c.move(ctx, StatusSucceeded, a)
	if err == nil && !moved {
		err = fmt.Errorf("payment %s is %s and cannot succeed", c.payment.ID, c.payment.Status)
	}
	if err != nil {
		return err
	}
	happened := c.now
	var taken time.Time
	if charge != nil {
		happened, taken = charge.Happened, charge.Happened
	} else if taken, err = c.takenAt(ctx, a); err != nil { // accepted by a person, who may look later
		return err
	}
	paidOn, day := calendar.DayOf(taken), calendar.DayOf(happened)
	c.payment.PaidOn = &paidOn
	if c.payment.Subject.Period == 1 { // the days of a subscription's months follow from the first
		c.payment.PeriodDay = &day
	}
	return c.emit(ctx, contentclient.PaymentSucceeded, happened, nil)
}

// takenAt is when the provider took the money of an attempt, as the book has it.
func (c *change) takenAt(ctx context.Context, a *attempt) (time.Time, error) {
	posted, err := ledger.Find(ctx, c.tx, a.Provider, []string{a.ChargeRef})
	if err != nil {
		return time.Time{}, err
	}
	for _, m := range posted {
		if m.Kind == ledger.Charge {
			return m.HappenedAt, nil
		}
	}
	return time.Time{}, fmt.Errorf("charge %s is not in the book", a.ChargeRef)
}

// hold raises the alarm about money that does not fit its payment.
func (c *change) hold(ctx context.Context, a *attempt, snap provider.Snapshot) error {
	if err := c.seeDecline(ctx, a, ""); err != nil { // of what was processing
		return err
	}
	kind := anomalies.HeldMoney
	if a.Method == unasked {
		kind = anomalies.UnknownCharge
	}
	id := c.payment.ID
	c.svc.log.ErrorContext(ctx, "money does not fit its payment", "payment_id", id, "charge", a.ChargeRef)
	_, err := anomalies.Open(ctx, c.tx, anomalies.Anomaly{Kind: kind, Provider: a.Provider, Reference: a.ChargeRef,
		PaymentID: &id, Detail: map[string]string{
			"expected": c.payment.Amount.String(), "received": snap.Received.String(), "says_payment": snap.Tag.Payment,
			"at_provider": snap.Ref.Money,
		}}, c.now)
	return err
}

// bookFee enters the provider's fee once it is known, and saves the attempt. A fee in another currency than the charge
// belongs to a conversion, which the comparison with the provider's list brings up.
func (c *change) bookFee(ctx context.Context, a *attempt, ch *provider.Charge) error {
	if ch.Fee != nil && a.FeeMinor == nil {
		a.FeeMinor = &ch.Fee.Minor
		if ch.Fee.Minor > 0 && ch.Fee.Currency == a.Received.Currency {
			if err := c.post(ctx, a, ledger.Movement{Kind: ledger.ProviderFee, Reference: ch.Ref, Amount: *ch.Fee,
				Place: cmp.Or(ch.Place, ledger.MainPlace), Happened: ch.Happened}); err != nil {
				return err
			}
		}
	}
	return c.saveAttempt(ctx, a)
}

func (c *change) seeRefunds(ctx context.Context, a *attempt, seen []provider.Refund) error {
	if len(seen) == 0 {
		return nil
	}
	failed, err := refunds.See(ctx, c.tx, c.source(a), seen, c.now)
	if err != nil {
		return err
	}
	for _, r := range failed {
		c.svc.log.ErrorContext(ctx, "refund failed", "payment_id", r.PaymentID, "refund_id", r.ID, "code", r.FailureCode)
	}
	return c.totalRefunds(ctx, a)
}

// totalRefunds updates the payment's refunded sum from its settled refunds; the caller then calls stand. The sum never
// falls: when a settled refund comes back, package refunds opens an anomaly.
func (c *change) totalRefunds(ctx context.Context, a *attempt) error {
	if !c.isPaidBy(a) {
		return nil
	}
	sums, err := refunds.Total(ctx, c.tx, a.ID)
	total := min(sums.Minor, c.payment.Amount.Minor) // refunds beyond what was paid are our loss
	if err != nil || total <= c.payment.Refunded.Minor {
		return err
	}
	delta := total - c.payment.Refunded.Minor
	c.payment.Refunded.Minor = total
	return c.emit(ctx, contentclient.PaymentRefunded, c.now, func(e *events.Event) {
		wire := contentclient.PaymentEventRefundReason(sums.Reason)
		e.RefundMinor, e.RefundReason = &delta, &wire
		if sums.Changed > 0 {
			e.AmountChangedMinor = &sums.Changed
		}
	})
}

func (c *change) seeDisputes(ctx context.Context, a *attempt, one snapshot, between func() error) error {
	news, err := disputes.See(ctx, c.tx, c.source(a), one.disputes, one.look, c.now, between)
	c.workDue = c.workDue || news.Resumed
	for _, d := range news.Opened {
		c.svc.log.WarnContext(ctx, "a payment is disputed", "payment_id", c.payment.ID, "dispute", d.Ref, "reason", d.Reason,
			"state", d.State)
	}
	return err
}
