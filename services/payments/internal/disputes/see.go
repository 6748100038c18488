package disputes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/anomalies"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/refunds"
)

// Change is what a look at disputes brought.
type Change struct {
	Opened  []provider.Dispute // that we had not heard of
	Resumed bool               // refunds can be sent again
}

// See updates the disputes of a charge from what the provider says; look is the number of that look. First it books what
// banks have moved, then it calls between, and then it applies the decisions. between books the refunds that were made after
// a bank returned money: they come first, because a lost dispute only ends refunds that have not been made.
func See(ctx context.Context, tx *gorm.DB, src refunds.Source, seen []provider.Dispute, look int64, now time.Time, between func() error) (Change, error) {
	var change Change
	if len(seen) == 0 {
		return change, between()
	}
	rows, err := read(ctx, tx, `WHERE attempt_id = ? ORDER BY id`, src.AttemptID)
	if err != nil {
		return change, err
	}
	var courses []*course
	// In the order in which they happened: what one returned, another may have taken again. The provider's lists are newest
	// first, which orders those of one second.
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
	return change, nil
}

// takeIn writes the row of a dispute; its status is still none.
func takeIn(ctx context.Context, tx *gorm.DB, src refunds.Source, one provider.Dispute, now time.Time) (Dispute, error) {
	d := Dispute{PaymentID: src.PaymentID, AttemptID: src.AttemptID, Provider: src.Provider, ProviderRef: one.Ref, Amount: one.Amount}
	err := tx.WithContext(ctx).Raw(`INSERT INTO disputes (payment_id, attempt_id, provider, provider_ref, status, reason, amount_minor, currency, respond_by,
		opened_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, src.PaymentID, src.AttemptID, src.Provider,
		one.Ref, statusOf(one.State), one.Reason, one.Amount.Minor, one.Amount.Currency, one.RespondBy, one.Opened, now, now).Scan(&d.ID).Error
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
	opening    int64 // the transaction of the first withdrawal; 0 without one
	last       time.Time
}

// book enters what a dispute has moved.
func (c *course) book(ctx context.Context) error {
	c.lossStands = c.d.isLost()
	return c.bookMovements(ctx)
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
	c.d.Look = max(c.d.Look, look)
	if err := c.decide(ctx); err != nil {
		return false, err
	}
	if !stepped && !c.moved {
		return false, c.save(ctx)
	}
	if resumed, err = refunds.AfterDispute(ctx, c.tx, c.src, c.now); err != nil {
		return false, err
	}
	if c.d.isLost() {
		more, err := refunds.AfterLoss(ctx, c.tx, c.src, refunds.Loss{Dispute: c.d.ProviderRef, Reference: c.d.lossRef(), Minor: c.d.WithdrawnMinor}, c.now)
		if err != nil {
			return false, err
		}
		resumed = resumed || more
	}
	return resumed, c.save(ctx)
}

// decide makes the ledger agree with the decision: a loss is posted when the bank keeps the money, however late we hear of
// its movement, and reversed when the bank does not.
func (c *course) decide(ctx context.Context) error {
	switch {
	case c.d.isLost() && !c.lossStands:
		c.d.Losses++
		_, err := c.post(ctx, ledger.Movement{
			Kind: ledger.DisputeLost, Reference: c.d.lossRef(), Amount: money.New(c.d.WithdrawnMinor, c.d.Amount.Currency), Happened: c.last, Opening: c.opened(),
		})
		return err
	case c.lossStands && !c.d.isLost():
		return c.unlose(ctx)
	}
	return nil
}

// contest moves money that came back to the charge (a refund that failed, another dispute that was won) to the disputed
// account, while the bank has withdrawn more than is booked there.
func (c *course) contest(ctx context.Context, look int64) error {
	if c.opening == 0 || c.d.WithdrawnMinor <= 0 {
		return nil
	}
	p, err := c.src.Position(ctx, c.tx, c.src.Provider, c.src.Amount.Currency)
	left := p.Funds + p.Owed + p.Held
	if err != nil || left == 0 {
		return err
	}
	alone, err := ledger.Uncontested(ctx, c.tx, c.opening)
	if left = min(left, alone); err != nil || left <= 0 {
		return err
	}
	if c.lossStands {
		if err := c.unlose(ctx); err != nil {
			return err
		}
	}
	if err := refunds.BeforeDispute(ctx, c.tx, c.src, c.now); err != nil {
		return err
	}
	c.moved = true
	_, err = c.post(ctx, ledger.Movement{
		Kind: ledger.DisputeContested, Reference: fmt.Sprintf("%s:%d", c.d.ProviderRef, look), Amount: money.New(left, c.d.Amount.Currency),
		Happened: c.now, Opening: c.opened(),
	})
	return err
}

// unlose reverses a loss: the money is on hold again, and refunds that the loss had ended wait again.
func (c *course) unlose(ctx context.Context) error {
	lost, err := ledger.TransactionOf(ctx, c.tx, c.src.Provider, ledger.DisputeLost, c.d.lossRef())
	if err != nil || lost == nil {
		return err
	}
	amount, err := ledger.AmountOf(ctx, c.tx, *lost)
	if err != nil {
		return err
	}
	c.lossStands = false
	_, err = c.post(ctx, ledger.Movement{
		Kind: ledger.DisputeLostReversed, Reference: c.d.lossRef(), Amount: amount, Opening: lost, Reason: string(ledger.DisputeLost), Happened: c.now,
	})
	if err != nil {
		return err
	}
	return refunds.AfterAppeal(ctx, c.tx, c.src, c.d.ProviderRef, c.now)
}

// bookMovements enters what the dispute has moved, in the order in which it happened.
func (c *course) bookMovements(ctx context.Context) error {
	c.last = c.one.Opened
	for _, m := range inOrder(c.one.Movements) {
		c.last = m.Happened
		// Another currency than the charge's belongs to a conversion, which the comparison with the provider's list brings up.
		if m.Amount.Currency != c.src.Amount.Currency {
			continue
		}
		if err := c.bookMoney(ctx, m); err != nil {
			return err
		}
		if err := c.bookFee(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// inOrder sorts movements by their times, in whatever order the provider lists them. Of those of one moment, returns come
// before withdrawals.
func inOrder(movements []provider.Movement) []provider.Movement {
	left := slices.Clone(movements)
	slices.SortStableFunc(left, func(a, b provider.Movement) int {
		return cmp.Or(a.Happened.Compare(b.Happened), cmp.Compare(a.Amount.Minor, b.Amount.Minor))
	})
	out := make([]provider.Movement, 0, len(left))
	for taken := int64(0); len(left) > 0; {
		next := slices.IndexFunc(left, func(m provider.Movement) bool {
			return m.Happened.Equal(left[0].Happened) && m.Amount.Minor > 0 && m.Amount.Minor <= taken
		})
		next = max(next, 0)
		taken -= left[next].Amount.Minor
		out, left = append(out, left[next]), slices.Delete(left, next, next+1)
	}
	return out
}

// bookMoney enters the money of one movement, once.
func (c *course) bookMoney(ctx context.Context, m provider.Movement) error {
	if m.Amount.Minor == 0 {
		return nil
	}
	kind, amount := ledger.DisputeOpened, money.New(-m.Amount.Minor, m.Amount.Currency)
	if m.Amount.Minor > 0 {
		kind, amount = ledger.DisputeWon, m.Amount
	}
	posted, err := ledger.TransactionOf(ctx, c.tx, c.src.Provider, kind, m.Ref)
	if err != nil {
		return err
	}
	if posted == nil && kind == ledger.DisputeWon && c.d.WithdrawnMinor <= 0 {
		return nil // a return without its withdrawal, which we hear of later; if not, the comparison with the provider's list finds it
	}
	if posted == nil {
		if c.lossStands {
			if err := c.unlose(ctx); err != nil {
				return err
			}
		}
		if kind == ledger.DisputeOpened {
			if err := refunds.BeforeDispute(ctx, c.tx, c.src, c.now); err != nil {
				return err
			}
		}
		if _, err := c.post(ctx, ledger.Movement{Kind: kind, Reference: m.Ref, Amount: amount, Happened: m.Happened, Opening: c.opened()}); err != nil {
			return err
		}
		c.moved = true
		c.d.WithdrawnMinor -= m.Amount.Minor
		if posted, err = ledger.TransactionOf(ctx, c.tx, c.src.Provider, kind, m.Ref); err != nil {
			return err
		}
	}
	if kind == ledger.DisputeOpened && posted != nil && c.opening == 0 {
		c.opening = *posted
	}
	return nil
}

func (c *course) bookFee(ctx context.Context, m provider.Movement) error {
	if m.Fee.Minor == 0 {
		return nil
	}
	fee := ledger.Movement{Kind: ledger.DisputeFee, Reference: m.Ref, Amount: m.Fee, Happened: m.Happened}
	if m.Fee.Minor < 0 {
		fee.Kind, fee.Amount.Minor = ledger.DisputeFeeReturned, -m.Fee.Minor
	}
	isNew, err := c.post(ctx, fee)
	if isNew {
		c.d.FeeMinor += m.Fee.Minor
	}
	return err
}

// opened is the first withdrawal, by which a dispute's movements are found; nil before it.
func (c *course) opened() *int64 {
	if c.opening == 0 {
		return nil
	}
	return &c.opening
}

func (c *course) post(ctx context.Context, m ledger.Movement) (bool, error) {
	m.Provider, m.Of, m.Booked = c.src.Provider, &c.src.Money, c.now
	return ledger.Post(ctx, c.tx, m)
}

// save writes what a dispute has become.
func (c *course) save(ctx context.Context) error {
	d := c.d
	err := c.tx.WithContext(ctx).Exec(`UPDATE disputes SET status = @status, withdrawn_minor = @withdrawn, fee_minor = @fee, losses = @losses, look = @look, decided_at = @decided,
		updated_at = @now, respond_by = coalesce(@respond, respond_by),
		next_check_at = CASE WHEN NOT @settled THEN coalesce(next_check_at, CAST(@later AS timestamptz)) END WHERE id = @id`, map[string]any{
		"status": d.Status, "withdrawn": d.WithdrawnMinor, "fee": d.FeeMinor, "losses": d.Losses, "look": d.Look, "decided": d.DecidedAt, "now": c.now,
		"settled": d.isSettled(), "later": c.now.Add(firstLook), "respond": c.one.RespondBy, "id": d.ID,
	}).Error
	if err != nil {
		return fmt.Errorf("save dispute %s: %w", d.ProviderRef, err)
	}
	return c.nag(ctx)
}

// nag opens an anomaly when a bank has not returned money that it has said it would, and closes it when the money is there.
func (c *course) nag(ctx context.Context) error {
	d := c.d
	switch isLate := d.DecidedAt != nil && c.now.Sub(*d.DecidedAt) > slowAfter; {
	case isLate && d.Status != Lost && d.WithdrawnMinor > 0:
		_, err := anomalies.Open(ctx, c.tx, anomalies.Anomaly{
			Kind: anomalies.DisputeStuck, Provider: d.Provider, Reference: d.ProviderRef, PaymentID: &d.PaymentID,
			Detail: map[string]string{"status": string(d.Status), "since": d.DecidedAt.Format(time.RFC3339), "missing": money.New(d.WithdrawnMinor, d.Amount.Currency).String()},
		}, c.now)
		return err
	case c.moved || isLate:
		return anomalies.Mend(ctx, c.tx, anomalies.DisputeStuck, d.Provider, d.ProviderRef, "the money is back, or lost", c.now)
	}
	return nil
}
