package changes

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
)

// Row is a record of a table, by its columns that people change.
type Row interface {
	// Versioned is which row it is, and its version.
	Versioned() (Entity, int64)
}

// Lock strengths, as PostgreSQL calls them.
const (
	ForShare       = "SHARE"
	ForNoKeyUpdate = "NO KEY UPDATE"
	ForUpdate      = "UPDATE"
)

// Lock reads the row of an id, keeps it locked until the transaction ends, so that changes of it come one after the other, and begins
// its change. tx may have further conditions. Error: NotFound.
func Lock[R Row](ctx context.Context, tx *gorm.DB, id int64, strength string) (r R, c *Change, err error) {
	err = tx.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).Clauses(clause.Locking{Strength: strength}).Take(&r, id).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return r, nil, apperr.New(apperr.NotFound)
	case err != nil:
		return r, nil, fmt.Errorf("lock %T %d: %w", r, id, err)
	}
	return r, Of(r.Versioned()), nil
}

// LockKnown is Lock for a change that was made on a version which somebody has seen; 0 stands for any. Errors: NotFound; ChangedMeanwhile.
func LockKnown[R Row](ctx context.Context, tx *gorm.DB, id, known int64, strength string) (r R, c *Change, err error) {
	r, c, err = Lock[R](ctx, tx, id, strength)
	if err != nil {
		return r, nil, err
	}
	return r, c, c.Expect(ctx, tx.Session(&gorm.Session{NewDB: true}), known)
}
