package httpx_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/kit/tracing"
)

const (
	sent   = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	secret = "a test's secret of 32 characters"
)

// traced is a service that is traced into memory; everything that it logs is in text.
func traced(t *testing.T) (e *echo.Echo, kept *tracetest.InMemoryExporter, text *bytes.Buffer) {
	t.Helper()
	kept, text = tracetest.NewInMemoryExporter(), &bytes.Buffer{}
	process := tracing.Process{Service: "content", Secret: []byte(secret)}
	stop := tracing.Start(tracing.Config{}, process, sdktrace.NewSimpleSpanProcessor(kept))
	t.Cleanup(func() { _ = stop(context.Background()) })
	e = httpx.New(httpx.Options{Log: slog.New(tracing.Logs(slog.NewJSONHandler(text, nil))), Now: time.Now, Name: "content",
		Begins: []string{"POST /campaigns/:campaign_id/pledges"}})
	verifier, err := servicetoken.NewVerifier([]byte(secret), servicetoken.Payments, servicetoken.Content, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	internal := httpx.Routes(e, servicetoken.Require(verifier))
	internal.POST("/internal/payment-events", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	routes := httpx.Routes(e)
	routes.GET("/pledges/:pledge_id", func(echo.Context) error { return fmt.Errorf("the database says hunter2") })
	routes.POST("/campaigns/:campaign_id/pledges", func(c echo.Context) error {
		return c.String(http.StatusCreated, ids.Drawn(c.Request().Context()))
	})
	return e, kept, text
}

func ask(e *echo.Echo, method, target string, header http.Header) string {
	r := httptest.NewRequest(method, target, http.NoBody)
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Body.String()
}

func TestTraces_WhatNamesAPledgeIsInTheTraceOfTheRequestThatMadeIt(t *testing.T) {
	e, kept, _ := traced(t)
	pledge := ask(e, http.MethodPost, "/campaigns/7/pledges/?utm=x", http.Header{"Traceparent": {sent}})
	ask(e, http.MethodGet, "/pledges/"+strings.ToUpper(pledge)+"/", nil)
	spans := kept.GetSpans()
	if len(spans) != 2 || spans[0].Parent.IsValid() || spans[1].Parent.SpanID() != spans[0].SpanContext.SpanID() ||
		spans[1].SpanContext.TraceID() != spans[0].SpanContext.TraceID() {
		t.Fatalf("spans %+v", spans)
	}
	if a, b := spans[0].Name, spans[1].Name; a != "POST /campaigns/:campaign_id/pledges" || b != "GET /pledges/:pledge_id" {
		t.Errorf("names %q and %q", a, b)
	}
}

// Ids are capabilities, and query strings and errors may have anything in them.
func TestTraces_NothingThatWasSentOrFailedIsInASpan(t *testing.T) {
	e, kept, _ := traced(t)
	ask(e, "GREET", "/pledges/5yrk3m8qv2c9w0n7t4x1b6d8zh?token=hunter2",
		http.Header{"Authorization": {"Bearer hunter2"}, "User-Agent": {"hunter2"}, "X-Request-Id": {"hunter2hunter2"}})
	ask(e, http.MethodGet, "/pledges/5yrk3m8qv2c9w0n7t4x1b6d8zh?token=hunter2", http.Header{"Cookie": {"hunter2"}})
	ask(e, http.MethodGet, "/wp-admin/hunter2", nil)
	for _, s := range kept.GetSpans() {
		for _, part := range []string{"5yrk3m8qv2c9w0n7t4x1b6d8zh", "hunter2", "GREET", "192.0.2."} {
			if all := fmt.Sprintf("%s %v %v %v", s.Name, s.Attributes, s.Status, s.Events); strings.Contains(all, part) {
				t.Errorf("%q is in %s", part, all)
			}
		}
	}
	if len(kept.GetSpans()) != 3 {
		t.Errorf("%d spans", len(kept.GetSpans()))
	}
}

func TestTraces_AnInternalCallsTraceGoesOnOnlyWithItsToken(t *testing.T) {
	e, kept, _ := traced(t)
	ask(e, http.MethodPost, "/internal/payment-events", http.Header{"Traceparent": {sent}})
	if spans := kept.GetSpans(); len(spans) != 0 {
		t.Errorf("a stranger has %+v written", spans)
	}
	signer, err := servicetoken.NewSigner([]byte(secret), servicetoken.Payments, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signer.Sign(servicetoken.Content)
	if err != nil {
		t.Fatal(err)
	}
	ask(e, http.MethodPost, "/internal/payment-events", http.Header{"Traceparent": {sent}, "Authorization": {"Bearer " + token}})
	if spans := kept.GetSpans(); len(spans) != 1 || !strings.Contains(sent, spans[0].SpanContext.TraceID().String()) {
		t.Errorf("the other service's trace does not go on: %+v", spans)
	}
}

func TestTraces_LinesOfTheLogAndExamplesOfMetricsNameThem(t *testing.T) {
	e, kept, text := traced(t)
	ask(e, http.MethodGet, "/pledges/5yrk3m8qv2c9w0n7t4x1b6d8zh", nil)
	id := kept.GetSpans()[0].SpanContext.TraceID().String()
	for line := range strings.Lines(text.String()) {
		if !strings.Contains(line, `"trace_id":"`+id+`"`) {
			t.Errorf("no trace in %s", line)
		}
	}
	open := ask(e, http.MethodGet, "/metrics", http.Header{"Accept": {"application/openmetrics-text; version=1.0.0"}})
	if !strings.Contains(open, `# {trace_id="`+id+`"}`) {
		t.Errorf("no example in\n%s", open)
	}
	if plain := ask(e, http.MethodGet, "/metrics", nil); strings.Contains(plain, id) {
		t.Error("the plain format has examples")
	}
	if n := len(kept.GetSpans()); n != 1 {
		t.Errorf("%d spans: looking at metrics is traced", n)
	}
}
