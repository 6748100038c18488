package refunds

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// What a person does about a refund that has failed.

// Repeat sends a failed refund anew, by a row that takes its place. Called again it gives the same row, with false.
// Error: ErrNotFailed.
func Repeat(ctx context.Context, tx *gorm.DB, src Source, r Refund, actor, note string, now time.Time) (
	Refund, bool, error) {
	again, err := read(ctx, tx, `WHERE repeats = ?`, r.ID)
	if err != nil {
		return Refund{}, false, err
	}
	if len(again) > 0 {
		return again[0], false, nil
	}
	if r.Status != Failed {
		return Refund{}, false, fmt.Errorf("repeat refund %s, which is %s: %w", r.ID, r.Status, ErrNotFailed)
	}
	next := Refund{
		ID: ids.New(), PaymentID: r.PaymentID, AttemptID: r.AttemptID, Provider: r.Provider, Amount: r.Amount,
		Reason: r.Reason, Status: Creating, Repeats: &r.ID, Owed: r.Owed, Try: 1, CreatedAt: now,
	}
	r.Status, r.Owed = Repeated, false
	if err := save(ctx, tx, r, nil, now); err != nil {
		return Refund{}, false, err
	}
	if err := insert(ctx, tx, next, actor, note, now); err != nil {
		return Refund{}, false, err
	}
	if _, err := Book(ctx, tx, src, &next, now); err != nil {
		return Refund{}, false, err
	}
	return next, true, anomalies.Settle(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID, actor, note, now)
}

// PaidByHand notes that a person has sent a failed refund from our bank account. Called again it changes nothing.
// Errors: ErrNotFailed, ledger.ErrOverdrawn when the money is not owed.
func PaidByHand(ctx context.Context, tx *gorm.DB, src Source, r Refund, actor, note string, now time.Time) (
	bool, error) {
	if r.Status == ByHand {
		return false, nil
	}
	if r.Status != Failed {
		return false, fmt.Errorf("pay refund %s by hand, which is %s: %w", r.ID, r.Status, ErrNotFailed)
	}
	if booked, err := Book(ctx, tx, src, &r, now); err != nil {
		return false, err
	} else if !booked {
		return false, fmt.Errorf("pay refund %s by hand: %w", r.ID, ledger.ErrOverdrawn)
	}
	_, err := ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.RefundByHand, Provider: src.Provider, Reference: r.ID, Of: &src.Money, Amount: r.Amount, Happened: now,
		Booked: now, Actor: actor, Note: note,
	})
	if err != nil {
		return false, err
	}
	r.Status, r.Owed = ByHand, false
	if err := save(ctx, tx, r, nil, now); err != nil {
		return false, err
	}
	err = tx.WithContext(ctx).Exec(`UPDATE refunds SET actor = ?, note = ? WHERE id = ?`, actor, note, r.ID).Error
	if err != nil {
		return false, fmt.Errorf("keep who paid refund %s: %w", r.ID, err)
	}
	return true, anomalies.Settle(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID, actor, note, now)
}
