package jobs

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Loop works on rows of a table that are due, several at once. A row is claimed when somebody is free for it and is at work at once, so that the
// lease of a claim need cover one row's work only, and a slow one holds up no other. Several processes may have a loop on the same table.
type Loop[T any] struct {
	atOnce int
	claim  func(ctx context.Context, limit int) ([]T, error)
	work   func(ctx context.Context, row T)
	slots  chan struct{}
	group  sync.WaitGroup
	pace   func(ctx context.Context) error
}

// NewLoop makes a loop. Claim leases at most limit rows that are due, none if there is none; a stop must not cut it, since rows that were leased
// without our hearing of it wait for the end of their lease. It chooses them in a WITH query, which PostgreSQL runs once: a subquery of
// IN can be run anew for each row of the table, and leases more than its LIMIT. Work does what is due of one and writes down what came of it; it bounds its own time,
// and finishes what it has begun when ctx ends.
func NewLoop[T any](atOnce int, claim func(ctx context.Context, limit int) ([]T, error), work func(ctx context.Context, row T)) *Loop[T] {
	return &Loop[T]{atOnce: atOnce, claim: claim, work: work, slots: make(chan struct{}, atOnce)}
}

// Paced has the loop claim one row at a time, each when pace has let it.
func (l *Loop[T]) Paced(pace func(ctx context.Context) error) *Loop[T] {
	l.pace = pace
	return l
}

// Start claims what is due until there is none or ctx ends, and reports whether there was any. It does not wait for the last of them: Wait does.
func (l *Loop[T]) Start(ctx context.Context) (found bool, err error) {
	for {
		free := l.take(ctx)
		if free == 0 {
			return found, nil
		}
		if l.pace != nil && l.pace(ctx) != nil {
			l.give(free)
			return found, nil
		}
		rows, err := l.claim(ctx, free)
		l.give(max(0, free-len(rows)))
		for i, row := range rows {
			if i >= free { // leased all the same: it waits until somebody is free
				l.slots <- struct{}{}
			}
			l.group.Go(func() {
				defer l.give(1)
				l.work(ctx, row)
			})
		}
		if err != nil || len(rows) == 0 {
			return found, err
		}
		found = true
	}
}

// Wait waits for what is at work.
func (l *Loop[T]) Wait() { l.group.Wait() }

// take waits for a free slot, takes all that are free then, or the one of a paced loop, and gives how many; 0 when ctx has ended.
func (l *Loop[T]) take(ctx context.Context) int {
	if ctx.Err() != nil {
		return 0
	}
	select {
	case <-ctx.Done():
		return 0
	case l.slots <- struct{}{}:
	}
	for free := 1; ; free++ {
		if l.pace != nil {
			return free
		}
		select {
		case l.slots <- struct{}{}:
		default:
			return free
		}
	}
}

func (l *Loop[T]) give(number int) {
	for range number {
		<-l.slots
	}
}

// Recovered does something whose panic is an error: one row must not take every worker down again and again.
func Recovered(do func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	return do()
}
