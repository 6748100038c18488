package pledges

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/mail/mails"
)

// queueMail puts the mail that an event causes, if any, into the outbox in the same transaction, and reports whether
// there is one.
func (s *Service) queueMail(ctx context.Context, tx *gorm.DB, p *row, charges []charge, e Event) (bool, error) {
	var kind string
	switch {
	case e.Type == PaymentRefunded:
		kind = mails.KindRefund
	case p.Status == Paid && e.Type == PaymentSucceeded:
		kind = mails.KindReceipt
	case e.Type == PaymentStranded:
		kind = mails.KindStranded
	case p.Status == Failed && p.ReleasedAt == nil && e.Type != PaymentDisputed: // who has taken it back was told what happens then; who disputes knows
		kind = mails.KindPaymentFailed
	default:
		return false, nil
	}
	about := mails.PledgeMail{PledgeID: p.ID}
	if e.Type == PaymentRefunded {
		about.Refund = &mails.Refund{Minor: e.RefundMinor, AllMinor: e.RefundedMinor, LeftMinor: e.Amount.Minor - e.RefundedMinor,
			Reason: e.RefundReason, IsReleased: p.ReleasedAt != nil, IsDisputed: p.Status == Disputed}
		for _, other := range charges {
			if other.PaymentID != charges[of(charges, e.PaymentID)].PaymentID {
				about.Refund.AllMinor += other.RefundedMinor
				about.Refund.LeftMinor += other.PaidMinor - other.RefundedMinor
			}
		}
	}
	if about.Refund != nil && len(charges) > 1 {
		about.Refund.LeftMinor = leftInTheEnd(p, e, about.Refund.LeftMinor)
		about.Refund.IsDisputed = about.Refund.IsDisputed || p.Status == Withdrawn && slices.ContainsFunc(charges, func(c charge) bool { return c.IsContested })
	}
	if err := addMail(ctx, tx, kind, about, e.ID); err != nil {
		return false, err
	}
	return true, nil
}

// leftInTheEnd is what stays charged of a pledge with several charges once all of a refund's money is back: each charge's arrives by itself, and
// the first is no promise that the others stay.
func leftInTheEnd(p *row, e Event, leftMinor int64) int64 {
	switch {
	case p.Status == Withdrawn, e.RefundReason == "withdrawn", e.RefundReason == "campaign_failed", e.RefundReason == "campaign_canceled":
		return 0
	case e.RefundReason == reasonChanged:
		return p.Amount.Minor - p.AmountRefundedMinor
	}
	return leftMinor
}
