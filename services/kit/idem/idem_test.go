package idem_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
)

var schema = fstest.MapFS{"00001_table.sql": {Data: []byte("-- +goose Up\n" + idem.DDL + "CREATE TABLE effects (id int);")}}

func key(body string) idem.Key {
	return idem.Key{Scope: "POST /pledges/", Key: "k1", Hash: idem.Hash([]byte(body))}
}

// pledge makes one effect under the key, as a domain function does.
func pledge(ctx context.Context, db *gorm.DB, k idem.Key) (before string, repeated bool, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		before, repeated, err = idem.Claim(ctx, tx, k, "pledge 7")
		if err != nil || repeated {
			return err
		}
		return tx.Exec("INSERT INTO effects VALUES (1)").Error
	})
	return before, repeated, err
}

func effects(t *testing.T, db *gorm.DB) (n int) {
	t.Helper()
	if err := db.Raw("SELECT count(*) FROM effects").Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestClaim_NamesTheFirstEffectAndRefusesAnotherRequest(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	if _, repeated, err := pledge(t.Context(), db, key("a")); err != nil || repeated {
		t.Fatalf("first: repeated %v, %v", repeated, err)
	}
	if before, repeated, err := pledge(t.Context(), db, key("a")); err != nil || !repeated || before != "pledge 7" {
		t.Errorf("again: %q, repeated %v, %v", before, repeated, err)
	}
	if _, _, err := pledge(t.Context(), db, key("b")); !errors.Is(err, apperr.New(apperr.IdempotencyMismatch)) {
		t.Errorf("another body: %v, want idempotency_mismatch", err)
	}
	other := key("b")
	other.Scope = "POST /refunds/"
	if _, repeated, err := pledge(t.Context(), db, other); err != nil || repeated {
		t.Errorf("another scope: repeated %v, %v", repeated, err)
	}
	if n := effects(t, db); n != 2 {
		t.Errorf("%d effects, want 2", n)
	}
}

func TestClaim_TakesEffectOnceForManyAtOnce(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	const callers = 20
	var fresh, mismatched int
	var mu sync.Mutex
	var wait sync.WaitGroup
	barrier := make(chan struct{})
	for i := range callers {
		wait.Go(func() {
			<-barrier
			body := "a"
			if i%5 == 4 {
				body = "b"
			}
			_, repeated, err := pledge(t.Context(), db, key(body))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, idem.ErrMismatch):
				mismatched++
			case err != nil:
				t.Error(err)
			case !repeated:
				fresh++
			}
		})
	}
	close(barrier)
	wait.Wait()
	if n := effects(t, db); n != 1 || fresh != 1 {
		t.Errorf("%d effects, %d fresh answers, want one each", n, fresh)
	}
	if mismatched != 4 && mismatched != 16 {
		t.Errorf("%d mismatches, want those of the losing body", mismatched)
	}
}

// The second transaction must wait for the first, and do the work itself when the first rolls back.
func TestClaim_ASecondTransactionWaitsForTheFirst(t *testing.T) {
	for name, commit := range map[string]bool{"first commits": true, "first rolls back": false} {
		t.Run(name, func(t *testing.T) {
			db := dbtest.New(t, schema).Gorm
			fault := errors.New("fault")
			inside, proceed, firstDone := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			go func() {
				firstDone <- dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
					if _, _, err := idem.Claim(t.Context(), tx, key("a"), "pledge 1"); err != nil {
						return err
					}
					close(inside)
					<-proceed
					if !commit {
						return fault
					}
					return nil
				})
			}()
			<-inside
			type result struct {
				repeated bool
				err      error
			}
			second := make(chan result, 1)
			go func() {
				_, repeated, err := pledge(t.Context(), db, key("a"))
				second <- result{repeated, err}
			}()
			waitForLock(t, db)
			close(proceed)
			if err := <-firstDone; commit != (err == nil) {
				t.Fatalf("first: %v", err)
			}
			got := <-second
			if got.err != nil || got.repeated != commit {
				t.Errorf("second: %+v, want repeated %v", got, commit)
			}
			if n := effects(t, db); (n == 0) != commit {
				t.Errorf("%d effects", n)
			}
		})
	}
}

// waitForLock returns once a session of this database waits for another one.
func waitForLock(t *testing.T, db *gorm.DB) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		var waiting int
		err := db.Raw(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting).Error
		if err != nil {
			t.Fatal(err)
		}
		if waiting > 0 {
			return
		}
	}
	t.Fatal("nobody waits")
}

func TestClaim_StoresNothingForAFailure(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	gone := apperr.New(apperr.RewardGone)
	err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		_, _, err := idem.Claim(t.Context(), tx, key("a"), "pledge 1")
		return errors.Join(err, gone)
	})
	if !errors.Is(err, gone) {
		t.Errorf("error = %v", err)
	}
	if _, repeated, err := pledge(t.Context(), db, key("b")); err != nil || repeated {
		t.Errorf("the key is not free after a failure: repeated %v, %v", repeated, err)
	}
}

func TestClaim_TakesKeysOfOneTo255Characters(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	for text, ok := range map[string]bool{"": false, "x": true, strings.Repeat("ä", 255): true, strings.Repeat("x", 256): false} {
		k := key("a")
		k.Key = text
		_, _, err := pledge(t.Context(), db, k)
		if ok != (err == nil) || !ok && apperr.From(err).Status != apperr.InvalidFields {
			t.Errorf("key of %d bytes: %v", len(text), err)
		}
	}
}

func TestPrune_RemovesOnlyOldKeys(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	if _, _, err := pledge(t.Context(), db, key("a")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		age  time.Duration
		want int64
	}{{-time.Hour, 0}, {time.Hour, 1}} {
		if n, err := idem.Prune(t.Context(), db, time.Now().Add(tt.age)); err != nil || n != tt.want {
			t.Errorf("Prune = %d, %v, want %d", n, err, tt.want)
		}
	}
}

func TestHash_KeepsPartsApart(t *testing.T) {
	if string(idem.Hash([]byte("ab"), []byte("c"))) == string(idem.Hash([]byte("a"), []byte("bc"))) {
		t.Error("moving a border between parts gives the same hash")
	}
}
