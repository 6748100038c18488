package tracing

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceparent is the header of W3C Trace Context, and what is stored with work that is done later.
const traceparent = "traceparent"

var w3c propagation.TraceContext

// End ends a span, with the error that its work ended with. The error's text is not written into the span.
type End func(err error)

func noEnd(error) {}

func endOf(span trace.Span) End {
	return func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// About begins work for a subject, in the subject's trace. When it was caused by something else it has a link to that.
func About(ctx context.Context, name, subject string) (context.Context, End) {
	t := current.Load()
	if t == nil {
		return ctx, noEnd
	}
	now, parent := trace.SpanContextFromContext(ctx), t.rootOf(ctx, subject)
	var options []trace.SpanStartOption
	if now.TraceID() == parent.TraceID() {
		parent = now
	} else if now.IsSampled() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: now}))
	}
	ctx, span := t.begin(ctx, name, parent, false, options...)
	return ctx, endOf(span)
}

// Carried is what to store with work that is done later, for Continue: the traceparent of ctx, empty without one.
func Carried(ctx context.Context) string {
	if !On() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	w3c.Inject(ctx, carrier)
	return carrier[traceparent]
}

// Continue begins work that was stored with what Carried gave; without that it is not traced.
func Continue(ctx context.Context, name, carried string) (context.Context, End) {
	t := current.Load()
	if t == nil || carried == "" {
		return ctx, noEnd
	}
	parent := remote(propagation.MapCarrier{traceparent: carried})
	if !parent.IsValid() {
		return ctx, noEnd
	}
	ctx, span := t.begin(ctx, name, parent, false, trace.WithSpanKind(trace.SpanKindConsumer))
	return ctx, endOf(span)
}

// remote is the span that a carrier names, without what others have added to its tracestate.
func remote(carrier propagation.TextMapCarrier) trace.SpanContext {
	return trace.SpanContextFromContext(w3c.Extract(noContext, carrier)).WithTraceState(trace.TraceState{})
}

// noContext is where nothing is known yet.
var noContext = context.Background() //nolint:forbidigo // a carrier is read into it, nothing waits on it
