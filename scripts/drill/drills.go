//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"talkoot.fi/scripts/harness"
)

// drill is one way to break the platform.
type drill struct {
	name, what string
	quick      bool
	// renews is over how long months of subscriptions fall due meanwhile; 0 for none.
	renews time.Duration
	// disturb breaks and mends while backers pledge, and returns how many times it broke something. Its faults at the
	// provider are reset afterwards by the caller.
	disturb func(ctx context.Context, r *harness.Harness, random *rand.Rand) (breaks int, err error)
	// own is a drill that is no load with a disturbance, from its begin to its audit.
	own func(ctx context.Context, r *harness.Harness, o options, d drill, random *rand.Rand) result
}

// drills is the whole table.
func drills(o options) []drill {
	kills, many := 12, 50
	if o.quick {
		kills, many = 5, 20
	}
	if o.kills > 0 {
		kills, many = o.kills, o.kills
	}
	services := []string{"content", "content-work", "payments", "payments-work"}
	table := make([]drill, 0, 20)
	for _, name := range services {
		table = append(table, drill{name: "kill-" + name, what: "kill -9 of " + name + " at random moments", quick: true, disturb: killing(kills, name)})
	}
	return append(append(table,
		drill{name: "kill-any", what: "kill -9 of any of the four at random moments", quick: true, disturb: killing(many, services...)},
		drill{name: "kill-renewals", what: "kill -9 of the payments worker while months of subscriptions fall due and each call of the provider takes 0.08 s", quick: true,
			renews: time.Duration(many) * killTime, disturb: slowing(80, killing(many, "payments-work"))},
		drill{name: "kill-providers", what: "kill -9 of the stand-ins of both providers and of the mail server", quick: true, disturb: killing(4, "sandbox")},
		drill{name: "restart-services", what: "both services and their workers are stopped gracefully and started", disturb: restarting(services...)},
		drill{name: "content-work-gone", what: "content's worker is away for 8 s: releases do not reach the payment service", disturb: away("content-work", 8*time.Second)},
		drill{name: "payments-work-gone", what: "the payments worker is away for 8 s: nothing is closed, refunded or processed", disturb: away("payments-work", 8*time.Second)},
		drill{name: "redis-stopped", what: "Redis is away for 8 s", disturb: away("redis", 8*time.Second)},
		drill{name: "redis-flushed", what: "Redis forgets everything", disturb: repeated(6, 700*time.Millisecond, flushRedis)},
		drill{name: "postgres-restarted", what: "PostgreSQL stops and starts", disturb: repeated(2, 3*time.Second, restart("postgres"))},
		drill{name: "postgres-killed", what: "kill -9 of PostgreSQL: what was committed without waiting for the disk is forgotten", disturb: killing(4, "postgres")},
		drill{name: "postgres-cut", what: "all connections to PostgreSQL are cut", disturb: repeated(5, time.Second, cutConnections)},
		drill{name: "provider-slow", what: "each call of the provider takes 10 s, for 25 s", disturb: slowed(10*time.Second, 25*time.Second)},
		drill{name: "provider-hangs", what: "the provider does not answer within 40 s, for 15 s", disturb: slowed(40*time.Second, 15*time.Second)},
		drill{name: "provider-500", what: "the provider fails", disturb: failing("500", 60)},
		drill{name: "provider-429", what: "the provider says that we ask too often", disturb: failing("429", 60)},
		drill{name: "provider-gone", what: "the provider hangs up before it does anything", disturb: failing("cut_before", 60)},
		drill{name: "provider-cut-after", what: "the provider hangs up after it has done it", disturb: failing("cut_after", 60)},
		drill{name: "webhooks-dropped", what: "no webhook arrives", disturb: delivering(harness.Webhooks{Drop: 1_000_000}, 5*time.Second)},
		drill{name: "webhooks-x5", what: "each webhook arrives five times", disturb: delivering(harness.Webhooks{Duplicate: 4}, 5*time.Second)},
		drill{name: "webhooks-shuffled", what: "webhooks arrive late and in any order", disturb: delivering(harness.Webhooks{DelayMS: 2000, ShuffleMS: 4000}, 6*time.Second)},
		drill{name: "webhooks-held", what: "webhooks arrive all at once, after a while", disturb: delivering(harness.Webhooks{Hold: true}, 8*time.Second)},
	), append(drillsB(), newMassRefund(o), newClosings(o))...)
}

// killTime is how long a kill and the new start take, with the pause after it.
const killTime = 600 * time.Millisecond

type disturbance = func(context.Context, *harness.Harness, *rand.Rand) (int, error)

// killing kills one of the processes again and again, each time after a random while.
func killing(times int, names ...string) disturbance {
	return func(ctx context.Context, r *harness.Harness, random *rand.Rand) (int, error) {
		for n := range times {
			proc := r.Proc(names[random.IntN(len(names))])
			if err := errors.Join(proc.Kill(), proc.Start(ctx),
				pause(ctx, time.Duration(random.IntN(600))*time.Millisecond)); err != nil {
				return n, err
			}
		}
		return times, nil
	}
}

// slowing makes each call of the provider take longer before it does the rest, so that more charges are under way at any moment.
func slowing(ms int64, rest disturbance) disturbance {
	return func(ctx context.Context, r *harness.Harness, random *rand.Rand) (int, error) {
		if err := r.Slow(ctx, ms); err != nil {
			return 0, err
		}
		return rest(ctx, r, random)
	}
}

func restarting(names ...string) disturbance {
	return func(ctx context.Context, r *harness.Harness, _ *rand.Rand) (int, error) {
		for n, name := range names {
			if err := errors.Join(r.Proc(name).Restart(ctx), pause(ctx, 300*time.Millisecond)); err != nil {
				return n, err
			}
		}
		return len(names), nil
	}
}

func away(name string, how time.Duration) disturbance {
	return func(ctx context.Context, r *harness.Harness, _ *rand.Rand) (int, error) {
		proc := r.Proc(name)
		return 1, errors.Join(proc.Kill(), pause(ctx, how), proc.Start(ctx))
	}
}

func repeated(times int, apart time.Duration, do func(context.Context, *harness.Harness) error) disturbance {
	return func(ctx context.Context, r *harness.Harness, _ *rand.Rand) (int, error) {
		for n := range times {
			if err := errors.Join(do(ctx, r), pause(ctx, apart)); err != nil {
				return n, err
			}
		}
		return times, nil
	}
}

func restart(name string) func(context.Context, *harness.Harness) error {
	return func(ctx context.Context, r *harness.Harness) error { return r.Proc(name).Restart(ctx) }
}

// flushRedis sends FLUSHALL in Redis's own protocol: one command needs no client.
func flushRedis(ctx context.Context, r *harness.Harness) (err error) {
	address, _, _ := strings.Cut(strings.TrimPrefix(r.Env["REDIS_URL"], "redis://"), "/")
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("flush Redis: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.Write([]byte("*1\r\n$8\r\nFLUSHALL\r\n")); err != nil {
		return fmt.Errorf("flush Redis: %w", err)
	}
	answer := make([]byte, 5)
	if _, err := conn.Read(answer); err != nil || string(answer[:3]) != "+OK" {
		return errors.Join(fmt.Errorf("flush Redis: it answers %q", answer), err)
	}
	return nil
}

func cutConnections(ctx context.Context, r *harness.Harness) error {
	_, err := r.Content.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)
	if err != nil {
		return fmt.Errorf("cut connections: %w", err)
	}
	return nil
}

func slowed(by, how time.Duration) disturbance {
	return lasting(how, func(ctx context.Context, r *harness.Harness) error { return r.Slow(ctx, by.Milliseconds()) })
}

// failing makes that many calls fail.
func failing(kind string, times int) disturbance {
	return bursts(times, func(ctx context.Context, r *harness.Harness, times int) error {
		return r.Break(ctx, harness.Fault{Kind: kind, Times: times})
	})
}

// bursts breaks that many calls, ten at a time with pauses of 0.7 s between them.
func bursts(times int, fail func(ctx context.Context, r *harness.Harness, times int) error) disturbance {
	const burst = 10
	return func(ctx context.Context, r *harness.Harness, _ *rand.Rand) (int, error) {
		for n := 0; n < times; n += burst {
			if err := errors.Join(fail(ctx, r, burst), pause(ctx, 700*time.Millisecond)); err != nil {
				return n, err
			}
		}
		return times, nil
	}
}

func delivering(w harness.Webhooks, how time.Duration) disturbance {
	return lasting(how, func(ctx context.Context, r *harness.Harness) error { return r.Disturb(ctx, w) })
}
