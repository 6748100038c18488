package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"gorm.io/gorm"

	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	// countLimit bounds what a scrape counts: more than that is an alarm all the same.
	countLimit = 10_000
	// scrapeTimeout is well below Prometheus's usual 10 s.
	scrapeTimeout = 3 * time.Second
)

func (a *App) stateOfProvider() prometheus.Collector {
	return breakerState{client: a.Pledges.Stripe, desc: prometheus.NewDesc("talkoot_provider_breaker_open",
		"How the circuit breaker of a provider stands: 0 closed, 0.5 half open, 1 open.", []string{"provider"}, nil)}
}

// breakerState shows the circuit breaker of this process.
type breakerState struct {
	client *stripe.Client
	desc   *prometheus.Desc
}

func (b breakerState) Describe(out chan<- *prometheus.Desc) { out <- b.desc }

func (b breakerState) Collect(out chan<- prometheus.Metric) {
	value := map[string]float64{"closed": 0, "half-open": 0.5, "open": 1}[b.client.Breaker()]
	out <- prometheus.MustNewConstMetric(b.desc, prometheus.GaugeValue, value, stripe.Name)
}

// work shows what waits in PostgreSQL. Every worker shows the same, so dashboards take the maximum.
type work struct {
	db   *gorm.DB
	now  func() time.Time
	log  *slog.Logger
	desc map[string]*prometheus.Desc
}

func (a *App) stateOfWork() (prometheus.Collector, prometheus.Collector) {
	desc := map[string]*prometheus.Desc{}
	for name, help := range map[string]string{
		"webhook_events_waiting":            "Webhook events that are stored and not processed; at most 10000 are counted.",
		"webhook_events_oldest_age_seconds": "Age of the oldest of them.",
		"outbox_waiting":                    "Events that the content service has not taken; at most 10000 are counted.",
		"outbox_oldest_age_seconds":         "Age of the oldest of them.",
		"payments_open":                     "Payments that a backer can still pay; at most 10000 are counted.",
		"refunds_open":                      "Refunds that are not settled; at most 10000 are counted.",
		"disputes_open":                     "Disputes that are not settled; at most 10000 are counted.",
		"anomalies_open":                    "What a person has to look at; at most 10000 are counted.",
	} {
		desc[name] = prometheus.NewDesc("talkoot_payments_"+name, help, nil, nil)
	}
	return work{db: a.DB, now: a.now, log: a.log, desc: desc}, a.stateOfProvider()
}

func (w work) Describe(out chan<- *prometheus.Desc) {
	for _, d := range w.desc {
		out <- d
	}
}

// Collect asks PostgreSQL once. Partial indexes serve all parts: webhook_events_waiting, outbox_undone,
// payments_to_check, refunds_due, disputes_due, anomalies_open. Without an answer the values are missing, which is an alarm too.
func (w work) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout) //nolint:forbidigo // the interface hands no context on
	defer cancel()
	var row struct {
		Webhooks, Outbox, Payments, Refunds, Disputes, Anomalies float64
		OldestWebhook, OldestEvent                               *time.Time
	}
	err := w.db.WithContext(ctx).Raw(`SELECT h.n AS webhooks, h.oldest AS oldest_webhook, o.n AS outbox, o.oldest AS oldest_event,
		p.n AS payments, r.n AS refunds, d.n AS disputes, a.n AS anomalies FROM
		(SELECT count(*) AS n, min(received_at) AS oldest FROM (SELECT received_at FROM webhook_events WHERE status = 'received'
			ORDER BY next_attempt_at LIMIT @limit) x) h,
		(SELECT count(*) AS n, min(created_at) AS oldest FROM (SELECT created_at FROM outbox WHERE done_at IS NULL ORDER BY id LIMIT @limit) x) o,
		(SELECT count(*) AS n FROM (SELECT 1 FROM payments WHERE status IN ('created', 'requires_action', 'processing') LIMIT @limit) x) p,
		(SELECT count(*) AS n FROM (SELECT 1 FROM refunds WHERE next_check_at IS NOT NULL LIMIT @limit) x) r,
		(SELECT count(*) AS n FROM (SELECT 1 FROM disputes WHERE next_check_at IS NOT NULL LIMIT @limit) x) d,
		(SELECT count(*) AS n FROM (SELECT 1 FROM anomalies WHERE resolved_at IS NULL LIMIT @limit) x) a`,
		map[string]any{"limit": countLimit}).Scan(&row).Error
	if err != nil {
		w.log.WarnContext(ctx, "what waits cannot be counted", "error", err)
		return
	}
	for name, value := range map[string]float64{
		"webhook_events_waiting": row.Webhooks, "webhook_events_oldest_age_seconds": w.age(row.OldestWebhook),
		"outbox_waiting": row.Outbox, "outbox_oldest_age_seconds": w.age(row.OldestEvent),
		"payments_open": row.Payments, "refunds_open": row.Refunds, "disputes_open": row.Disputes, "anomalies_open": row.Anomalies,
	} {
		out <- prometheus.MustNewConstMetric(w.desc[name], prometheus.GaugeValue, value)
	}
}

func (w work) age(oldest *time.Time) float64 {
	if oldest == nil {
		return 0
	}
	return max(0, w.now().Sub(*oldest).Seconds())
}
