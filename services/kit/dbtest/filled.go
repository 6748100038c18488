//go:build unix

package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// Filled is a database with rows of which each test gets a copy of its own. They are written once a process, for the first
// test that asks; the copied database stays until the server ends.
type Filled struct {
	Migrations fs.FS
	// Fill writes the rows, through a pool that is closed afterwards.
	Fill func(ctx context.Context, db *gorm.DB) error

	mu   sync.Mutex
	name string // once it is filled
}

// New clones the filled database. As with the package's New, the clone is dropped when the test and its subtests are over.
func (f *Filled) New(t testing.TB) *DB {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	template, err := f.template(t.Context(), server)
	if err != nil {
		t.Fatalf("dbtest: fill: %v", err)
	}
	return server.lend(t, server.cloned(t, template, 1))
}

func (f *Filled) template(ctx context.Context, s *server) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.name != "" {
		return f.name, nil
	}
	migrated, err := s.template(ctx, f.Migrations)
	if err != nil {
		return "", err
	}
	name := "filled_" + strings.ToLower(rand.Text()[:16])
	if err := s.clone(ctx, name, migrated); err != nil {
		return "", err
	}
	if err := f.fill(ctx, s.url(name)); err != nil {
		return "", errors.Join(err, s.drop(context.WithoutCancel(ctx), name))
	}
	f.name = name
	return name, nil
}

func (f *Filled) fill(ctx context.Context, address string) error {
	db, err := dbx.Open(ctx, dbx.Config{URL: address, AppName: "fill"}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(f.Fill(ctx, db), dbx.Close(db))
}
