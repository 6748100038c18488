package app

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"gorm.io/gorm"

	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/reconcile"
)

const (
	// countLimit bounds what a scrape counts: more than that is an alarm all the same.
	countLimit = 10_000
	// scrapeTimeout is well below Prometheus's usual 10 s.
	scrapeTimeout = 3 * time.Second
)

func (a *App) stateOfProviders() prometheus.Collector {
	return breakerState{providers: a.Providers, desc: prometheus.NewDesc("talkoot_provider_breaker_open",
		"How the circuit breaker of a provider stands: 0 closed, 0.5 half open, 1 open.", []string{"provider"}, nil)}
}

// breakerState shows the circuit breakers of this process.
type breakerState struct {
	providers map[string]provider.Provider
	desc      *prometheus.Desc
}

func (b breakerState) Describe(out chan<- *prometheus.Desc) { out <- b.desc }

func (b breakerState) Collect(out chan<- prometheus.Metric) {
	for name, p := range b.providers {
		out <- prometheus.MustNewConstMetric(b.desc, prometheus.GaugeValue, p.Health(), name)
	}
}

// work shows what waits in PostgreSQL. Every worker shows the same, so dashboards take the maximum.
type work struct {
	db        *gorm.DB
	now       func() time.Time
	log       *slog.Logger
	desc      map[string]*prometheus.Desc
	providers []string // those that are on
}

// What is told of each provider that is on.
const (
	reconciliationAge     = "reconciliation_age_seconds"
	reconciliationForeign = "reconciliation_foreign"
)

func (a *App) stateOfWork() prometheus.Collector {
	desc := map[string]*prometheus.Desc{}
	for name, help := range map[string]string{
		"webhook_events_waiting":            "Webhook events that are stored and not processed; at most 10000 are counted.",
		"webhook_events_oldest_age_seconds": "Age of the oldest of them.",
		"outbox_waiting":                    "Events that the content service has not taken; at most 10000 are counted.",
		"outbox_oldest_age_seconds":         "Age of the oldest of them.",
		"forgets_oldest_age_seconds":        "Age of the oldest card or customer that a provider has not deleted at our word.",
		"payments_open":                     "Payments that a backer can still pay; at most 10000 are counted.",
		"payments_overdue":                  "Those of them whose time has been over for an hour; at most 10000 are counted.",
		"charges_due":                       "Subscriptions that a worker has something to do for, charges above all; at most 10000 are counted.",
		"charges_overdue": "Monthly charges that should have been tried an hour ago, and subscriptions that no worker " +
			"takes up; at most 10000 are counted.",
		"refunds_open":                   "Refunds that are not settled; at most 10000 are counted.",
		"refunds_oldest_age_seconds":     "Age of the oldest of them, failed ones included.",
		"settlements_oldest_age_seconds": "Since when the settlement run stands where it is that stands longest, of those that are not over.",
		"reversals_oldest_age_seconds":   "Age of the oldest transfer reversal that the provider was asked for and is not known to have made or refused.",
		"disputes_open":                  "Disputes that are not settled; at most 10000 are counted.",
		"disputes_respond_by_seconds": "Time left to send evidence in the most urgent open dispute that has none; absent " +
			"without one.",
		"warnings_oldest_age_seconds": "Since when the charge was reported as fraud that has waited longest for a person's decision.",
		"anomalies_open":              "What a person has to look at; at most 10000 are counted.",
	} {
		desc[name] = prometheus.NewDesc("talkoot_payments_"+name, help, nil, nil)
	}
	for name, help := range map[string]string{
		reconciliationAge: "Time since the start of the last comparison with a provider's balance that finished, or of the first one while none " +
			"has; absent before that.",
		reconciliationForeign: "Lines of another system on a provider's account in the last comparison that finished.",
	} {
		desc[name] = prometheus.NewDesc("talkoot_payments_"+name, help, []string{"provider"}, nil)
	}
	return work{db: a.DB, now: a.now, log: a.log, desc: desc, providers: slices.Sorted(maps.Keys(a.Providers))}
}

func (w work) Describe(out chan<- *prometheus.Desc) {
	for _, d := range w.desc {
		out <- d
	}
}

// waiting is what one look at the database counts.
type waiting struct {
	Webhooks, Outbox, Payments, Overdue, Refunds, Disputes, Anomalies float64
	ChargesDue, ChargesOverdue                                        float64
	OldestWebhook, OldestEvent, OldestForget, OldestRefund, RespondBy *time.Time
	OldestSettlement, OldestReversal, OldestWarning                   *time.Time
}

// Collect asks PostgreSQL once. Partial indexes serve all parts: webhook_events_waiting, outbox_undone,
// payments_to_check, subscriptions_due, subscription_periods_tries, refunds_next_check, disputes_due, transfer_reversals_open, fraud_warnings_open, anomalies_open. Without an answer the values are missing, which
// is an alarm too.
func (w work) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout) //nolint:forbidigo // it gets no context
	defer cancel()
	var row waiting
	err := w.db.WithContext(ctx).Raw(`SELECT h.n AS webhooks, h.oldest AS oldest_webhook, o.n AS outbox, o.oldest AS oldest_event, g.oldest AS oldest_forget,
		p.n AS payments, p.overdue, s.n AS charges_due, s.overdue + m.overdue AS charges_overdue, r.n AS refunds, least(r.oldest, f.oldest) AS oldest_refund, d.n AS disputes, d.respond_by, a.n AS anomalies, l.oldest AS oldest_settlement, b.oldest AS oldest_reversal, q.oldest AS oldest_warning FROM
		(SELECT count(*) AS n, min(received_at) AS oldest FROM (SELECT received_at FROM webhook_events WHERE status = 'received'
			ORDER BY next_attempt_at LIMIT @limit) x) h,
		(SELECT count(*) AS n, min(created_at) AS oldest FROM (SELECT created_at FROM outbox WHERE done_at IS NULL AND kind <> @forget
			ORDER BY id LIMIT @limit) x) o,
		(SELECT min(created_at) AS oldest FROM outbox WHERE done_at IS NULL AND kind = @forget) g,
		(SELECT count(*) AS n, count(*) FILTER (WHERE closes_at < @overdue) AS overdue FROM (
			SELECT closes_at FROM payments WHERE status IN ('created', 'requires_action', 'processing') LIMIT @limit) x) p,
		(SELECT count(*) AS n, count(*) FILTER (WHERE step_at < @overdue) AS overdue FROM (
			SELECT step_at FROM subscriptions WHERE step_at <= @now ORDER BY step_at LIMIT @limit) x) s,
		(SELECT count(*) AS overdue FROM (SELECT 1 FROM subscription_periods WHERE next_try_at < @overdue LIMIT @limit) x) m,
		(SELECT count(*) AS n, min(created_at) AS oldest FROM (SELECT created_at FROM refunds WHERE next_check_at IS NOT NULL LIMIT @limit) x) r,
		(SELECT min(found_at) AS oldest FROM anomalies WHERE resolved_at IS NULL AND kind = 'refund_failed') f,
		(SELECT count(*) AS n, min(respond_by) AS respond_by FROM (
			SELECT CASE WHEN status IN ('open', 'inquiry') AND NOT EXISTS (SELECT FROM dispute_evidence e WHERE e.dispute_id = d.id AND e.round = d.round AND e.state = 'taken') THEN respond_by END AS respond_by
			FROM disputes d WHERE next_check_at IS NOT NULL LIMIT @limit) x) d,
		(SELECT min((SELECT max(at) FROM settlement_steps s WHERE s.run_id = r.id AND s.from_state <> s.to_state)) AS oldest FROM settlement_runs r
			WHERE r.state NOT IN ('paid', 'void')) l,
		(SELECT min(at) AS oldest FROM transfer_reversals WHERE state = 'open') b,
		(SELECT min(opened_at) AS oldest FROM fraud_warnings WHERE status = 'open') q,
		(SELECT count(*) AS n FROM (SELECT 1 FROM anomalies WHERE resolved_at IS NULL LIMIT @limit) x) a`,
		map[string]any{"limit": countLimit, "now": w.now(), "overdue": w.now().Add(-time.Hour), "forget": vault.KindForget}).Scan(&row).Error
	if err != nil {
		w.log.WarnContext(ctx, "what waits cannot be counted", "error", err)
		return
	}
	values := map[string]float64{
		"webhook_events_waiting": row.Webhooks, "webhook_events_oldest_age_seconds": w.age(row.OldestWebhook),
		"outbox_waiting": row.Outbox, "outbox_oldest_age_seconds": w.age(row.OldestEvent),
		"forgets_oldest_age_seconds": w.age(row.OldestForget),
		"payments_open":              row.Payments, "payments_overdue": row.Overdue, "refunds_open": row.Refunds,
		"charges_due": row.ChargesDue, "charges_overdue": row.ChargesOverdue,
		"refunds_oldest_age_seconds":     w.age(row.OldestRefund),
		"settlements_oldest_age_seconds": w.age(row.OldestSettlement),
		"reversals_oldest_age_seconds":   w.age(row.OldestReversal),
		"warnings_oldest_age_seconds":    w.age(row.OldestWarning),
		"disputes_open":                  row.Disputes, "anomalies_open": row.Anomalies,
	}
	if row.RespondBy != nil {
		values["disputes_respond_by_seconds"] = row.RespondBy.Sub(w.now()).Seconds()
	}
	for name, value := range values {
		out <- prometheus.MustNewConstMetric(w.desc[name], prometheus.GaugeValue, value)
	}
	w.collectReconciled(ctx, out)
}

// collectReconciled asks about each provider's comparisons: one that none finishes of is not hidden behind another's.
func (w work) collectReconciled(ctx context.Context, out chan<- prometheus.Metric) {
	var rows []struct {
		Provider string
		At       *time.Time
		Others   float64
	}
	err := w.db.WithContext(ctx).Raw(`SELECT provider, coalesce(max(started_at) FILTER (WHERE finished_at IS NOT NULL), min(started_at)) AS at,
			coalesce((array_agg(foreign_count ORDER BY started_at DESC) FILTER (WHERE finished_at IS NOT NULL))[1], 0) AS others
		FROM reconcile_runs WHERE name = @name AND provider IN @providers GROUP BY provider`,
		map[string]any{"name": reconcile.Ledger().Name(), "providers": w.providers}).Scan(&rows).Error
	if err != nil {
		w.log.WarnContext(ctx, "comparisons cannot be looked at", "error", err)
	}
	for _, r := range rows {
		out <- prometheus.MustNewConstMetric(w.desc[reconciliationAge], prometheus.GaugeValue, w.age(r.At), r.Provider)
		out <- prometheus.MustNewConstMetric(w.desc[reconciliationForeign], prometheus.GaugeValue, r.Others, r.Provider)
	}
}

func (w work) age(oldest *time.Time) float64 {
	if oldest == nil {
		return 0
	}
	return max(0, w.now().Sub(*oldest).Seconds())
}
