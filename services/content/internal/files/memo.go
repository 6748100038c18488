package files

import (
	"container/list"
	"sync"
)

// memo keeps the most recently used byte slices up to a total size. Slices are shared: nobody writes to them.
type memo struct {
	mu      sync.Mutex
	limit   int
	size    int
	order   *list.List // of *memoEntry, most recent first
	entries map[string]*list.Element
}

type memoEntry struct {
	key  string
	data []byte
}

func newMemo(limitBytes int) *memo {
	return &memo{limit: limitBytes, order: list.New(), entries: map[string]*list.Element{}}
}

func (m *memo) get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	element, ok := m.entries[key]
	if !ok {
		return nil, false
	}
	m.order.MoveToFront(element)
	return element.Value.(*memoEntry).data, true
}

func (m *memo) put(key string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, present := m.entries[key]; present || len(data) > m.limit {
		return
	}
	m.entries[key] = m.order.PushFront(&memoEntry{key, data})
	m.size += len(data)
	for m.size > m.limit {
		oldest := m.order.Back()
		entry := m.order.Remove(oldest).(*memoEntry)
		delete(m.entries, entry.key)
		m.size -= len(entry.data)
	}
}
