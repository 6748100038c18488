package dbx_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
)

func file(sql string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("-- +goose Up\n" + sql)} }

var schema = fstest.MapFS{"00001_accounts.sql": file(`CREATE TABLE accounts (
	id bigint CONSTRAINT accounts_pkey PRIMARY KEY, balance bigint NOT NULL CONSTRAINT accounts_balance_positive CHECK (balance >= 0),
	opened timestamptz NOT NULL DEFAULT '2026-01-02T03:04:05.123456+02');
	INSERT INTO accounts VALUES (1, 100), (2, 100);`)}

func balance(t *testing.T, db *gorm.DB, id int) (n int64) {
	t.Helper()
	if err := db.Raw("SELECT balance FROM accounts WHERE id = ?", id).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestInTx_CommitsOrLeavesNothing(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	fault := errors.New("fault")
	set := func(tx *gorm.DB, n int) error {
		return tx.Exec("UPDATE accounts SET balance = ? WHERE id = 1", n).Error
	}
	if err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error { return set(tx, 1) }); err != nil {
		t.Fatal(err)
	}
	err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error { return errors.Join(set(tx, 2), fault) })
	if !errors.Is(err, fault) {
		t.Errorf("error = %v, want that of the function", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = dbx.InTx(t.Context(), db, func(tx *gorm.DB) error { _ = set(tx, 3); panic("fault") })
	}()
	ctx, cancel := context.WithCancel(t.Context())
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error { defer cancel(); return set(tx, 4) })
	if err == nil {
		t.Error("a cancelled transaction reported success")
	}
	if got := balance(t, db, 1); got != 1 {
		t.Errorf("balance = %d, want 1", got)
	}
	pool, _ := db.DB()
	if n := pool.Stats().InUse; n != 0 {
		t.Errorf("%d connections left in use", n)
	}
}

func TestInTx_RefusesToNest(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		return dbx.InTx(t.Context(), tx.Where("1 = 1"), func(*gorm.DB) error { return nil })
	})
	if !errors.Is(err, dbx.ErrNestedTx) {
		t.Errorf("error = %v, want ErrNestedTx", err)
	}
}

func TestInTx_RetriesAfterADeadlock(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	var meet sync.WaitGroup // both have locked their first row before either locks its second
	meet.Add(2)
	var runs [2]int
	var faults [2]error
	var wait sync.WaitGroup
	for i := range 2 {
		wait.Go(func() {
			faults[i] = dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
				runs[i]++
				for step, id := range []int{1 + i, 2 - i} {
					if err := tx.Exec("UPDATE accounts SET balance = balance + 1 WHERE id = ?", id).Error; err != nil {
						return fmt.Errorf("add: %w", err)
					}
					if step == 0 && runs[i] == 1 {
						meet.Done()
						meet.Wait()
					}
				}
				return nil
			})
		})
	}
	wait.Wait()
	if err := errors.Join(faults[:]...); err != nil {
		t.Fatal(err)
	}
	if runs[0]+runs[1] != 3 {
		t.Errorf("runs = %v, want one of them twice", runs)
	}
	if a, b := balance(t, db, 1), balance(t, db, 2); a != 102 || b != 102 {
		t.Errorf("balances = %d, %d, want 102 each", a, b)
	}
}

func TestInTx_GivesUpAfterFourAttempts(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	runs := 0
	err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		runs++
		return tx.Exec("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$").Error
	})
	if err == nil || runs != 4 {
		t.Errorf("runs = %d, error = %v, want 4 and an error", runs, err)
	}
}

func TestIsUnavailable_NotForABrokenRule(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	tests := []struct{ name, sql string }{
		{"unique", "INSERT INTO accounts VALUES (1, 1)"},
		{"check", "UPDATE accounts SET balance = -1"},
		{"another fault", "SELECT 1 / 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := db.Exec(tt.sql).Error
			if err == nil || dbx.IsUnavailable(fmt.Errorf("wrapped: %w", err)) {
				t.Errorf("a broken rule reads as an outage: %v", err)
			}
		})
	}
}

func TestIsUnavailable_WhenNobodyListens(t *testing.T) {
	_, err := dbx.Open(t.Context(), dbx.Config{URL: "postgres://u:hunter2@127.0.0.1:1/x"}, slog.New(slog.DiscardHandler))
	if !dbx.IsUnavailable(err) {
		t.Errorf("IsUnavailable(%v) = false", err)
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error shows the password: %v", err)
	}
	if dbx.IsUnavailable(errors.New("x")) || dbx.IsUnavailable(nil) || !dbx.IsUnavailable(fmt.Errorf("x: %w", io.ErrUnexpectedEOF)) {
		t.Error("other errors are judged wrongly")
	}
}

func TestIsUnavailable_WhenTheServerCutsTheConnection(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	err := db.Connection(func(conn *gorm.DB) error {
		return conn.Exec("SELECT pg_terminate_backend(pg_backend_pid())").Error
	})
	if !dbx.IsUnavailable(err) {
		t.Errorf("IsUnavailable(%v) = false", err)
	}
	if got := balance(t, db, 1); got != 100 {
		t.Errorf("the pool did not recover: %d", got)
	}
}

func TestOpen_ReadsTimesInUTCToTheMicrosecond(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	var opened time.Time
	if err := db.Raw("SELECT opened FROM accounts WHERE id = 1").Scan(&opened).Error; err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 1, 2, 1, 4, 5, 123456000, time.UTC); opened != want {
		t.Errorf("opened = %v, want %v", opened, want)
	}
}

// A pooler in transaction mode takes no settings from us: the role has them, or nothing starts.
func TestOpen_BehindAPooler_LeavesTheLimitsToTheRole(t *testing.T) {
	t.Parallel()
	world := dbtest.New(t, schema)
	address := world.URL + "&default_query_exec_mode=exec"
	if !strings.Contains(world.URL, "?") {
		address = world.URL + "?default_query_exec_mode=exec"
	}
	if _, err := dbx.Open(t.Context(), dbx.Config{URL: address}, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "statement_timeout") {
		t.Fatalf("a role without limits: %v", err)
	}
	for _, limit := range []string{"statement_timeout = '7s'", "idle_in_transaction_session_timeout = '8s'"} {
		err := world.Gorm.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ` + strings.ReplaceAll(limit, "'", "''") + `', current_database()); END $$`).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := dbx.Open(t.Context(), dbx.Config{URL: address}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dbx.Close(db) }()
	var has struct{ Limit, JIT string }
	if err := db.Raw(`SELECT current_setting('statement_timeout') AS limit, current_setting('jit') AS jit`).Scan(&has).Error; err != nil || has.Limit != "7s" {
		t.Errorf("%+v, %v", has, err)
	}
	var prepared int
	if err := db.Raw(`SELECT count(*) FROM pg_prepared_statements WHERE ? = 1`, 1).Scan(&prepared).Error; err != nil || prepared != 0 {
		t.Errorf("%d statements are prepared, %v", prepared, err)
	}
}

func TestOpen_LogsSlowStatementsWithoutParameters(t *testing.T) {
	url := dbtest.New(t, schema).URL
	var text bytes.Buffer
	db, err := dbx.Open(t.Context(), dbx.Config{URL: url, SlowQuery: time.Nanosecond}, slog.New(slog.NewTextHandler(&text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dbx.Close(db) }()
	row := map[string]any{}
	for _, query := range []*gorm.DB{
		db.Raw("SELECT ?::text = 'x'", "hunter2"), db.Raw("SELECT CAST(@a AS text) = 'x'", map[string]any{"a": "hunter2"}),
		db.Table("accounts").Select("1").Where("id::text = ?", "hunter2"),
	} {
		if err := query.Scan(&row).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec("UPDATE accounts SET balance = 1 WHERE id::text = ?", "hunter2").Error; err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(text.String(), "slow statement"); got != 4 || strings.Contains(text.String(), "hunter2") {
		t.Errorf("log has %d slow statements:\n%s", got, text.String())
	}
}

func TestCountStatements_CountsEveryKindUnderItsContextOnly(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	ctx, statements := dbx.CountStatements(t.Context())
	err := dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var rows []struct{ ID int }
		return errors.Join(
			tx.Table("accounts").Find(&rows).Error,
			tx.Table("accounts").Where("id = 1").Update("balance", 5).Error,
			tx.Exec("UPDATE accounts SET balance = 6").Error,
			tx.Raw("SELECT id FROM accounts").Scan(&rows).Error,
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	balance(t, db, 1)
	if statements.Count() != 4 || !strings.Contains(statements.List()[1], `UPDATE "accounts"`) {
		t.Errorf("statements = %q, want 4", statements.List())
	}
}

func TestMigrate_TakesAnotherWayToTheSameSchema(t *testing.T) {
	t.Parallel()
	test := dbtest.New(t, schema)
	first := schema["00001_accounts.sql"].Data
	for was, ok := range map[string]bool{fmt.Sprintf("%x", sha256.Sum256(first)): true, strings.Repeat("0", 64): false} {
		again := fstest.MapFS{"00001_accounts.sql": {Data: []byte(string(first) + "\n-- was " + was + "\n")}}
		if err := dbx.Migrate(t.Context(), test.URL, again); (err == nil) != ok {
			t.Errorf("a file that was %s: %v", was, err)
		}
	}
}

// The lock of migrations is a session's, which a pooler gives to somebody else with the lock on it.
func TestMigrate_RefusesAPooler(t *testing.T) {
	t.Parallel()
	world := dbtest.New(t, schema)
	address := world.URL + "&default_query_exec_mode=exec"
	if !strings.Contains(world.URL, "?") {
		address = world.URL + "?default_query_exec_mode=exec"
	}
	if err := dbx.Migrate(t.Context(), address, schema); err == nil || !strings.Contains(err.Error(), "pooler") {
		t.Errorf("it migrated: %v", err)
	}
}

func TestMigrate_RefusesADatabaseThatRanOtherMigrations(t *testing.T) {
	test := dbtest.New(t, schema)
	changed := fstest.MapFS{"00001_accounts.sql": file("CREATE TABLE accounts (id int);"), "00002_more.sql": file("CREATE TABLE more (id int);")}
	err := dbx.Migrate(t.Context(), test.URL, changed)
	if !errors.Is(err, dbx.ErrMigrationChanged) || !strings.Contains(err.Error(), "00001_accounts.sql") {
		t.Errorf("a changed migration: %v", err)
	}
	if err := test.Gorm.Exec("SELECT FROM more").Error; err == nil {
		t.Error("it went on to the next one")
	}
	if err := dbx.Migrate(t.Context(), test.URL, schema); err != nil {
		t.Errorf("the one that it ran: %v", err)
	}
	if err := test.Gorm.Exec("DROP TABLE migration_checksums").Error; err != nil {
		t.Fatal(err)
	}
	if err := dbx.Migrate(t.Context(), test.URL, schema); !errors.Is(err, dbx.ErrMigrationChanged) {
		t.Errorf("a database without checksums: %v", err)
	}
}

func TestMigrate_ManyAtOnceRunEachMigrationOnce(t *testing.T) {
	test := dbtest.New(t, schema)
	more := fstest.MapFS{"00001_accounts.sql": schema["00001_accounts.sql"],
		"00002_more.sql": file("INSERT INTO accounts SELECT 3, 1 FROM pg_sleep(0.2);")}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	faults := make([]error, 6)
	var wait sync.WaitGroup
	for i := range faults {
		wait.Go(func() { faults[i] = dbx.Migrate(ctx, test.URL, more) })
	}
	wait.Wait()
	if err := errors.Join(faults...); err != nil {
		t.Fatal(err)
	}
	if got := balance(t, test.Gorm, 3); got != 1 {
		t.Errorf("the migration did not run: %d", got)
	}
}

func TestHash_ChangesWithNamesAndContents(t *testing.T) {
	hash := func(files fstest.MapFS) string {
		t.Helper()
		h, err := dbx.Hash(files)
		if err != nil || len(h) != 32 {
			t.Fatalf("Hash = %q, %v", h, err)
		}
		return h
	}
	base := hash(fstest.MapFS{"a": {Data: []byte("xy")}, "b": {Data: []byte("z")}})
	if base != hash(fstest.MapFS{"b": {Data: []byte("z")}, "a": {Data: []byte("xy")}}) {
		t.Error("the same files hash differently")
	}
	for name, other := range map[string]fstest.MapFS{
		"content": {"a": {Data: []byte("xyz")}, "b": {Data: []byte("")}},
		"name":    {"a": {Data: []byte("xy")}, "c": {Data: []byte("z")}},
		"missing": {"a": {Data: []byte("xy")}},
	} {
		if hash(other) == base {
			t.Errorf("another %s has the same hash", name)
		}
	}
}

func TestTextArray_ComesBackAsItWent(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	for _, sent := range []dbx.TextArray{nil, {}, {"view"}, {"", "NULL", `a,b {"c"} \\ d'`, "ä\n"}} {
		var got dbx.TextArray
		if err := db.Raw(`SELECT CAST(? AS text[])`, sent).Row().Scan(&got); err != nil || len(got) != len(sent) || !slices.Equal(got, sent) {
			t.Errorf("%q came back as %q, %v", sent, got, err)
		}
	}
}

func TestCreateAll_IsOneStatementForAThousandRowsAndNoneForNone(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	for _, tt := range []struct{ rows, statements int }{{0, 0}, {1000, 1}, {1001, 2}} {
		rows := make([]struct{ ID, Balance int64 }, tt.rows)
		for i := range rows {
			rows[i].ID = int64(tt.rows*10_000 + i)
		}
		ctx, ran := dbx.CountStatements(t.Context())
		if err := dbx.CreateAll(db.WithContext(ctx).Table("accounts"), rows); err != nil || ran.Count() != tt.statements {
			t.Errorf("%d rows: %d statements, %v; want %d", tt.rows, ran.Count(), err, tt.statements)
		}
	}
	var kept int64
	if err := db.Raw("SELECT count(*) FROM accounts").Scan(&kept).Error; err != nil || kept != 2+2001 {
		t.Errorf("%d accounts, %v", kept, err)
	}
}
