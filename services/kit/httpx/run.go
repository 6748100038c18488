package httpx

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
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

// Run listens on addr and serves h until ctx ends; then it stops accepting, lets every accepted request finish, and
// returns nil. Errors: listening fails; requests were still unanswered after 25 s and were aborted.
func Run(ctx context.Context, h http.Handler, addr string) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	return Serve(ctx, h, ln)
}

// Serve is Run on a listener that is open already. It closes ln.
func Serve(ctx context.Context, h http.Handler, ln net.Listener) error {
	return serve(ctx, h, ln, readHeaderTimeout, drainTimeout)
}

func serve(ctx context.Context, h http.Handler, ln net.Listener, header, drain time.Duration) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: header,
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
	// ctx has ended, but running requests get time to finish.
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if err := srv.Shutdown(stop); err != nil {
		return errors.Join(fmt.Errorf("requests cut after %s: %w", drain, err), srv.Close())
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	}
	return nil
}
