//go:build unix

package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/kit/dbx"
)

// server is the PostgreSQL that this process's tests use.
type server struct {
	admin *pgxpool.Pool // on the maintenance database
	url   func(database string) string
	// linger keeps the server running for a while after its tests.
	linger func() error

	number int32 // this process's, see sign
	made   atomic.Int64

	users *os.File // open file whose lock keeps the server running while this process lives

	mu        sync.Mutex
	templates map[string]bool // ready ones, by name
	stock     []*database     // what tests have left
}

// template returns the name of the migrated template, making it when no process has made it yet.
func (s *server) template(ctx context.Context, migrations fs.FS) (string, error) {
	hash, err := dbx.Hash(migrations)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(hash + prepareStock))
	name := "tmpl_" + hex.EncodeToString(sum[:12])
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.templates[name] {
		return name, nil
	}
	if err := s.makeTemplate(ctx, name, migrations); err != nil {
		return "", fmt.Errorf("make template %s: %w", name, err)
	}
	s.templates[name] = true
	return name, nil
}

// makeTemplate migrates under a temporary name and renames at the end, so that a template with the final name is
// complete.
func (s *server) makeTemplate(ctx context.Context, name string, migrations fs.FS) error {
	conn, err := s.admin.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext($1))", name); err != nil {
		return fmt.Errorf("wait for other processes: %w", err)
	}
	defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(hashtext($1))", name) //nolint:errcheck // ends with the session anyway
	var ready bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&ready); err != nil {
		return fmt.Errorf("look for it: %w", err)
	}
	if ready {
		return nil
	}
	making := name + "_making"
	for _, sql := range []string{
		"DROP DATABASE IF EXISTS " + quote(making) + " WITH (FORCE)",
		"CREATE DATABASE " + quote(making) + " TEMPLATE template0",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("create: %w", err)
		}
	}
	if err := dbx.Migrate(ctx, s.url(making), migrations); err != nil {
		return err
	}
	if err := prepare(ctx, s.url(making)); err != nil {
		return err
	}
	if err := warm(ctx, s.url(making)); err != nil {
		return err
	}
	for _, sql := range []string{
		"ALTER DATABASE " + quote(making) + " WITH ALLOW_CONNECTIONS false",
		"ALTER DATABASE " + quote(making) + " RENAME TO " + quote(name),
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("put in place: %w", err)
		}
	}
	return nil
}

// warm connects once after all changes, upon which PostgreSQL writes a file of the catalogue's parts that every session needs;
// clones get a copy, so that their own first sessions need not make it.
func warm(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connect once: %w", err)
	}
	return conn.Close(ctx)
}

// prepare runs statements in a template.
func prepare(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("prepare the stock: %w", err)
	}
	_, err = conn.Exec(ctx, prepareStock)
	return errors.Join(err, conn.Close(ctx))
}

func (s *server) clone(ctx context.Context, name, template string) error {
	sql := "CREATE DATABASE " + quote(name) + " TEMPLATE " + quote(template) + " STRATEGY FILE_COPY"
	if _, err := s.admin.Exec(ctx, sql); err != nil {
		return fmt.Errorf("clone %s: %w", template, err)
	}
	return nil
}

func (s *server) drop(ctx context.Context, name string) error {
	if _, err := s.admin.Exec(ctx, "DROP DATABASE IF EXISTS "+quote(name)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop %s: %w", name, err)
	}
	return nil
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
