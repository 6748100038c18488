package desk

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/watching/reconcile"
)

const (
	// fewest is how many rows of a kind the overview shows.
	fewest = 20
	// patience is how long a run may stay where it is before a person is called, banksPatience how long on its way to a bank.
	patience      = 24 * time.Hour
	banksPatience = 8 * 24 * time.Hour
	// countLimit bounds what is counted: more than that is told as that many.
	countLimit = 10_000
)

// DeskOverview shows what waits for a person.
func (h *Handlers) DeskOverview(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := h.staff(c)
	if err != nil {
		return err
	}
	out := api.DeskOverview{}
	name, err := NameOf(ctx, h.DB, who.UserID)
	if err != nil {
		return err
	}
	out.Operator = filled(name)
	if out.Anomalies, err = h.counts(ctx, `SELECT kind AS what, count(*) AS count, min(found_at) AS oldest_at FROM (
			SELECT kind, found_at FROM anomalies WHERE resolved_at IS NULL LIMIT @limit) a GROUP BY kind ORDER BY min(found_at), kind`); err != nil {
		return err
	}
	if out.Refunds, err = h.counts(ctx, refundCountsSQL); err != nil {
		return err
	}
	if out.Queues, err = h.counts(ctx, queuesSQL); err != nil {
		return err
	}
	if out.Runs, err = h.runRows(ctx, waitingRuns, map[string]any{"ours": h.Now().Add(-patience).UTC(), "banks": h.Now().Add(-banksPatience).UTC(), "limit": fewest}); err != nil {
		return err
	}
	if out.Disputes, err = h.disputes(ctx, `WHERE next_check_at IS NOT NULL AND status IN ('inquiry', 'open') ORDER BY respond_by NULLS LAST, id LIMIT ?`, fewest); err != nil {
		return err
	}
	if out.Warnings, err = h.warnings(ctx, `WHERE w.status = 'open' ORDER BY w.opened_at, w.id LIMIT ?`, fewest); err != nil {
		return err
	}
	if out.Providers, err = h.providers(ctx); err != nil {
		return err
	}
	var compared struct{ At *time.Time }
	today := calendar.DayOf(h.Now())
	err = h.DB.WithContext(ctx).Raw(`SELECT (SELECT count(*) FROM webhook_events WHERE received_at >= @today) AS stored_today,
			count(*) AS waiting, count(*) FILTER (WHERE last_error <> '') AS failed, min(received_at) AS oldest_at
		FROM (SELECT received_at, last_error FROM webhook_events WHERE status = 'received' LIMIT @limit) w`,
		map[string]any{"today": calendar.Start(today), "limit": countLimit}).Scan(&out.Webhooks).Error
	if err == nil {
		err = h.DB.WithContext(ctx).Raw(`SELECT max(finished_at) AS at FROM reconcile_runs WHERE name = ?`, reconcile.Ledger().Name()).Scan(&compared).Error
	}
	if err != nil {
		return fmt.Errorf("read what waits: %w", err)
	}
	out.ComparedAt = at(compared.At)
	return c.JSON(http.StatusOK, out)
}

// waitingRuns are those that a person has to look at first, and those that the worker looks at again and again and that have not come further
// for a while.
const waitingRuns = `WHERE r.state NOT IN ('paid', 'void') AND (r.state = 'proposed' OR r.next_at IS NULL
		OR (SELECT max(at) FROM settlement_steps s WHERE s.run_id = r.id AND s.from_state <> s.to_state) < CASE WHEN r.state = 'paying' AND r.reason = ''
			THEN CAST(@banks AS timestamptz) ELSE CAST(@ours AS timestamptz) END)
	ORDER BY (r.state = 'proposed' OR r.next_at IS NULL) DESC, r.created_at, r.id LIMIT @limit`

const refundCountsSQL = `
	SELECT 'failed' AS what, count(*) AS count, min(found_at) AS oldest_at, CAST(NULL AS timestamptz) AS until FROM anomalies WHERE resolved_at IS NULL AND kind = 'refund_failed'
	UNION ALL SELECT 'stuck', count(*), min(found_at), NULL FROM anomalies WHERE resolved_at IS NULL AND kind = 'refund_stuck'
	UNION ALL SELECT 'on_way', count(*), min(created_at), NULL FROM (SELECT created_at FROM refunds WHERE next_check_at IS NOT NULL AND status IN ('creating', 'pending')
		LIMIT @limit) r
	UNION ALL SELECT 'of_campaigns', count(*), min(created_at), max(next_check_at) FROM (SELECT created_at, next_check_at FROM refunds
		WHERE next_check_at IS NOT NULL AND status = 'creating' AND reason IN ('campaign_failed', 'campaign_canceled') LIMIT @limit) c`

// queuesSQL counts what workers have before them now. The indexes of their own loops serve it.
const queuesSQL = `
	SELECT 'events' AS what, count(*) AS count, min(created_at) AS oldest_at FROM (SELECT created_at FROM outbox WHERE done_at IS NULL AND kind <> @forget LIMIT @limit) o
	UNION ALL SELECT 'forgets', count(*), min(created_at) FROM (SELECT created_at FROM outbox WHERE done_at IS NULL AND kind = @forget LIMIT @limit) f
	UNION ALL SELECT 'payments', count(*), min(next_check_at) FROM (SELECT next_check_at FROM payments
		WHERE status IN ('created', 'requires_action', 'processing') AND next_check_at <= @now LIMIT @limit) p
	UNION ALL SELECT 'refunds', count(*), min(next_check_at) FROM (SELECT next_check_at FROM refunds WHERE next_check_at <= @now LIMIT @limit) r
	UNION ALL SELECT 'months', count(*), min(step_at) FROM (SELECT step_at FROM subscriptions WHERE step_at <= @now LIMIT @limit) s
	UNION ALL SELECT 'settlements', count(*), min(next_at) FROM (SELECT next_at FROM settlement_runs WHERE next_at <= @now LIMIT @limit) l`

func (h *Handlers) counts(ctx context.Context, query string) ([]api.DeskCount, error) {
	list := []api.DeskCount{}
	err := h.DB.WithContext(ctx).Raw(query, map[string]any{"now": h.Now().UTC(), "limit": countLimit, "forget": vault.KindForget}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("count what waits: %w", err)
	}
	return list, nil
}

func (h *Handlers) disputes(ctx context.Context, where string, args ...any) ([]api.DeskDispute, error) {
	list := []api.DeskDispute{}
	err := h.DB.WithContext(ctx).Raw(`SELECT id AS dispute_id, payment_id, provider, status, reason, amount_minor, currency, respond_by, opened_at,
			(SELECT answered_at FROM dispute_evidence e WHERE e.dispute_id = disputes.id AND e.round = disputes.round AND e.state = 'taken') AS evidence_at FROM disputes `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read disputes: %w", err)
	}
	return list, nil
}

func (h *Handlers) providers(ctx context.Context) ([]api.DeskProvider, error) {
	off, err := h.Routes.OffSince(ctx, h.DB, h.Now())
	if err != nil {
		return nil, err
	}
	isOff := map[string]bool{}
	for _, name := range off {
		isOff[name] = true
	}
	list := make([]api.DeskProvider, len(h.Providers))
	for i, name := range h.Providers {
		list[i] = api.DeskProvider{Provider: name, IsOn: !isOff[name]}
	}
	return list, nil
}

// DeskSwitches lists what was switched.
func (h *Handlers) DeskSwitches(c echo.Context) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	providers, err := h.providers(ctx)
	if err != nil {
		return err
	}
	list, err := routing.Switches(ctx, h.DB)
	if err != nil {
		return err
	}
	list = list[:min(len(list), page)]
	out := api.DeskSwitches{Providers: providers, History: make([]api.DeskSwitched, len(list))}
	for i, one := range list {
		out.History[i] = api.DeskSwitched{Provider: one.Provider, IsOn: one.IsOn, Reason: one.Reason, Actor: one.Actor, At: one.At}
	}
	return c.JSON(http.StatusOK, out)
}

// DeskSwitch turns a provider off for what begins, or on again.
func (h *Handlers) DeskSwitch(c echo.Context) error {
	var body api.DeskSwitchJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	op, err := h.operator(c, body.Note)
	if err != nil {
		return err
	}
	err = h.Routes.Switch(c.Request().Context(), h.DB, routing.Switch{Provider: string(body.Provider), IsOn: body.IsOn, Reason: op.Note, Actor: op.Actor})
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// filled is a pointer to what is not its zero value, for what an answer leaves out.
func filled[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// at is a time of an answer, which leaves none out.
func at(t *time.Time) *time.Time {
	if t == nil || t.IsZero() {
		return nil
	}
	utc := t.UTC()
	return &utc
}
