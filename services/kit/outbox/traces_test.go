package outbox_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/tracing"
)

// The trace is in the message's row, so whichever relay delivers it, and when, it is part of what added it.
func TestRelay_DeliversInTheTraceThatAddedTheMessage(t *testing.T) {
	kept := tracetest.NewInMemoryExporter()
	stop := tracing.Start(tracing.Config{}, tracing.Process{}, sdktrace.NewSimpleSpanProcessor(kept))
	t.Cleanup(func() { _ = stop(context.Background()) })
	b := setup(t)
	var mu sync.Mutex
	var in []trace.SpanContext
	b.handler = func(ctx context.Context, _ outbox.Message) error {
		mu.Lock()
		defer mu.Unlock()
		in = append(in, trace.SpanContextFromContext(ctx))
		return nil
	}
	ctx, end := tracing.About(t.Context(), "request", "x")
	message := outbox.Message{Kind: "mail", Payload: json.RawMessage(`{}`)}
	if _, err := outbox.Add(ctx, b.db, message); err != nil {
		t.Fatal(err)
	}
	if err := outbox.AddAll(ctx, b.db, []outbox.Message{message}); err != nil {
		t.Fatal(err)
	}
	end(nil)
	b.add(t, outbox.Message{})
	runOnce(t, b.relay(t))
	runOnce(t, b.relay(t))
	want := trace.SpanContextFromContext(ctx)
	same, none := 0, 0
	for _, got := range in {
		switch {
		case got.TraceID() == want.TraceID() && got.SpanID() != want.SpanID():
			same++
		case !got.IsValid():
			none++
		}
	}
	if same != 2 || none != 1 {
		t.Errorf("delivered in %v, added in %v", in, want)
	}
}
