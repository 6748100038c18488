package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// idle runs a server whose own looks are so far apart, and that has done one task.
func idle(t *testing.T, interval time.Duration) (redis *miniredis.Miniredis, done chan payload, enqueue, enqueueUntold func(id int64)) {
	t.Helper()
	redis = miniredis.RunT(t)
	r, err := OpenRedis("redis://" + redis.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	server, task := NewServer(r, ServerConfig{CheckInterval: interval}, slog.New(slog.DiscardHandler)), Define[payload]("work", valid)
	done = make(chan payload, 1)
	if err := task.Handle(server, func(_ context.Context, p payload) error { done <- p; return nil }); err != nil {
		t.Fatal(err)
	}
	run(t, server)
	told := NewClient(r)
	untold := &Client{redis: silent{}, asynq: told.asynq}
	enqueueBy := func(c *Client) func(int64) {
		return func(id int64) {
			if err := task.Enqueue(t.Context(), c, payload{id}); err != nil {
				t.Fatal(err)
			}
		}
	}
	enqueue, enqueueUntold = enqueueBy(told), enqueueBy(untold)
	enqueue(0)
	receive(t, done)
	return redis, done, enqueue, enqueueUntold
}

// silent is a Redis that tells nobody anything.
type silent struct{ redis.UniversalClient }

func (silent) Publish(ctx context.Context, _ string, _ any) *redis.IntCmd {
	return redis.NewIntCmd(ctx)
}

func TestServer_StartsANewTaskAtOnceThoughItHardlyLooks(t *testing.T) {
	_, done, enqueue, _ := idle(t, time.Hour)
	for id := range int64(5) {
		enqueue(id)
		if p := receive(t, done); p.ID != id {
			t.Errorf("payload = %+v, want %d", p, id)
		}
	}
}

func TestServer_FindsATaskOfWhichItWasNotTold(t *testing.T) {
	_, done, _, enqueueUntold := idle(t, 20*time.Millisecond)
	for id := range int64(5) {
		enqueueUntold(id)
		if p := receive(t, done); p.ID != id {
			t.Errorf("payload = %+v, want %d", p, id)
		}
	}
}

func TestServer_HardlyAsksWhileItIsIdle(t *testing.T) {
	server, done, enqueue, _ := idle(t, time.Hour)
	before := server.CommandCount()
	time.Sleep(500 * time.Millisecond)
	if n := server.CommandCount() - before; n > 100 { // asking all the time is some thousand; the first task has its share
		t.Errorf("Redis was asked %d times in half a second", n)
	}
	enqueue(1)
	receive(t, done) // it lives
}

// answers is a Redis whose scripts answer as told, and that counts them.
type answers struct {
	redis.UniversalClient
	asked int
	tell  func(key string) (any, error)
}

func (a *answers) EvalSha(ctx context.Context, _ string, keys []string, _ ...any) *redis.Cmd {
	a.asked++
	return redis.NewCmdResult(a.tell(keys[0]))
}

// ask takes from all queues, as Asynq does without a pause, for a while.
func ask(ctx context.Context, r *waitingRedis, howLong time.Duration) {
	for begun := time.Now(); time.Since(begun) < howLong; time.Sleep(time.Millisecond) {
		for _, queue := range []Queue{Low, Critical, Default} {
			r.EvalSha(ctx, "", []string{"asynq:{" + string(queue) + "}:pending"})
		}
	}
}

func TestWaitingRedis_AsksEachQueueOnceAnInterval(t *testing.T) {
	for name, fault := range map[string]error{"empty": redis.Nil, "away": errors.New("connection refused")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &answers{tell: func(string) (any, error) { return nil, fault }}
				ask(t.Context(), &waitingRedis{UniversalClient: a, interval: time.Second}, time.Minute)
				if a.asked == 0 || a.asked > 3*61 {
					t.Errorf("it asked %d times in a minute", a.asked)
				}
			})
		})
	}
}

func TestWaitingRedis_AsksOnWhileThereAreTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answers{tell: func(string) (any, error) { return "task", nil }}
		ask(t.Context(), &waitingRedis{UniversalClient: a, interval: time.Hour}, time.Second)
		if a.asked < 3*900 {
			t.Errorf("it asked %d times only", a.asked)
		}
	})
}

func TestWaitingRedis_IsPokedByDelayedTasksThatAreDue(t *testing.T) {
	for key, moved := range map[string]int64{"asynq:{low}:retry": 1, "asynq:{critical}:scheduled": 2, "asynq:{default}:retry": 0} {
		a := &answers{tell: func(string) (any, error) { return moved, nil }}
		r := &waitingRedis{UniversalClient: a, poked: make(chan struct{}, 1)}
		r.EvalSha(t.Context(), "", []string{key, "asynq:{low}:pending"})
		if poked := len(r.poked) == 1; poked != (moved > 0) {
			t.Errorf("%s moved %d: poked %v", key, moved, poked)
		}
	}
}

// Asynq's own questions: were their keys named otherwise, a server would never wait, or never be woken by a retry.
func TestWaitingRedis_KnowsAsynqsKeys(t *testing.T) {
	server := miniredis.RunT(t)
	r, err := OpenRedis("redis://" + server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	client := asynq.NewClientFromRedisClient(r)
	for _, option := range []asynq.Option{asynq.ProcessIn(time.Hour), asynq.ProcessIn(0)} {
		if _, err := client.Enqueue(asynq.NewTask("x", nil), asynq.Queue(string(Low)), option); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"asynq:{low}:pending", "asynq:{low}:scheduled"} {
		if !server.Exists(key) {
			t.Errorf("no key %s; there are %q", key, server.Keys())
		}
	}
}
