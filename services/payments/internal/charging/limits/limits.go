// Package limits keeps how much people want to be charged in a calendar month at most, and weighs what their months come
// to. Packages payments and subscriptions ask it before something begins; proto-docs/flows/subscription.md says when.
//
// Whoever weighs holds the limit's row until the end of the transaction, so that what two of them begin at once does not
// slip under it; it is the last lock, after payments and subscriptions. Without an account there is no limit.
package limits

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Limit is how much a person wants to be charged in a calendar month.
type Limit struct {
	UserID        int64
	Currency      string // ISO 4217
	AmountMinor   int64
	CountsPledges bool // single pledges count too, beside monthly support
}

// IsLooserThan reports whether a limit lets more be charged than another one of the same person.
func (l Limit) IsLooserThan(other Limit) bool {
	return l.AmountMinor > other.AmountMinor || other.CountsPledges && !l.CountsPledges
}

const columns = `user_id, currency, amount_minor, counts_pledges`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) ([]Limit, error) {
	var list []Limit
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM spending_limits `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read spending limits: %w", err)
	}
	return list, nil
}

// Of gives a person's limits, by currency.
func Of(ctx context.Context, db *gorm.DB, user int64) ([]Limit, error) {
	return read(ctx, db, `WHERE user_id = ? ORDER BY currency`, user)
}

// Find gives a person's limit in a currency; nil without one.
func Find(ctx context.Context, db *gorm.DB, user *int64, currency string) (*Limit, error) {
	return find(ctx, db, user, currency, "")
}

// Lock is Find for whoever weighs: it holds the limit until the transaction ends.
func Lock(ctx context.Context, tx *gorm.DB, user *int64, currency string) (*Limit, error) {
	return find(ctx, tx, user, currency, " FOR UPDATE")
}

func find(ctx context.Context, db *gorm.DB, user *int64, currency, lock string) (*Limit, error) {
	if user == nil {
		return nil, nil //nolint:nilnil // no limit is no error
	}
	list, err := read(ctx, db, `WHERE user_id = ? AND currency = ?`+lock, *user, currency)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// Set writes a limit; the last one counts.
func Set(ctx context.Context, tx *gorm.DB, l Limit, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`INSERT INTO spending_limits (`+columns+`, set_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (user_id, currency) DO UPDATE SET amount_minor = excluded.amount_minor, counts_pledges = excluded.counts_pledges,
			set_at = excluded.set_at`, l.UserID, l.Currency, l.AmountMinor, l.CountsPledges, now).Error
	if err != nil {
		return fmt.Errorf("set a spending limit: %w", err)
	}
	return nil
}

// End takes a person's limit in a currency away; without one it changes nothing.
func End(ctx context.Context, tx *gorm.DB, user int64, currency string) error {
	err := tx.WithContext(ctx).Exec(`DELETE FROM spending_limits WHERE user_id = ? AND currency = ?`, user, currency).Error
	if err != nil {
		return fmt.Errorf("end a spending limit: %w", err)
	}
	return nil
}

// Merge gives a person's limits that were set by a time to another account of theirs; of two for one currency the lower stays,
// unless the other account's was set since.
func Merge(ctx context.Context, tx *gorm.DB, from, into int64, at time.Time) error {
	err := tx.WithContext(ctx).Exec(`WITH moved AS (DELETE FROM spending_limits WHERE user_id = @from AND set_at <= @at RETURNING `+columns+`, set_at)
		INSERT INTO spending_limits (`+columns+`, set_at) SELECT @into, currency, amount_minor, counts_pledges, set_at FROM moved
		ON CONFLICT (user_id, currency) DO UPDATE SET amount_minor = least(spending_limits.amount_minor, excluded.amount_minor),
			counts_pledges = spending_limits.counts_pledges OR excluded.counts_pledges
			WHERE spending_limits.set_at <= @at`, map[string]any{"from": from, "into": into, "at": at}).Error
	if err != nil {
		return fmt.Errorf("merge spending limits: %w", err)
	}
	return nil
}

// Erase deletes a person's limits.
func Erase(ctx context.Context, tx *gorm.DB, user int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM spending_limits WHERE user_id = ?`, user).Error; err != nil {
		return fmt.Errorf("delete spending limits: %w", err)
	}
	return nil
}

// exceeded refuses what would bring a calendar month to a total.
func (l Limit) exceeded(m month, total int64) error {
	return apperr.New(apperr.SpendingLimitExceeded).WithParams(apperr.Params{"currency": l.Currency, "limit_minor": l.AmountMinor,
		"total_minor": total, "month": m.String()})
}
