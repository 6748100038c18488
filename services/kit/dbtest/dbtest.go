//go:build unix

package dbtest

import (
	"context"
	"database/sql/driver"
	"io/fs"
	"log/slog"
	"net/url"
	"sync"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// DB is a migrated database of one test.
type DB struct {
	// URL is its address, password included.
	URL string
	// Gorm is a small pool on it, closed when the test ends.
	Gorm *gorm.DB
	// Keep lets another pool on it use the sessions of earlier tests, as dbx.Config.Keep.
	Keep func(settings string, connect driver.Connector) driver.Connector
}

// As is the database's address for sessions with the rights of a role, for tests of what a role may do. The role must
// exist; roles belong to the server that all tests share, so a test creates its own with a random name or in a
// migration. It is no security boundary: such a session can return to the superuser's rights by SET ROLE.
func (d *DB) As(role string) string {
	u, err := url.Parse(d.URL)
	if err != nil { // join has read the same address before
		panic("dbtest: the database's address is not a URL")
	}
	query := u.Query()
	query.Set("role", role) // the driver passes unknown parameters on as session settings
	u.RawQuery = query.Encode()
	return u.String()
}

// shared is this process's connection to the server: made by the first New, released when the process ends.
var shared = sync.OnceValues(join) // one server a process is the point of the package

// New lends a database with the migrations (goose SQL files at the root of the file system) and nothing else, until the test
// and its subtests are over. Tables that earlier tests have filled are empty, but their files are not: a test of plans asks
// for NewFiles. Safe in parallel tests.
func New(t testing.TB, migrations fs.FS) *DB {
	t.Helper()
	server, template := migrated(t, migrations)
	if d := server.take(t.Context(), template); d != nil {
		return server.lend(t, d)
	}
	return server.lend(t, server.cloned(t, template, mostUses))
}

// NewFiles is New with files that no other test has written to, for tests of where rows lie and of what follows from it, as plans.
func NewFiles(t testing.TB, migrations fs.FS) *DB {
	t.Helper()
	server, template := migrated(t, migrations)
	return server.lend(t, server.cloned(t, template, mostUses))
}

func migrated(t testing.TB, migrations fs.FS) (s *server, template string) {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	if template, err = s.template(t.Context(), migrations); err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	return s, template
}

// cloned makes a database that serves so many tests.
func (s *server) cloned(t testing.TB, template string, uses int) *database {
	t.Helper()
	d := &database{name: s.newName(), template: template, left: uses}
	if err := s.clone(t.Context(), d.name, template); err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	return d
}

// lend gives a database to the test, until it is over.
func (s *server) lend(t testing.TB, d *database) *DB {
	t.Helper()
	t.Cleanup(func() { s.giveBack(t, d) })
	address := s.url(d.name)
	db, err := dbx.Open(t.Context(), dbx.Config{URL: address, AppName: "dbtest", Keep: d.sessions.keep}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	t.Cleanup(func() {
		if err := dbx.Close(db); err != nil {
			t.Errorf("dbtest: close pool: %v", err)
		}
	})
	return &DB{URL: address, Gorm: db, Keep: d.sessions.keep}
}

// giveBack leaves the database to the next test. That of a failed test is dropped, or kept for inspection.
func (s *server) giveBack(t testing.TB, d *database) {
	t.Helper()
	if t.Failed() && keepsFailed() {
		if err := s.linger(); err != nil {
			t.Errorf("dbtest: %v", err)
		}
		t.Logf("dbtest: kept the database: %s", s.url(d.name))
		return
	}
	if d.left--; !t.Failed() && d.left > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stock = append(s.stock, d)
		return
	}
	// The test's own context has ended by now.
	if err := s.end(context.Background(), d); err != nil {
		t.Errorf("dbtest: %v", err)
	}
}
