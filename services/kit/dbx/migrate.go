package dbx

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"
)

// migrationLock is the key of the advisory lock; one key is enough, because each service has its own database.
const migrationLock = 7_265_301_884_102

// migrationLockPoll is how often a waiting process asks for the lock.
const migrationLockPoll = 50 * time.Millisecond

// ErrMigrationChanged means that a migration differs from the one that this database ran. Its schema is unknown then,
// so nothing is changed. A file that comes to the same schema by another way says which one it was, by its SHA-256: "-- was 5e88…".
var ErrMigrationChanged = errors.New("a migration has changed since this database ran it: use a fresh database, or the program that made this one")

// Migrate brings the database at url up to the last of the goose migrations (*.sql in the root of fsys). Several
// processes may call it at once: one works, the others wait until ctx ends and find nothing left to do.
// Errors: ErrMigrationChanged.
func Migrate(ctx context.Context, url string, fsys fs.FS) (err error) {
	// Without statement timeouts: a migration may take longer than any statement of a request.
	if parsed, err := pgx.ParseConfig(url); err == nil && isPooled(parsed) {
		return errors.New("migrate past the pooler, by the address of PostgreSQL itself: the lock of migrations is a session's, and a pooler " +
			"would leave it behind")
	}
	pool, err := connect(Config{URL: url, AppName: "migrate", MaxConns: 2, ConnectTimeout: 5 * time.Second}, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, fsys)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }() // also releases the lock if unlocking has failed
	if err := lockMigrations(ctx, conn); err != nil {
		return err
	}
	if err := checkMigrations(ctx, conn, provider, fsys); err != nil {
		return errors.Join(err, unlockMigrations(ctx, conn))
	}
	_, err = provider.Up(ctx)
	if err == nil {
		err = noteMigrations(ctx, conn, provider, fsys)
	}
	if err != nil {
		err = fmt.Errorf("migrate: %w", err)
	}
	return errors.Join(err, unlockMigrations(ctx, conn))
}

// checkMigrations compares what the database ran with the files.
func checkMigrations(ctx context.Context, conn *sql.Conn, provider *goose.Provider, fsys fs.FS) error {
	var ran, noted bool
	err := conn.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL, to_regclass('migration_checksums') IS NOT NULL").Scan(&ran, &noted)
	if err != nil {
		return fmt.Errorf("look for earlier migrations: %w", err)
	}
	if ran && !noted {
		return ErrMigrationChanged // migrated by a version without checksums
	}
	if !noted {
		_, err := conn.ExecContext(ctx, "CREATE TABLE migration_checksums (version bigint PRIMARY KEY, checksum text NOT NULL)")
		if err != nil {
			return fmt.Errorf("note migrations: %w", err)
		}
		return nil
	}
	return eachMigration(provider, fsys, func(version int64, name, sum string, content []byte) error {
		var then string
		err := conn.QueryRowContext(ctx, "SELECT checksum FROM migration_checksums WHERE version = $1", version).Scan(&then)
		switch {
		case errors.Is(err, sql.ErrNoRows): // not run yet, or by a process that crashed before it stored the checksum
			return nil
		case err != nil:
			return fmt.Errorf("read checksums of migrations: %w", err)
		case then != sum && !bytes.Contains(content, []byte("\n-- was "+then+"\n")): // another way to the same schema
			return fmt.Errorf("%s: %w", name, ErrMigrationChanged)
		}
		return nil
	})
}

// noteMigrations stores the checksums of all files, which have been run.
func noteMigrations(ctx context.Context, conn *sql.Conn, provider *goose.Provider, fsys fs.FS) error {
	return eachMigration(provider, fsys, func(version int64, _, sum string, _ []byte) error {
		_, err := conn.ExecContext(ctx, "INSERT INTO migration_checksums VALUES ($1, $2) ON CONFLICT DO NOTHING", version, sum)
		return err
	})
}

func eachMigration(provider *goose.Provider, fsys fs.FS, do func(version int64, name, sum string, content []byte) error) error {
	for _, source := range provider.ListSources() {
		content, err := fs.ReadFile(fsys, source.Path)
		if err != nil {
			return fmt.Errorf("read migration: %w", err)
		}
		if err := do(source.Version, source.Path, fmt.Sprintf("%x", sha256.Sum256(content)), content); err != nil {
			return err
		}
	}
	return nil
}

// lockMigrations polls instead of waiting inside PostgreSQL, because a waiting statement holds a snapshot that CREATE
// INDEX CONCURRENTLY in the migrating process would wait for: a deadlock.
func lockMigrations(ctx context.Context, conn *sql.Conn) error {
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

func unlockMigrations(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(migrationLock)); err != nil {
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
