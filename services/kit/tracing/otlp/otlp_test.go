package otlp

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"talkoot.fi/kit/tracing"
	"talkoot.fi/kit/tracing/tracingtest"
)

func start(t *testing.T, address string, flush time.Duration) (stop func()) {
	t.Helper()
	endpoint, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	told, cancel := context.WithCancel(t.Context())
	stop, err = startFlushing(told, tracing.Config{Endpoint: *endpoint}, tracing.Process{Service: "payments", Name: "work"},
		slog.New(slog.DiscardHandler), flush)
	cancel() // as that of a process that is told to stop, before its last requests are answered
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

func TestStart_AReceiverGetsWhatIsThereAtTheStop(t *testing.T) {
	receiver := tracingtest.New()
	defer receiver.Close()
	stop := start(t, receiver.URL+"/", flushTimeout)
	ctx, outer := tracing.About(t.Context(), "outer", "x")
	_, inner := tracing.About(ctx, "inner", "x")
	inner(nil)
	outer(context.Canceled)
	stop()
	spans := receiver.TraceOf("outer")
	if len(spans) != 2 || spans[0].Name != "inner" || spans[0].Parent != spans[1].ID || !spans[1].Failed ||
		spans[0].Service != "payments" || spans[0].Process != "work" {
		t.Errorf("%+v\n%s", spans, tracingtest.Tree(spans))
	}
	if tracing.On() {
		t.Error("it is still traced")
	}
}

// A receiver that is away, silent or full keeps nobody waiting, and a stop no longer than it may.
func TestStart_NobodyWaitsForTheReceiver(t *testing.T) {
	hang := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer func() { close(hang); silent.Close(); full.Close() }()
	away, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = away.Close()
	const flush = 200 * time.Millisecond
	for what, address := range map[string]string{"away": "http://" + away.Addr().String(), "silent": silent.URL, "full": full.URL} {
		stop := start(t, address, flush)
		began := time.Now()
		const spans = waitAtMost + 4096 // more than may wait
		for range spans {
			_, end := tracing.About(t.Context(), "work", "x")
			end(nil)
		}
		if took := time.Since(began); took > 4*sendTimeout { // waiting, they would take that for each few hundred
			t.Errorf("%s: %d spans took %s", what, spans, took)
		}
		began = time.Now()
		stop()
		if took := time.Since(began); took >= sendTimeout {
			t.Errorf("%s: the stop took %s", what, took)
		}
	}
}

func TestStart_WithoutAnEndpointNothingIsTraced(t *testing.T) {
	stop, err := Start(t.Context(), tracing.Config{Sampler: "always_on"}, tracing.Process{}, slog.New(slog.DiscardHandler))
	if err != nil || tracing.On() {
		t.Errorf("traced: %v, %v", tracing.On(), err)
	}
	stop()
}
