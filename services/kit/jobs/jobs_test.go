package jobs

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

type payload struct{ ID int64 }

var valid = Options{Queue: Critical, MaxRetry: 2, Timeout: time.Second, RetryDelay: time.Millisecond}

// setup gives a Redis, a client, and a function that runs a server until the test ends.
func setup(t *testing.T) (*Client, redis.UniversalClient, *Server, func()) {
	t.Helper()
	r, err := OpenRedis("redis://" + miniredis.RunT(t).Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	server := NewServer(r, ServerConfig{CheckInterval: 20 * time.Millisecond}, slog.New(slog.DiscardHandler))
	return NewClient(r), r, server, func() { run(t, server) }
}

// run runs a server until the test ends.
func run(t *testing.T, server *Server) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := server.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); wait.Wait() })
}

func receive[T any](t *testing.T, c <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-c:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came")
	}
	return value
}

func TestTask_IsHandledWithItsPayloadAndADeadline(t *testing.T) {
	client, _, server, run := setup(t)
	task := Define[payload]("work", valid)
	got := make(chan payload, 1)
	err := task.Handle(server, func(ctx context.Context, p payload) error {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("the context has no deadline")
		}
		got <- p
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	run()
	if err := task.Enqueue(t.Context(), client, payload{42}); err != nil {
		t.Fatal(err)
	}
	if p := receive(t, got); p.ID != 42 {
		t.Errorf("payload = %+v", p)
	}
}

func TestTask_RetriesAsOftenAsItsOptionsSay(t *testing.T) {
	client, _, server, run := setup(t)
	often, once, never := Define[payload]("often", valid), valid, Define[payload]("never", valid)
	once.MaxRetry = NoRetry
	single := Define[payload]("single", once)
	runs := make(chan string, 20)
	fail := func(name string, err error) func(context.Context, payload) error {
		return func(context.Context, payload) error { runs <- name; return err }
	}
	fault := errors.New("fault")
	end := Define[payload]("end", valid)
	err := errors.Join(often.Handle(server, fail("often", fault)), single.Handle(server, fail("single", fault)),
		never.Handle(server, fail("never", Permanent(fault))), end.Handle(server, fail("end", nil)))
	if err != nil {
		t.Fatal(err)
	}
	run()
	err = errors.Join(often.Enqueue(t.Context(), client, payload{}), single.Enqueue(t.Context(), client, payload{}),
		never.Enqueue(t.Context(), client, payload{}))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for range 5 {
		count[receive(t, runs)]++
	}
	if err := end.Enqueue(t.Context(), client, payload{}); err != nil {
		t.Fatal(err)
	}
	for name := receive(t, runs); name != "end"; name = receive(t, runs) {
		count[name]++
	}
	if count["often"] != 3 || count["single"] != 1 || count["never"] != 1 {
		t.Errorf("runs = %v, want often 3, single 1, never 1", count)
	}
}

func TestTask_IsRefusedWithoutItsLimits(t *testing.T) {
	client, _, server, _ := setup(t)
	for name, change := range map[string]func(*Options){
		"no retry limit": func(o *Options) { o.MaxRetry = 0 },
		"no timeout":     func(o *Options) { o.Timeout = 0 },
		"no queue":       func(o *Options) { o.Queue = "" },
		"unknown queue":  func(o *Options) { o.Queue = "urgent" },
	} {
		o := valid
		change(&o)
		task := Define[payload]("work", o)
		if err := task.Enqueue(t.Context(), client, payload{}); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: Enqueue: %v", name, err)
		}
		if err := task.Handle(server, nil); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: Handle: %v", name, err)
		}
	}
}

func TestHandle_RefusesASecondHandler(t *testing.T) {
	_, _, server, _ := setup(t)
	task := Define[payload]("work", valid)
	work := func(context.Context, payload) error { return nil }
	if err := task.Handle(server, work); err != nil {
		t.Fatal(err)
	}
	if err := task.Handle(server, work); err == nil {
		t.Error("the second took the place of the first")
	}
}

func TestEnqueue_SetsQueueAndLimits(t *testing.T) {
	client, r, _, _ := setup(t)
	task := Define[payload]("work", Options{Queue: Low, MaxRetry: 5, Timeout: 7 * time.Second})
	if err := task.Enqueue(t.Context(), client, payload{}, WithID("a")); err != nil {
		t.Fatal(err)
	}
	if err := task.Enqueue(t.Context(), client, payload{}, WithID("a")); !errors.Is(err, ErrDuplicate) {
		t.Errorf("the same id again: %v, want ErrDuplicate", err)
	}
	info, err := asynq.NewInspectorFromRedisClient(r).GetTaskInfo("low", "a")
	if err != nil {
		t.Fatal(err)
	}
	if info.MaxRetry != 5 || info.Timeout != 7*time.Second || info.State != asynq.TaskStatePending {
		t.Errorf("task = %+v", info)
	}
}

func TestEnqueue_FailsQuicklyWithoutRedis(t *testing.T) {
	r, err := OpenRedis("redis://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	begin := time.Now()
	if err := Define[payload]("work", valid).Enqueue(t.Context(), NewClient(r), payload{}); err == nil {
		t.Error("no error")
	}
	if took := time.Since(begin); took > 2*enqueueTimeout {
		t.Errorf("it took %v", took)
	}
}

func TestOpenRedis_KeepsThePasswordOutOfItsError(t *testing.T) {
	for _, address := range []string{"redis://:hunter2@bad host:1", "http://:hunter2@x", "redis://:hunter2@x/notanumber", "::hunter2"} {
		if _, err := OpenRedis(address); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("OpenRedis: %v", err)
		}
	}
}

func TestEvery_ContinuesAfterErrorsAndPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		var runs atomic.Int32
		err := Every(ctx, slog.New(slog.DiscardHandler), Sweep{Name: "x", Interval: time.Minute, Work: func(context.Context) error {
			switch runs.Add(1) {
			case 1:
				return io.EOF
			case 2:
				panic("fault")
			case 3:
				cancel()
			}
			return nil
		}})
		if err != nil || runs.Load() != 3 {
			t.Errorf("runs = %d, error = %v", runs.Load(), err)
		}
		if took := time.Since(begin); took < 2*time.Minute || took > 132*time.Second {
			t.Errorf("three runs took %v, want two intervals and at most a tenth", took)
		}
	})
}

func TestUntilNone_DoesAllThatHasPiledUp_AlsoAfterABatchThatFailedInPart(t *testing.T) {
	left, batches := 450, 0
	err := UntilNone(func(context.Context) (int, error) {
		batches++
		did := min(left, 200)
		left -= did
		if batches == 2 {
			return did, io.EOF
		}
		return did, nil
	})(t.Context())
	if left != 0 || batches != 4 || !errors.Is(err, io.EOF) {
		t.Errorf("%d left after %d batches, %v", left, batches, err)
	}
}

func TestUntilNone_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	batches := 0
	err := UntilNone(func(context.Context) (int, error) {
		if batches++; batches == 3 {
			cancel()
		}
		return 1, nil
	})(ctx)
	if batches != 3 || err != nil {
		t.Errorf("%d batches, %v", batches, err)
	}
}
