package campaigns

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// What is kept of public lists: for a moment, and never more than fits.
const (
	listLifetime  = time.Second
	totalLifetime = 5 * time.Second
	maxCacheBytes = 16 << 20
	// entryOverhead is what an entry costs besides its key and body, in bytes, roughly.
	entryOverhead = 200
	// sharedTimeout bounds a read that several requests wait for; it does not end with the one that began it.
	sharedTimeout = 10 * time.Second
)

// memo keeps values for a moment, in bounded memory. Readers that come while a value is being made wait for that one.
type memo[V any] struct {
	now      func() time.Time
	lifetime time.Duration
	size     func(V) int
	flight   singleflight.Group

	mu      sync.RWMutex
	entries map[string]entry[V]
	bytes   int
}

type entry[V any] struct {
	value V
	until time.Time
	bytes int
}

func newMemo[V any](now func() time.Time, lifetime time.Duration, size func(V) int) *memo[V] {
	return &memo[V]{now: now, lifetime: lifetime, size: size, entries: map[string]entry[V]{}}
}

// get gives the value that is kept under key, else what read returns, which is kept when it is no error.
func (m *memo[V]) get(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	m.mu.RLock()
	e, ok := m.entries[key]
	m.mu.RUnlock()
	if ok && m.now().Before(e.until) {
		return e.value, nil
	}
	made, err, _ := m.flight.Do(key, func() (any, error) {
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedTimeout)
		defer cancel()
		value, err := read(shared)
		if err == nil {
			m.put(key, value)
		}
		return value, err
	})
	value, _ := made.(V)
	return value, err
}

// put keeps a value. When there is no room, what has ended goes first, then anything: all of it ends within seconds.
func (m *memo[V]) put(key string, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	size := len(key) + m.size(value) + entryOverhead
	m.drop(key)
	if size > maxCacheBytes {
		return
	}
	for _, ended := range []bool{true, false} {
		for k, e := range m.entries {
			if m.bytes+size <= maxCacheBytes {
				break
			}
			if !ended || !now.Before(e.until) {
				m.drop(k)
			}
		}
	}
	m.entries[key] = entry[V]{value: value, until: now.Add(m.lifetime), bytes: size}
	m.bytes += size
}

func (m *memo[V]) drop(key string) {
	if e, ok := m.entries[key]; ok {
		m.bytes -= e.bytes
		delete(m.entries, key)
	}
}
