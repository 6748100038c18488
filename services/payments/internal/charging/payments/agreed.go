package payments

import (
	"context"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/moneyback/refunds"
)

// Agreed is money of a pledge that people have agreed or decided to give back.
type Agreed struct {
	ID       string // of the agreement: it begins one refund
	PledgeID string
	Minor    int64
	Currency string
	Reason   refunds.Reason
}

// RefundAgreed begins the refund of an agreement, once, and gives its sum: what was agreed or, when less is left of the charge, what is
// left; 0 when nothing is. Errors: NotFound for a pledge without a payment; ErrNothingPaid.
func (s *Service) RefundAgreed(ctx context.Context, agreed Agreed) (begunMinor int64, err error) {
	p, found, err := s.PaymentOf(ctx, Subject{Kind: "pledge", ID: agreed.PledgeID})
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return 0, err
	}
	_, err = s.change(ctx, p.ID, SignalRefund, func(c *change) error {
		begunMinor = 0
		if c.payment.PaidAttemptID == nil {
			return fmt.Errorf("refund payment %s: %w", p.ID, ErrNothingPaid)
		}
		if string(c.payment.Amount.Currency) != agreed.Currency {
			return fmt.Errorf("refund %s of payment %s: in %s, which was paid in %s", agreed.ID, p.ID, agreed.Currency, c.payment.Amount.Currency)
		}
		src := c.source(c.attempt(*c.payment.PaidAttemptID))
		rows, err := refunds.OfAttempt(ctx, c.tx, src.AttemptID)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.RequestKey == agreed.ID {
				begunMinor = r.Amount.Minor
				return nil
			}
		}
		left, err := refunds.Left(ctx, c.tx, src)
		if err != nil || left == 0 {
			return err
		}
		r, isNew, err := refunds.Begin(ctx, c.tx, src, refunds.Wish{AmountMinor: min(agreed.Minor, left), Reason: agreed.Reason, Key: agreed.ID}, c.now)
		begunMinor = r.Amount.Minor
		c.workDue = c.workDue || isNew
		return err
	})
	return begunMinor, err
}

// RefundPledge begins a refund that people have agreed or decided about.
func (h *InternalHandlers) RefundPledge(ctx context.Context, r internalapi.RefundPledgeRequestObject) (internalapi.RefundPledgeResponseObject, error) {
	begun, err := h.payments.RefundAgreed(ctx, Agreed{ID: r.Body.RefundID, PledgeID: r.Body.PledgeID, Minor: r.Body.AmountMinor,
		Currency: r.Body.Currency, Reason: refunds.Reason(r.Body.Reason)})
	if err != nil {
		return nil, err
	}
	return internalapi.RefundPledge200JSONResponse{BegunMinor: begun}, nil
}
