package refunds

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// What a bank's dispute of a charge, and its end, mean for the refunds of that charge.

// BeforeDispute withdraws the sums of a charge's waiting refunds from what is owed, because a bank takes the charge:
// they wait for its decision. Call it before the dispute is posted.
func BeforeDispute(ctx context.Context, tx *gorm.DB, src Source, now time.Time) error {
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !r.waits() || !r.Owed || !src.Counts {
			continue
		}
		_, err := ledger.Post(ctx, tx, ledger.Movement{
			Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: fmt.Sprintf("%s:%d", r.ID, max(r.Bookings, 1)),
			Of: &src.Money, Amount: r.Amount, Happened: now, Booked: now,
		})
		if err != nil {
			return err
		}
		r.Owed, r.Bookings = false, max(r.Bookings, 1)
		next := now.Add(longestPending)
		if err := save(ctx, tx, r, &next, now); err != nil {
			return err
		}
	}
	return nil
}

// AfterDispute makes the refunds of a charge agree with what is owed after a dispute was opened or has ended: disputed
// money is owed no more, returned money is again. Waiting refunds that can be booked are due at once; resumed says
// whether there are any.
func AfterDispute(ctx context.Context, tx *gorm.DB, src Source, now time.Time) (resumed bool, err error) {
	p, err := src.Position(ctx, tx, src.Provider, src.Amount.Currency)
	if err != nil {
		return false, err
	}
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return false, err
	}
	owed := p.Owed
	for _, r := range rows {
		if r.Status != Creating && r.Status != Pending && r.Status != Failed || r.Status == Pending && !r.Owed {
			continue
		}
		was := r.Owed
		// What is promised again from the campaign's funds is booked when it is sent.
		r.Owed = owed >= r.Amount.Minor && (was || !src.Counts || r.Status == Failed)
		if r.Owed {
			owed -= r.Amount.Minor
		}
		var next *time.Time
		switch {
		case r.Status == Failed:
		case p.Hold == 0 || r.Owed:
			next, resumed = &now, true
		default:
			later := now.Add(longestPending)
			next = &later
		}
		if err := save(ctx, tx, r, next, now); err != nil {
			return false, err
		}
	}
	return resumed, coverLosses(ctx, tx, src, now)
}

// AfterLoss sets a lost dispute off against the refunds that its backer still waits for, oldest first: the bank has
// given them that money. A refund that is covered wholly ends; one that is covered in part is replaced by a row with
// the rest. resumed says whether one is due.
func AfterLoss(ctx context.Context, tx *gorm.DB, src Source, loss Loss, now time.Time) (resumed bool, err error) {
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return false, err
	}
	rows = slices.DeleteFunc(rows, func(r Refund) bool { return r.Owed })
	over := overtaking{code: byDispute, dispute: loss.Dispute, why: "the backer's bank gave the money back"}
	return over.take(ctx, tx, src, rows, loss.Minor, now)
}

// Loss is a dispute that a bank has decided against us.
type Loss struct {
	Dispute string // the provider's id
	Minor   int64  // what the bank keeps
}

// AfterAppeal revives refunds that a lost dispute had ended, when the loss is reversed: nobody has given the backer the
// money now. For one that had failed at the provider, an anomaly is opened again. For one that was covered in part, a
// new row has that part.
func AfterAppeal(ctx context.Context, tx *gorm.DB, src Source, dispute string, now time.Time) error {
	ended, err := read(ctx, tx, `WHERE attempt_id = ? AND status = 'canceled' AND failure_code = ? AND covered_by = ? ORDER BY created_at, id`,
		src.AttemptID, byDispute, dispute)
	if err != nil {
		return err
	}
	for _, r := range ended {
		if r.ProviderRef != nil {
			err = Fail(ctx, tx, &r, byDisputeOnce, "the bank had covered it and has given the money back", now)
		} else {
			r.Status, r.FailureCode, r.CoveredBy, r.Try = Creating, "", "", r.Try+1
			err = save(ctx, tx, r, &now, now)
		}
		if err != nil {
			return err
		}
	}
	parts, err := read(ctx, tx, `WHERE attempt_id = ? AND status = 'repeated' AND failure_code = ? AND covered_by = ? ORDER BY created_at, id`,
		src.AttemptID, byDispute, dispute)
	if err != nil {
		return err
	}
	for _, r := range parts {
		rest, err := read(ctx, tx, `WHERE repeats = ?`, r.ID)
		if err != nil {
			return err
		}
		if len(rest) == 0 || rest[0].Amount.Minor >= r.Amount.Minor {
			continue
		}
		again := Refund{
			ID: ids.New(), PaymentID: r.PaymentID, AttemptID: r.AttemptID, Provider: r.Provider,
			Amount: money.New(r.Amount.Minor-rest[0].Amount.Minor, r.Amount.Currency),
			Reason: Requested, Status: Creating, Try: 1, CreatedAt: now,
		}
		if err := insert(ctx, tx, again, "", "what a dispute had covered of "+r.ID+" until its loss was taken back",
			now); err != nil {
			return err
		}
		if r.ProviderRef != nil {
			if err := Fail(ctx, tx, &again, byDisputeOnce, "the bank had covered it and has given the money back",
				now); err != nil {
				return err
			}
		}
		r.FailureCode = byDisputeOnce
		if err := save(ctx, tx, r, nil, now); err != nil {
			return err
		}
	}
	return nil
}
