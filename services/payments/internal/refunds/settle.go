package refunds

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/anomalies"
	"talkoot.fi/payments/internal/ledger"
)

// Repeat sends a failed refund anew, by a row that takes its place. Called again it gives the same row, with false.
// Error: ErrNotFailed.
func Repeat(ctx context.Context, tx *gorm.DB, src Source, r Refund, actor, note string, now time.Time) (Refund, bool, error) {
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

// PaidByHand notes that a person has sent a failed refund from our bank account. Called again it changes nothing. Errors:
// ErrNotFailed, ledger.ErrOverdrawn when the money is not owed.
func PaidByHand(ctx context.Context, tx *gorm.DB, src Source, r Refund, actor, note string, now time.Time) (bool, error) {
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
		Kind: ledger.RefundByHand, Provider: src.Provider, Reference: r.ID, Of: &src.Money, Amount: r.Amount, Happened: now, Booked: now,
		Actor: actor, Note: note,
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

// BeforeDispute withdraws the sums of a charge's waiting refunds from what is owed, because a bank takes the charge: they
// wait for its decision. Call it before the dispute is posted.
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
			Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: fmt.Sprintf("%s:%d", r.ID, max(r.Bookings, 1)), Of: &src.Money,
			Amount: r.Amount, Happened: now, Booked: now,
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

// AfterDispute makes the refunds of a charge agree with what is owed after a dispute was opened or has ended: disputed money
// is owed no more, returned money is again. Waiting refunds that can be booked are due at once; resumed says whether there
// are any.
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
	return resumed, nil
}

// AfterLoss sets a lost dispute off against the refunds that its backer still waits for, oldest first: the bank has given
// them that money. A refund that is covered wholly ends; one that is covered in part is replaced by a row with the rest.
// resumed says whether one is due.
func AfterLoss(ctx context.Context, tx *gorm.DB, src Source, loss Loss, now time.Time) (resumed bool, err error) {
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return false, err
	}
	rows = slices.DeleteFunc(rows, func(r Refund) bool { return r.Owed })
	over := overtaking{code: byDispute, dispute: loss.Dispute, why: "the backer's bank gave the money back"}
	if resumed, err = over.take(ctx, tx, src, rows, loss.Minor, now); err != nil {
		return false, err
	}
	return resumed, withdrawOrphan(ctx, tx, src, loss.Reference, now)
}

// Loss is a dispute that a bank has decided against us.
type Loss struct {
	Dispute   string // the provider's id
	Reference string // of its movement
	Minor     int64  // what the bank keeps
}

// overtaking is another way by which the backer got the money of refunds.
type overtaking struct {
	code    string // what becomes of the refunds
	dispute string // the lost one, "" for none
	why     string // for the anomaly
}

// take sets a sum that the backer got another way off against those of the rows that are unsent or have failed, in their
// order. One that is covered wholly ends; one that is covered in part is replaced by a row with the rest: due at once, or,
// when the first had failed, left to an operator as that was. resumed says whether any is due.
func (o overtaking) take(ctx context.Context, tx *gorm.DB, src Source, rows []Refund, sum int64, now time.Time) (resumed bool, err error) {
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

// AfterAppeal revives refunds that a lost dispute had ended, when the loss is reversed: nobody has given the backer the money
// now. For one that had failed at the provider, an anomaly is opened again. For one that was covered in part, a new row has
// that part.
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
			ID: ids.New(), PaymentID: r.PaymentID, AttemptID: r.AttemptID, Provider: r.Provider, Amount: money.New(r.Amount.Minor-rest[0].Amount.Minor, r.Amount.Currency),
			Reason: Requested, Status: Creating, Try: 1, CreatedAt: now,
		}
		if err := insert(ctx, tx, again, "", "what a dispute had covered of "+r.ID+" until its loss was taken back", now); err != nil {
			return err
		}
		if r.ProviderRef != nil {
			if err := Fail(ctx, tx, &again, byDisputeOnce, "the bank had covered it and has given the money back", now); err != nil {
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

// remain writes the row with what is left of a refund that was covered in part. Its sum is booked as owed when it is sent;
// when the first had failed, at once, and an operator decides about sending it.
func remain(ctx context.Context, tx *gorm.DB, src Source, r Refund, rest int64, was Status, now time.Time) error {
	next := Refund{
		ID: ids.New(), PaymentID: r.PaymentID, AttemptID: r.AttemptID, Provider: r.Provider, Amount: money.New(rest, r.Amount.Currency),
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

// withdrawOrphan returns to the campaign what was owed for refunds that a lost dispute has ended: what no refund will pay,
// less what those that wait will need.
func withdrawOrphan(ctx context.Context, tx *gorm.DB, src Source, loss string, now time.Time) error {
	p, err := src.Position(ctx, tx, src.Provider, src.Amount.Currency)
	if err != nil || !src.Counts {
		return err
	}
	free, err := unclaimed(ctx, tx, src, p)
	if err != nil {
		return err
	}
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !r.Owed && (r.waits() || r.Status == Failed) {
			free -= r.Amount.Minor
		}
	}
	if free <= 0 {
		return nil
	}
	_, err = ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: "overtaken:" + loss, Of: &src.Money,
		Amount: money.New(free, src.Amount.Currency), Happened: now, Booked: now,
	})
	return err
}
