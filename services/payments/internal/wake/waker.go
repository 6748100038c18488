package wake

import (
	"context"
	"time"
)

// Waker wakes a loop of the same process: a wake that arrived, or work that the process itself left behind. Any number
// of calls that come while the loop works make it look once more.
type Waker struct{ waiting chan struct{} }

// NewWaker makes a waker whose first Wait returns at once.
func NewWaker() *Waker {
	w := &Waker{waiting: make(chan struct{}, 1)}
	w.Wake()
	return w
}

// Wake lets Wait return, now or when it is called next. It never blocks.
func (w *Waker) Wake() {
	select {
	case w.waiting <- struct{}{}:
	default:
	}
}

// Wait returns true after Wake or after the interval, and false when ctx has ended.
func (w *Waker) Wait(ctx context.Context, interval time.Duration) bool {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.waiting:
	case <-timer.C:
	}
	return ctx.Err() == nil
}
