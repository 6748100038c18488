package dbx_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
)

// killer ends the goroutine that runs the at-th statement, before it is sent or after it has taken effect; with stays
// also those of all later statements, before they are sent.
type killer struct {
	mu     sync.Mutex
	seen   []string
	at     int // counts from 1; 0 ends none
	after  bool
	stays  bool
	ending bool
}

func (k *killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen = append(k.seen, data.SQL)
	k.ending = len(k.seen) == k.at
	if k.ending && !k.after || k.stays && k.at > 0 && len(k.seen) > k.at {
		runtime.Goexit()
	}
	return ctx
}

func (k *killer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ending && k.after {
		k.ending = false
		runtime.Goexit()
	}
}

// arm resets the counter and sets when to kill.
func (k *killer) arm(at int, after, stays bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen, k.at, k.after, k.stays, k.ending = nil, at, after, stays, false
}

func (k *killer) statements() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.seen)
}

func openKillable(t *testing.T) (*gorm.DB, *killer) {
	t.Helper()
	k := &killer{}
	db, err := dbx.Open(t.Context(), dbx.Config{URL: dbtest.New(t, schema).URL, MaxConns: 1, Tracer: k}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dbx.Close(db); err != nil {
			t.Error(err)
		}
	})
	k.arm(0, false, false)
	return db, k
}

// run does work in a goroutine and reports whether it returned; a goroutine that neither returns nor ends is a failure.
func run(t *testing.T, work func() error) (returned bool, err error) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = work()
		returned = true
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the goroutine hangs")
	}
	return returned, err
}

// usable fails the test if the pool, of one connection, is unusable or a row is still locked.
func usable(t *testing.T, db *gorm.DB) {
	t.Helper()
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	if n := pool.Stats().InUse; n != 0 {
		t.Fatalf("%d connections left in use", n)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		return tx.Exec("SELECT FROM accounts FOR UPDATE").Error
	})
	if err != nil {
		t.Fatalf("the pool does not serve: %v", err)
	}
}

func TestTracer_AGoroutineEndedAtAnyStatementLeavesAWholePoolAndAllOrNothing(t *testing.T) {
	db, k := openKillable(t)
	transfer := func() error {
		return dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
			if err := tx.Exec("UPDATE accounts SET balance = balance - 10 WHERE id = 1").Error; err != nil {
				return fmt.Errorf("take: %w", err)
			}
			var got int64
			if err := tx.Raw("UPDATE accounts SET balance = balance + 10 WHERE id = 2 RETURNING balance").Scan(&got).Error; err != nil {
				return fmt.Errorf("give: %w", err)
			}
			var rows []struct{ ID, Balance int64 }
			if err := tx.Table("accounts").Find(&rows).Error; err != nil {
				return fmt.Errorf("look: %w", err)
			}
			return tx.Table("accounts").Where("id = 1").Update("opened", "2026-02-02").Error
		})
	}
	if returned, err := run(t, transfer); !returned || err != nil {
		t.Fatal(returned, err)
	}
	statements := k.statements()
	if len(statements) != 6 || statements[0] != "begin" || statements[5] != "commit" {
		t.Fatalf("statements = %q", statements)
	}
	want := int64(90)
	for at := 1; at <= len(statements); at++ {
		for _, when := range []struct{ after, stays bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
			k.arm(at, when.after, when.stays)
			if returned, err := run(t, transfer); returned {
				t.Fatalf("%q (%+v): the goroutine went on: %v", statements[at-1], when, err)
			}
			k.arm(0, false, false)
			if when.after && statements[at-1] == "commit" {
				want -= 10
			}
			usable(t, db)
			if got := balance(t, db, 1); got != want || got+balance(t, db, 2) != 200 {
				t.Fatalf("%q (%+v): balance %d, want %d", statements[at-1], when, got, want)
			}
		}
	}
}

func TestTracer_AGoroutineEndsAtItsOneStatementBeforeOrAfterItTookEffect(t *testing.T) {
	db, k := openKillable(t)
	for name, statement := range map[string]func() error{
		"exec": func() error { return db.Exec("UPDATE accounts SET balance = balance + 1 WHERE id = 1").Error },
		"returning one row": func() error {
			var id int64
			return db.Raw("UPDATE accounts SET balance = balance + 1 WHERE id = 1 RETURNING id").Scan(&id).Error
		},
		"returning none": func() error {
			var ids []int64
			return db.Raw("WITH u AS (UPDATE accounts SET balance = balance + 1 WHERE id = 1) SELECT 1 WHERE false").Scan(&ids).Error
		},
		"past GORM": func() error {
			_, err := dbx.Select[struct{ ID int64 }](t.Context(), db, "UPDATE accounts SET balance = balance + 1 WHERE id = 1 RETURNING id", nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, after := range []bool{false, true} {
				before := balance(t, db, 1)
				k.arm(1, after, false)
				if returned, err := run(t, statement); returned {
					t.Errorf("after %v: the goroutine went on: %v", after, err)
				}
				k.arm(0, false, false)
				usable(t, db)
				if took := balance(t, db, 1) > before; took != after {
					t.Errorf("after %v: took effect: %v", after, took)
				}
			}
		})
	}
}

func TestTracer_StatementsOnTheSQLPoolFailInsteadOfEndingTheirGoroutine(t *testing.T) {
	db, k := openKillable(t)
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	k.arm(1, false, false)
	returned, err := run(t, func() error {
		_, err := pool.ExecContext(t.Context(), "UPDATE accounts SET balance = 0")
		return err
	})
	if !returned || err == nil || len(k.statements()) != 1 || balance(t, db, 1) != 100 {
		t.Errorf("returned %v, %v, statements %q", returned, err, k.statements())
	}
	usable(t, db)
}

func TestTracer_SeesWhatTheSlowLogSees(t *testing.T) {
	url := dbtest.New(t, schema).URL
	var text bytes.Buffer
	k := &killer{}
	db, err := dbx.Open(t.Context(), dbx.Config{URL: url, Tracer: k, SlowQuery: time.Nanosecond}, slog.New(slog.NewTextHandler(&text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dbx.Close(db) }()
	k.arm(0, false, false)
	text.Reset()
	var rows []map[string]any
	if err := db.Raw("SELECT id, opened, balance FROM accounts ORDER BY id").Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[1]["balance"] != int64(100) {
		t.Errorf("rows = %v", rows)
	}
	if got := strings.Count(text.String(), "slow statement"); got != 1 || len(k.statements()) != 1 {
		t.Errorf("the slow log saw %d, the tracer %q", got, k.statements())
	}
}
