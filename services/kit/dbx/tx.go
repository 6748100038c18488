package dbx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"
)

// maxTxAttempts is how often Retry runs a transaction that ends in deadlocks or serialization failures.
const maxTxAttempts = 4

// ErrNestedTx is what InTx returns when db is a transaction already: join it by passing tx on.
var ErrNestedTx = errors.New("begin a transaction inside a transaction")

// InTx runs fn in one transaction and commits when fn returns nil. An error or a panic of fn rolls back; the error
// comes back as it is, with a failed rollback joined to it.
//
// After a serialization failure or a deadlock it runs fn again, at most four times in all: fn must leave nothing
// behind outside tx, and must return database errors wrapped, not swallowed. fn uses tx only (a call on the outer db
// would survive the rollback) and makes no network call. An error of the commit itself can mean that it happened.
func InTx(ctx context.Context, db *gorm.DB, fn func(tx *gorm.DB) error) error {
	if _, nested := db.Statement.ConnPool.(gorm.TxCommitter); nested {
		return ErrNestedTx
	}
	return Retry(ctx, func() error { return runTx(ctx, db, fn) })
}

// Retry runs a statement that is a transaction of its own, again after a serialization failure or a deadlock, at most
// four times in all.
func Retry(ctx context.Context, statement func() error) error {
	for attempt := 1; ; attempt++ {
		err := statement()
		if err == nil || !isRetryable(err) || attempt == maxTxAttempts {
			return err
		}
		pause := firstPause(err) << (attempt - 1)
		pause += rand.N(pause) //nolint:gosec // jitter, not a secret
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
	}
}

// firstPause is the least pause before the first retry; up to as much again is added at random, and each further pause
// is twice as long. After a deadlock the other transaction is only just being woken: an immediate retry could lock its
// row first, and both would deadlock again. PostgreSQL takes a second to detect a deadlock, so the pause adds little.
func firstPause(err error) time.Duration {
	if isDeadlock(err) {
		return 100 * time.Millisecond
	}
	return 5 * time.Millisecond
}

func runTx(ctx context.Context, db *gorm.DB, fn func(tx *gorm.DB) error) error {
	tx := db.WithContext(ctx).Begin()
	if tx.Error != nil {
		exitIfStopped(tx.Error)
		return fmt.Errorf("begin a transaction: %w", tx.Error)
	}
	returned := false
	defer func() {
		if !returned { // a panic, which continues, or runtime.Goexit
			tx.Rollback()
		}
	}()
	err := fn(tx)
	returned = true
	if err != nil {
		// A cancelled context has rolled back already.
		rollbackErr := tx.Rollback().Error
		exitIfStopped(errors.Join(err, rollbackErr))
		if rollbackErr != nil && !errors.Is(rollbackErr, sql.ErrTxDone) {
			return errors.Join(err, fmt.Errorf("roll back: %w", rollbackErr))
		}
		return err
	}
	if err := tx.Commit().Error; err != nil {
		exitIfStopped(err)
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
