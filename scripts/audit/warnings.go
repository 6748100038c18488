package audit

import (
	"context"
	"maps"
	"slices"
	"time"
)

// warningChecks are about charges that cardholders have reported as fraud.
var warningChecks = []query{
	{"warnings of fraud fit their charge", `
		SELECT format('warning %s of payment %s at %s, charge "%s" (%s) of payment %s at %s', w.provider_ref, w.payment_id, w.provider, c.charge_ref, c.status,
			c.payment_id, c.provider)
		FROM fraud_warnings w LEFT JOIN attempts c ON c.id = w.attempt_id LEFT JOIN LATERAL (SELECT w.payment_id, c.charge_ref) t ON true
		WHERE c.id IS NULL OR c.status NOT IN ('succeeded', 'held') OR w.provider <> c.provider OR w.payment_id <> c.payment_id AND NOT ` + attached},
	// A refund that has failed still promises its sum.
	{"a warning of fraud stands as its charge does", `
		SELECT format('warning %s is %s; disputes %s, refunds of %s of %s, dismissed by "%s"', w.provider_ref, w.status, v.disputes, v.back, c.amount_minor, v.dismissed_by)
		FROM fraud_warnings w JOIN attempts c ON c.id = w.attempt_id CROSS JOIN LATERAL (SELECT
			(SELECT count(*) FROM disputes d WHERE d.attempt_id = c.id) AS disputes,
			(SELECT coalesce(sum(amount_minor), 0) FROM refunds r WHERE r.attempt_id = c.id AND r.status NOT IN ('canceled', 'repeated')) AS back,
			(SELECT coalesce(max(actor), '') FROM operator_actions o WHERE o.action = 'warning_dismissed' AND o.after ->> 'warning' = w.provider_ref) AS dismissed_by) v
		WHERE (w.status = 'disputed') <> (v.disputes > 0) OR v.disputes = 0 AND (w.status = 'refunded') <> (v.back >= c.amount_minor)
			OR w.status = 'dismissed' AND v.dismissed_by = ''
			OR w.ended_at NOT BETWEEN w.created_at AND @ahead OR w.opened_at > w.created_at + interval '1 minute' OR w.created_at > @ahead`},
}

// warning is one row of fraud_warnings, with the charge that was reported.
type warning struct {
	Ref, Charge, Reason, Provider, Status string
	Opened                                time.Time
}

const warningsSQL = `SELECT w.provider_ref, c.charge_ref, w.reason, w.provider, w.status, w.opened_at FROM fraud_warnings w JOIN attempts c ON c.id = w.attempt_id`

func (s *snapshot) readWarnings(ctx context.Context, paymentsDB querier) error {
	list, err := rows[warning](ctx, paymentsDB, "warnings", warningsSQL)
	s.warnings = map[string]warning{}
	for _, w := range list {
		s.warnings[w.Ref] = w
	}
	return err
}

// theirWarning is an early fraud warning at the provider.
type theirWarning struct {
	ID         string `json:"id"`
	Intent     string `json:"payment_intent"`
	Charge     string `json:"charge"`
	FraudType  string `json:"fraud_type"`
	Actionable bool   `json:"actionable"`
	Created    int64  `json:"created"`
}

// sameWarningsThere compares each warning at the provider with ours.
func sameWarningsThere(s *snapshot, found func(format string, args ...any)) {
	ours := maps.Clone(s.warnings)
	for _, t := range s.theirWarnings {
		if !s.isOurs(t.Intent) {
			continue
		}
		got, known := ours[t.ID]
		switch {
		case !known:
			found("warning %s of charge %s is not known", t.ID, t.Charge)
		case got.Charge != t.Charge || got.Reason != t.FraudType || got.Provider != providerName || got.Opened.Unix() != t.Created ||
			got.Status == "open" && !t.Actionable || got.Status == "lapsed" && t.Actionable:
			found("warning %s is %+v with us, at the provider %+v", t.ID, got, t)
		}
		delete(ours, t.ID)
	}
	for _, ref := range slices.Sorted(maps.Keys(ours)) {
		found("warning %s is not at the provider", ref)
	}
}
