//go:build unix

package dbtest

import (
	"context"
	"crypto/rand"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"strings"
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

// New clones a database from the template of the migrations (goose SQL files at the root of the file system). It is
// dropped when the test and its subtests are over. Safe in parallel tests.
func New(t testing.TB, migrations fs.FS) *DB {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	template, err := server.template(t.Context(), migrations)
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	return server.cloned(t, template)
}

func (s *server) cloned(t testing.TB, template string) *DB {
	t.Helper()
	ctx := t.Context()
	name := "t_" + strings.ToLower(rand.Text()[:16])
	if err := s.clone(ctx, name, template); err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	address := s.url(name)
	t.Cleanup(func() { s.discard(t, name) })
	db, err := dbx.Open(ctx, dbx.Config{URL: address, AppName: t.Name()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("dbtest: %v", err)
	}
	t.Cleanup(func() {
		if err := dbx.Close(db); err != nil {
			t.Errorf("dbtest: close pool: %v", err)
		}
	})
	return &DB{URL: address, Gorm: db}
}

// discard drops the test's database, or keeps it for inspection after a failed test.
func (s *server) discard(t testing.TB, name string) {
	t.Helper()
	if t.Failed() && os.Getenv("TALKOOT_KEEP_DB") == "1" {
		if err := s.linger(); err != nil {
			t.Errorf("dbtest: %v", err)
		}
		t.Logf("dbtest: kept the database: %s", s.url(name))
		return
	}
	// The test's own context has ended by now.
	if err := s.drop(context.Background(), name); err != nil {
		t.Errorf("dbtest: %v", err)
	}
}
