//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"talkoot.fi/scripts/harness"
)

// drillsB break provider B alone, while A works.
func drillsB() []drill {
	failing := func(kind string) disturbance {
		return bursts(60, func(ctx context.Context, r *harness.Harness, times int) error {
			return r.BreakB(ctx, harness.Fault{Kind: kind, Times: times})
		})
	}
	slowed := func(by, how time.Duration) disturbance {
		return lasting(how, func(ctx context.Context, r *harness.Harness) error { return r.SlowB(ctx, by.Milliseconds()) })
	}
	delivering := func(w harness.Webhooks, how time.Duration) disturbance {
		return lasting(how, func(ctx context.Context, r *harness.Harness) error { return r.DisturbB(ctx, w) })
	}
	return []drill{
		{name: "mangopay-away", what: "provider B hangs up on every call, for 8 s",
			disturb: lasting(8*time.Second, func(ctx context.Context, r *harness.Harness) error {
				return r.BreakB(ctx, harness.Fault{Kind: "cut_before", Times: 1_000_000})
			})},
		{name: "mangopay-slow", what: "each call of provider B takes 10 s, for 25 s", disturb: slowed(10*time.Second, 25*time.Second)},
		{name: "mangopay-500", what: "provider B fails", disturb: failing("500")},
		{name: "mangopay-500-after", what: "provider B fails after it has done it", disturb: failing("500_after")},
		{name: "mangopay-500-stored", what: "provider B fails, and its key keeps the failure", disturb: failing("500_stored")},
		{name: "mangopay-429", what: "provider B says that we ask too often", disturb: failing("429")},
		{name: "mangopay-cut-after", what: "provider B hangs up after it has done it", disturb: failing("cut_after")},
		{name: "mangopay-tokens", what: "provider B's tokens are over, again and again",
			disturb: repeated(12, 400*time.Millisecond, func(ctx context.Context, r *harness.Harness) error { return r.ExpireTokensB(ctx) })},
		{name: "mangopay-hooks-dropped", what: "no hook of provider B arrives", disturb: delivering(harness.Webhooks{Drop: 1_000_000}, 8*time.Second)},
		{name: "mangopay-hooks-shuffled", what: "hooks of provider B arrive twice, late and in any order",
			disturb: delivering(harness.Webhooks{Duplicate: 1, DelayMS: 2000, ShuffleMS: 4000}, 6*time.Second)},
		{name: "mangopay-hooks-disabled", what: "provider B has disabled its hooks, until a worker starts", disturb: disablingHooks},
		{name: "mangopay-switched", what: "the operator switches provider B off and on", disturb: repeated(2, 3*time.Second, switchedOff)},
	}
}

// lasting does something that lasts until the caller calms everything.
func lasting(how time.Duration, begin func(context.Context, *harness.Harness) error) disturbance {
	return func(ctx context.Context, r *harness.Harness, _ *rand.Rand) (int, error) {
		return 1, errors.Join(begin(ctx, r), pause(ctx, how))
	}
}

// disablingHooks looks whether a worker that starts has the hooks back.
func disablingHooks(ctx context.Context, r *harness.Harness, _ *rand.Rand) (int, error) {
	all, err := r.DisableHooksB(ctx)
	if err = errors.Join(err, pause(ctx, 5*time.Second)); err != nil {
		return 0, err
	}
	if err := r.Proc("payments-work").Restart(ctx); err != nil {
		return 1, err
	}
	return 1, until(ctx, func(ctx context.Context) error {
		enabled, err := r.EnabledHooksB(ctx)
		if err == nil && enabled < all {
			err = fmt.Errorf("%d of %d hooks are enabled", enabled, all)
		}
		return err
	})
}

// switchedOff keeps provider B switched off for a while.
func switchedOff(ctx context.Context, r *harness.Harness) error {
	_, err := r.Operate(ctx, "switch", "-provider", "mangopay", "-off", "-note", "a drill")
	err = errors.Join(err, pause(ctx, 4*time.Second))
	_, back := r.Operate(ctx, "switch", "-provider", "mangopay", "-on", "-note", "the drill is over")
	return errors.Join(err, back)
}
