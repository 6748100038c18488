package jobs

import (
	"context"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"talkoot.fi/kit/tracing"
)

// The trace is in the queue, so it does not matter which process takes the task, or when.
func TestTask_IsDoneInTheTraceThatQueuedIt(t *testing.T) {
	kept := tracetest.NewInMemoryExporter()
	stop := tracing.Start(tracing.Config{}, tracing.Process{}, sdktrace.NewSimpleSpanProcessor(kept))
	t.Cleanup(func() { _ = stop(context.Background()) })
	client, _, server, run := setup(t)
	task := Define[payload]("work", valid)
	in := make(chan trace.SpanContext, 2)
	if err := task.Handle(server, func(ctx context.Context, _ payload) error { in <- trace.SpanContextFromContext(ctx); return nil }); err != nil {
		t.Fatal(err)
	}
	ctx, end := tracing.About(t.Context(), "request", "x")
	if err := task.Enqueue(ctx, client, payload{1}); err != nil {
		t.Fatal(err)
	}
	end(nil)
	run()
	if got, want := receive(t, in), trace.SpanContextFromContext(ctx); got.TraceID() != want.TraceID() || got.SpanID() == want.SpanID() {
		t.Errorf("done in %v, queued in %v", got, want)
	}
	if err := task.Enqueue(t.Context(), client, payload{2}); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, in); got.IsValid() {
		t.Errorf("a task of no trace is done in %v", got)
	}
}
