package settlements

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// debt is what a creator owes us of a charge.
type debt struct {
	ChargeRef, PaymentID string
	CampaignID           int64
	Minor                int64
}

// money names the charge.
func (d debt) money() *ledger.Money {
	return &ledger.Money{PaymentID: d.PaymentID, CampaignID: d.CampaignID, Charge: d.ChargeRef}
}

// debtsOf lists what a creator owes us at a provider and nothing is on its way to pay, the oldest first. Within a transaction nobody else pays
// it until that ends: whoever pays debts asks here first.
func debtsOf(ctx context.Context, tx *gorm.DB, provider string, payee int64, currency money.Currency) (list []debt, err error) {
	err = tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, fmt.Sprintf("debts:%s:%d", provider, payee)).Error
	if err != nil {
		return nil, fmt.Errorf("wait for who pays the debts of user %d at %s: %w", payee, provider, err)
	}
	err = tx.WithContext(ctx).Raw(`SELECT t.charge_ref, max(p.id) AS payment_id, max(p.campaign_id) AS campaign_id, sum(e.amount_minor)::bigint AS minor
		FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id JOIN ledger_transactions t ON t.id = e.transaction_id
		JOIN payments p ON p.id = t.payment_id
		WHERE a.name = ? AND a.currency = ? GROUP BY t.charge_ref HAVING sum(e.amount_minor) > 0 ORDER BY min(t.id)`,
		ledger.CreatorAccount(ledger.Debt, provider, payee), currency).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what user %d owes at %s: %w", payee, provider, err)
	}
	var coming int64
	err = tx.WithContext(ctx).Raw(`SELECT coalesce(sum(amount_minor), 0)::bigint FROM transfer_reversals WHERE (provider, payee_id, currency) = (?, ?, ?) AND state = ?`,
		provider, payee, currency, ReversalOpen).Scan(&coming).Error
	if err != nil {
		return nil, fmt.Errorf("read what is taken back of user %d at %s: %w", payee, provider, err)
	}
	for i := range list { // which pays the oldest, too
		part := min(list[i].Minor, coming)
		list[i].Minor, coming = list[i].Minor-part, coming-part
	}
	return slices.DeleteFunc(list, func(d debt) bool { return d.Minor == 0 }), nil
}
