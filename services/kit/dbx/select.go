package dbx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

// ErrInTx is what Select returns for a transaction, outside of which it would read.
var ErrInTx = errors.New("select past a transaction")

// Select reads rows directly from the driver, on a connection of db's pool, at half the cost of GORM's Raw and Scan.
// Parameters are named as with GORM (@campaign). Each column needs a field of the struct T with its name, and each
// field a column; underscores and case are ignored. It does not work inside of transactions.
func Select[T any](ctx context.Context, db *gorm.DB, statement string, params pgx.NamedArgs) (rows []T, err error) {
	pool, ok := db.Statement.ConnPool.(*sql.DB)
	if !ok {
		return nil, ErrInTx
	}
	statement, args, err := params.RewriteQuery(ctx, nil, statement, nil)
	if err != nil {
		return nil, fmt.Errorf("name parameters: %w", err)
	}
	conn, err := poolFor(ctx, pool).Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a connection: %w", err)
	}
	defer func() {
		err = errors.Join(err, conn.Close())
		exitIfStopped(err)
	}()
	read := func(ctx context.Context, conn *pgx.Conn) error {
		found, err := conn.Query(ctx, statement, args...)
		if err != nil {
			return fmt.Errorf("query: %w", err)
		}
		rows, err = pgx.CollectRows(found, pgx.RowToStructByName[T])
		return err
	}
	err = conn.Raw(func(driver any) error {
		collect(ctx, statement)
		if stoppable, ok := driver.(*stoppableConn); ok {
			return stopping(ctx, func(ctx context.Context) error { return read(ctx, stoppable.Conn.Conn()) })
		}
		return read(ctx, driver.(interface{ Conn() *pgx.Conn }).Conn()) //nolint:forcetypeassert // Open made the pool
	})
	return rows, err
}
