package jobs

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Sweep is periodic work on the state in PostgreSQL, which does not depend on the queue.
type Sweep struct {
	// Name is for the log.
	Name string
	// Interval is the pause between the end of one run and the start of the next.
	Interval time.Duration
	// Work is one run. It must end when its ctx does.
	Work func(ctx context.Context) error
}

// UntilNone is the work of a sweep that goes on until a batch finds nothing to do, so that what has piled up does not wait
// for one interval after another. batch returns how much it did; what it cannot do must not keep the rest, and is tried again
// in the next run. Error: that of the last batch which failed.
func UntilNone(batch func(ctx context.Context) (int, error)) func(ctx context.Context) error {
	return func(ctx context.Context) (fault error) {
		for ctx.Err() == nil {
			did, err := batch(ctx)
			if err != nil {
				fault = err
			}
			if did == 0 {
				break
			}
		}
		return fault
	}
}

// Every runs the sweep at once and then after each interval, with up to 10 % jitter so that processes spread out,
// until ctx ends. Errors and panics are logged and the next run follows. It blocks, and always returns nil, to fit an
// errgroup.
func Every(ctx context.Context, log *slog.Logger, s Sweep) error {
	for ctx.Err() == nil {
		if err := Recovered(func() error { return s.Work(ctx) }); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "sweep failed", "sweep", s.Name, "error", err)
		}
		timer := time.NewTimer(s.Interval + rand.N(s.Interval/10+1)) //nolint:gosec // jitter, not a secret
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}
