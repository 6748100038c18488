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

// idleServer is a server that has done a task and waits.
type idleServer struct {
	redis       *miniredis.Miniredis
	done        chan payload
	told, quiet *Client // quiet puts a task on the queue and tells nobody
}

func setupIdle(t *testing.T, interval time.Duration) idleServer {
	t.Helper()
	s := idleServer{redis: miniredis.RunT(t), done: make(chan payload, 1)}
	r, err := OpenRedis("redis://" + s.redis.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	s.told = NewClient(r)
	s.quiet = newClient(asynq.NewClientFromRedisClient(r), func(context.Context) {})
	server := NewServer(r, ServerConfig{CheckInterval: interval}, slog.New(slog.DiscardHandler))
	if err := idleTask().Handle(server, func(_ context.Context, p payload) error { s.done <- p; return nil }); err != nil {
		t.Fatal(err)
	}
	run(t, server)
	s.do(t, s.told, 0)
	return s
}

func idleTask() Task[payload] { return Define[payload]("work", valid) }

// do puts a task on the queue and returns when it was done and the server asks for no more.
func (s idleServer) do(t *testing.T, client *Client, id int64) {
	t.Helper()
	if err := idleTask().Enqueue(t.Context(), client, payload{id}); err != nil {
		t.Fatal(err)
	}
	if p := receive(t, s.done); p.ID != id {
		t.Fatalf("payload = %+v, want %d", p, id)
	}
	for asked, begun := -1, time.Now(); asked != s.redis.CommandCount(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the server asks on and on")
		}
		asked = s.redis.CommandCount()
	}
}

func TestServer_StartsANewTaskAtOnceThoughItHardlyLooks(t *testing.T) {
	s := setupIdle(t, time.Hour)
	for id := range int64(5) {
		s.do(t, s.told, id)
	}
}

func TestServer_FindsATaskOfWhichItWasNotTold(t *testing.T) {
	s := setupIdle(t, 200*time.Millisecond)
	for id := range int64(3) {
		s.do(t, s.quiet, id)
	}
}

func TestServer_HardlyAsksWhileItIsIdle(t *testing.T) {
	s := setupIdle(t, time.Hour)
	before := s.redis.CommandCount()
	time.Sleep(500 * time.Millisecond)
	if n := s.redis.CommandCount() - before; n > 20 {
		t.Errorf("Redis was asked %d times in half a second", n)
	}
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
	for key, moved := range map[string]int64{
		"asynq:{low}:retry": 1, "asynq:{critical}:scheduled": 2, "asynq:{default}:retry": 0,
	} {
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
