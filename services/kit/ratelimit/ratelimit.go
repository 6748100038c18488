// Package ratelimit limits the rate of requests, for all processes together, with GCRA in Redis.
//
// When Redis fails, each process counts alone with the same limits, so nothing is unlimited and nobody is locked out.
// Keys are hashed before they leave the process, because they are addresses and accounts. Which calls are limited is
// the caller's decision. An address is counted by its network, see Address.
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
	// redisTimeout is the timeout of one call to Redis.
	redisTimeout = 250 * time.Millisecond
	// redisPause is how long Redis is not called after a failure, so that few requests wait during an outage.
	redisPause = 2 * time.Second
)

// Limit allows Rate requests per Period on average, and Burst at once.
type Limit struct {
	Rate   int
	Period time.Duration
	Burst  int
}

// Per is a limit of n requests per period, all of which may come at once.
func Per(n int, period time.Duration) Limit { return Limit{Rate: n, Period: period, Burst: n} }

// Times is a limit of n times as many requests.
func (l Limit) Times(n int) Limit {
	return Limit{Rate: n * l.Rate, Period: l.Period, Burst: n * l.Burst}
}

// Decision says whether a request is allowed.
type Decision struct {
	Allowed bool
	// RetryAfter is when the next request will be allowed; 0 when this one is.
	RetryAfter time.Duration
}

// Limiter is safe for concurrent use.
type Limiter struct {
	redis counter // nil: this process counts alone
	local *localLimiter
	now   func() time.Time
	log   *slog.Logger

	mu        sync.Mutex
	downUntil time.Time // zero while Redis answers
}

// counter is what we use of redis_rate.Limiter. It hides the types of Redis' client, whose seven hundred methods each
// package that sees them compiles once more.
type counter interface {
	AllowN(ctx context.Context, key string, limit redis_rate.Limit, n int) (*redis_rate.Result, error)
}

// New makes a limiter on a client that fails quickly (jobs.OpenRedis), which the caller closes.
func New(r redis.UniversalClient, now func() time.Time, log *slog.Logger) *Limiter {
	return &Limiter{redis: redis_rate.NewLimiter(r), local: newLocalLimiter(maxLocalKeys), now: now, log: log}
}

// NewLocal makes a limiter that counts in this process alone, for calls that cost less than a call to Redis.
func NewLocal(now func() time.Time) *Limiter {
	return &Limiter{local: newLocalLimiter(maxLocalKeys), now: now}
}

// Allow counts one request of key under name ("sign_in", "pledge") and decides. A limit without rate, period or burst
// refuses. It takes at most 250 ms and does not fail: without Redis it counts in this process.
func (l *Limiter) Allow(ctx context.Context, name, key string, limit Limit) Decision {
	return l.ask(ctx, name, key, limit, 1)
}

// Peek is Allow without counting.
func (l *Limiter) Peek(ctx context.Context, name, key string, limit Limit) Decision {
	return l.ask(ctx, name, key, limit, 0)
}

// ask counts requests (0 or 1) and decides.
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
	// A cancelled request must not look like a failure of Redis.
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
	// ResetAfter is when the whole burst is free again; one request is free earlier by the time of the others.
	return Decision{RetryAfter: result.ResetAfter - limit.Period*time.Duration(limit.Burst-1)/time.Duration(limit.Rate)}
}

func (l *Limiter) redisIsDown(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.downUntil)
}

// noteRedis records an outage, and logs its begin and end.
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
