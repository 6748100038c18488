package disputes

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Change is what a look at disputes brought.
type Change struct {
	Opened  []provider.Dispute // that we had not heard of
	Resumed bool               // refunds can be sent again
}

// See updates the disputes of a charge from what the provider says; look is the number of that look. First it books
// what banks have moved, then it calls between, and then it applies the decisions. between books the refunds that were
// made after a bank returned money: they come first, because a lost dispute only ends refunds that have not been made.
func See(ctx context.Context, tx *gorm.DB, src refunds.Source, seen []provider.Dispute, look int64, now time.Time,
	between func() error) (Change, error) {
	var change Change
	if len(seen) == 0 {
		return change, between()
	}
	rows, err := read(ctx, tx, `WHERE attempt_id = ? ORDER BY id`, src.AttemptID)
	if err != nil {
		return change, err
	}
	var courses []*course
	// In the order in which they happened: what one returned, another may have taken again. The provider's lists are
	// newest first, which orders those of one second.
	seen = slices.Clone(seen)
	slices.Reverse(seen)
	slices.SortStableFunc(seen, func(a, b provider.Dispute) int { return a.Opened.Compare(b.Opened) })
	for _, one := range seen {
		i := slices.IndexFunc(rows, func(d Dispute) bool { return d.ProviderRef == one.Ref })
		c := &course{tx: tx, src: src, one: one, now: now}
		if i >= 0 {
			c.d = rows[i]
		} else {
			if c.d, err = takeIn(ctx, tx, src, one, now); err != nil {
				return change, err
			}
			change.Opened = append(change.Opened, one)
		}
		if err := c.book(ctx); err != nil {
			return change, err
		}
		courses = append(courses, c)
	}
	if err := between(); err != nil {
		return change, err
	}
	for _, c := range courses {
		resumed, err := c.follow(ctx, look)
		if err != nil {
			return change, err
		}
		change.Resumed = change.Resumed || resumed
	}
	return change, refunds.Agree(ctx, tx, src, look, now)
}

// takeIn writes the row of a dispute; its status is still none.
func takeIn(ctx context.Context, tx *gorm.DB, src refunds.Source, one provider.Dispute, now time.Time) (
	Dispute, error) {
	d := Dispute{PaymentID: src.PaymentID, AttemptID: src.AttemptID, Provider: src.Provider, ProviderRef: one.Ref,
		Amount: one.Amount}
	err := tx.WithContext(ctx).Raw(`INSERT INTO disputes (payment_id, attempt_id, provider, provider_ref, status, reason, amount_minor, currency, respond_by,
		opened_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, src.PaymentID, src.AttemptID, src.Provider,
		one.Ref, statusOf(one.State), one.Reason, one.Amount.Minor, one.Amount.Currency, one.RespondBy, one.Opened, now,
		now).Scan(&d.ID).Error
	if err != nil {
		return d, fmt.Errorf("take in dispute %s: %w", one.Ref, err)
	}
	return d, nil
}

// course is one dispute while it is brought to what the provider says.
type course struct {
	tx  *gorm.DB
	src refunds.Source
	d   Dispute
	one provider.Dispute
	now time.Time

	lossStands bool
	moved      bool  // money that we had not known
	repaid     bool  // between places of our balance, which we had not known
	opening    int64 // the transaction of the first withdrawal; 0 without one
	last       time.Time
}

// follow moves a dispute to its new status and updates the refunds of its charge; resumed says whether any can be sent.
func (c *course) follow(ctx context.Context, look int64) (resumed bool, err error) {
	if err := c.contest(ctx, look); err != nil {
		return false, err
	}
	was, to := c.d.Status, statusOf(c.one.State)
	stepped := look >= c.d.Look && was.mayBecome(to)
	if stepped {
		c.d.Status, c.d.DecidedAt = to, nil
		if to != Inquiry && to != Open {
			c.d.DecidedAt = &c.now
		}
	}
	if err := c.askAgain(ctx, look); err != nil {
		return false, err
	}
	c.d.Look = max(c.d.Look, look)
	if err := c.decide(ctx); err != nil {
		return false, err
	}
	if err := c.repay(ctx); err != nil {
		return false, err
	}
	if !stepped && !c.moved {
		return false, c.save(ctx)
	}
	if resumed, err = refunds.AfterDispute(ctx, c.tx, c.src, c.now); err != nil {
		return false, err
	}
	if c.d.Status.keepsMoney() && c.d.WithdrawnMinor > 0 {
		more, err := refunds.AfterLoss(ctx, c.tx, c.src, refunds.Loss{Dispute: c.d.ProviderRef, Minor: c.d.WithdrawnMinor}, c.now)
		if err != nil {
			return false, err
		}
		resumed = resumed || more
	}
	return resumed, c.save(ctx)
}

// save writes what a dispute has become.
func (c *course) save(ctx context.Context) error {
	d := c.d
	err := c.tx.WithContext(ctx).Exec(`UPDATE disputes SET status = @status, withdrawn_minor = @withdrawn, fee_minor = @fee, losses = @losses, look = @look, decided_at = @decided,
		updated_at = @now, respond_by = coalesce(@respond, respond_by),
		next_check_at = CASE WHEN NOT @settled THEN coalesce(next_check_at, CAST(@later AS timestamptz)) END,
		repay_minor = @repay, repaid_minor = @repaid,
		repay_at = CASE WHEN @owes THEN coalesce(repay_at, CAST(@now AS timestamptz)) END WHERE id = @id`, map[string]any{
		"repay": d.RepayMinor, "repaid": d.RepaidMinor, "owes": d.RepayMinor > d.RepaidMinor,
		"status": d.Status, "withdrawn": d.WithdrawnMinor, "fee": d.FeeMinor, "losses": d.Losses, "look": d.Look,
		"decided": d.DecidedAt, "now": c.now,
		"settled": d.isSettled(), "later": c.now.Add(firstLook), "respond": c.one.RespondBy, "id": d.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save dispute %s: %w", d.ProviderRef, err)
	}
	return c.nag(ctx)
}

// nag opens an anomaly when a bank has not returned money that it has said it would, and closes it when the money is
// there.
func (c *course) nag(ctx context.Context) error {
	d := c.d
	switch isLate := d.DecidedAt != nil && c.now.Sub(*d.DecidedAt) > slowAfter; {
	case isLate && !d.Status.keepsMoney() && d.WithdrawnMinor > 0:
		_, err := anomalies.Open(ctx, c.tx, anomalies.Anomaly{
			Kind: anomalies.DisputeStuck, Provider: d.Provider, Reference: d.ProviderRef, PaymentID: &d.PaymentID,
			Detail: map[string]string{"status": string(d.Status), "since": d.DecidedAt.Format(time.RFC3339),
				"missing": money.New(d.WithdrawnMinor, d.Amount.Currency).String()},
		}, c.now)
		return err
	case d.RepayMinor > d.RepaidMinor: // who moves it says what is in the way
	case c.moved || c.repaid || isLate:
		return anomalies.Mend(ctx, c.tx, anomalies.DisputeStuck, d.Provider, d.ProviderRef, "the money is back, or lost",
			c.now)
	}
	return nil
}
