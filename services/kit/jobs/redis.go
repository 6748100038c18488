package jobs

import (
	"context"
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
		return redis.NewClusterClient(options), nil
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
