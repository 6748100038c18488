package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"talkoot.fi/kit/tracing"
)

// ServerConfig is the settings of a Server; zeros stand for the defaults in brackets.
type ServerConfig struct {
	// Concurrency is the number of tasks worked on at once [10].
	Concurrency int
	// CheckInterval is how often an idle server looks for tasks whose delay is over, and for those of whose arrival it was
	// not told [1 s].
	CheckInterval time.Duration
	// StopTimeout is how long Run lets started tasks finish when it stops [30 s]; the rest goes back to the queue.
	StopTimeout time.Duration
}

// janitorInterval is how often Asynq removes what it keeps of tasks that are done, which is nothing.
const janitorInterval = time.Hour

// Server works on tasks. Register handlers with Task.Handle, then Run.
type Server struct {
	config ServerConfig
	log    *slog.Logger
	work   map[string]func(ctx context.Context, payload []byte) error // by the task's name
	delays map[string]time.Duration
	run    func(ctx context.Context) error
}

// NewServer uses a client of OpenRedis, which the caller closes.
func NewServer(r redis.UniversalClient, config ServerConfig, log *slog.Logger) *Server {
	if config.Concurrency <= 0 {
		config.Concurrency = 10
	}
	if config.CheckInterval <= 0 {
		config.CheckInterval = time.Second
	}
	if config.StopTimeout <= 0 {
		config.StopTimeout = 30 * time.Second
	}
	s := &Server{config: config, log: log, work: map[string]func(context.Context, []byte) error{},
		delays: map[string]time.Duration{}}
	s.run = func(ctx context.Context) error { return runAsynq(ctx, s, r) }
	return s
}

// Handle registers the function that does the task's work; before Run. A payload that cannot be read fails for
// good. Errors: ErrOptions; a task that is handled already.
func (t Task[T]) Handle(s *Server, work func(ctx context.Context, payload T) error) error {
	if err := t.check(); err != nil {
		return err
	}
	if s.work[t.name] != nil {
		return fmt.Errorf("task %q is handled already", t.name)
	}
	if t.options.RetryDelay > 0 {
		s.delays[t.name] = t.options.RetryDelay
	}
	s.work[t.name] = func(ctx context.Context, body []byte) error {
		var payload T
		if err := json.Unmarshal(body, &payload); err != nil {
			return Permanent(fmt.Errorf("decode task %s: %w", t.name, err))
		}
		return work(ctx, payload)
	}
	return nil
}

// Run works on tasks until ctx ends, then lets the started ones finish. Redis may be down for a while.
func (s *Server) Run(ctx context.Context) error { return s.run(ctx) }

func runAsynq(ctx context.Context, s *Server, r redis.UniversalClient) error {
	mux := asynq.NewServeMux()
	for name, work := range s.work {
		mux.HandleFunc(name, func(ctx context.Context, task *asynq.Task) (err error) {
			ctx, end := tracing.Continue(ctx, "task "+name, task.Headers()[traceHeader])
			defer func() { end(err) }()
			return work(ctx, task.Payload())
		})
	}
	waiting := &waitingRedis{UniversalClient: r, poked: make(chan struct{}, 1), stop: ctx.Done(),
		interval: s.config.CheckInterval}
	server := asynq.NewServerFromRedisClient(waiting, asynq.Config{
		Concurrency:              s.config.Concurrency,
		TaskCheckInterval:        time.Millisecond, // waitingRedis waits
		DelayedTaskCheckInterval: s.config.CheckInterval,
		JanitorInterval:          janitorInterval,
		ShutdownTimeout:          s.config.StopTimeout,
		Queues:                   map[string]int{string(Critical): 6, string(Default): 3, string(Low): 1},
		RetryDelayFunc:           retryDelay(s.delays),
		ErrorHandler:             asynq.ErrorHandlerFunc(logFailure(s.log)),
		Logger:                   asynqLog{s.log},
		LogLevel:                 asynq.InfoLevel,
		BaseContext:              func() context.Context { return context.WithoutCancel(ctx) },
	})
	if err := server.Start(mux); err != nil {
		return fmt.Errorf("start the job server: %w", err)
	}
	waiting.listen(ctx)
	server.Shutdown()
	return nil
}

// retryDelay has the fixed delays of tasks, by name; others take Asynq's growing one.
func retryDelay(fixed map[string]time.Duration) asynq.RetryDelayFunc {
	return func(n int, err error, task *asynq.Task) time.Duration {
		if d, ok := fixed[task.Type()]; ok {
			return d
		}
		return asynq.DefaultRetryDelayFunc(n, err, task)
	}
}

// logFailure logs a task's error: the last failure at level error, others as warnings.
func logFailure(log *slog.Logger) func(ctx context.Context, task *asynq.Task, err error) {
	return func(ctx context.Context, task *asynq.Task, err error) {
		id, _ := asynq.GetTaskID(ctx)
		retried, _ := asynq.GetRetryCount(ctx)
		limit, _ := asynq.GetMaxRetry(ctx)
		level, final := slog.LevelWarn, retried >= limit || errors.Is(err, asynq.SkipRetry)
		if final {
			level = slog.LevelError
		}
		log.Log(ctx, level, "task failed", "task", task.Type(), "task_id", id, "retried", retried, "final", final, "error", err)
	}
}

// asynqLog lets Asynq write to slog. Fatal messages are logged as errors: only main ends the process.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug("asynq says", "message", fmt.Sprint(args...)) }
func (l asynqLog) Info(args ...any)  { l.log.Info("asynq says", "message", fmt.Sprint(args...)) }
func (l asynqLog) Warn(args ...any)  { l.log.Warn("asynq says", "message", fmt.Sprint(args...)) }
func (l asynqLog) Error(args ...any) { l.log.Error("asynq says", "message", fmt.Sprint(args...)) }
func (l asynqLog) Fatal(args ...any) { l.log.Error("asynq says", "message", fmt.Sprint(args...)) }
