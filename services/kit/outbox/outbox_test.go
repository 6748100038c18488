package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
)

var schema = fstest.MapFS{"00001_table.sql": {Data: []byte("-- +goose Up\n" + outbox.DDL)}}

// bundle is an outbox with a relay whose clock the test moves.
type bundle struct {
	db      *gorm.DB
	handler outbox.Handler
	log     strings.Builder

	mu  sync.Mutex
	now time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{db: dbtest.New(t, schema).Gorm, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
}

func (b *bundle) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bundle) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func (b *bundle) relay(t *testing.T) *outbox.Relay {
	t.Helper()
	r, err := outbox.NewRelay(outbox.Config{
		DB: b.db, Handlers: map[string]outbox.Handler{"mail": func(ctx context.Context, m outbox.Message) error { return b.handler(ctx, m) }},
		Now: b.clock, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (b *bundle) add(t *testing.T, m outbox.Message) int64 {
	t.Helper()
	if m.Kind == "" {
		m.Kind = "mail"
	}
	if m.Payload == nil {
		m.Payload = json.RawMessage(`{}`)
	}
	id, err := outbox.Add(t.Context(), b.db, m)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func runOnce(t *testing.T, r *outbox.Relay) int {
	t.Helper()
	n, err := r.RunOnce(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (b *bundle) undone(t *testing.T) int64 {
	t.Helper()
	var n int64
	if err := b.db.Raw(`SELECT count(*) FROM outbox WHERE done_at IS NULL`).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAdd_CommitsOrRollsBackWithItsTransaction(t *testing.T) {
	b := setup(t)
	fault := errors.New("fault")
	for _, end := range []error{fault, nil} {
		err := dbx.InTx(t.Context(), b.db, func(tx *gorm.DB) error {
			_, err := outbox.Add(t.Context(), tx, outbox.Message{Kind: "mail", Payload: json.RawMessage(`{"id": 1}`)})
			return errors.Join(err, end)
		})
		if !errors.Is(err, end) {
			t.Fatal(err)
		}
	}
	if n := b.undone(t); n != 1 {
		t.Errorf("%d messages, want only the committed one", n)
	}
}

func TestAdd_RefusesWhatCannotBeDelivered(t *testing.T) {
	b := setup(t)
	for _, m := range []outbox.Message{{Payload: json.RawMessage(`{}`)}, {Kind: "mail"}, {Kind: "mail", Payload: json.RawMessage(`{`)}} {
		if _, err := outbox.Add(t.Context(), b.db, m); !errors.Is(err, outbox.ErrInvalid) {
			t.Errorf("Add(%+v): %v, want ErrInvalid", m, err)
		}
	}
}

func TestAdd_WithOneDedupeKeyMakesOneMessage(t *testing.T) {
	b := setup(t)
	ids := make([]int64, 10)
	var wait sync.WaitGroup
	for i := range ids {
		wait.Go(func() {
			err := dbx.InTx(t.Context(), b.db, func(tx *gorm.DB) (err error) {
				ids[i], err = outbox.Add(t.Context(), tx, outbox.Message{Kind: "mail", Payload: json.RawMessage(`{}`), DedupeKey: "k"})
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if slices.Min(ids) != slices.Max(ids) || b.undone(t) != 1 {
		t.Errorf("ids = %v, %d messages, want one", ids, b.undone(t))
	}
}

// oneByOne is a relay of one message at a time.
func (b *bundle) oneByOne(t *testing.T) *outbox.Relay {
	t.Helper()
	r := b.relay(t)
	r.Concurrency = 1
	return r
}

func TestRunOnce_OneByOneComesInOrderOnTheCallersGoroutine(t *testing.T) {
	b := setup(t)
	var want []int64
	for range 30 {
		want = append(want, b.add(t, outbox.Message{}))
	}
	var got []int64
	b.handler = func(_ context.Context, m outbox.Message) error {
		got = append(got, m.ID)
		if m.ID == want[20] && m.Attempt == 1 {
			runtime.Goexit()
		}
		return nil
	}
	relay := b.oneByOne(t)
	returned, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		runOnce(t, relay)
		returned = true
	}()
	<-ended
	if returned || !slices.Equal(got, want[:21]) {
		t.Errorf("returned %v after %v, want the end of the goroutine at %d", returned, got, want[20])
	}
	if n := runOnce(t, relay); n != 9 || !slices.Equal(got, want) {
		t.Errorf("then %d more: %v, want all but the one that is leased", n, got)
	}
	b.pass(16 * time.Second)
	if n := runOnce(t, relay); n != 1 || got[len(got)-1] != want[20] {
		t.Errorf("after the lease %d: %v", n, got)
	}
}

func TestRelay_OnlyItsOwnClockDecidesWhatIsDue(t *testing.T) {
	var told [][]time.Duration
	for _, year := range []int{1990, 2026, 2190} { // the database's clock does not matter
		b := setup(t)
		b.now = time.Date(year, 5, 1, 12, 0, 0, 0, time.UTC)
		begin := b.now
		var attempts []time.Duration
		b.handler = func(_ context.Context, m outbox.Message) error {
			attempts = append(attempts, b.now.Sub(begin))
			if m.Attempt < 12 {
				return errors.New("fault")
			}
			return nil
		}
		b.add(t, outbox.Message{})
		relay := b.oneByOne(t)
		for left := 10_000; b.undone(t) > 0 && left > 0; left-- {
			if n := runOnce(t, relay); n > 0 && runOnce(t, relay) > 0 {
				t.Fatalf("%d: due again while the clock stood still", year)
			}
			b.pass(time.Second << len(attempts))
		}
		if n, err := relay.Prune(t.Context()); err != nil || n != 0 {
			t.Errorf("%d: pruned %d at once, %v", year, n, err)
		}
		b.pass(8 * 24 * time.Hour)
		if n, err := relay.Prune(t.Context()); err != nil || n != 1 {
			t.Errorf("%d: pruned %d after the retention, %v", year, n, err)
		}
		told = append(told, attempts)
	}
	for _, attempts := range told {
		if len(attempts) != 12 || !slices.Equal(attempts, told[0]) {
			t.Errorf("attempts after %v, and after %v in another year", attempts, told[0])
		}
	}
}

func TestRelay_PrunesOnlyWhatWasDeliveredLongAgo(t *testing.T) {
	b := setup(t)
	b.handler = func(_ context.Context, m outbox.Message) error {
		if m.Stream == "stuck" {
			return errors.New("fault")
		}
		return nil
	}
	b.add(t, outbox.Message{})
	b.add(t, outbox.Message{Stream: "stuck"})
	relay := b.relay(t)
	runOnce(t, relay)
	for _, want := range []int64{0, 1} {
		if n, err := relay.Prune(t.Context()); err != nil || n != want {
			t.Errorf("pruned %d, %v, want %d", n, err, want)
		}
		b.pass(8 * 24 * time.Hour)
	}
	if b.undone(t) != 1 {
		t.Error("an undelivered message was pruned")
	}
}

func TestRun_PollsOnWakeAndFinishesStartedDeliveries(t *testing.T) {
	b := setup(t)
	started, finish := make(chan struct{}), make(chan struct{})
	b.handler = func(ctx context.Context, _ outbox.Message) error {
		close(started)
		<-finish
		return ctx.Err()
	}
	relay := b.relay(t)
	relay.Interval = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- relay.Run(ctx) }()
	b.add(t, outbox.Message{})
	relay.Wake()
	relay.Wake() // never blocks
	select {
	case <-started:
	case <-time.After(20 * time.Second):
		t.Fatal("the wake was not heard")
	}
	cancel()
	select {
	case err := <-ended:
		t.Fatalf("Run returned while a handler worked: %v", err)
	default:
	}
	close(finish)
	if err := <-ended; err != nil || b.undone(t) != 0 {
		t.Errorf("Run: %v, %d left", err, b.undone(t))
	}
}
