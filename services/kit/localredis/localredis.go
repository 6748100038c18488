// Package localredis gives a private Redis on loopback: the machine's own redis-server or valkey-server where there is
// one, else a server built in.
//
// The built-in one keeps everything in memory and loses it at its end, which is fine: the state is in PostgreSQL.
// Starting and stopping the process of an external server is left to the caller.
package localredis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

const (
	expireEvery = time.Second // rate limits and what Asynq keeps of a server last far longer
	askLimit    = time.Second
	pollEvery   = 20 * time.Millisecond
)

// External returns the command line of the machine's Redis, listening on 127.0.0.1 and keeping an append-only file in
// dir; found is false when there is none.
func External(dir string, port int) (commandLine []string, found bool) {
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		return []string{
			path, "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir,
			"--appendonly", "yes", "--save", "", "--daemonize", "no",
		}, true
	}
	return nil, false
}

// Serve runs the built-in server on addr until ctx ends.
func Serve(ctx context.Context, addr string) error {
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr(addr); err != nil {
		return fmt.Errorf("start built-in Redis: %w", err)
	}
	defer server.Close()
	expire(ctx, server)
	return nil
}

// expire advances the server's clock, which does not move by itself, so that keys with a TTL expire.
func expire(ctx context.Context, server *miniredis.Miniredis) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	last := time.Now() //nolint:forbidigo // only differences count, and a monotonic clock cannot be injected
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			server.FastForward(now.Sub(last))
			last = now
		}
	}
}

// URL is the address of a server on 127.0.0.1.
func URL(port int) string {
	return "redis://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) + "/0"
}

// AwaitReady returns once the server at url answers a PING, or with the last error when ctx ends.
func AwaitReady(ctx context.Context, url string) error {
	opts, err := redis.ParseURL(url)
	if err != nil {
		return errors.New("REDIS_URL is not a Redis address (redis://[user:password@]host:port/db)") // the parser's error would show the password
	}
	opts.DialTimeout, opts.ReadTimeout, opts.MaxRetries = askLimit, askLimit, -1
	client := redis.NewClient(opts)
	defer client.Close() // nothing to flush
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := client.Ping(ctx).Err()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("Redis does not answer: %w", err) //nolint:staticcheck // a name
		case <-tick.C:
		}
	}
}
