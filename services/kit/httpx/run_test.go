package httpx

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

func TestServe_FinishesRequestsAfterTheStop(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	began, release := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(began)
		<-release
		if r.Context().Err() != nil {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = io.WriteString(w, "done")
	})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, h, ln) }()

	type result struct {
		body string
		err  error
	}
	answered := make(chan result, 1)
	go func() {
		res, err := http.Get("http://" + ln.Addr().String())
		if err != nil {
			answered <- result{err: err}
			return
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if res.StatusCode != http.StatusOK {
			err = errors.New(res.Status)
		}
		answered <- result{string(body), err}
	}()
	<-began
	stop()
	// The listener closes before the request ends: wait until connecting fails, then let the request go.
	for {
		c, err := net.DialTimeout("tcp", ln.Addr().String(), time.Second)
		if err != nil {
			break
		}
		_ = c.Close()
	}
	close(release)
	if got := <-answered; got.err != nil || got.body != "done" {
		t.Errorf("the request was cut: %q %v", got.body, got.err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServe_AbortsRequestsThatDoNotEnd(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	began := make(chan struct{})
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(began)
		<-r.Context().Done() // ends when the connection is cut
	})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, h, ln, time.Second, 10*time.Millisecond) }()
	go func() {
		if res, err := http.Get("http://" + ln.Addr().String()); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-began
	stop()
	if err := <-served; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Serve: %v", err)
	}
}

func TestServe_SurvivesClientsThatSendNothing(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	go func() { served <- serve(ctx, h, ln, 200*time.Millisecond, time.Second) }()
	idle := make([]net.Conn, 500)
	for i := range idle {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		idle[i] = c
	}
	res, err := http.Get("http://" + ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	for _, c := range idle {
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); err != nil { // until the server hangs up
			t.Fatalf("an idle client is still connected: %v", err)
		}
		_ = c.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
