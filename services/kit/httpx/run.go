package httpx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Limits of a connection. A client that connects and sends nothing holds a goroutine and a socket for readHeaderTimeout
// and no longer; answers may take longer than requests, because a page of results waits for the database.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10

	// drainTimeout is the timeout of a graceful shutdown: requests that are unanswered by then are aborted. Orchestrators
	// kill after 30 s.
	drainTimeout = 25 * time.Second
)

// CheckAddr reports an address that Run cannot listen on: it has a port, and a host or none, which is every interface of the machine or
// container.
func CheckAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is no address to listen on: want host:port, or :port for every interface", addr)
	}
	return nil
}

// Run listens on addr and serves h until ctx ends; then it says for leave that it is not ready, stops accepting, lets every
// accepted request finish, and returns nil. leave is how long whoever sends requests takes to hear of it: those that come meanwhile
// are answered. Errors: listening fails; requests were still unanswered after 25 s and were aborted.
func Run(ctx context.Context, h http.Handler, addr string, leave time.Duration) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	return serve(ctx, h, ln, times{header: readHeaderTimeout, leave: leave, drain: drainTimeout})
}

// times are how long a server waits: for a request's header, for its callers to hear that it leaves, and for its answers.
type times struct{ header, leave, drain time.Duration }

func serve(ctx context.Context, h http.Handler, ln net.Listener, t times) error {
	var leaves atomic.Bool
	srv := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if leaves.Load() && strings.TrimSuffix(r.URL.Path, "/") == pathReady {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusServiceUnavailable)
				_, _ = io.WriteString(w, `{"ready":false,"checks":{"stays":"failing"}}`)
				return
			}
			h.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: t.header,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()

	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	leaves.Store(true)
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	case <-time.After(t.leave):
	}
	// ctx has ended, but running requests get time to finish.
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.drain)
	defer cancel()
	if err := srv.Shutdown(stop); err != nil {
		return errors.Join(fmt.Errorf("requests cut after %s: %w", t.drain, err), srv.Close())
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	}
	return nil
}
