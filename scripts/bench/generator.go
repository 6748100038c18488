//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// next makes the next request of a worker.
type next func(random *rand.Rand) []byte

// latencies are sorted.
type latencies []time.Duration

// at is the quantile of a share from 0 to 1.
func (l latencies) at(share float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	return l[min(len(l)-1, int(share*float64(len(l))))]
}

// load is what a run of the generator measured.
type load struct {
	perSecond float64
	latencies latencies
}

// closed is a closed-loop load: it keeps conns requests under way for the duration and measures the throughput. Any
// answer that is no success ends it with an error: a rate that counts failed requests would mean nothing.
func closed(ctx context.Context, address string, conns int, length time.Duration, ask next) (load, error) {
	var stop atomic.Bool
	timer := time.AfterFunc(length, func() { stop.Store(true) })
	defer timer.Stop()
	return parallel(ctx, address, conns, func(w *wire, random *rand.Rand, done func(time.Duration)) error {
		for !stop.Load() && ctx.Err() == nil {
			began := time.Now()
			if _, err := w.do(ask(random), false); err != nil {
				return err
			}
			done(time.Since(began))
		}
		return nil
	})
}

// open is an open-loop load: it sends perSecond requests a second whether earlier ones are answered or not, as visitors
// do. A request's latency counts from when it was due, so that a stall is counted for all who would have come during it
// (no coordinated omission).
func open(ctx context.Context, address string, conns int, perSecond float64, length time.Duration, ask next) (
	load, error) {
	start := time.Now()
	apart := time.Duration(float64(time.Second) / perSecond)
	var number atomic.Int64
	return parallel(ctx, address, conns, func(w *wire, random *rand.Rand, done func(time.Duration)) error {
		for ctx.Err() == nil {
			due := time.Duration(number.Add(1)-1) * apart
			if due > length {
				return nil
			}
			time.Sleep(time.Until(start.Add(due)))
			if _, err := w.do(ask(random), false); err != nil {
				return err
			}
			done(time.Since(start.Add(due)))
		}
		return nil
	})
}

// parallel runs work on conns connections at once and merges the latencies that work reports. Its error is the first
// one.
func parallel(ctx context.Context, address string, conns int, work func(*wire, *rand.Rand, func(time.Duration)) error) (
	load, error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var result load
	var fault error
	began := time.Now()
	for n := range conns {
		all.Go(func() {
			var own latencies
			w, err := dial(ctx, address)
			if err == nil {
				random := rand.New(rand.NewPCG(uint64(n), uint64(began.UnixNano()))) //nolint:gosec // not a secret
				err = work(w, random, func(d time.Duration) { own = append(own, d) })
				_ = w.conn.Close() // nothing is written any more
			}
			mu.Lock()
			defer mu.Unlock()
			result.latencies = append(result.latencies, own...)
			if err != nil && fault == nil {
				fault = err
			}
		})
	}
	all.Wait()
	if fault == nil && len(result.latencies) == 0 {
		fault = fmt.Errorf("nothing was answered")
	}
	result.perSecond = float64(len(result.latencies)) / time.Since(began).Seconds()
	slices.Sort(result.latencies)
	return result, fault
}
