package payments

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/moneyback/refunds"
)

// keepClosed is how long we remember subjects whose payment never began; by then the content service has long
// reported their orders as closed.
const keepClosed = 7 * 24 * time.Hour

// WithdrawPledge is CloseSubject of a pledge that its backer has taken back: what was paid of it goes back. Of what is paid later the
// content service says so itself, in its answer to the success. A second call changes nothing.
func (s *Service) WithdrawPledge(ctx context.Context, sub Subject) (Payment, bool, error) {
	p, found, err := s.CloseSubject(ctx, sub)
	if err != nil || !found || !p.Status.IsPaid() {
		return p, found, err
	}
	_, _, err = s.Refund(ctx, p.ID, refunds.Wish{Reason: refunds.Withdrawn})
	return p, true, err
}

// CloseSubject ends the time of a subject's payment at the content service's word, and says how the payment stands.
// When none has begun, none will. A second call changes nothing.
func (s *Service) CloseSubject(ctx context.Context, sub Subject) (Payment, bool, error) {
	found := false
	var p Payment
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) (err error) {
		if err := LockSubject(tx, sub); err != nil {
			return err
		}
		p, found, err = readPayment(ctx, tx, ofSubject, sub.args())
		if err != nil || found {
			return err
		}
		return s.CloseUnbegun(tx, sub)
	})
	if err != nil || !found {
		return p, found, err
	}
	if err := s.Close(ctx, p.ID); err != nil {
		return p, true, err
	}
	p, err = s.Payment(ctx, p.ID)
	return p, true, err
}

// PruneClosed forgets subjects that were closed long ago.
func (s *Service) PruneClosed(ctx context.Context) error {
	if _, err := dbx.Prune(ctx, s.db, `closed_subjects`, `closed_at < ?`, s.now().Add(-keepClosed)); err != nil {
		return fmt.Errorf("prune closed subjects: %w", err)
	}
	return nil
}

// InternalHandlers answers what only the content service may ask.
type InternalHandlers struct{ payments *Service }

// NewInternalHandlers makes the handlers; the service token's check belongs before them.
func NewInternalHandlers(payments *Service) *InternalHandlers {
	return &InternalHandlers{payments: payments}
}

// ClosePayment ends the time of a subject's payment.
func (h *InternalHandlers) ClosePayment(ctx context.Context, r internalapi.ClosePaymentRequestObject) (
	internalapi.ClosePaymentResponseObject, error) {
	sub, end := Subject{Kind: string(r.Body.SubjectKind), ID: r.Body.SubjectID}, h.payments.CloseSubject
	if r.Body.Reason == internalapi.Withdrawn {
		end = h.payments.WithdrawPledge
	}
	p, found, err := end(ctx, sub)
	if err != nil {
		return nil, err
	}
	answer := internalapi.ClosePayment200JSONResponse{Status: internalapi.None}
	switch {
	case !found:
	case p.Status.IsPaid():
		answer.Status = internalapi.Paid
	case p.Status.IsOpen():
		answer.Status = internalapi.Open
	default:
		answer.Status = internalapi.Ended
	}
	return answer, nil
}
