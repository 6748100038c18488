// Package jobs is a thin layer over Asynq: typed tasks that cannot be queued without a retry limit and a timeout,
// three queues by importance, and a loop for sweepers.
//
// The queue holds no state: a task has an id, the state is in PostgreSQL, a handler may run twice, and a sweeper finds
// tasks that the queue has lost. So a failed Enqueue only delays work, and it fails quickly. What a task does is left
// to the domain that defines it.
package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"talkoot.fi/kit/tracing"
)

// Queue says how important a task is.
type Queue string

// The queues. When all have work, workers take tasks from them in the proportion 6 : 3 : 1.
const (
	Critical Queue = "critical"
	Default  Queue = "default"
	Low      Queue = "low"
)

// NoRetry is the MaxRetry of a task that is tried once.
const NoRetry = -1

// traceHeader is a task's header with the trace that it is queued by, in which its work is done.
const traceHeader = "traceparent"

// enqueueTimeout bounds Enqueue as a whole.
const enqueueTimeout = time.Second

// Errors of this package; test with errors.Is.
var (
	// ErrOptions means that a task lacks a queue, a retry limit or a timeout.
	ErrOptions = errors.New("a task needs a name, a queue, MaxRetry (or NoRetry) and a Timeout")
	// ErrDuplicate means that a task with the same id is queued, running or retained.
	ErrDuplicate = errors.New("a task with this id is there already")
)

// Options of a task. Queue, MaxRetry and Timeout must be given.
type Options struct {
	Queue Queue
	// MaxRetry is how many more times a failed task is tried; NoRetry for none.
	MaxRetry int
	// Timeout bounds one run; the handler's context ends with it.
	Timeout time.Duration
	// RetryDelay is the fixed pause before a retry; 0 takes Asynq's growing one.
	RetryDelay time.Duration
}

// Task is a kind of work with a payload of type T, which is sent as JSON.
type Task[T any] struct {
	name    string
	options Options
}

// Define makes a task; its name is stored in the queue and must not change. Faulty options are refused by Enqueue and
// Handle.
func Define[T any](name string, options Options) Task[T] {
	return Task[T]{name: name, options: options}
}

// Name is the task's name in the queue.
func (t Task[T]) Name() string { return t.name }

func (t Task[T]) check() error {
	o := t.options
	knownQueue := o.Queue == Critical || o.Queue == Default || o.Queue == Low
	if t.name == "" || !knownQueue || o.MaxRetry == 0 || o.MaxRetry < NoRetry || o.Timeout <= 0 {
		return fmt.Errorf("task %q: %w", t.name, ErrOptions)
	}
	return nil
}

// Client puts tasks on the queue. It is safe for concurrent use.
//
// Client, Server and the methods of Task name nothing of Asynq or of Redis' client: each package that sees the latter's
// types compiles its seven hundred methods once more.
type Client struct {
	put func(ctx context.Context, t queued) error
}

// queued is a task as the queue has it.
type queued struct {
	name, id string // without an id the queue makes one
	body     []byte
	options  Options
}

// NewClient uses a client of OpenRedis, which the caller closes.
func NewClient(r redis.UniversalClient) *Client {
	return newClient(asynq.NewClientFromRedisClient(r), func(ctx context.Context) { r.Publish(ctx, newTasks, "") })
}

// newClient makes a client that tells of each task that it has queued.
func newClient(queue *asynq.Client, tell func(ctx context.Context)) *Client {
	return &Client{put: func(ctx context.Context, t queued) error {
		options := []asynq.Option{
			asynq.Queue(string(t.options.Queue)), asynq.MaxRetry(max(t.options.MaxRetry, 0)), asynq.Timeout(t.options.Timeout),
		}
		if t.id != "" {
			options = append(options, asynq.TaskID(t.id))
		}
		var headers map[string]string
		if carried := tracing.Carried(ctx); carried != "" {
			headers = map[string]string{traceHeader: carried}
		}
		ctx, cancel := context.WithTimeout(ctx, enqueueTimeout)
		defer cancel()
		if _, err := queue.EnqueueContext(ctx, asynq.NewTaskWithHeaders(t.name, t.body, headers), options...); err != nil {
			if errors.Is(err, asynq.ErrTaskIDConflict) {
				err = ErrDuplicate
			}
			return fmt.Errorf("enqueue %s: %w", t.name, err)
		}
		tell(ctx) // when that is lost, an idle server finds the task by itself a little later
		return nil
	}}
}

// EnqueueOption is an option of one Enqueue.
type EnqueueOption func(*queued)

// WithID refuses the task with ErrDuplicate while another with the same id is queued, running, or archived after its
// last failure. A sweeper must use a new id, or none.
func WithID(id string) EnqueueOption {
	return func(t *queued) { t.id = id }
}

// Enqueue puts the task on its queue, or fails within a second. Errors: ErrOptions, ErrDuplicate, those of Redis.
func (t Task[T]) Enqueue(ctx context.Context, c *Client, payload T, options ...EnqueueOption) error {
	if err := t.check(); err != nil {
		return err
	}
	body, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("encode task %s: %w", t.name, err)
	}
	task := queued{name: t.name, body: body, options: t.options}
	for _, option := range options {
		option(&task)
	}
	return c.put(ctx, task)
}

// Permanent marks an error that retries cannot fix.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
}
