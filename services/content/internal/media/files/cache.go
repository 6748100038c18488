package files

import (
	"container/list"
	"sync"
)

// byteCache is an LRU cache of byte slices with a bounded total size. Callers do not change the slices.
type byteCache struct {
	mu      sync.Mutex
	limit   int
	size    int
	order   *list.List // of *cacheEntry, most recent first
	entries map[string]*list.Element
}

type cacheEntry struct {
	key  string
	data []byte
}

func newByteCache(limitBytes int) *byteCache {
	return &byteCache{limit: limitBytes, order: list.New(), entries: map[string]*list.Element{}}
}

func (m *byteCache) get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	element, ok := m.entries[key]
	if !ok {
		return nil, false
	}
	m.order.MoveToFront(element)
	return element.Value.(*cacheEntry).data, true
}

func (m *byteCache) put(key string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, present := m.entries[key]; present || len(data) > m.limit {
		return
	}
	m.entries[key] = m.order.PushFront(&cacheEntry{key, data})
	m.size += len(data)
	for m.size > m.limit {
		oldest := m.order.Back()
		entry := m.order.Remove(oldest).(*cacheEntry)
		delete(m.entries, entry.key)
		m.size -= len(entry.data)
	}
}
