package payments

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/moneyback/refunds"
)

// Agreed is money of a pledge that people have agreed or decided to give back.
type Agreed struct {
	ID       string // of the agreement: it begins one refund
	PledgeID string
	// FurtherIDs are the subjects of the pledge's further charges, the newest first.
	FurtherIDs []string
	Minor      int64
	Currency   string
	Reason     refunds.Reason
}

// Begun is what an agreement has begun of a charge, which is named by its subject.
type Begun struct {
	SubjectID string
	Minor     int64
}

// RefundAgreed begins the refunds of an agreement, one of each charge at most and each once, and gives them. Their sum is what was agreed or, when less is
// left of the charges, what is left; none when nothing is. The newest charge gives first. A repeat goes on where the first try was broken off, and
// never past the sum. Errors: NotFound for a pledge without a payment; ErrNothingPaid.
func (s *Service) RefundAgreed(ctx context.Context, agreed Agreed) (begun []Begun, err error) {
	if len(agreed.FurtherIDs) == 0 {
		return s.refundAgreed(ctx, agreed)
	}
	// Two deliveries at once could each see another charge that gives nothing just then.
	select {
	case s.splitting <- struct{}{}:
		defer func() { <-s.splitting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		if err = LockSubject(tx, Subject{Kind: "refund", ID: agreed.ID}); err == nil {
			begun, err = s.refundAgreed(ctx, agreed)
		}
		return err
	})
	return begun, err
}

func (s *Service) refundAgreed(ctx context.Context, agreed Agreed) (begun []Begun, err error) {
	var of []Payment
	for _, id := range append(slices.Clone(agreed.FurtherIDs), agreed.PledgeID) {
		p, found, err := s.PaymentOf(ctx, Subject{Kind: "pledge", ID: id})
		if err == nil && !found {
			err = apperr.New(apperr.NotFound)
		}
		if err != nil {
			return nil, err
		}
		of = append(of, p)
	}
	rest := agreed.Minor
	gives := make([]int64, len(of)) // what an earlier try has begun counts before anything is
	for i, p := range of {
		if gives[i], err = s.refundOf(ctx, p, agreed, 0); err != nil {
			return nil, err
		}
		rest -= gives[i]
	}
	for i, p := range of {
		if gives[i] == 0 && rest > 0 {
			if gives[i], err = s.refundOf(ctx, p, agreed, rest); err != nil {
				return nil, err
			}
			rest -= gives[i]
		}
		if gives[i] > 0 {
			begun = append(begun, Begun{p.Subject.ID, gives[i]})
		}
	}
	return begun, nil
}

// refundOf begins the refund of an agreement of one charge, of most at most, and gives its sum: as it was begun, if it was. With 0 it only looks.
func (s *Service) refundOf(ctx context.Context, p Payment, agreed Agreed, most int64) (begunMinor int64, err error) {
	_, err = s.change(ctx, p.ID, SignalRefund, func(c *change) error {
		begunMinor = 0
		if c.payment.PaidAttemptID == nil {
			return fmt.Errorf("refund payment %s: %w", p.ID, ErrNothingPaid)
		}
		if string(c.payment.Amount.Currency) != agreed.Currency {
			return fmt.Errorf("refund %s of payment %s: in %s, which was paid in %s", agreed.ID, p.ID, agreed.Currency, c.payment.Amount.Currency)
		}
		paid := c.attempt(*c.payment.PaidAttemptID)
		src := c.source(paid)
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
		if err != nil || left == 0 || most == 0 {
			return err
		}
		r, isNew, err := refunds.Begin(ctx, c.tx, src, refunds.Wish{AmountMinor: min(most, left), Reason: agreed.Reason, Key: agreed.ID}, c.now)
		begunMinor = r.Amount.Minor
		c.workDue = c.workDue || isNew
		if err == nil && isNew {
			err = c.seeWarnings(ctx, paid, nil)
		}
		return err
	})
	return begunMinor, err
}

// RefundPledge begins a refund that people have agreed or decided about.
func (h *InternalHandlers) RefundPledge(ctx context.Context, r internalapi.RefundPledgeRequestObject) (internalapi.RefundPledgeResponseObject, error) {
	agreed := Agreed{ID: r.Body.RefundID, PledgeID: r.Body.PledgeID, Minor: r.Body.AmountMinor, Currency: r.Body.Currency, Reason: refunds.Reason(r.Body.Reason)}
	if r.Body.FurtherIds != nil {
		agreed.FurtherIDs = *r.Body.FurtherIds
	}
	begun, err := h.payments.RefundAgreed(ctx, agreed)
	if err != nil {
		return nil, err
	}
	answer := internalapi.RefundPledge200JSONResponse{Charges: []internalapi.BegunOfCharge{}}
	for _, b := range begun {
		answer.BegunMinor += b.Minor
		answer.Charges = append(answer.Charges, internalapi.BegunOfCharge{SubjectID: b.SubjectID, BegunMinor: b.Minor})
	}
	return answer, nil
}
