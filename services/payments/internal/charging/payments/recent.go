package payments

import (
	"sync"
	"time"
)

const (
	// recentFor is how long what a provider has just said is not asked again: a payer's next call comes within seconds.
	recentFor = time.Minute
	// maxRecent bounds what is kept of it, beyond which everything is asked.
	maxRecent = 10_000
)

// recent is what providers have just told this process of objects, for the next call about each. It is given once: whoever calls
// again, later or at another process has the provider asked. Only what never changes may be decided by it alone.
type recent[T any] struct {
	mu   sync.Mutex
	said map[string]saying[T]
}

type saying[T any] struct {
	what T
	at   time.Time
}

func (r *recent[T]) put(provider, ref string, what T, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.said == nil {
		r.said = map[string]saying[T]{}
	}
	if len(r.said) >= maxRecent {
		for key, s := range r.said {
			if !s.isFresh(now) {
				delete(r.said, key)
			}
		}
	}
	if len(r.said) < maxRecent {
		r.said[provider+":"+ref] = saying[T]{what, now}
	}
}

func (r *recent[T]) take(provider, ref string, now time.Time) (what T, isFresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, is := r.said[provider+":"+ref]
	delete(r.said, provider+":"+ref)
	return s.what, is && s.isFresh(now)
}

func (s saying[T]) isFresh(now time.Time) bool { return now.Sub(s.at) < recentFor }
