package dbx

import (
	"context"
	"time"

	"gorm.io/gorm"
)

const (
	// pruneBatch is how many rows one statement of Prune removes: far below what a statement has time for.
	pruneBatch = 5000
	// mostPause bounds how long InBatches gives way after a batch.
	mostPause = time.Second
)

// InBatches does work in batches until one finds nothing to do, and returns how much it did in all. After each it gives way for as long as the
// batch took, so that what has piled up takes half of the time at most. It ends when ctx does. Error: the batch's.
func InBatches(ctx context.Context, batch func(ctx context.Context) (int64, error)) (did int64, err error) {
	for {
		began := time.Now() //nolint:forbidigo // only the difference counts
		n, err := batch(ctx)
		did += n
		if err != nil || n == 0 {
			return did, err
		}
		pause := time.NewTimer(min(time.Since(began), mostPause))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		if ctx.Err() != nil { // also where both have come to pass
			return did, ctx.Err() //nolint:wrapcheck // it says all
		}
	}
}

// Prune deletes the rows of a table for which a condition holds, in batches, and returns how many.
func Prune(ctx context.Context, db *gorm.DB, table, condition string, args ...any) (int64, error) {
	query := `DELETE FROM ` + table + ` WHERE ctid = ANY(ARRAY(SELECT ctid FROM ` + table + ` WHERE ` + condition + ` LIMIT ?))`
	return InBatches(ctx, func(ctx context.Context) (int64, error) {
		done := db.WithContext(ctx).Exec(query, append(args, pruneBatch)...)
		return done.RowsAffected, done.Error
	})
}
