package app

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/closing"
)

const (
	// overdueAfter is far longer than the worker needs to end a pledge whose reservation is over.
	overdueAfter = 10 * time.Minute
	// unendedAfter is far longer than the worker needs to end a campaign of whose money everything is decided.
	unendedAfter = time.Hour
	// countLimit bounds what a scrape counts; the alarm goes off far below.
	countLimit = 10_000
	// scrapeTimeout is well below Prometheus's usual 10 s.
	scrapeTimeout = 3 * time.Second
)

// queueMetrics reports how long the queues in PostgreSQL are: the outbox, and pledges and campaigns to be ended. Every worker reports
// the same numbers, so dashboards take the maximum.
type queueMetrics struct {
	db                      *gorm.DB
	now                     func() time.Time
	log                     *slog.Logger
	outbox, lapsed, unended *prometheus.Desc
}

// NewQueueMetrics makes the collector of the worker's queue metrics.
func NewQueueMetrics(db *gorm.DB, now func() time.Time, log *slog.Logger) prometheus.Collector {
	return queueMetrics{db: db, now: now, log: log,
		outbox: prometheus.NewDesc("talkoot_content_outbox_oldest_age_seconds",
			"Age of the oldest message that was not delivered: mail, or close for payments that nobody wants.", []string{"kind"}, nil),
		lapsed: prometheus.NewDesc("talkoot_content_pledges_overdue",
			"Pledges that still wait more than 10 minutes after their reservation ended; at most 10000 are counted.", nil, nil),
		unended: prometheus.NewDesc("talkoot_content_campaigns_overdue",
			"Campaigns that should have ended an hour ago; at most 10000 are counted.", nil, nil)}
}

func (m queueMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- m.outbox
	out <- m.lapsed
	out <- m.unended
}

// Collect runs three queries, on the partial indexes outbox_undone, pledges_lapsing and campaigns_due. When PostgreSQL does not answer
// the metrics are absent, which is an alarm too.
func (m queueMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout) //nolint:forbidigo // the interface hands no context on
	defer cancel()
	now := m.now()
	var oldest []struct {
		Kind      string
		CreatedAt time.Time
	}
	err := m.db.WithContext(ctx).Raw(`SELECT kind, min(created_at) AS created_at FROM outbox WHERE done_at IS NULL GROUP BY kind`).Scan(&oldest).Error
	var overdue float64
	if err == nil {
		err = m.db.WithContext(ctx).Raw(`SELECT count(*) FROM (SELECT FROM pledges WHERE status IN ('created', 'awaiting_payment')
			AND reserved_until < ? LIMIT ?) x`, now.Add(-overdueAfter), countLimit).Scan(&overdue).Error
	}
	unended := 0
	if err == nil {
		unended, err = campaigns.CountOverdue(ctx, m.db, now.Add(-unendedAfter), countLimit)
	}
	if err != nil {
		m.log.WarnContext(ctx, "what waits cannot be counted", "error", err)
		return
	}
	ages := map[string]float64{"mail": 0, "close": 0}
	for _, o := range oldest {
		kind := o.Kind
		switch {
		case strings.HasPrefix(kind, "mail."):
			kind = "mail"
		case kind == closing.Kind:
			kind = "close"
		}
		ages[kind] = max(ages[kind], now.Sub(o.CreatedAt).Seconds())
	}
	for kind, age := range ages {
		out <- prometheus.MustNewConstMetric(m.outbox, prometheus.GaugeValue, age, kind)
	}
	out <- prometheus.MustNewConstMetric(m.lapsed, prometheus.GaugeValue, overdue)
	out <- prometheus.MustNewConstMetric(m.unended, prometheus.GaugeValue, float64(unended))
}
