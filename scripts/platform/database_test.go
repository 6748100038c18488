//go:build unix

package platform

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/localpg"
)

// server is a PostgreSQL of the test's own: roles belong to a whole server.
func server(t *testing.T) string {
	t.Helper()
	pg, err := localpg.Start(t.Context(), localpg.Options{Dir: t.TempDir(), RepoRoot: "../.."})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pg.Kill(); err != nil {
			t.Error(err)
		}
	})
	return pg.URL("postgres")
}

func TestPrepareDatabases_RolesMayBeCreatedConcurrently(t *testing.T) {
	postgres := server(t)
	if _, err := prepareDatabases(t.Context(), postgres, "first"); err != nil {
		t.Fatal(err)
	}
	owner, err := pgx.Connect(t.Context(), postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close(t.Context()) // nothing is open on it
	for range 5 {
		if _, err := owner.Exec(t.Context(), "DROP ROLE talkoot_payments, talkoot_payments_service"); err != nil {
			t.Fatal(err)
		}
		// Each connection on another database, as migrations of several are: no lock of one database holds them all back.
		conns := make([]*pgx.Conn, 6)
		for i, name := range []string{"postgres", contentDatabase, paymentsDatabase, "postgres", contentDatabase,
			paymentsDatabase} {
			base, err := url.Parse(postgres)
			if err != nil {
				t.Fatal(err)
			}
			if conns[i], err = pgx.Connect(t.Context(), address(base, name, nil)); err != nil {
				t.Fatal(err)
			}
		}
		faults := make([]error, len(conns))
		barrier := make(chan struct{})
		var wait sync.WaitGroup
		for i, conn := range conns {
			wait.Go(func() {
				<-barrier
				if i < 3 { // as a migration does
					_, faults[i] = conn.Exec(t.Context(), makeRole(paymentsGroup, "NOLOGIN"))
				} else if i == 3 {
					faults[i] = makePaymentsLogin(t.Context(), conn, "second")
				} else {
					_, faults[i] = conn.Exec(t.Context(), makeRole(paymentsLogin, "LOGIN"))
				}
			})
		}
		close(barrier)
		wait.Wait()
		for _, conn := range conns {
			faults = append(faults, conn.Close(t.Context()))
		}
		if err := errors.Join(faults...); err != nil {
			t.Fatal(err)
		}
	}
	again, err := prepareDatabases(t.Context(), postgres, "third")
	if err != nil || again.ownerBecause != "" || again.paymentsService == again.payments {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func TestLoadSecrets_ExistingOnesAreKeptAndMissingOnesAdded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.json")
	made, err := loadSecrets(path)
	if err != nil || made.PaymentsDatabase == "" || made.SessionKey == "" {
		t.Fatal(made, err)
	}
	if again, err := loadSecrets(path); err != nil || again != made {
		t.Errorf("read again: %v, same %v", err, again == made)
	}
	if err := os.WriteFile(path, []byte(`{"session_key": "key", "service_secret": "old"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	older, err := loadSecrets(path)
	if err != nil || older.SessionKey != "key" || older.ServiceSecret != "old" || older.PaymentsDatabase == "" {
		t.Errorf("older = %+v, %v", older, err)
	}
	if again, err := loadSecrets(path); err != nil || again != older {
		t.Errorf("what was added is not kept: %v", err)
	}
}
