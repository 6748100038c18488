package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
)

// Short timeouts: the state is in PostgreSQL, so losing a task costs less than waiting for Redis.
const (
	dialTimeout = 500 * time.Millisecond
	ioTimeout   = 2 * time.Second
)

// LogRedisTo has the driver's own messages, which are of connections, written like all others. It is for a process, once.
func LogRedisTo(log *slog.Logger) { redis.SetLogger(redisLog{log}) }

type redisLog struct{ log *slog.Logger }

// Printf writes a message of the driver.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	l.log.WarnContext(ctx, "redis says", "message", fmt.Sprintf(format, v...))
}

// findPrimaries asks a cluster anew who has what, after a command that a node did not answer. The driver itself does so when a node
// sends it elsewhere, which a dead one does not, and else every ten seconds; no command is repeated here.
type findPrimaries struct{ cluster *redis.ClusterClient }

// DialHook changes nothing.
func (findPrimaries) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook looks at a command's error.
func (f findPrimaries) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		return f.look(ctx, next(ctx, command))
	}
}

// ProcessPipelineHook looks at a pipeline's error.
func (f findPrimaries) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		return f.look(ctx, next(ctx, commands))
	}
}

func (f findPrimaries) look(ctx context.Context, err error) error {
	var answered redis.Error
	if err != nil && !errors.As(err, &answered) && !errors.Is(err, context.Canceled) || redis.HasErrorPrefix(err, "CLUSTERDOWN") {
		f.cluster.ReloadState(ctx) // returns at once; one at a time
	}
	return err
}

// OpenRedis makes a client that fails quickly: short timeouts, no retries, deadlines of contexts. It connects at the
// first use, so a service starts while Redis is down. Addresses: redis://host:port/0 and rediss:// for one server;
// with ?master_name=x&addr=host2:port for Sentinel; with ?addr=host2:port alone for a cluster. Close it after use.
func OpenRedis(address string) (redis.UniversalClient, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read the address of Redis: not a URL") // url.Error would repeat the password
	}
	switch query := u.Query(); {
	case query.Has("master_name"):
		options, err := redis.ParseFailoverURL(address)
		if err != nil {
			return nil, fmt.Errorf("read the address of Redis: %w", err)
		}
		options.DialTimeout, options.ReadTimeout, options.WriteTimeout = dialTimeout, ioTimeout, ioTimeout
		options.MaxRetries, options.DialerRetries, options.ContextTimeoutEnabled = -1, 1, true
		return redis.NewFailoverClient(options), nil
	case query.Has("addr"):
		options, err := redis.ParseClusterURL(address)
		if err != nil {
			return nil, fmt.Errorf("read the address of Redis: %w", err)
		}
		options.DialTimeout, options.ReadTimeout, options.WriteTimeout = dialTimeout, ioTimeout, ioTimeout
		options.MaxRetries, options.DialerRetries, options.ContextTimeoutEnabled = -1, 1, true
		cluster := redis.NewClusterClient(options)
		cluster.AddHook(findPrimaries{cluster})
		return cluster, nil
	default:
		options, err := redis.ParseURL(address)
		if err != nil {
			return nil, fmt.Errorf("read the address of Redis: %w", err)
		}
		options.DialTimeout, options.ReadTimeout, options.WriteTimeout = dialTimeout, ioTimeout, ioTimeout
		options.MaxRetries, options.DialerRetries, options.ContextTimeoutEnabled = -1, 1, true
		return redis.NewClient(options), nil
	}
}
