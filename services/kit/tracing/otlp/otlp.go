// Package otlp sends traces to a collector by OTLP over HTTP. It is linked by the commands alone, since the official exporter
// brings gRPC's packages with it.
package otlp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"talkoot.fi/kit/tracing"
)

const (
	// sendEvery is how late a span is sent; as many as waitAtMost wait meanwhile, and the rest is dropped.
	sendEvery  = time.Second
	waitAtMost = 8192
	// sendTimeout bounds one sending, with what is repeated of it.
	sendTimeout = 5 * time.Second
	// flushTimeout bounds what a process that stops waits for a collector.
	flushTimeout = 2 * time.Second
	// tellEvery is how often the log says that traces cannot be sent.
	tellEvery = time.Minute
)

// Start sends the process's traces where the configuration says, until stop, which flushes for at most two seconds. Without an
// endpoint it does nothing. A collector that is away is no error, now or later.
func Start(ctx context.Context, c tracing.Config, p tracing.Process, log *slog.Logger) (stop func(), err error) {
	return startFlushing(ctx, c, p, log, flushTimeout)
}

func startFlushing(ctx context.Context, c tracing.Config, p tracing.Process, log *slog.Logger, flush time.Duration) (
	stop func(), err error) {
	if !c.IsOn() {
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(strings.TrimSuffix(c.Endpoint.String(), "/")+"/v1/traces"),
		otlptracehttp.WithTimeout(sendTimeout), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: sendEvery, MaxInterval: sendEvery, MaxElapsedTime: sendTimeout}))
	if err != nil {
		return nil, fmt.Errorf("make the exporter of traces: %w", err)
	}
	otel.SetErrorHandler(&teller{ctx: context.WithoutCancel(ctx), log: log})
	stopTracing := tracing.Start(c, p, sdktrace.NewBatchSpanProcessor(exporter, sdktrace.WithBatchTimeout(sendEvery),
		sdktrace.WithMaxQueueSize(waitAtMost), sdktrace.WithExportTimeout(sendTimeout)))
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flush)
		defer cancel()
		if err := stopTracing(ctx); err != nil {
			log.WarnContext(ctx, "the last traces are not sent", "error", err)
		}
	}, nil
}

// teller writes the library's faults to the log, now and then.
type teller struct {
	ctx  context.Context //nolint:containedctx // the library's handler is given none
	log  *slog.Logger
	told atomic.Int64
}

// Handle writes a fault.
func (t *teller) Handle(err error) {
	now := time.Now().UnixNano() //nolint:forbidigo // bounds the log's lines, decides nothing
	if told := t.told.Load(); now-told >= int64(tellEvery) && t.told.CompareAndSwap(told, now) {
		t.log.WarnContext(t.ctx, "traces are not sent", "error", err)
	}
}
