package jobs

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// newTasks is the Redis channel on which every Enqueue says that there is a task. It carries nothing.
const newTasks = "jobs:new"

// queueCount is how many queues an Asynq server asks before it finds that there is no task.
const queueCount = 3

// waitingRedis is the Redis of an Asynq server. Asynq takes tasks without a blocking pop: when its queues are empty, it
// sleeps and asks again, and nothing can wake it. So it is told to sleep hardly at all, and its question waits here instead,
// until somebody has put a task on a queue or the interval is over.
type waitingRedis struct {
	redis.UniversalClient
	poked    chan struct{}
	stop     <-chan struct{}
	interval time.Duration
	empty    int // queues found empty since the last wait; only Asynq's one goroutine that takes tasks touches it
}

// poke lets the next question through, or the one that waits. It never blocks.
func (r *waitingRedis) poke() {
	select {
	case r.poked <- struct{}{}:
	default:
	}
}

// EvalSha is how Asynq asks everything that is more than one command. The script's first key tells which question it is.
func (r *waitingRedis) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	isTaking := strings.HasSuffix(keys[0], ":pending")
	if isTaking && r.empty >= queueCount {
		r.wait()
		r.empty = 0
	}
	answer := r.UniversalClient.EvalSha(ctx, sha, keys, args...)
	switch err := answer.Err(); {
	case isTaking && errors.Is(err, redis.Nil):
		r.empty++
	case isTaking && err != nil && !redis.HasErrorPrefix(err, "NOSCRIPT"):
		r.empty = queueCount // Asynq asks again without any pause while Redis is away
	case isTaking:
		r.empty = 0
	case isDelayed(keys[0]):
		if moved, err := answer.Int(); err == nil && moved > 0 {
			r.poke()
		}
	}
	return answer
}

// isDelayed reports whether a script moves tasks whose delay is over to their queue.
func isDelayed(key string) bool {
	return strings.HasSuffix(key, ":scheduled") || strings.HasSuffix(key, ":retry")
}

func (r *waitingRedis) wait() {
	timer := time.NewTimer(r.interval + rand.N(r.interval/5+1)) //nolint:gosec // jitter, not a secret
	defer timer.Stop()
	select {
	case <-r.stop:
	case <-r.poked:
	case <-timer.C:
	}
}

// listen pokes at each new task, and whenever the subscription is made anew, because Redis keeps nothing for who was away.
func (r *waitingRedis) listen(ctx context.Context) {
	subscription := r.Subscribe(ctx, newTasks)
	defer subscription.Close() // nothing to flush
	messages := subscription.ChannelWithSubscriptions()
	for {
		select {
		case <-ctx.Done():
			return
		case <-messages:
			r.poke()
		}
	}
}
