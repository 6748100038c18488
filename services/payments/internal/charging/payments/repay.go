package payments

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/provider"
)

// repay has the provider move what a bank keeps of a charge from the charge's place to where the bank took it. What it has moved is looked
// at and booked first, so that an answer that was lost is no second call, and again afterwards.
func (s *Service) repay(ctx context.Context, d disputes.Dispute) error {
	if _, err := s.Advance(ctx, d.PaymentID, SignalDispute); err != nil {
		return err
	}
	d, o, err := disputes.Repayment(ctx, s.db, d.ID)
	if err != nil || o.Amount.Minor == 0 {
		return err
	}
	prov, err := s.provider(d.Provider)
	if err != nil {
		return err
	}
	mover, can := prov.(provider.Repayments)
	if !can {
		return fmt.Errorf("repay dispute %s: %s moves nothing", d.ProviderRef, d.Provider)
	}
	err = mover.Repay(ctx, o)
	if errors.Is(err, provider.ErrRefused) {
		s.log.WarnContext(ctx, "what a bank keeps was not moved", "payment_id", d.PaymentID, "dispute", d.ProviderRef, "error", err)
		return disputes.RepayRefused(ctx, s.db, d, o, err, s.now())
	}
	if err != nil {
		return err
	}
	_, err = s.Advance(ctx, d.PaymentID, SignalDispute)
	return err
}
