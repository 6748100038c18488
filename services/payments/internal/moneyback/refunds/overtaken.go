package refunds

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Refunds whose sum the backer got another way, wholly or in part.

// overtaking is another way by which the backer got the money of refunds.
type overtaking struct {
	code    string // what becomes of the refunds
	dispute string // the lost one, "" for none
	why     string // for the anomaly
}

// take sets a sum that the backer got another way off against those of the rows that are unsent or have failed, in
// their order. One that is covered wholly ends; one that is covered in part is replaced by a row with the rest: due at
// once, or, when the first had failed, left to an operator as that was. resumed says whether any is due.
func (o overtaking) take(ctx context.Context, tx *gorm.DB, src Source, rows []Refund, sum int64, now time.Time) (
	resumed bool, err error) {
	for _, r := range rows {
		if r.Status != Creating && r.Status != Failed || sum == 0 {
			continue
		}
		was, rest := r.Status, max(r.Amount.Minor-sum, 0)
		sum -= r.Amount.Minor - rest
		r.Status, r.Owed, r.FailureCode, r.CoveredBy = Canceled, false, o.code, o.dispute
		if rest > 0 {
			r.Status, resumed = Repeated, resumed || was == Creating
		}
		if err := save(ctx, tx, r, nil, now); err != nil {
			return false, err
		}
		for _, kind := range []anomalies.Kind{anomalies.RefundFailed, anomalies.RefundStuck} {
			if err := anomalies.Mend(ctx, tx, kind, r.Provider, r.ID, o.why, now); err != nil {
				return false, err
			}
		}
		if rest > 0 {
			if err := remain(ctx, tx, src, r, rest, was, now); err != nil {
				return false, err
			}
		}
	}
	return resumed, nil
}

// remain writes the row with what is left of a refund that was covered in part. Its sum is booked as owed when it is
// sent; when the first had failed, at once, and an operator decides about sending it.
func remain(ctx context.Context, tx *gorm.DB, src Source, r Refund, rest int64, was Status, now time.Time) error {
	next := Refund{
		ID: ids.New(), PaymentID: r.PaymentID, AttemptID: r.AttemptID, Provider: r.Provider,
		Amount: money.New(rest, r.Amount.Currency),
		Reason: r.Reason, Status: Creating, Repeats: &r.ID, Try: 1, CreatedAt: now,
	}
	if err := insert(ctx, tx, next, "", "what is left of one that was overtaken", now); err != nil || was != Failed {
		return err
	}
	if _, err := Book(ctx, tx, src, &next, now); err != nil {
		return err
	}
	return Fail(ctx, tx, &next, "rest", "the rest of "+r.ID+", which had failed", now)
}
