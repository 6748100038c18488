package disputes

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Where banks take from a place of our balance of its own, such as a wallet of the platform's, the charge's place still has what they keep.
// It is moved there: once, as far as it is backers' money. What was settled is the creator's debt, and is not in that place any more.

// againAfter is when a repayment that was refused is tried again.
const againAfter = 12 * time.Hour

// repay books what was moved, and works out what is to be.
func (c *course) repay(ctx context.Context) error {
	for _, r := range c.one.Repayments {
		isNew, err := c.post(ctx, ledger.Movement{Kind: ledger.PlaceMove, Reference: r.Ref, Place: r.To, From: r.From, Amount: r.Amount,
			Happened: r.Happened})
		if err != nil {
			return err
		}
		if isNew {
			c.repaid, c.d.RepaidMinor = true, c.d.RepaidMinor+r.Amount.Minor
		}
	}
	c.d.RepayMinor = 0
	for _, m := range c.one.Movements {
		if m.Place == "" || m.Amount.Minor >= 0 || !c.d.Status.keepsMoney() {
			continue
		}
		kind, reference := ledger.DebitReturned, m.Ref
		if c.d.isLost() {
			kind, reference = ledger.DisputeLost, c.d.lossRef() // one for all that was taken
		}
		posted, err := ledger.TransactionOf(ctx, c.tx, c.src.Provider, kind, reference)
		if err != nil {
			return err
		}
		if posted == nil {
			continue
		}
		part, err := ledger.BackersPart(ctx, c.tx, *posted)
		if err != nil {
			return err
		}
		if c.d.isLost() {
			c.d.RepayMinor = part
			break
		}
		c.d.RepayMinor += part
	}
	return nil
}

// ToRepay leases disputes for which money is to be moved. Index disputes_to_repay serves it; rows that another worker has locked are
// passed over.
func ToRepay(ctx context.Context, db *gorm.DB, now time.Time, limit int) ([]Dispute, error) {
	var rows []Dispute
	err := db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (SELECT id FROM disputes WHERE repay_at <= @now ORDER BY repay_at, id LIMIT @limit FOR UPDATE SKIP LOCKED)
		UPDATE disputes SET repay_at = CAST(@now AS timestamptz)
			+ least(greatest((CAST(@now AS timestamptz) - decided_at) / 2, @first * interval '1 second'), @longest * interval '1 second')
		WHERE id IN (SELECT id FROM due)
		RETURNING `+columns, map[string]any{
		"now": now, "limit": limit, "first": firstLook.Seconds(), "longest": longestLook.Seconds(),
	}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("claim disputes to repay: %w", err)
	}
	return rows, nil
}

// Repayment is a dispute as it is now, with the call that moves what is left to be moved for it; its sum is 0 when nothing is. Its key is the same until money has
// moved, or the provider has refused it for certain: a lost answer is asked for again, and makes nothing twice.
func Repayment(ctx context.Context, db *gorm.DB, id int64) (d Dispute, o provider.RepayOrder, err error) {
	list, err := read(ctx, db, `WHERE id = ?`, id)
	if err != nil || len(list) == 0 {
		return d, o, err
	}
	d = list[0]
	return d, provider.RepayOrder{Key: fmt.Sprintf("dispute:%d:repay:%d:%d", d.ID, d.RepaidMinor, d.RepayRefusals), Dispute: d.ProviderRef,
		Amount: money.New(max(d.RepayMinor-d.RepaidMinor, 0), d.Amount.Currency)}, nil
}

// RepayRefused notes that a provider has refused the call that o was: it is made again later, and a person is told.
func RepayRefused(ctx context.Context, db *gorm.DB, d Dispute, o provider.RepayOrder, why error, now time.Time) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		result := tx.WithContext(ctx).Exec(`UPDATE disputes SET repay_refusals = repay_refusals + 1, repay_at = @again
			WHERE id = @id AND repaid_minor = @repaid AND repay_refusals = @refusals AND repay_at IS NOT NULL`, map[string]any{
			"again": now.Add(againAfter), "id": d.ID, "repaid": d.RepaidMinor, "refusals": d.RepayRefusals})
		if result.Error != nil {
			return fmt.Errorf("note that dispute %s cannot be repaid: %w", d.ProviderRef, result.Error)
		}
		if result.RowsAffected == 0 { // another worker has, or money has moved
			return nil
		}
		_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
			Kind: anomalies.DisputeStuck, Provider: d.Provider, Reference: d.ProviderRef, PaymentID: &d.PaymentID,
			Detail: map[string]string{"status": string(d.Status), "not_moved": o.Amount.String(), "why": why.Error()},
		}, now)
		return err
	})
}
