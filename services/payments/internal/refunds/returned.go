package refunds

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/anomalies"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/provider"
)

// What becomes of a refund that the provider had taken from our balance, and that has come back.

// isOver reports whether a refund was made elsewhere and has come back.
func isOver(one provider.Refund) bool {
	return one.ID == "" && one.State == provider.RefundFailed && one.Returned != nil
}

// withdraw ends a refund that somebody made in the provider's own pages and that had failed when we first heard of it:
// we owe nobody that sum, and who made it sees the failure there. Its money returns to the accounts it was taken from.
func withdraw(ctx context.Context, tx *gorm.DB, src Source, r *Refund, code string, now time.Time) error {
	if err := unpromise(ctx, tx, src, *r, now); err != nil {
		return err
	}
	r.Status, r.Owed, r.FailureCode = Canceled, false, code
	return save(ctx, tx, *r, nil, now)
}

// unpromise reverses the last posting that booked a refund's sum as owed.
func unpromise(ctx context.Context, tx *gorm.DB, src Source, r Refund, now time.Time) error {
	begun, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.RefundBegun, bookingRef(r))
	if err != nil || begun == nil {
		return err
	}
	amount, err := ledger.AmountOf(ctx, tx, *begun)
	if err != nil {
		return err
	}
	return reverse(ctx, tx, src, r, *begun, amount.Minor, now)
}

// reverse takes back a sum of the posting that booked a refund as owed.
func reverse(ctx context.Context, tx *gorm.DB, src Source, r Refund, begun, minor int64, now time.Time) error {
	_, err := ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: bookingRef(r), Of: &src.Money,
		Amount:  money.New(minor, r.Amount.Currency),
		Opening: &begun, Reason: string(ledger.RefundBegun), Happened: now, Booked: now,
	})
	return err
}

// failTaken ends a refund that has come back after it had counted. It is owed still, and a person decides how to send
// it; but of one that was made in the provider's own pages the backer was never owed what was booked as our loss: that
// is taken back.
func failTaken(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) error {
	const why = "the provider gave the money back to us"
	lost, err := unlose(ctx, tx, src, *r, one, now)
	if err != nil {
		return err
	}
	if lost == 0 {
		r.Owed = true
		return Fail(ctx, tx, r, one.FailureCode, why, now)
	}
	rest := r.Amount.Minor - lost
	r.Status, r.Owed, r.FailureCode = Canceled, false, one.FailureCode
	if rest > 0 {
		r.Status, r.FailureCode = Repeated, madeTwice
	}
	if err := save(ctx, tx, *r, nil, now); err != nil {
		return err
	}
	if err := anomalies.Mend(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID, "what had gone out twice came back",
		now); err != nil || rest == 0 {
		return err
	}
	return remain(ctx, tx, src, *r, rest, Failed, now)
}

// unlose takes back the loss of a refund that was made in the provider's own pages, and gives its sum in minor units.
func unlose(ctx context.Context, tx *gorm.DB, src Source, r Refund, one provider.Refund, now time.Time) (int64, error) {
	if one.ID != "" {
		return 0, nil
	}
	begun, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.RefundBegun, bookingRef(r))
	if err != nil || begun == nil {
		return 0, err
	}
	lost, err := ledger.LossOf(ctx, tx, *begun)
	if err != nil || lost == 0 {
		return 0, err
	}
	return lost, reverse(ctx, tx, src, r, *begun, lost, now)
}
