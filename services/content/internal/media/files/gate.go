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

// decodeBudget is the memory in bytes that all running decodes may take: one picture of 50 megapixels at 8 bits per
// channel, or two of 25.
const decodeBudget = maxPixels * 4

// seedsAtOnce is how many pictures are drawn from a seed at the same time; each takes a few milliseconds.
const seedsAtOnce = 2

// gate is a semaphore with a bounded queue: at most two decodes run at a time, and their memory is at most
// decodeBudget.
type gate struct {
	budget     *semaphore.Weighted
	capacity   int64
	waiting    atomic.Int64
	maxWaiting int64
}

func newGate(capacity, maxWaiting int64) *gate {
	return &gate{budget: semaphore.NewWeighted(capacity), capacity: capacity, maxWaiting: maxWaiting}
}

// enter waits until a decode of so many bytes may run, and returns the function that ends it. Errors: apperr.Busy when
// the queue is full or the context ends first.
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
