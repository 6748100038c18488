package ledger

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
)

// Kind of a movement.
type Kind string

// The kinds of movements; the package comment says what each posts.
const (
	Charge             Kind = "charge"
	ProviderFee        Kind = "provider_fee"
	Refund             Kind = "refund"
	RefundFailed       Kind = "refund_failed"
	Dispute            Kind = "dispute"
	DisputeReversal    Kind = "dispute_reversal"
	DisputeFee         Kind = "dispute_fee"
	DisputeFeeReversal Kind = "dispute_fee_reversal"
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{Charge, ProviderFee, Refund, RefundFailed, Dispute, DisputeReversal, DisputeFee, DisputeFeeReversal}
}

// AccountKind says on which side an account normally stands.
type AccountKind string

// The kinds of accounts.
const (
	Asset     AccountKind = "asset"
	Liability AccountKind = "liability"
	Expense   AccountKind = "expense"
)

// Account is one account in whatever currency its movement has. Make one with the functions below.
type Account struct {
	Name string
	Kind AccountKind
}

// ProviderClearing is what a provider holds for us.
func ProviderClearing(provider string) Account {
	return Account{"provider_clearing:" + provider, Asset}
}

// ProviderFees is what a provider has kept.
func ProviderFees(provider string) Account { return Account{"provider_fees:" + provider, Expense} }

// BackerFunds is what backers have paid towards a campaign and not got back.
func BackerFunds(campaignID int64) Account {
	return Account{"backer_funds:" + strconv.FormatInt(campaignID, 10), Liability}
}

// UnallocatedFunds is money that counts for no pledge and goes back.
func UnallocatedFunds() Account { return Account{"unallocated_funds", Liability} }

// Movement is one movement of money from the credited to the debited account.
type Movement struct {
	Kind Kind
	// Reference is the provider's id of the movement; with Kind it is unique.
	Reference string
	PaymentID string
	Debit     Account
	Credit    Account
	// Amount is positive.
	Amount money.Amount
	// At is when the provider says it happened.
	At time.Time
}

// ErrMovement means that a movement lacks a part or its amount is not positive.
var ErrMovement = errors.New("a movement needs a kind, a reference, a payment, two accounts and a positive amount")

// Post writes a movement in the caller's transaction and reports whether it is new: a movement that was posted before
// changes nothing. Error: ErrMovement.
func Post(ctx context.Context, tx *gorm.DB, m Movement) (bool, error) {
	if m.Kind == "" || m.Reference == "" || m.PaymentID == "" || m.Debit == m.Credit || m.Amount.Minor <= 0 || m.Amount.Currency == "" {
		return false, fmt.Errorf("post %s %s: %w", m.Kind, m.Reference, ErrMovement)
	}
	db := tx.WithContext(ctx)
	var ids []int64
	// Waits for a transaction that is just posting the same movement (unique index).
	err := db.Raw(`INSERT INTO ledger_transactions (kind, reference, payment_id, currency, occurred_at)
		VALUES (@kind, @reference, @payment, @currency, @at) ON CONFLICT (kind, reference) DO NOTHING RETURNING id`,
		map[string]any{"kind": m.Kind, "reference": m.Reference, "payment": m.PaymentID, "currency": m.Amount.Currency, "at": m.At},
	).Scan(&ids).Error
	if err != nil {
		return false, fmt.Errorf("post %s %s: %w", m.Kind, m.Reference, err)
	}
	if len(ids) == 0 {
		return false, nil
	}
	if err := openAccounts(db, m); err != nil {
		return false, err
	}
	result := db.Exec(`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
		SELECT @transaction, id, currency, CASE name WHEN @debit THEN 1 ELSE -1 END * CAST(@amount AS bigint)
		FROM ledger_accounts WHERE currency = @currency AND name IN (@debit, @credit)`,
		map[string]any{"transaction": ids[0], "debit": m.Debit.Name, "credit": m.Credit.Name, "amount": m.Amount.Minor, "currency": m.Amount.Currency})
	if result.Error != nil {
		return false, fmt.Errorf("enter %s %s: %w", m.Kind, m.Reference, result.Error)
	}
	return true, nil
}

// openAccounts makes the accounts that are not there yet; index ledger_accounts_name serves the look.
func openAccounts(db *gorm.DB, m Movement) error {
	err := db.Exec(`INSERT INTO ledger_accounts (name, kind, currency)
		SELECT wanted.name, wanted.kind, @currency FROM (VALUES (@debit, @debit_kind), (@credit, @credit_kind)) AS wanted (name, kind)
		WHERE NOT EXISTS (SELECT 1 FROM ledger_accounts a WHERE a.name = wanted.name AND a.currency = @currency)
		ORDER BY wanted.name ON CONFLICT (name, currency) DO NOTHING`,
		map[string]any{"debit": m.Debit.Name, "debit_kind": m.Debit.Kind, "credit": m.Credit.Name, "credit_kind": m.Credit.Kind, "currency": m.Amount.Currency}).Error
	if err != nil {
		return fmt.Errorf("open the accounts of %s %s: %w", m.Kind, m.Reference, err)
	}
	return nil
}

// Posted is a movement as the book has it.
type Posted struct {
	Kind        Kind
	Reference   string
	PaymentID   string
	AmountMinor int64 // on the account that was asked about: debit positive, credit negative
	Currency    money.Currency
	OccurredAt  time.Time
}

// Movements lists what touched an account in [from, to), oldest first. Index ledger_transactions_occurred serves it.
func Movements(ctx context.Context, db *gorm.DB, account Account, from, to time.Time) ([]Posted, error) {
	var list []Posted
	err := db.WithContext(ctx).Raw(`SELECT t.kind, t.reference, t.payment_id, e.amount_minor, t.currency, t.occurred_at
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.occurred_at >= ? AND t.occurred_at < ? AND a.name = ? ORDER BY t.occurred_at, t.id`, from, to, account.Name).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the movements of %s: %w", account.Name, err)
	}
	return list, nil
}

// Find lists the movements of the given references on an account, whenever they were. Index ledger_transactions_once
// serves it.
func Find(ctx context.Context, db *gorm.DB, account Account, references []string) ([]Posted, error) {
	var list []Posted
	if len(references) == 0 {
		return list, nil
	}
	err := db.WithContext(ctx).Raw(`SELECT t.kind, t.reference, t.payment_id, e.amount_minor, t.currency, t.occurred_at
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.kind IN ? AND t.reference IN ? AND a.name = ?`,
		Kinds(), references, account.Name).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("find movements of %s: %w", account.Name, err)
	}
	return list, nil
}

// Balance is the sum of an account's entries in one currency: positive when debits prevail.
func Balance(ctx context.Context, db *gorm.DB, account Account, currency money.Currency) (money.Amount, error) {
	var minor int64
	err := db.WithContext(ctx).Raw(`SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e
		JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = ? AND a.currency = ?`, account.Name, currency).Scan(&minor).Error
	if err != nil {
		return money.Amount{}, fmt.Errorf("balance of %s: %w", account.Name, err)
	}
	return money.New(minor, currency), nil
}
