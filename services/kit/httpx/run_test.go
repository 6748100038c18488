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

func TestCheckAddr_WantsAPortAndPerhapsAHost(t *testing.T) {
	for addr, ok := range map[string]bool{
		"127.0.0.1:8081": true, ":8081": true, "[::]:8081": true, "localhost:0": true, "8081": false, "127.0.0.1": false, ":http": false, ":70000": false, "": false,
	} {
		if err := CheckAddr(addr); (err == nil) != ok {
			t.Errorf("%q: %v", addr, err)
		}
	}
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
	go func() { served <- serve(ctx, h, ln, times{time.Second, 0, time.Minute}) }()

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
	go func() { served <- serve(ctx, h, ln, times{time.Second, 0, 10 * time.Millisecond}) }()
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
	go func() { served <- serve(ctx, h, ln, times{200 * time.Millisecond, 0, time.Second}) }()
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

// A proxy goes on sending requests until it has heard that the process leaves: until then they are answered, as are those on new connections.
func TestServe_SaysThatItLeavesBeforeItStopsAccepting(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	const leave = 2 * time.Second
	go func() { served <- serve(ctx, h, ln, times{time.Second, leave, time.Second}) }()
	ask := func(path string) int {
		t.Helper()
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := client.Get("http://" + ln.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		return res.StatusCode
	}
	if status := ask("/readyz"); status != http.StatusOK {
		t.Errorf("ready before: %d", status)
	}
	stopped := time.Now()
	stop()
	for ask("/readyz") == http.StatusOK {
		if time.Since(stopped) > leave/2 {
			t.Fatal("it goes on saying that it is ready")
		}
	}
	if status := ask("/readyz/"); status != http.StatusServiceUnavailable {
		t.Errorf("ready afterwards: %d", status)
	}
	if status := ask("/"); status != http.StatusOK {
		t.Errorf("a request meanwhile: %d", status)
	}
	if err := <-served; err != nil || time.Since(stopped) < leave {
		t.Errorf("it left after %s: %v", time.Since(stopped), err)
	}
}
