package tracing

import (
	"context"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Incoming is a request whose span begins.
type Incoming struct {
	Method, Route string
	Header        http.Header
	// IsInternal says that the other service has shown that it sent the request: its trace goes on. A stranger's is a link.
	IsInternal bool
	// Subject is what the request names, in whose trace it is then; Begins says that the request makes it.
	Subject string
	Begins  bool
}

// Serve begins the span of a request; end it with Answered. Without traces the span is nil.
func Serve(ctx context.Context, in Incoming) (context.Context, trace.Span) {
	t := current.Load()
	if t == nil {
		return ctx, nil
	}
	sent := remote(propagation.HeaderCarrier(in.Header))
	var parent trace.SpanContext
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", in.Method), attribute.String("http.route", in.Route))}
	switch {
	case in.IsInternal && sent.IsValid():
		parent = sent
	case in.Subject != "":
		parent = t.rootOf(ctx, in.Subject)
	}
	if sent.IsValid() && !in.IsInternal {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: sent}))
	}
	return t.begin(ctx, in.Method+" "+in.Route, parent, in.Begins && parent.IsValid(), options...)
}

// Answered ends the span of a request that was answered with a status. Only our own failures are errors.
func Answered(span trace.Span, status int) {
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// ToService is a transport to the other service, which takes the trace of ctx on.
func ToService(base http.RoundTripper, name string) http.RoundTripper {
	return transport{base: base, name: name, carries: true}
}

// ToOutside is a transport to somebody else's API, who is told nothing of our traces.
func ToOutside(base http.RoundTripper, name string) http.RoundTripper {
	return transport{base: base, name: name}
}

type transport struct {
	base    http.RoundTripper
	name    string
	carries bool
}

// RoundTrip makes one call, which is a span when it belongs to a trace.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	now := current.Load()
	if now == nil {
		return t.base.RoundTrip(r)
	}
	parent := trace.SpanContextFromContext(r.Context())
	if !parent.IsValid() {
		return t.base.RoundTrip(r)
	}
	name := t.name + " " + r.Method + " " + pattern(r.URL.Path)
	ctx, span := now.begin(r.Context(), name, parent, false, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("http.request.method", r.Method), attribute.String("peer.service", t.name)))
	defer span.End()
	r = r.Clone(ctx)
	if t.carries {
		w3c.Inject(ctx, propagation.HeaderCarrier(r.Header))
	}
	answer, err := t.base.RoundTrip(r)
	if err != nil {
		span.SetStatus(codes.Error, "")
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", answer.StatusCode))
	if answer.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, "")
	}
	return answer, nil
}

// longestWord is the longest segment of a path that can be a word of an API; ids are longer, or have other characters.
const longestWord = 24

// pattern is a path without what could be an id: the words of an API are in small letters, and its version is v and digits.
func pattern(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		version, isVersion := strings.CutPrefix(s, "v")
		switch {
		case len(s) <= longestWord && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_-") == "":
		case isVersion && len(version) <= len("2.01") && strings.Trim(version, "0123456789.") == "":
		default:
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}
