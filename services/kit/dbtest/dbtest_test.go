//go:build unix

package dbtest_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
)

func migrations(table string) fs.FS {
	return fstest.MapFS{"00001_first.sql": {Data: []byte(
		"-- +goose Up\nCREATE TABLE " + table + " (n integer NOT NULL);\n")}}
}

func count(t *testing.T, db *dbtest.DB, table string) (n int) {
	t.Helper()
	if err := db.Gorm.Raw("SELECT count(*) FROM " + table).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNew_IsMigratedAndEmptyForEveryTest(t *testing.T) {
	for range 2 {
		db := dbtest.New(t, migrations("pledge"))
		if n := count(t, db, "pledge"); n != 0 {
			t.Fatalf("rows of another test: %d", n)
		}
		if err := db.Gorm.Exec("INSERT INTO pledge VALUES (1)").Error; err != nil {
			t.Fatal(err)
		}
		if n := count(t, db, "pledge"); n != 1 {
			t.Fatalf("rows = %d", n)
		}
	}
}

func TestNew_KeepsOtherMigrationsApart(t *testing.T) {
	db := dbtest.New(t, migrations("reward"))
	var there bool
	if err := db.Gorm.Raw("SELECT to_regclass('pledge') IS NOT NULL").Scan(&there).Error; err != nil {
		t.Fatal(err)
	}
	if there {
		t.Error("another migration's table is there")
	}
}

func TestNew_ServesParallelTests(t *testing.T) {
	var urls sync.Map
	t.Run("all", func(t *testing.T) {
		for range 8 {
			t.Run("one", func(t *testing.T) {
				t.Parallel()
				db := dbtest.New(t, migrations("pledge"))
				if _, taken := urls.LoadOrStore(db.URL, true); taken {
					t.Error("two tests share a database")
				}
				defer urls.Delete(db.URL)
				if n := count(t, db, "pledge"); n != 0 {
					t.Errorf("rows = %d", n)
				}
			})
		}
	})
}

func TestFilled_IsFilledOnceAndEachTestHasACopy(t *testing.T) {
	fills := 0
	filled := dbtest.Filled{Migrations: migrations("pledge"), Fill: func(_ context.Context, db *gorm.DB) error {
		fills++
		return db.Exec("INSERT INTO pledge VALUES (1)").Error
	}}
	for range 2 {
		db := filled.New(t)
		if n := count(t, db, "pledge"); n != 1 || fills != 1 {
			t.Fatalf("%d rows, filled %d times", n, fills)
		}
		if err := db.Gorm.Exec("INSERT INTO pledge VALUES (2)").Error; err != nil {
			t.Fatal(err)
		}
	}
}

func TestAs_HasTheRolesRightsAndNoOthers(t *testing.T) {
	db := dbtest.New(t, migrations("pledge"))
	role := "t_role_" + strings.ToLower(rand.Text()[:16])
	exec := func(statements ...string) {
		for _, sql := range statements {
			if err := db.Gorm.Exec(sql).Error; err != nil {
				t.Fatal(err)
			}
		}
	}
	exec("CREATE ROLE "+role+" NOLOGIN", "GRANT SELECT ON pledge TO "+role)
	t.Cleanup(func() { exec("DROP OWNED BY "+role, "DROP ROLE "+role) })

	conn, err := pgx.Connect(t.Context(), db.As(role))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) // nothing is open on it
	var n int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pledge").Scan(&n); err != nil || n != 0 {
		t.Errorf("reading: %d, %v", n, err)
	}
	for _, sql := range []string{"INSERT INTO pledge VALUES (1)", "ALTER TABLE pledge DISABLE TRIGGER ALL", "SET session_replication_role = replica"} {
		var refused *pgconn.PgError
		if _, err := conn.Exec(t.Context(), sql); !errors.As(err, &refused) || refused.Code != "42501" {
			t.Errorf("%s: %v, want insufficient_privilege", sql, err)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		dbtest.New(b, migrations("pledge"))
	}
}
