package files

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"talkoot.fi/kit/apperr"
)

// decodeBudget is the memory in bytes that pictures being decoded may take together: one of 50 megapixels at 8 bits per
// channel, or two of half that.
const decodeBudget = maxPixels * 4

// seedsAtOnce is how many pictures are drawn from a seed at the same time; each takes a few milliseconds.
const seedsAtOnce = 2

// gate lets at most two decodes run at a time, fewer when they are large, and bounds how many wait.
type gate struct {
	budget     *semaphore.Weighted
	capacity   int64
	waiting    atomic.Int64
	maxWaiting int64
}

func newGate(capacity, maxWaiting int64) *gate {
	return &gate{budget: semaphore.NewWeighted(capacity), capacity: capacity, maxWaiting: maxWaiting}
}

// enter waits for room for a decode of so many bytes, and returns the function that gives it back.
// Errors: apperr.Busy when the queue is full or the context ends first.
func (g *gate) enter(ctx context.Context, bytes int64) (leave func(), err error) {
	weight := min(max(bytes, g.capacity/2), g.capacity)
	if g.waiting.Add(1) > g.maxWaiting {
		g.waiting.Add(-1)
		return nil, busy(errors.New("too many pictures wait for the decoder"))
	}
	defer g.waiting.Add(-1)
	if err := g.budget.Acquire(ctx, weight); err != nil {
		return nil, busy(fmt.Errorf("wait for the decoder: %w", err))
	}
	return func() { g.budget.Release(weight) }, nil
}

func busy(cause error) error {
	return apperr.New(apperr.Busy).Wrap(cause).RetryAfter(busyRetry)
}

const busyRetry = 2 * time.Second
