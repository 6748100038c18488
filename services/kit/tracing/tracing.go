// Package tracing follows what one press of a button causes through both services, by OpenTelemetry. It is off unless there
// is somewhere to send traces to (package otlp), and costs nothing then.
//
// All that is done for one pledge or subscription (a subject) is one trace: requests that name it, the queue's tasks, webhooks,
// charges and events. The trace's id follows from the subject's by a keyed hash, so that both services find it at any time and
// keep nothing for it, while nobody outside knows which traces are sampled. The request that makes the subject is the trace's
// root.
//
// Invariants: names and attributes of spans come from the code: routes, statements' first words, kinds; never from what people
// send. No id of a subject, address, token, amount or parameter is in them, and no text of an error. What strangers send as
// traceparent is at most a link: they cannot have themselves sampled, or write into a trace of others. Sending never makes
// anybody wait; what cannot be sent is dropped.
package tracing

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Process is who writes spans.
type Process struct {
	// Service and Name are as in "content" and "serve".
	Service, Name string
	// Secret is what both services share; the key of trace ids follows from it.
	Secret []byte
}

// tracer is what a process traces with.
type tracer struct {
	trace.Tracer
	root sdktrace.Sampler
	key  []byte
}

// current is the process's tracer, nil while traces are off. It is the one thing here that is for the process as a whole, as in
// OpenTelemetry itself: what is traced is reached from everywhere.
var current atomic.Pointer[tracer]

// On reports whether anything is traced.
func On() bool { return current.Load() != nil }

// Start has the process's spans handed to a processor until stop, which lets it finish within ctx's time.
func Start(c Config, p Process, to sdktrace.SpanProcessor) (stop func(ctx context.Context) error) {
	name := c.ServiceName
	if name == "" {
		name = p.Service
	}
	all, root := c.samplers()
	key := sha256.Sum256(append([]byte("ids of traces "), p.Secret...))
	provider := sdktrace.NewTracerProvider(sdktrace.WithSampler(all), sdktrace.WithIDGenerator(generator{}), sdktrace.WithSpanProcessor(to),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", name),
			attribute.String("service.namespace", "talkoot"), attribute.String("process", p.Name))))
	current.Store(&tracer{Tracer: provider.Tracer("talkoot.fi/kit/tracing"), root: root, key: key[:]})
	return func(ctx context.Context) error {
		current.Store(nil)
		return provider.Shutdown(ctx)
	}
}

// rootOf is the root span of a subject's trace.
func (t *tracer) rootOf(ctx context.Context, subject string) trace.SpanContext {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(subject))
	sum := mac.Sum(nil)
	c := trace.SpanContextConfig{Remote: true}
	copy(c.TraceID[:], sum)
	copy(c.SpanID[:], sum[len(c.TraceID):])
	bare := trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	if t.root.ShouldSample(sdktrace.SamplingParameters{ParentContext: bare, TraceID: c.TraceID}).Decision == sdktrace.RecordAndSample {
		c.TraceFlags = trace.FlagsSampled
	}
	return trace.NewSpanContext(c)
}

// begin starts a span; with isRoot it is the one that parent names, else its child.
func (t *tracer) begin(ctx context.Context, name string, parent trace.SpanContext, isRoot bool, o ...trace.SpanStartOption) (
	context.Context, trace.Span) {
	start := trace.ContextWithSpanContext(ctx, parent)
	if isRoot {
		start = context.WithValue(trace.ContextWithSpanContext(ctx, trace.SpanContext{}), wantedKey{}, parent)
	}
	_, span := t.Start(start, name, o...)
	return trace.ContextWithSpan(ctx, span), span
}

type wantedKey struct{}

// generator makes ids at random, but for roots whose ids follow from a subject's.
type generator struct{}

// NewIDs makes those of a trace's root.
func (g generator) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	if root, ok := ctx.Value(wantedKey{}).(trace.SpanContext); ok {
		return root.TraceID(), root.SpanID()
	}
	var id trace.TraceID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64()) //nolint:gosec // an id, not a secret
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64()) //nolint:gosec // an id, not a secret
	return id, g.NewSpanID(ctx, id)
}

// NewSpanID makes that of another span.
func (generator) NewSpanID(context.Context, trace.TraceID) trace.SpanID {
	var id trace.SpanID
	binary.NativeEndian.PutUint64(id[:], rand.Uint64()) //nolint:gosec // an id, not a secret
	return id
}
