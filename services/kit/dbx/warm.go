package dbx

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// maxIdleTime is when a pool closes a connection that nobody uses.
const maxIdleTime = 5 * time.Minute

// warmEvery is how often KeepWarm uses connections.
const warmEvery = maxIdleTime / 3

// KeepWarm keeps so many of the pool's connections from being closed while nobody uses them, until ctx ends. It is for
// processes whose callers wait: a new connection has to sign in, and PostgreSQL has to read its catalogue and to plan each
// statement for it anew, which made the first page after a quiet night ten times as slow as any other.
func KeepWarm(ctx context.Context, db *gorm.DB, count int) error {
	return keepWarm(ctx, db, count, warmEvery)
}

// KeepWarm does the same for the replica's pool.
func (r *Replica) KeepWarm(ctx context.Context, count int) error {
	return keepPoolWarm(ctx, r.pool, count, warmEvery)
}

func keepWarm(ctx context.Context, db *gorm.DB, count int, every time.Duration) error {
	pool, err := db.DB()
	if err != nil {
		return fmt.Errorf("find the pool: %w", err)
	}
	return keepPoolWarm(ctx, pool, count, every)
}

func keepPoolWarm(ctx context.Context, pool *sql.DB, count int, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			useIdle(ctx, pool, count)
		}
	}
}

// useIdle takes idle connections, all at once, and gives them back. The pool hands out what was used last, so that it is
// the same ones each time. One that is broken is replaced; that PostgreSQL is away is told to whoever needs it.
func useIdle(ctx context.Context, pool *sql.DB, count int) {
	for range min(count, pool.Stats().Idle) {
		conn, err := pool.Conn(ctx)
		if err != nil {
			return
		}
		defer conn.Close() // only given back
	}
}
