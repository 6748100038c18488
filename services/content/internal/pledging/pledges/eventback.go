package pledges

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
)

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
