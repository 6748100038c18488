// Package ratelimit bounds how often something is tried, for all processes together, with GCRA in Redis.
//
// When Redis fails, each process limits on its own with the same figures: it never lets everything through and never
// refuses everybody. Keys are hashed before they leave the process, because they are addresses and accounts. Which
// calls are limited and how is the caller's decision. An address is counted by its network, see Address.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"sync"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

const (
	// redisTimeout is how long one question to Redis may take.
	redisTimeout = 250 * time.Millisecond
	// redisPause is how long Redis is left alone after it failed, so that an outage costs few requests any time.
	redisPause = 2 * time.Second
)

// Limit allows Rate tries per Period on average, and Burst at once.
type Limit struct {
	Rate   int
	Period time.Duration
	Burst  int
}

// Per is a limit of n tries in a period, all of which may come at once.
func Per(n int, period time.Duration) Limit { return Limit{Rate: n, Period: period, Burst: n} }

// Times is a limit of n times as many tries.
func (l Limit) Times(n int) Limit {
	return Limit{Rate: n * l.Rate, Period: l.Period, Burst: n * l.Burst}
}

// Decision says whether a try may go on.
type Decision struct {
	Allowed bool
	// RetryAfter is when the next try can succeed; 0 when this one is allowed.
	RetryAfter time.Duration
}

// Limiter is safe for concurrent use.
type Limiter struct {
	redis *redis_rate.Limiter // nil: this process counts alone
	local *localLimiter
	now   func() time.Time
	log   *slog.Logger

	mu        sync.Mutex
	downUntil time.Time // zero while Redis answers
}

// New makes a limiter on a client that fails quickly (jobs.OpenRedis), which stays the caller's to close.
func New(r redis.UniversalClient, now func() time.Time, log *slog.Logger) *Limiter {
	return &Limiter{redis: redis_rate.NewLimiter(r), local: newLocalLimiter(maxLocalKeys), now: now, log: log}
}

// NewLocal makes a limiter that counts in this process alone: for what costs so little that asking Redis would be dearer.
func NewLocal(now func() time.Time) *Limiter {
	return &Limiter{local: newLocalLimiter(maxLocalKeys), now: now}
}

// Allow counts one try of key under name ("sign_in", "pledge") and decides. A limit without rate, period or burst
// refuses. It takes at most a quarter of a second and has no error: without Redis it decides alone.
func (l *Limiter) Allow(ctx context.Context, name, key string, limit Limit) Decision {
	return l.ask(ctx, name, key, limit, 1)
}

// Peek is Allow that counts nothing: it tells whether a try would be allowed now.
func (l *Limiter) Peek(ctx context.Context, name, key string, limit Limit) Decision {
	return l.ask(ctx, name, key, limit, 0)
}

// ask counts tries, none or one, and decides.
func (l *Limiter) ask(ctx context.Context, name, key string, limit Limit, tries int) Decision {
	if limit.Rate <= 0 || limit.Period <= 0 || limit.Burst <= 0 {
		return Decision{RetryAfter: time.Hour}
	}
	sum := sha256.Sum256([]byte(key))
	full := name + ":" + hex.EncodeToString(sum[:16])
	now := l.now()
	alone := l.local.allow
	if tries == 0 {
		alone = l.local.peek
	}
	if l.redis == nil || l.redisIsDown(now) {
		return alone(full, limit, now)
	}
	// A caller that goes away must not look like a failure of Redis.
	askCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), redisTimeout)
	defer cancel()
	result, err := l.redis.AllowN(askCtx, full, redis_rate.Limit{Rate: limit.Rate, Period: limit.Period, Burst: limit.Burst}, tries)
	l.noteRedis(ctx, now, err)
	switch {
	case err != nil:
		return alone(full, limit, now)
	case tries > 0 && result.Allowed > 0, tries == 0 && result.Remaining > 0:
		return Decision{Allowed: true}
	case tries > 0:
		return Decision{RetryAfter: result.RetryAfter}
	}
	// The counter is full again after ResetAfter; one try is free as much earlier as all others take.
	return Decision{RetryAfter: result.ResetAfter - limit.Period*time.Duration(limit.Burst-1)/time.Duration(limit.Rate)}
}

func (l *Limiter) redisIsDown(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.downUntil)
}

// noteRedis remembers an outage, and logs when it begins and ends.
func (l *Limiter) noteRedis(ctx context.Context, now time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wasDown := !l.downUntil.IsZero()
	switch {
	case err != nil:
		l.downUntil = now.Add(redisPause)
		if !wasDown {
			l.log.WarnContext(ctx, "rate limits are per process: Redis does not answer", "error", err)
		}
	case wasDown:
		l.downUntil = time.Time{}
		l.log.InfoContext(ctx, "rate limits are shared again")
	}
}
