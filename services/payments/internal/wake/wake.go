// Package wake tells the workers through the queue that PostgreSQL holds work for them, without making anybody wait.
//
// A wake carries nothing and may be lost: every worker also looks by itself. Many wakes of one kind that come while
// one is on its way become one more.
package wake

import (
	"context"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/jobs"
)

// Sender sends wakes from a goroutine per kind; make one with New and run it with Run.
type Sender struct {
	queue *jobs.Client
	log   *slog.Logger
	kinds map[string]kind
}

type kind struct {
	task    jobs.Task[struct{}]
	waiting chan struct{}
}

// New makes a waker for the given tasks.
func New(queue *jobs.Client, log *slog.Logger, tasks ...jobs.Task[struct{}]) *Sender {
	n := &Sender{queue: queue, log: log, kinds: map[string]kind{}}
	for _, t := range tasks {
		n.kinds[t.Name()] = kind{task: t, waiting: make(chan struct{}, 1)}
	}
	return n
}

// Func gives the function that wakes for one task. It never blocks.
func (n *Sender) Func(task jobs.Task[struct{}]) func() {
	k := n.kinds[task.Name()]
	return func() {
		select {
		case k.waiting <- struct{}{}:
		default:
		}
	}
}

// Run sends until ctx ends. A queue that does not answer costs a log line, nothing else.
func (n *Sender) Run(ctx context.Context) error {
	var group errgroup.Group
	for _, k := range n.kinds {
		group.Go(func() error {
			down := false
			for {
				select {
				case <-ctx.Done():
					return nil
				case <-k.waiting:
				}
				err := k.task.Enqueue(ctx, n.queue, struct{}{})
				if err != nil && !down && ctx.Err() == nil {
					n.log.WarnContext(ctx, "queue does not answer, sweepers take over", "task", k.task.Name(), "error", err)
				}
				down = err != nil
			}
		})
	}
	return group.Wait()
}
