package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/outbox"
)

func TestRelay_DeliversOnceWithEverythingThatWasAdded(t *testing.T) {
	b := setup(t)
	var got []outbox.Message
	b.handler = func(ctx context.Context, m outbox.Message) error {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("the handler has no deadline")
		}
		got = append(got, m)
		return nil
	}
	id := b.add(t, outbox.Message{Payload: json.RawMessage(`{"id": 7}`), Stream: "s", DedupeKey: "d"})
	relay := b.relay(t)
	if n := runOnce(t, relay) + runOnce(t, relay); n != 1 || len(got) != 1 || b.undone(t) != 0 {
		t.Fatalf("claimed %d, delivered %d, left %d", n, len(got), b.undone(t))
	}
	m := got[0]
	if m.ID != id || m.Kind != "mail" || m.Stream != "s" || m.DedupeKey != "d" || m.Attempt != 1 || string(m.Payload) != `{"id": 7}` || m.CreatedAt.IsZero() {
		t.Errorf("message = %+v", m)
	}
}

func TestRelay_ManyRelaysDeliverEachMessageOnce(t *testing.T) {
	b := setup(t)
	const messages = 120
	var mu sync.Mutex
	count := map[int64]int{}
	b.handler = func(_ context.Context, m outbox.Message) error {
		mu.Lock()
		defer mu.Unlock()
		count[m.ID]++
		return nil
	}
	for range messages {
		b.add(t, outbox.Message{})
	}
	barrier := make(chan struct{})
	var wait sync.WaitGroup
	for range 4 {
		relay := b.relay(t)
		wait.Go(func() {
			<-barrier
			if _, err := relay.RunOnce(t.Context(), messages); err != nil {
				t.Error(err)
			}
		})
	}
	close(barrier)
	wait.Wait()
	runOnce(t, b.relay(t))
	for id, n := range count {
		if n != 1 {
			t.Errorf("message %d was delivered %d times", id, n)
		}
	}
	if len(count) != messages || b.undone(t) != 0 {
		t.Errorf("%d delivered, %d left", len(count), b.undone(t))
	}
}

func TestRelay_KeepsTheOrderOfAStreamAndLetsOthersPass(t *testing.T) {
	b := setup(t)
	var mu sync.Mutex
	var order []string
	fail := true
	b.handler = func(_ context.Context, m outbox.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if fail && string(m.Payload) == `"a1"` {
			return errors.New("fault")
		}
		order = append(order, strings.Trim(string(m.Payload), `"`))
		return nil
	}
	for _, name := range []string{"a1", "a2", "b1", "a3"} {
		b.add(t, outbox.Message{Stream: name[:1], Payload: json.RawMessage(`"` + name + `"`)})
	}
	relay := b.relay(t)
	runOnce(t, relay)
	if fmt.Sprint(order) != "[b1]" {
		t.Fatalf("order = %v, want only b1 while a1 fails", order)
	}
	mu.Lock()
	fail = false
	mu.Unlock()
	b.pass(2 * time.Second)
	runOnce(t, relay)
	if fmt.Sprint(order) != "[b1 a1 a2 a3]" {
		t.Errorf("order = %v", order)
	}
}

func TestRelay_RedeliversWhatACrashedRelayHeld(t *testing.T) {
	b := setup(t)
	b.add(t, outbox.Message{})
	delivered := 0
	b.handler = func(_ context.Context, m outbox.Message) error {
		delivered++
		if delivered == 1 { // a relay that dies before it writes down the result leaves the row like this
			return b.db.Exec("ALTER TABLE outbox RENAME COLUMN done_at TO gone").Error
		}
		if m.Attempt != 2 {
			t.Errorf("attempt = %d, want 2", m.Attempt)
		}
		return nil
	}
	relay := b.relay(t)
	if _, err := relay.RunOnce(t.Context(), 1); err == nil {
		t.Fatal("the lost result was not reported")
	}
	if err := b.db.Exec("ALTER TABLE outbox RENAME COLUMN gone TO done_at").Error; err != nil {
		t.Fatal(err)
	}
	b.pass(14 * time.Second)
	if n := runOnce(t, relay); n != 0 {
		t.Error("a leased message was claimed")
	}
	b.pass(2 * time.Second)
	if n := runOnce(t, relay); n != 1 || b.undone(t) != 0 {
		t.Errorf("after the lease %d claimed, %d left", n, b.undone(t))
	}
}

func TestRelay_RetriesForEverAndLogsErrorsAfterAlarmAfter(t *testing.T) {
	b := setup(t)
	id := b.add(t, outbox.Message{})
	b.handler = func(context.Context, outbox.Message) error { return errors.New("no\x00 way \xff") }
	relay := b.relay(t)
	for attempt := 1; attempt <= 12; attempt++ {
		if n := runOnce(t, relay); n != 1 {
			t.Fatalf("attempt %d did not come", attempt)
		}
		if hopeless := strings.Contains(b.log.String(), "level=ERROR"); hopeless != (attempt >= 10) {
			t.Fatalf("attempt %d: logged at error level: %v", attempt, hopeless)
		}
		longest := 6 * time.Minute
		if attempt >= 10 {
			longest = 72 * time.Minute
		}
		b.pass(longest + time.Second)
	}
	var row struct {
		Attempts  int
		LastError string
	}
	if err := b.db.Raw("SELECT attempts, last_error FROM outbox WHERE id = ?", id).Scan(&row).Error; err != nil {
		t.Fatal(err)
	}
	if row.Attempts != 12 || row.LastError != "no way \uFFFD" {
		t.Errorf("row = %+v", row)
	}
}

func TestRelay_WhatIsRefusedForGoodIsNotRepeatedAndKeepsTheReason(t *testing.T) {
	b := setup(t)
	id := b.add(t, outbox.Message{})
	b.handler = func(context.Context, outbox.Message) error {
		return fmt.Errorf("send: %w", outbox.Final(errors.New("no such box")))
	}
	relay := b.relay(t)
	runOnce(t, relay)
	b.pass(100 * time.Hour)
	if n := runOnce(t, relay); n != 0 || b.undone(t) != 0 {
		t.Errorf("%d came again, %d undone", n, b.undone(t))
	}
	var reason string
	if err := b.db.Raw("SELECT last_error FROM outbox WHERE id = ?", id).Scan(&reason).Error; err != nil || reason != "send: no such box" {
		t.Errorf("reason %q, %v", reason, err)
	}
	if !strings.Contains(b.log.String(), "level=WARN") {
		t.Errorf("not told: %s", b.log.String())
	}
}

func TestRelay_OfSomeKinds_LeavesTheOthersToOthers(t *testing.T) {
	b := setup(t)
	b.add(t, outbox.Message{Kind: "slow"})
	mine := b.add(t, outbox.Message{})
	b.handler = func(context.Context, outbox.Message) error { return nil }
	r := b.relay(t)
	r.OnlyHandled = true
	if n := runOnce(t, r); n != 1 || b.undone(t) != 1 {
		t.Errorf("claimed %d, left %d", n, b.undone(t))
	}
	var row struct {
		Attempts int
		IsDone   bool
	}
	if err := b.db.Raw("SELECT attempts, done_at IS NOT NULL AS is_done FROM outbox WHERE id = ?", mine).Scan(&row).Error; err != nil || !row.IsDone {
		t.Errorf("its own is %+v, %v", row, err)
	}
	if err := b.db.Raw("SELECT attempts, done_at IS NOT NULL AS is_done FROM outbox WHERE kind = 'slow'").Scan(&row).Error; err != nil || row.IsDone || row.Attempts != 0 {
		t.Errorf("the other's is %+v, %v", row, err)
	}
}

func TestRelay_SurvivesPanicsAndUnknownKinds(t *testing.T) {
	b := setup(t)
	b.add(t, outbox.Message{Kind: "from_a_newer_version"})
	b.add(t, outbox.Message{})
	b.handler = func(context.Context, outbox.Message) error { panic("fault") }
	if n := runOnce(t, b.relay(t)); n != 2 || b.undone(t) != 2 {
		t.Errorf("claimed %d, left %d, want both kept", n, b.undone(t))
	}
	if !strings.Contains(b.log.String(), "panicked") || !strings.Contains(b.log.String(), "no handler") {
		t.Errorf("log:\n%s", b.log.String())
	}
}
