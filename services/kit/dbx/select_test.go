package dbx_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
)

type account struct {
	ID       int64
	Balance  int64
	OpenedAt time.Time
}

const accountSQL = `SELECT id, balance, opened AS opened_at FROM accounts WHERE id = @id OR @everyone ORDER BY id`

func TestSelect_ReadsRowsByName(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	ctx, statements := dbx.CountStatements(t.Context())
	rows, err := dbx.Select[account](ctx, db, accountSQL, pgx.NamedArgs{"id": 2, "everyone": false})
	want := time.Date(2026, 1, 2, 1, 4, 5, 123456000, time.UTC)
	if err != nil || len(rows) != 1 || rows[0] != (account{2, 100, want}) {
		t.Errorf("rows = %+v, %v", rows, err)
	}
	if list := statements.List(); len(list) != 1 || !strings.Contains(list[0], "id = $1") {
		t.Errorf("statements = %q", list)
	}
	if _, err := dbx.Select[account](ctx, db, "SELECT 1 AS id", nil); err == nil {
		t.Error("a field without a column went unnoticed")
	}
}

func TestSelect_RefusesATransaction(t *testing.T) {
	err := dbx.InTx(t.Context(), dbtest.New(t, schema).Gorm, func(tx *gorm.DB) error {
		_, err := dbx.Select[account](t.Context(), tx, accountSQL, pgx.NamedArgs{"id": 1, "everyone": false})
		return err
	})
	if !errors.Is(err, dbx.ErrInTx) {
		t.Errorf("error = %v, want ErrInTx", err)
	}
}

func TestSelect_TakesAnotherConnectionAfterOneBroke(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	read := func() error {
		_, err := dbx.Select[account](t.Context(), db, accountSQL, pgx.NamedArgs{"id": 1, "everyone": true})
		return err
	}
	_, err := dbx.Select[account](t.Context(), db, `SELECT id, balance, opened AS opened_at FROM accounts WHERE pg_terminate_backend(pg_backend_pid())`, nil)
	if !dbx.IsUnavailable(err) {
		t.Errorf("a cut connection says %v", err)
	}
	for range 5 {
		if err := read(); err != nil {
			t.Fatalf("after it: %v", err)
		}
	}
}
