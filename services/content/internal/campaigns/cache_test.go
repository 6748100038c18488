package campaigns

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemo_StaysWithinItsBytes(t *testing.T) {
	now := time.Unix(0, 0)
	m := newMemo(func() time.Time { return now }, time.Second, func(s string) int { return len(s) })
	big := strings.Repeat("x", maxCacheBytes/10)
	for i := range 30 {
		m.put(fmt.Sprint(i), big)
		if m.bytes > maxCacheBytes {
			t.Fatalf("%d bytes after %d", m.bytes, i)
		}
	}
	kept := 0
	for _, e := range m.entries {
		kept += e.bytes
	}
	if len(m.entries) < 9 || kept != m.bytes {
		t.Errorf("%d entries of %d bytes, counted %d", len(m.entries), kept, m.bytes)
	}
	m.put("huge", strings.Repeat("x", maxCacheBytes+1))
	if _, ok := m.entries["huge"]; ok {
		t.Error("what is larger than the whole was kept")
	}
}

func TestMemo_ReadsOnceForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemo(time.Now, time.Second, func(int) int { return 8 })
		reads, begin := 0, make(chan struct{})
		read := func(context.Context) (int, error) {
			<-begin
			reads++
			return reads, nil
		}
		for range 20 {
			go func() {
				if got, err := m.get(t.Context(), "k", read); got != 1 || err != nil {
					t.Errorf("got %d, %v", got, err)
				}
			}()
		}
		synctest.Wait() // all of them wait
		close(begin)
		synctest.Wait()
		time.Sleep(time.Second) // the bubble's clock
		if got, err := m.get(t.Context(), "k", read); got != 2 || err != nil {
			t.Errorf("after its time: %d, %v", got, err)
		}
	})
}

func TestMemo_ForgetsErrors(t *testing.T) {
	m := newMemo(time.Now, time.Hour, func(int) int { return 8 })
	broken := errors.New("broken")
	if _, err := m.get(t.Context(), "k", func(context.Context) (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got, err := m.get(t.Context(), "k", func(context.Context) (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("then %d, %v", got, err)
	}
}
