//go:build unix

package personaldata_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
)

// waiting returns when n sessions of this database wait for a lock.
func (w *world) waiting(n int64) {
	w.t.Helper()
	tooLate := time.After(20 * time.Second)
	for w.number(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) < n {
		select {
		case <-tooLate:
			w.t.Fatalf("never were %d waiting", n)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func TestExport_ASlowReaderHoldsNoConnection(t *testing.T) {
	w := withAamu(t)
	pool, err := w.DB.DB()
	if err != nil {
		t.Fatal(err)
	}
	file, err := w.Export(t.Context(), w.aamu, "fi")
	if err != nil {
		t.Fatal(err)
	}
	if n := pool.Stats().InUse; n != 0 {
		t.Errorf("%d connections are in use before the first byte is read", n)
	}
	answer := httptest.NewRecorder()
	if err := file.VisitOwnDataResponse(answer); err != nil || answer.Header().Get("Content-Length") == "" || !strings.HasSuffix(answer.Body.String(), "\n}\n") {
		t.Errorf("%v, %v", answer.Header(), err)
	}
}

func TestExport_OneAtATimeOfAPersonAndFewOfAll(t *testing.T) {
	w := newWorld(t)
	stop := w.DB.Begin()
	if err := stop.Exec(`LOCK TABLE passkeys IN ACCESS EXCLUSIVE MODE`).Error; err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	var people []int64
	for _, name := range []string{"Aatos", "Inka", "Pyry", "Saga"} {
		people = append(people, w.Person(name))
	}
	for _, id := range people[:3] {
		go func() {
			_, err := w.Export(t.Context(), id, "fi")
			done <- err
		}()
	}
	w.waiting(3)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for id, want := range map[int64]apperr.Status{people[0]: apperr.TooManyRequests, people[3]: apperr.Busy} {
		_, err := w.Export(ctx, id, "fi")
		if refused := apperr.From(err); err == nil || refused.Status != want || refused.Retry <= 0 {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := stop.Rollback().Error; err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Export(t.Context(), people[3], "fi"); err != nil {
		t.Error("after the others:", err)
	}
}

func TestExport_AFaultInTheMiddleIsAnErrorAndNoPartOfTheFile(t *testing.T) {
	w := withAamu(t)
	w.Exec(`ALTER TABLE review_notes RENAME TO elsewhere`)
	for range 4 { // a refused one takes no place
		if file, err := w.Export(t.Context(), w.aamu, "fi"); err == nil || errors.Is(err, apperr.New(apperr.Busy)) {
			t.Fatal(file, err)
		}
	}
}
