package localredis_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"talkoot.fi/kit/localredis"
)

func TestServe_ExpiresKeysAsTimePasses(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // only to learn a free port
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	ended := make(chan error, 1)
	serving, stopServing := context.WithCancel(ctx)
	go func() { ended <- localredis.Serve(serving, l.Addr().String()) }()
	defer func() {
		stopServing()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		stop()
	}()
	if err := localredis.AwaitReady(ctx, localredis.URL(port)); err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: l.Addr().String()})
	defer client.Close() // the test is over
	if err := client.Set(ctx, "short", "x", 300*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.Set(ctx, "long", "x", time.Hour).Err(); err != nil {
		t.Fatal(err)
	}
	for client.Exists(ctx, "short").Val() == 1 {
		if ctx.Err() != nil {
			t.Fatal("the short key never expired")
		}
	}
	if client.Exists(ctx, "long").Val() != 1 {
		t.Error("the long key is gone")
	}
}

func TestAwaitReady_GivesUpWhenNobodyAnswers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := localredis.AwaitReady(ctx, localredis.URL(1)); err == nil {
		t.Error("nobody listens on port 1, yet Redis is said to be ready")
	}
}
