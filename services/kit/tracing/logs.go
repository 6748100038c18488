package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Logs adds to each line of a log the trace and the span that its context belongs to.
func Logs(to slog.Handler) slog.Handler { return logs{to} }

type logs struct{ slog.Handler }

// Handle writes a line.
func (l logs) Handle(ctx context.Context, r slog.Record) error {
	if On() {
		if span := trace.SpanContextFromContext(ctx); span.IsValid() {
			r.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
		}
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs is as slog wants it.
func (l logs) WithAttrs(attrs []slog.Attr) slog.Handler { return logs{l.Handler.WithAttrs(attrs)} }

// WithGroup is as slog wants it.
func (l logs) WithGroup(name string) slog.Handler { return logs{l.Handler.WithGroup(name)} }

// KeptID is the id of the trace that ctx belongs to, if that is kept; for exemplars of metrics.
func KeptID(ctx context.Context) string {
	if !On() {
		return ""
	}
	if span := trace.SpanContextFromContext(ctx); span.IsSampled() {
		return span.TraceID().String()
	}
	return ""
}
