package refunds

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// Agree makes what is owed of a charge what its open refunds want, after banks have moved its money: what none of them wants any more goes
// back to where it came from, and, once no bank has anything on hold, what they want is promised, as far as it is there. look is the number
// of the look at the provider that called for it.
func Agree(ctx context.Context, tx *gorm.DB, src Source, look int64, now time.Time) error {
	p, err := src.Position(ctx, tx, src.Provider, src.Amount.Currency)
	if err != nil {
		return err
	}
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return err
	}
	unwanted, promised := agreed(p, rows)
	if unwanted > 0 {
		origin := ledger.Funds
		if !src.Counts {
			origin = ledger.Held
		}
		if _, err := ledger.Post(ctx, tx, ledger.Movement{
			Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: fmt.Sprintf("overtaken:%s:%d", src.Charge, look), Of: &src.Money,
			To: origin, Amount: money.New(unwanted, src.Amount.Currency), Happened: now, Booked: now,
		}); err != nil {
			return err
		}
	}
	for _, r := range promised {
		if _, err := Book(ctx, tx, src, &r, now); err != nil {
			return err
		}
	}
	return nil
}

// agreed tells what is owed of a charge and wanted by none of its refunds, and which of these are to be promised their sum now, oldest first.
func agreed(p ledger.Position, rows []Refund) (unwanted int64, promised []Refund) {
	unwanted = p.Owed
	for _, r := range rows {
		isOpen := r.waits() || r.Status == Failed
		if r.Owed || isOpen {
			unwanted -= r.Amount.Minor
		}
		if isOpen && !r.Owed && p.Hold == 0 {
			promised = append(promised, r)
		}
	}
	return max(unwanted, 0), promised
}
