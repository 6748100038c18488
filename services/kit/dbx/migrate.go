package dbx

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

// migrationLock is the key of the advisory lock; a service has a database of its own, so one key does.
const migrationLock = 7_265_301_884_102

// migrationLockPoll is how often a waiting process asks for the lock.
const migrationLockPoll = 50 * time.Millisecond

// Migrate brings the database at url up to the last of the goose migrations (*.sql in the root of fsys). Several
// processes may call it at once: one works, the others wait until ctx ends and find nothing left to do.
func Migrate(ctx context.Context, url string, fsys fs.FS) (err error) {
	// Without statement timeouts: a migration may take longer than any statement of a request.
	pool, err := connect(Config{URL: url, AppName: "migrate", MaxConns: 2, ConnectTimeout: 5 * time.Second}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, fsys, goose.WithSessionLocker(sessionLock{}))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// sessionLock polls instead of waiting inside PostgreSQL, because a waiting statement holds a snapshot that CREATE
// INDEX CONCURRENTLY in the working process would wait for, for ever.
type sessionLock struct{}

func (sessionLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	tick := time.NewTicker(migrationLockPoll)
	defer tick.Stop()
	for {
		var locked bool
		if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", int64(migrationLock)).Scan(&locked); err != nil {
			return fmt.Errorf("take the migration lock: %w", err)
		}
		if locked {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for another process to finish its migrations: %w", ctx.Err())
		}
	}
}

func (sessionLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(migrationLock)); err != nil {
		return fmt.Errorf("release the migration lock: %w", err)
	}
	return nil
}

// Hash is a fingerprint of the files in fsys, 32 hexadecimal digits: another name or content gives another hash. Tests
// name their template database by it.
func Hash(fsys fs.FS) (string, error) {
	sum := sha256.New()
	// WalkDir goes in lexical order; lengths keep two files from reading as one.
	err := fs.WalkDir(fsys, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(fsys, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%d %s %d %s", len(path), path, len(content), content)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash the migrations: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
