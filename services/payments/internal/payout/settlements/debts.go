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
	Place                string // of our balance, where the charge's money is, or was
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
	for i := range list {
		if list[i].Place, err = ledger.PlaceOf(ctx, tx, provider, list[i].ChargeRef); err != nil {
			return nil, err //nolint:wrapcheck // it says all
		}
	}
	var coming []Reversal
	err = tx.WithContext(ctx).Raw(`SELECT amount_minor, place FROM transfer_reversals WHERE (provider, payee_id, currency) = (?, ?, ?) AND state = ?`,
		provider, payee, currency, ReversalOpen).Scan(&coming).Error
	if err != nil {
		return nil, fmt.Errorf("read what is taken back of user %d at %s: %w", payee, provider, err)
	}
	for _, v := range coming {
		for _, p := range paidFrom(v.Place, list, v.AmountMinor) {
			list[p.of].Minor -= p.minor
		}
	}
	return slices.DeleteFunc(list, func(d debt) bool { return d.Minor == 0 }), nil
}

// part is how much of a debt of a list is paid.
type part struct {
	of    int
	minor int64
}

// paidFrom is which debts a sum in a place of our balance pays: those of its charges first, then others, the oldest first.
func paidFrom(place string, list []debt, minor int64) (parts []part) {
	for _, isThere := range []bool{true, false} {
		for i, d := range list {
			if one := min(d.Minor, minor); one > 0 && (d.Place == place) == isThere {
				parts = append(parts, part{i, one})
				minor -= one
			}
		}
	}
	return parts
}
