package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxLocalKeys bounds the memory of the fallback to a few megabytes.
const maxLocalKeys = 20_000

// localLimiter limits within this process. Its memory is bounded by dropping unused keys: there are two generations,
// and when the young one is full it replaces the old one.
type localLimiter struct {
	mu         sync.Mutex
	half       int
	young, old map[string]*rate.Limiter
}

func newLocalLimiter(maxKeys int) *localLimiter {
	return &localLimiter{half: maxKeys / 2, young: map[string]*rate.Limiter{}}
}

func (l *localLimiter) allow(key string, limit Limit, now time.Time) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter := l.find(key, limit)
	reservation := limiter.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait == 0 {
		return Decision{Allowed: true}
	}
	reservation.CancelAt(now) // a refused request does not count
	return Decision{RetryAfter: wait}
}

// peek is allow without counting.
func (l *localLimiter) peek(key string, limit Limit, now time.Time) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	missing := 1 - l.find(key, limit).TokensAt(now)
	if missing <= 0 {
		return Decision{Allowed: true}
	}
	return Decision{RetryAfter: time.Duration(missing * float64(limit.Period) / float64(limit.Rate))}
}

func (l *localLimiter) find(key string, limit Limit) *rate.Limiter {
	if limiter, ok := l.young[key]; ok {
		return limiter
	}
	limiter, ok := l.old[key]
	if !ok {
		limiter = rate.NewLimiter(rate.Limit(float64(limit.Rate)/limit.Period.Seconds()), limit.Burst)
	}
	if len(l.young) >= l.half {
		l.old, l.young = l.young, map[string]*rate.Limiter{}
	}
	l.young[key] = limiter
	return limiter
}
