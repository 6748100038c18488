package idem_test

import (
	"context"
	"encoding/json"
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
func pledge(ctx context.Context, db *gorm.DB, k idem.Key) (response idem.Response, replayed bool, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		response, replayed, err = idem.Do(ctx, tx, k, func() (idem.Response, error) {
			err := tx.Exec("INSERT INTO effects VALUES (1)").Error
			return idem.Response{Status: 201, Body: json.RawMessage(`{"id": 7}`)}, err
		})
		return err
	})
	return response, replayed, err
}

func effects(t *testing.T, db *gorm.DB) (n int) {
	t.Helper()
	if err := db.Raw("SELECT count(*) FROM effects").Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDo_ReplaysTheAnswerAndRefusesAnotherRequest(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	first, replayed, err := pledge(t.Context(), db, key("a"))
	if err != nil || replayed {
		t.Fatalf("first: replayed %v, %v", replayed, err)
	}
	again, replayed, err := pledge(t.Context(), db, key("a"))
	if err != nil || !replayed || again.Status != 201 || string(again.Body) != string(first.Body) {
		t.Errorf("again: %d %s, replayed %v, %v", again.Status, again.Body, replayed, err)
	}
	if _, _, err := pledge(t.Context(), db, key("b")); !errors.Is(err, apperr.New(apperr.IdempotencyMismatch)) {
		t.Errorf("another body: %v, want idempotency_mismatch", err)
	}
	other := key("b")
	other.Scope = "POST /refunds/"
	if _, replayed, err := pledge(t.Context(), db, other); err != nil || replayed {
		t.Errorf("another scope: replayed %v, %v", replayed, err)
	}
	if n := effects(t, db); n != 2 {
		t.Errorf("%d effects, want 2", n)
	}
}

func TestDo_TakesEffectOnceForManyAtOnce(t *testing.T) {
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
			_, replayed, err := pledge(t.Context(), db, key(body))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, idem.ErrMismatch):
				mismatched++
			case err != nil:
				t.Error(err)
			case !replayed:
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
func TestDo_ASecondTransactionWaitsForTheFirst(t *testing.T) {
	for name, commit := range map[string]bool{"first commits": true, "first rolls back": false} {
		t.Run(name, func(t *testing.T) {
			db := dbtest.New(t, schema).Gorm
			fault := errors.New("fault")
			inside, proceed, firstDone := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			go func() {
				firstDone <- dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
					_, _, err := idem.Do(t.Context(), tx, key("a"), func() (idem.Response, error) {
						close(inside)
						<-proceed
						if !commit {
							return idem.Response{}, fault
						}
						return idem.Response{Status: 200}, nil
					})
					return err
				})
			}()
			<-inside
			type result struct {
				replayed bool
				err      error
			}
			second := make(chan result, 1)
			go func() {
				_, replayed, err := pledge(t.Context(), db, key("a"))
				second <- result{replayed, err}
			}()
			waitForLock(t, db)
			close(proceed)
			if err := <-firstDone; commit != (err == nil) {
				t.Fatalf("first: %v", err)
			}
			got := <-second
			if got.err != nil || got.replayed != commit {
				t.Errorf("second: %+v, want replayed %v", got, commit)
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

func TestDo_StoresNothingForAFailure(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	gone := apperr.New(apperr.RewardGone)
	err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		_, _, err := idem.Do(t.Context(), tx, key("a"), func() (idem.Response, error) { return idem.Response{}, gone })
		return err
	})
	if !errors.Is(err, gone) {
		t.Errorf("error = %v", err)
	}
	if _, replayed, err := pledge(t.Context(), db, key("b")); err != nil || replayed {
		t.Errorf("the key is not free after a failure: replayed %v, %v", replayed, err)
	}
}

func TestDo_TellsWhenAFailureWasCommitted(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		_, _, _ = idem.Do(t.Context(), tx, key("a"), func() (idem.Response, error) { return idem.Response{}, errors.New("fault") })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := pledge(t.Context(), db, key("a")); !errors.Is(err, idem.ErrUnanswered) {
		t.Errorf("error = %v, want ErrUnanswered", err)
	}
}

func TestDo_TakesKeysOfOneTo255Characters(t *testing.T) {
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
