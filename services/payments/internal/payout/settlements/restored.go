package settlements

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Restored is what became payable to a creator again: when a debt ended that they had paid, since its refund did not reach the backer, or its dispute was
// won on appeal; and when a transfer was taken back and they owed less than that.
type Restored struct {
	TransactionID int64 // of the ledger
	PayeeID       int64
	Place         string // of our balance, in which it is: the charge's, or the one to which it was taken back
	Minor         int64
}

// restoredSQL gives what was restored, each with its campaign. It is of charges that were settled, since only then there is a debt. While a bank
// contests the charge it waits: a lost dispute that is opened again is no debt meanwhile, and may be one once more.
const restoredSQL = `SELECT t.id AS transaction_id, CAST(split_part(a.name, ':', 3) AS bigint) AS payee_id, -sum(e.amount_minor)::bigint AS minor,
		(SELECT max(split_part(x.name, ':', 3)) FROM ledger_transactions o JOIN ledger_entries h ON h.transaction_id = o.id
			JOIN ledger_accounts x ON x.id = h.account_id AND x.class = 'provider_clearing' WHERE o.provider = t.provider AND o.charge_ref = t.charge_ref
			AND o.kind = 'charge') AS place,
		p.campaign_id, p.subject_kind, t.provider, t.currency
	FROM ledger_transactions t JOIN payments p ON p.id = t.payment_id
	JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id AND a.class = 'creator_payable'
	WHERE t.kind IN ('refund_withdrawn', 'dispute_lost_reversed')
		AND coalesce((SELECT sum(h.amount_minor) FROM ledger_transactions o JOIN ledger_entries h ON h.transaction_id = o.id
			JOIN ledger_accounts x ON x.id = h.account_id AND x.class = 'dispute_hold' WHERE o.provider = t.provider AND o.charge_ref = t.charge_ref), 0) <= 0
	GROUP BY t.id, a.name, p.id HAVING sum(e.amount_minor) < 0
	UNION ALL SELECT t.id, v.payee_id, v.amount_minor - v.paid_minor, v.place, coalesce(v.campaign_id, r.campaign_id), CASE WHEN r.month IS NULL THEN 'pledge' ELSE 'subscription' END, t.provider, t.currency
	FROM transfer_reversals v JOIN settlement_runs r ON r.id = v.run_id
	JOIN ledger_transactions t ON (t.provider, t.kind, t.reference) = (v.provider, 'transfer_reversed', v.ref) WHERE v.state = 'done' AND v.paid_minor < v.amount_minor`

// restored lists what was restored of a campaign's charges and is in no other run than r.
func restored(ctx context.Context, db *gorm.DB, r Run) (list []Restored, err error) {
	err = db.WithContext(ctx).Raw(`SELECT b.transaction_id, b.payee_id, b.place, b.minor FROM (`+restoredSQL+`) b LEFT JOIN settlement_restored s USING (transaction_id)
		WHERE (b.campaign_id, b.subject_kind, b.provider, b.currency) = (?, ?, ?, ?) AND (s.run_id IS NULL OR s.run_id = ?) ORDER BY 1`,
		r.CampaignID, r.subject(), r.Provider, r.Currency, r.ID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what was restored of campaign %d: %w", r.CampaignID, err)
	}
	return list, nil
}

// takeRestored has a run send what was restored, and nothing else that it was to send before.
func takeRestored(ctx context.Context, tx *gorm.DB, r Run, list []Restored) error {
	err := leaveRestored(ctx, tx, r)
	for _, one := range list {
		if err == nil {
			err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_restored (transaction_id, run_id) VALUES (?, ?)`, one.TransactionID, r.ID).Error
		}
	}
	if err != nil {
		return fmt.Errorf("take what was restored into run %s: %w", r.ID, err)
	}
	return nil
}

// leaveRestored has a run send nothing of what was restored.
func leaveRestored(ctx context.Context, tx *gorm.DB, r Run) error {
	return tx.WithContext(ctx).Exec(`DELETE FROM settlement_restored WHERE run_id = ?`, r.ID).Error
}
