package tracing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"talkoot.fi/kit/tracing"
)

const (
	strangers = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	pledge    = "5yrk3m8qv2c9w0n7t4x1b6d8zh"
)

// begin traces into memory until the test ends.
func begin(t *testing.T, c tracing.Config, secret string) *tracetest.InMemoryExporter {
	t.Helper()
	kept := tracetest.NewInMemoryExporter()
	process := tracing.Process{Service: "content", Name: "serve", Secret: []byte(secret)}
	stop := tracing.Start(c, process, sdktrace.NewSimpleSpanProcessor(kept))
	t.Cleanup(func() { _ = stop(context.Background()) })
	return kept
}

func headers(traceparent string) http.Header { return http.Header{"Traceparent": {traceparent}} }

func TestServe_AStrangersTraceparentIsALink(t *testing.T) {
	kept := begin(t, tracing.Config{}, "a")
	_, span := tracing.Serve(t.Context(), tracing.Incoming{Method: "GET", Route: "/campaigns", Header: headers(strangers)})
	tracing.Answered(span, http.StatusOK)
	got := kept.GetSpans()[0]
	if got.Parent.IsValid() || strings.Contains(strangers, got.SpanContext.TraceID().String()) {
		t.Errorf("a stranger's trace goes on: %+v", got.SpanContext)
	}
	if len(got.Links) != 1 || !strings.Contains(strangers, got.Links[0].SpanContext.TraceID().String()) {
		t.Errorf("links %+v", got.Links)
	}
}

func TestServe_AStrangerCannotHaveThemselvesSampled(t *testing.T) {
	for _, c := range []tracing.Config{{Sampler: "parentbased_always_off"}, {Sampler: "always_off"},
		{Sampler: "parentbased_traceidratio", SamplerArg: "0"}} {
		kept := begin(t, c, "a")
		for _, subject := range []string{"", pledge} {
			_, span := tracing.Serve(t.Context(), tracing.Incoming{Method: "GET", Route: "/x", Header: headers(strangers), Subject: subject})
			tracing.Answered(span, http.StatusOK)
		}
		if n := len(kept.GetSpans()); n != 0 {
			t.Errorf("%s: %d spans are kept", c.Sampler, n)
		}
	}
}

func TestServe_TheOtherServicesTraceGoesOn(t *testing.T) {
	kept := begin(t, tracing.Config{Sampler: "parentbased_always_off"}, "a")
	_, span := tracing.Serve(t.Context(), tracing.Incoming{Method: "POST", Route: "/internal/x", Header: headers(strangers), IsInternal: true})
	tracing.Answered(span, http.StatusServiceUnavailable)
	got := kept.GetSpans()[0]
	if !strings.Contains(strangers, got.SpanContext.TraceID().String()) || !got.Parent.IsValid() || got.Status.Code != codes.Error {
		t.Errorf("span %+v", got)
	}
}

func TestAbout_ASubjectHasOneTraceInBothServicesAndItsRootIsWhatMakesIt(t *testing.T) {
	ids := map[string]trace.TraceID{}
	for _, secret := range []string{"a", "another"} {
		kept := begin(t, tracing.Config{}, secret)
		ctx, made := tracing.Serve(t.Context(), tracing.Incoming{Method: "POST", Route: "/campaigns/:id/pledges", Subject: pledge, Begins: true})
		_, inside := tracing.About(ctx, "inside", pledge)
		inside(nil)
		tracing.Answered(made, http.StatusCreated)
		ctx, hook := tracing.Serve(t.Context(), tracing.Incoming{Method: "POST", Route: "/webhooks"})
		_, later := tracing.About(ctx, "later", pledge)
		later(errors.New("hunter2"))
		tracing.Answered(hook, http.StatusOK)
		spans := map[string]tracetest.SpanStub{}
		for _, s := range kept.GetSpans() {
			spans[s.Name] = s
		}
		root := spans["POST /campaigns/:id/pledges"]
		if root.Parent.IsValid() {
			t.Error("what makes the subject is no root")
		}
		for _, name := range []string{"inside", "later"} {
			if s := spans[name]; s.SpanContext.TraceID() != root.SpanContext.TraceID() || s.Parent.SpanID() != root.SpanContext.SpanID() {
				t.Errorf("%s is in %v under %v, want %v", name, s.SpanContext.TraceID(), s.Parent.SpanID(), root.SpanContext)
			}
		}
		if l := spans["later"].Links; len(l) != 1 || l[0].SpanContext.TraceID() != spans["POST /webhooks"].SpanContext.TraceID() {
			t.Errorf("later has the links %+v", l)
		}
		if s := spans["later"].Status; s.Code != codes.Error || s.Description != "" {
			t.Errorf("the error is told as %+v", s)
		}
		ids[secret] = root.SpanContext.TraceID()
	}
	if ids["a"] == ids["another"] {
		t.Error("the trace's id does not depend on the secret: anybody could work out which pledges are sampled")
	}
}

func TestContinue_TakesUpWhatWasStored(t *testing.T) {
	kept := begin(t, tracing.Config{}, "a")
	if got := tracing.Carried(t.Context()); got != "" {
		t.Errorf("outside of a trace %q is carried", got)
	}
	ctx, asks := tracing.About(t.Context(), "asks", pledge)
	stored := tracing.Carried(ctx)
	asks(nil)
	for _, carried := range []string{stored, "", "00-nonsense"} {
		_, end := tracing.Continue(t.Context(), "task", carried)
		end(nil)
	}
	spans := kept.GetSpans()
	if len(spans) != 2 || spans[1].Parent.SpanID() != spans[0].SpanContext.SpanID() {
		t.Errorf("spans %+v", spans)
	}
}

func TestTransports_NameNoIDsAndTellOnlyTheOtherServiceOfTheTrace(t *testing.T) {
	kept := begin(t, tracing.Config{}, "a")
	var told []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Get("Traceparent"))
	}))
	defer server.Close()
	ctx, end := tracing.About(t.Context(), "asks", pledge)
	paths := map[string]string{
		"/internal/orders/pledge/" + pledge:                     "content GET /internal/orders/pledge/{}",
		"/v1/payment_intents/pi_3PbcDEf/cancel?client_secret=x": "stripe GET /v1/payment_intents/{}/cancel",
		"/v2.01/talkoot/bank-accounts/iban":                     "stripe GET /v2.01/talkoot/bank-accounts/iban",
		"/abcdefghjkmnpqrstvwxyzabcd":                           "stripe GET /{}",
	}
	for path, name := range paths {
		transport := tracing.ToOutside(http.DefaultTransport, "stripe")
		if strings.HasPrefix(path, "/internal") {
			transport = tracing.ToService(http.DefaultTransport, "content")
		}
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, http.NoBody)
		answer, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		spans := kept.GetSpans()
		if got := spans[len(spans)-1].Name; got != name {
			t.Errorf("%s is named %q", path, got)
		}
		if got := told[len(told)-1]; (got != "") != strings.HasPrefix(path, "/internal") {
			t.Errorf("%s is told %q", path, got)
		}
	}
	end(nil)
}

func TestStatement_IsNamedByWhatItDoesAndOnlyInAKeptTrace(t *testing.T) {
	kept := begin(t, tracing.Config{}, "a")
	tracing.StatementEnded(tracing.Statement(t.Context(), "SELECT 1"), 1, false)
	if n := len(kept.GetSpans()); n != 0 {
		t.Errorf("a statement of no trace has %d spans", n)
	}
	ctx, end := tracing.About(t.Context(), "asks", pledge)
	for sql, want := range map[string]string{
		"SELECT id FROM pledges WHERE id = $1 FOR UPDATE":                                                        "SELECT pledges",
		"\n\tWITH due AS (SELECT o.id FROM outbox o), claimed AS (\nUPDATE outbox SET done_at = now()) SELECT 1": "UPDATE outbox",
		`INSERT INTO "pledges" ("id") VALUES ($1) ON CONFLICT DO NOTHING`:                                        "INSERT pledges",
		"DELETE FROM sessions WHERE ended_at < $1":                                                               "DELETE sessions",
		"begin": "BEGIN", "SELECT now()": "SELECT now()", "SELECT 1": "SELECT",
		"SELECT p.id, (SELECT count(*) FROM holds) AS n FROM payments p": "SELECT payments",
		"WITH a AS (SELECT 1) SELECT lower($1) FROM users":               "SELECT users",
	} {
		tracing.StatementEnded(tracing.Statement(ctx, sql), 1, false)
		spans := kept.GetSpans()
		if got := spans[len(spans)-1].Name; got != want {
			t.Errorf("%q is named %q, want %q", sql, got, want)
		}
	}
	end(nil)
}

func TestLogs_EachLineNamesTheTraceOfItsContext(t *testing.T) {
	begin(t, tracing.Config{}, "a")
	var text bytes.Buffer
	log := slog.New(tracing.Logs(slog.NewJSONHandler(&text, nil))).With("process", "serve")
	ctx, end := tracing.About(t.Context(), "asks", pledge)
	defer end(nil)
	log.InfoContext(ctx, "inside")
	log.InfoContext(t.Context(), "outside")
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	var in map[string]string
	if err := json.Unmarshal([]byte(lines[0]), &in); err != nil {
		t.Fatal(err)
	}
	want := trace.SpanContextFromContext(ctx)
	if in["trace_id"] != want.TraceID().String() || in["span_id"] != want.SpanID().String() || in["process"] != "serve" ||
		strings.Contains(lines[1], "trace_id") {
		t.Errorf("the log has\n%s", text.String())
	}
}

func TestOff_NothingIsAllocated(t *testing.T) {
	ctx := t.Context()
	transport := tracing.ToService(nothing{}, "content")
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://content/x", http.NoBody)
	if n := testing.AllocsPerRun(100, func() {
		_, end := tracing.About(ctx, "asks", pledge)
		end(nil)
		_, end = tracing.Continue(ctx, "task", strangers)
		end(nil)
		_, _ = tracing.Serve(ctx, tracing.Incoming{Method: "GET", Route: "/x"})
		tracing.StatementEnded(tracing.Statement(ctx, "SELECT 1"), 1, false)
		_, _ = tracing.Carried(ctx), tracing.KeptID(ctx)
		_, _ = transport.RoundTrip(r)
	}); n != 0 {
		t.Errorf("%v allocations while traces are off", n)
	}
}

type nothing struct{}

func (nothing) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil }

func TestConfig_SaysAllThatIsWrong(t *testing.T) {
	wrong := tracing.Config{Endpoint: url.URL{Scheme: "grpc", Host: "collector:4317"}, Protocol: "grpc",
		Sampler: "sometimes", SamplerArg: "0.1"}
	err := wrong.Validate()
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_TRACES_SAMPLER is",
		"OTEL_TRACES_SAMPLER_ARG"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %s", err, name)
		}
	}
	for _, arg := range []string{"1.1", "-1", "NaN", "half"} {
		if (tracing.Config{Sampler: "traceidratio", SamplerArg: arg}).Validate() == nil {
			t.Errorf("a share of %s is taken", arg)
		}
	}
	if err := (tracing.Config{}).Validate(); err != nil {
		t.Error(err)
	}
}
