package session

import (
	"sync"
	"time"
)

// Revocations remembers, in memory, the sessions that ended before their tokens did. A session is forgotten when no
// token of it can be valid any more. It is safe for concurrent use.
type Revocations struct {
	now func() time.Time

	mu    sync.RWMutex
	until map[string]time.Time
	next  time.Time // next look for sessions to forget
}

// pruneEvery is how often Add looks for sessions to forget.
const pruneEvery = time.Minute

// NewRevocations makes an empty set.
func NewRevocations(now func() time.Time) *Revocations {
	return &Revocations{now: now, until: map[string]time.Time{}}
}

// Add ends a session. expiresAt is when its last token ends by itself; adding again keeps the later time.
func (r *Revocations) Add(sessionID string, expiresAt time.Time) {
	now := r.now()
	// A token is taken for the leeway beyond its end, so its session is remembered that long.
	until := expiresAt.Add(leeway)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !now.Before(r.next) {
		r.next = now.Add(pruneEvery)
		for id, t := range r.until {
			if !now.Before(t) {
				delete(r.until, id)
			}
		}
	}
	if now.Before(until) && r.until[sessionID].Before(until) {
		r.until[sessionID] = until
	}
}

// IsRevoked reports whether a session has ended.
func (r *Revocations) IsRevoked(sessionID string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.until[sessionID]
	return ok
}

// Len is the number of sessions remembered.
func (r *Revocations) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.until)
}
