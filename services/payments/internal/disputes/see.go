package disputes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/refunds"
)

// Change is what a look at disputes brought.
type Change struct {
	Opened  []provider.Dispute // that we had not heard of
	Resumed bool               // refunds can be sent again
}

// See brings the disputes of a charge to what the provider says.
func See(ctx context.Context, tx *gorm.DB, src refunds.Source, seen []provider.Dispute, now time.Time) (Change, error) {
	var change Change
	if len(seen) == 0 {
		return change, nil
	}
	rows, err := read(ctx, tx, `WHERE attempt_id = ? ORDER BY id`, src.AttemptID)
	if err != nil {
		return change, err
	}
	// In the order in which they happened: what one gave back another may have taken again.
	// Lists are newest first, which decides between those of one second.
	seen = slices.Clone(seen)
	slices.Reverse(seen)
	slices.SortStableFunc(seen, func(a, b provider.Dispute) int { return a.Opened.Compare(b.Opened) })
	for _, one := range seen {
		i := slices.IndexFunc(rows, func(d Dispute) bool { return d.ProviderRef == one.Ref })
		var d Dispute
		if i >= 0 {
			d = rows[i]
		} else {
			if d, err = takeIn(ctx, tx, src, one, now); err != nil {
				return change, err
			}
			change.Opened = append(change.Opened, one)
		}
		resumed, err := see(ctx, tx, src, d, one, now)
		if err != nil {
			return change, err
		}
		change.Resumed = change.Resumed || resumed
	}
	return change, nil
}

// takeIn writes the row of a dispute; its status is still none.
func takeIn(ctx context.Context, tx *gorm.DB, src refunds.Source, one provider.Dispute, now time.Time) (Dispute, error) {
	d := Dispute{PaymentID: src.PaymentID, AttemptID: src.AttemptID, Provider: src.Provider, ProviderRef: one.Ref, AmountMinor: one.Amount.Minor, Currency: one.Amount.Currency}
	err := tx.WithContext(ctx).Raw(`INSERT INTO disputes (payment_id, attempt_id, provider, provider_ref, status, reason, amount_minor, currency, respond_by,
		opened_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, src.PaymentID, src.AttemptID, src.Provider,
		one.Ref, statusOf(one.State), one.Reason, one.Amount.Minor, one.Amount.Currency, one.RespondBy, one.Opened, now, now).Scan(&d.ID).Error
	if err != nil {
		return d, fmt.Errorf("take in dispute %s: %w", one.Ref, err)
	}
	return d, nil
}

// see books what a dispute has moved, takes it a step on, and has refunds follow.
func see(ctx context.Context, tx *gorm.DB, src refunds.Source, d Dispute, one provider.Dispute, now time.Time) (resumed bool, err error) {
	// What was taken comes before what was given back, in whatever order the provider tells it.
	movements := slices.Clone(one.Movements)
	slices.SortStableFunc(movements, func(a, b provider.Movement) int {
		return cmp.Or(a.Happened.Compare(b.Happened), cmp.Compare(a.Amount.Minor, b.Amount.Minor))
	})
	moved := false
	for _, m := range movements {
		isNew, err := book(ctx, tx, src, &d, m, openingRef(one), now)
		if err != nil {
			return false, err
		}
		moved = moved || isNew
	}
	was, to := d.Status, statusOf(one.State)
	stepped := was.mayBecome(to)
	if stepped {
		d.Status = to
	}
	if err := decide(ctx, tx, src, d, was, one, now); err != nil {
		return false, err
	}
	if was == Lost && d.Status == Won {
		if err := refunds.AfterAppeal(ctx, tx, src, now); err != nil {
			return false, err
		}
	}
	if moved || stepped {
		if resumed, err = refunds.AfterDispute(ctx, tx, src, now); err != nil {
			return false, err
		}
	}
	if d.Status == Lost && (stepped || moved) {
		more, err := refunds.AfterLoss(ctx, tx, src, d.WithdrawnMinor, now)
		if err != nil {
			return false, err
		}
		resumed = resumed || more
	}
	return resumed, save(ctx, tx, d, one.RespondBy, now)
}

// decide posts what a decision does to the money: a loss once, when the bank has it, however late its movement is told;
// and takes it back when an appeal is won.
func decide(ctx context.Context, tx *gorm.DB, src refunds.Source, d Dispute, was Status, one provider.Dispute, now time.Time) error {
	switch {
	case d.Status == Lost && d.WithdrawnMinor > 0:
		lost, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.DisputeLost, d.ProviderRef)
		if err != nil || lost != nil {
			return err
		}
		return post(ctx, tx, src, ledger.Movement{
			Kind: ledger.DisputeLost, Reference: d.ProviderRef, Amount: money.New(d.WithdrawnMinor, d.Currency), Happened: lastMovement(one), Booked: now,
		}, openingRef(one))
	case was == Lost && d.Status == Won:
		return unlose(ctx, tx, src, d, now)
	}
	return nil
}

// unlose puts the money of a lost dispute on hold again, before what was won comes back.
func unlose(ctx context.Context, tx *gorm.DB, src refunds.Source, d Dispute, now time.Time) error {
	lost, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.DisputeLost, d.ProviderRef)
	if err != nil || lost == nil {
		return err
	}
	amount, err := ledger.AmountOf(ctx, tx, *lost)
	if err != nil {
		return err
	}
	_, err = ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.DisputeLostReversed, Provider: src.Provider, Reference: d.ProviderRef, Of: &src.Money, Amount: amount,
		Opening: lost, Reason: string(ledger.DisputeLost), Happened: now, Booked: now,
	})
	return err
}

// book enters one movement of a dispute's money and its fee, each once, and reports whether money is news. Another
// currency than the charge's belongs to a conversion, which the comparison with the provider's list brings up.
func book(ctx context.Context, tx *gorm.DB, src refunds.Source, d *Dispute, m provider.Movement, opening string, now time.Time) (bool, error) {
	if m.Amount.Currency != src.Amount.Currency {
		return false, nil
	}
	taken, err := bookMoney(ctx, tx, src, d, m, opening, now)
	if err != nil || m.Fee.Minor == 0 {
		return taken, err
	}
	fee := ledger.Movement{Kind: ledger.DisputeFee, Reference: m.Ref, Amount: m.Fee, Happened: m.Happened, Booked: now}
	if m.Fee.Minor < 0 {
		fee.Kind, fee.Amount.Minor = ledger.DisputeFeeReturned, -m.Fee.Minor
	}
	isNew, err := postNew(ctx, tx, src, fee, "")
	if isNew {
		d.FeeMinor += m.Fee.Minor
	}
	return taken, err
}

func bookMoney(ctx context.Context, tx *gorm.DB, src refunds.Source, d *Dispute, m provider.Movement, opening string, now time.Time) (bool, error) {
	switch {
	case m.Amount.Minor < 0:
		known, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.DisputeOpened, m.Ref)
		if err != nil || known != nil {
			return false, err
		}
		if err := refunds.BeforeDispute(ctx, tx, src, now); err != nil {
			return false, err
		}
		d.WithdrawnMinor -= m.Amount.Minor
		return true, post(ctx, tx, src, ledger.Movement{
			Kind: ledger.DisputeOpened, Reference: m.Ref, Amount: money.New(-m.Amount.Minor, m.Amount.Currency), Happened: m.Happened, Booked: now,
		}, "")
	case m.Amount.Minor > 0:
		if d.Status == Lost { // won on appeal, and we hear of the money first
			if err := unlose(ctx, tx, src, *d, now); err != nil {
				return false, err
			}
		}
		isNew, err := postNew(ctx, tx, src, ledger.Movement{
			Kind: ledger.DisputeWon, Reference: m.Ref, Amount: m.Amount, Happened: m.Happened, Booked: now,
		}, opening)
		if isNew {
			d.WithdrawnMinor -= m.Amount.Minor
		}
		return isNew, err
	}
	return false, nil
}

// openingRef is the movement that took a dispute's money.
func openingRef(one provider.Dispute) string {
	for _, m := range one.Movements {
		if m.Amount.Minor < 0 {
			return m.Ref
		}
	}
	return ""
}

func lastMovement(one provider.Dispute) time.Time {
	last := one.Opened
	for _, m := range one.Movements {
		if m.Happened.After(last) {
			last = m.Happened
		}
	}
	return last
}

func post(ctx context.Context, tx *gorm.DB, src refunds.Source, m ledger.Movement, opening string) error {
	_, err := postNew(ctx, tx, src, m, opening)
	return err
}

// postNew posts a movement of the charge, with the opening that it answers.
func postNew(ctx context.Context, tx *gorm.DB, src refunds.Source, m ledger.Movement, opening string) (bool, error) {
	m.Provider, m.Of = src.Provider, &src.Money
	if opening != "" {
		id, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.DisputeOpened, opening)
		if err != nil {
			return false, err
		}
		m.Opening = id
	}
	return ledger.Post(ctx, tx, m)
}

// save writes what a dispute has become.
func save(ctx context.Context, tx *gorm.DB, d Dispute, respondBy *time.Time, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`UPDATE disputes SET status = @status, withdrawn_minor = @withdrawn, fee_minor = @fee, updated_at = @now,
		respond_by = coalesce(@respond, respond_by),
		next_check_at = CASE WHEN NOT @settled THEN coalesce(next_check_at, CAST(@later AS timestamptz)) END WHERE id = @id`, map[string]any{
		"status": d.Status, "withdrawn": d.WithdrawnMinor, "fee": d.FeeMinor, "now": now, "settled": d.isSettled(), "later": now.Add(firstLook),
		"respond": respondBy, "id": d.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save dispute %s: %w", d.ProviderRef, err)
	}
	return nil
}
