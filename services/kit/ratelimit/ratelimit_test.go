package ratelimit

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"talkoot.fi/kit/jobs"
)

type bundle struct {
	server  *miniredis.Miniredis
	limiter *Limiter
	now     time.Time
	log     strings.Builder
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{server: miniredis.RunT(t), now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	b.server.SetTime(b.now)
	client, err := jobs.OpenRedis("redis://" + b.server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	b.limiter = New(client, func() time.Time { return b.now }, slog.New(slog.NewTextHandler(&b.log, nil)))
	return b
}

func (b *bundle) pass(d time.Duration) {
	b.now = b.now.Add(d)
	b.server.SetTime(b.now)
	b.server.FastForward(d)
}

func TestAllow_RefusesAboveTheLimitAndSaysWhenToReturn(t *testing.T) {
	for _, redisUp := range []bool{true, false} {
		t.Run(fmt.Sprintf("redis up %v", redisUp), func(t *testing.T) {
			b := setup(t)
			if !redisUp {
				b.server.Close()
			}
			limit := Per(3, time.Minute)
			allow := func(key string) Decision { return b.limiter.Allow(t.Context(), "sign_in", key, limit) }
			for i := range 3 {
				if !allow("anna").Allowed {
					t.Fatalf("try %d was refused", i+1)
				}
			}
			refused := allow("anna")
			if refused.Allowed || refused.RetryAfter < 19*time.Second || refused.RetryAfter > 21*time.Second {
				t.Fatalf("fourth try: %+v, want refused for 20 s", refused)
			}
			if !allow("bo").Allowed {
				t.Error("another key was refused")
			}
			if !b.limiter.Allow(t.Context(), "pledge", "anna", limit).Allowed {
				t.Error("another name was refused")
			}
			if redisUp {
				b.pass(21 * time.Second)
			} else {
				b.now = b.now.Add(21 * time.Second)
			}
			if !allow("anna").Allowed || allow("anna").Allowed {
				t.Error("after a third of the period one try should pass, and no second")
			}
		})
	}
}

func TestPeek_DecidesLikeAllowWithoutCounting(t *testing.T) {
	for _, redisUp := range []bool{true, false} {
		t.Run(fmt.Sprintf("redis up %v", redisUp), func(t *testing.T) {
			b := setup(t)
			if !redisUp {
				b.server.Close()
			}
			limit := Per(3, time.Minute)
			for range 10 {
				if !b.limiter.Peek(t.Context(), "decline", "card", limit).Allowed {
					t.Fatal("looking counts")
				}
			}
			for i := range 3 {
				if !b.limiter.Peek(t.Context(), "decline", "card", limit).Allowed || !b.limiter.Allow(t.Context(), "decline", "card", limit).Allowed {
					t.Fatalf("try %d was refused", i+1)
				}
			}
			spent := b.limiter.Peek(t.Context(), "decline", "card", limit)
			if spent.Allowed || spent.RetryAfter < 19*time.Second || spent.RetryAfter > 21*time.Second {
				t.Errorf("after three tries: %+v, want refused for 20 s", spent)
			}
			if !b.limiter.Peek(t.Context(), "decline", "another", limit).Allowed {
				t.Error("another key was refused")
			}
		})
	}
}

func TestAllow_FallsBackWhileRedisIsGoneAndReturns(t *testing.T) {
	b := setup(t)
	limit := Per(1, time.Hour)
	b.server.SetError("LOADING")
	if !b.limiter.Allow(t.Context(), "x", "k", limit).Allowed || b.limiter.Allow(t.Context(), "x", "k", limit).Allowed {
		t.Fatal("the fallback does not limit")
	}
	b.server.SetError("")
	if b.limiter.Allow(t.Context(), "x", "k", limit).Allowed {
		t.Error("Redis was asked again too early")
	}
	b.pass(redisPause)
	if !b.limiter.Allow(t.Context(), "x", "k", limit).Allowed || len(b.server.Keys()) != 1 {
		t.Error("Redis was not asked again after the pause")
	}
	if n := strings.Count(b.log.String(), "per process"); n != 1 {
		t.Errorf("the outage was logged %d times:\n%s", n, b.log.String())
	}
}

func TestAllow_KeepsPersonalDataOutOfRedis(t *testing.T) {
	b := setup(t)
	b.limiter.Allow(t.Context(), "sign_in", "anna@example.org", Per(1, time.Hour))
	if keys := b.server.Keys(); len(keys) != 1 || strings.Contains(keys[0], "anna") {
		t.Errorf("keys = %q", keys)
	}
}

func TestAllow_RefusesAFaultyLimit(t *testing.T) {
	if setup(t).limiter.Allow(t.Context(), "x", "k", Limit{}).Allowed {
		t.Error("a limit of nothing lets through")
	}
}

func TestLocal_IsBoundedAndKeepsBusyKeys(t *testing.T) {
	l := newLocalLimiter(100)
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	limit := Per(1, time.Hour)
	l.allow("attacked", limit, now)
	for i := range 1000 {
		l.allow(fmt.Sprint(i), limit, now)
		if l.allow("attacked", limit, now).Allowed {
			t.Fatalf("a key in use was forgotten after %d others", i+1)
		}
	}
	if n := len(l.young) + len(l.old); n > 100 {
		t.Errorf("%d keys are kept, want at most 100", n)
	}
}
