package vault

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// keepRetired is how long it is remembered that something is not to be used any more: longer than a provider knows the key
// that made it, and than any call that saw it before can last.
const keepRetired = 30 * 24 * time.Hour

// Lock has a transaction wait for others that take a payer or an instrument into use or retire it.
func Lock(tx *gorm.DB, provider, ref string) error {
	err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, provider+":"+ref).Error
	if err != nil {
		return fmt.Errorf("lock what a provider keeps: %w", err)
	}
	return nil
}

// Use has a payer or an instrument not retired before the transaction ends, which writes who uses it. It reports whether it is
// retired already.
func Use(ctx context.Context, tx *gorm.DB, provider, ref string) (isRetired bool, err error) {
	tx = tx.WithContext(ctx)
	if err := Lock(tx, provider, ref); err != nil {
		return false, err
	}
	err = tx.Raw(`SELECT EXISTS (SELECT FROM forgotten WHERE provider = ? AND ref = ?)`, provider, ref).Scan(&isRetired).Error
	if err != nil {
		return false, fmt.Errorf("read what is not to be used: %w", err)
	}
	return isRetired, nil
}

// Retire writes that a payer or an instrument is not to be used any more; Lock comes before it. Whose payer it was gets
// another the next time.
func Retire(tx *gorm.DB, provider, ref string, now time.Time) error {
	err := tx.Exec(`INSERT INTO forgotten (provider, ref, at) VALUES (?, ?, ?) ON CONFLICT (provider, ref) DO UPDATE SET at = excluded.at`,
		provider, ref, now).Error
	if err == nil {
		err = tx.Exec(`UPDATE payers SET ref = '', number = number + 1 WHERE provider = ? AND ref = ?`, provider, ref).Error
	}
	if err != nil {
		return fmt.Errorf("retire what a provider keeps: %w", err)
	}
	return nil
}

// Prune removes what was retired long ago.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `forgotten`, `at < ?`, now.Add(-keepRetired)); err != nil {
		return fmt.Errorf("prune what is retired: %w", err)
	}
	return nil
}
