package httpx

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/tracing"
)

// Check is one readiness check.
type Check struct {
	Name string
	// Timeout of one run; 0 means one second.
	Timeout time.Duration
	// Run must return when ctx ends.
	Run func(ctx context.Context) error
}

const (
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
	pathMetrics = "/metrics"

	defaultCheckTimeout = time.Second
)

func isOps(route string) bool {
	return route == pathHealth || route == pathReady || route == pathMetrics
}

// readiness is the body of /readyz: "ok" or "failing" for each check. Causes are logged and not shown.
type readiness struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"`
}

// mountOps registers /healthz (the process answers), /readyz (its dependencies answer too) and /metrics.
func mountOps(e *echo.Echo, o Options) {
	r := Routes(e)
	r.GET(pathHealth, func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"status": "ok"}) })
	r.GET(pathReady, func(c echo.Context) error {
		results := runChecks(c.Request().Context(), o.Ready)
		answer := readiness{Ready: true, Checks: map[string]string{}}
		for i, check := range o.Ready {
			answer.Checks[check.Name] = "ok"
			if results[i] != nil {
				answer.Ready, answer.Checks[check.Name] = false, "failing"
				o.Log.WarnContext(c.Request().Context(), "readiness check failed", "check", check.Name, "error", results[i])
			}
		}
		if !answer.Ready {
			return c.JSON(http.StatusServiceUnavailable, answer)
		}
		return c.JSON(http.StatusOK, answer)
	})
	o.Metrics.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	r.GET(pathMetrics, echo.WrapHandler(promhttp.HandlerFor(o.Metrics, promhttp.HandlerOpts{Registry: o.Metrics, EnableOpenMetrics: true})))
}

// runChecks runs all checks concurrently; results are in their order.
func runChecks(ctx context.Context, checks []Check) []error {
	results := make([]error, len(checks))
	var g errgroup.Group
	for i, check := range checks {
		g.Go(func() error {
			timeout := check.Timeout
			if timeout == 0 {
				timeout = defaultCheckTimeout
			}
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			results[i] = check.Run(ctx)
			return nil
		})
	}
	_ = g.Wait() // the functions keep their errors in results
	return results
}

type requestMetrics struct {
	inFlight prometheus.Gauge
	duration *prometheus.HistogramVec
}

func newRequestMetrics(reg *prometheus.Registry, service string) *requestMetrics {
	labels := prometheus.Labels{"service": service}
	m := &requestMetrics{
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "talkoot_http_requests_in_flight", Help: "Requests being answered now.", ConstLabels: labels,
		}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "talkoot_http_request_duration_seconds", Help: "Time from a request to the end of its answer.", ConstLabels: labels,
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method", "status"}),
	}
	reg.MustRegister(m.inFlight, m.duration)
	return m
}

// observe measures a request. One whose trace is kept is named as an example of its bucket.
func (m *requestMetrics) observe(ctx context.Context, route, method string, status int, took time.Duration) {
	duration := m.duration.WithLabelValues(route, knownMethod(method), strconv.Itoa(status))
	if id := tracing.KeptID(ctx); id != "" {
		if examples, ok := duration.(prometheus.ExemplarObserver); ok {
			examples.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": id})
			return
		}
	}
	duration.Observe(took.Seconds())
}

// knownMethod is the method's label; invented ones share one, so that callers cannot create time series.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "other"
	}
}
