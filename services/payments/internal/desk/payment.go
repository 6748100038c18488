package desk

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// DeskPayment shows a payment with its whole history.
func (h *Handlers) DeskPayment(c echo.Context, paymentID api.DeskPaymentID) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	found, err := h.rows(ctx, `WHERE p.id = @id`, map[string]any{"id": paymentID})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return apperr.New(apperr.NotFound)
	}
	r := found[0]
	out := api.DeskPayment{PaymentID: r.PaymentID, SubjectKind: r.SubjectKind, SubjectID: r.SubjectID, Period: r.Period, CampaignID: r.CampaignID, Title: r.Title,
		Provider: r.Provider, Method: r.Method, AmountMinor: r.AmountMinor, AmountRefundedMinor: r.AmountRefundedMinor, Currency: r.Currency, Status: r.Status,
		Where: api.DeskPaymentWhere(r.Where), CreatedAt: r.CreatedAt, RunID: filled(r.RunID), Attempts: []api.DeskAttempt{}}
	err = h.DB.WithContext(ctx).Raw(`SELECT provider, method, status, object_ref, nullif(charge_ref, '') AS charge_ref, amount_minor, fee_minor, currency, declines, created_at
		FROM attempts WHERE payment_id = ? ORDER BY id`, paymentID).Scan(&out.Attempts).Error
	if err != nil {
		return fmt.Errorf("read the attempts of payment %s: %w", paymentID, err)
	}
	if out.Refunds, err = h.refunds(ctx, `WHERE payment_id = ? ORDER BY created_at, id`, paymentID); err != nil {
		return err
	}
	if out.Disputes, err = h.disputes(ctx, `WHERE payment_id = ? ORDER BY id`, paymentID); err != nil {
		return err
	}
	if out.Warnings, err = h.warnings(ctx, `WHERE w.payment_id = ? ORDER BY w.id`, paymentID); err != nil {
		return err
	}
	if out.Ledger, err = h.ledger(ctx, paymentID); err != nil {
		return err
	}
	open, err := anomalies.OfPayment(ctx, h.DB, paymentID)
	if err != nil {
		return err
	}
	out.Anomalies = shownAnomalies(open)
	if out.History, err = h.history(ctx, paymentID, r.RunID); err != nil {
		return err
	}
	out.Stops = stops(out)
	return c.JSON(http.StatusOK, out)
}

// historySQL is what has happened to a payment, each with a code.
const historySQL = `
	SELECT at, CASE from_status WHEN '' THEN 'begun' ELSE 'status_' || to_status END AS what, nullif(cause, '') AS detail, NULL::bigint AS amount_minor,
		nullif(actor, '') AS actor, NULL AS note FROM payment_transitions WHERE payment_id = @id AND (from_status = '' OR from_status <> to_status)
	UNION ALL SELECT created_at, 'refund_asked', reason, amount_minor, nullif(actor, ''), nullif(note, '') FROM refunds WHERE payment_id = @id
	UNION ALL SELECT settled_at, 'refund_' || status, nullif(failure_code, ''), amount_minor, NULL, NULL FROM refunds WHERE payment_id = @id AND settled_at IS NOT NULL
	UNION ALL SELECT updated_at, 'refund_' || status, nullif(failure_code, ''), amount_minor, NULL, NULL FROM refunds
		WHERE payment_id = @id AND settled_at IS NULL AND status IN ('failed', 'canceled', 'repeated')
	UNION ALL SELECT opened_at, 'dispute_opened', nullif(reason, ''), amount_minor, NULL, NULL FROM disputes WHERE payment_id = @id
	UNION ALL SELECT decided_at, 'dispute_' || status, nullif(reason, ''), amount_minor, NULL, NULL FROM disputes WHERE payment_id = @id AND decided_at IS NOT NULL
	UNION ALL SELECT opened_at, 'warning_opened', nullif(reason, ''), NULL, NULL, NULL FROM fraud_warnings WHERE payment_id = @id
	UNION ALL SELECT ended_at, 'warning_' || status, NULL, NULL, NULL, NULL FROM fraud_warnings WHERE payment_id = @id AND status IN ('disputed', 'lapsed')
	UNION ALL SELECT e.at, 'evidence_' || e.state, nullif(e.code, ''), NULL, e.actor, e.note FROM dispute_evidence e JOIN disputes d ON d.id = e.dispute_id WHERE d.payment_id = @id
	UNION ALL SELECT at, 'act_' || action, NULL, NULL, actor, note FROM operator_actions WHERE payment_id = @id AND action NOT IN ('refund')
	UNION ALL SELECT found_at, 'anomaly_found', kind, NULL, NULL, NULL FROM anomalies WHERE payment_id = @id
	UNION ALL SELECT resolved_at, 'anomaly_mended', kind, NULL, nullif(resolved_by, 'service'), nullif(note, '') FROM anomalies
		WHERE payment_id = @id AND resolved_at IS NOT NULL
	UNION ALL SELECT at, 'run_' || event, nullif(reason, ''), NULL, nullif(actor, ''), nullif(note, '') FROM settlement_steps
		WHERE run_id = @run AND from_state <> to_state`

func (h *Handlers) history(ctx context.Context, paymentID, runID string) ([]api.DeskEvent, error) {
	list := []api.DeskEvent{}
	err := h.DB.WithContext(ctx).Raw(historySQL, map[string]any{"id": paymentID, "run": runID}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the history of payment %s: %w", paymentID, err)
	}
	slices.SortStableFunc(list, func(a, b api.DeskEvent) int { return b.At.Compare(a.At) })
	return list, nil
}

// ledger gives the movements of a payment's money, the oldest first. Index ledger_transactions_payment serves it.
func (h *Handlers) ledger(ctx context.Context, paymentID string) ([]api.DeskMovement, error) {
	var rows []struct {
		ID                    int64
		Kind, Reference       string
		Actor, Note, Account  string
		Currency              string
		HappenedAt, BookedAt  time.Time
		AmountMinor, Position int64
	}
	err := h.DB.WithContext(ctx).Raw(`SELECT t.id, t.kind, t.reference, t.actor, t.note, t.happened_at, t.booked_at, a.class AS account, e.amount_minor, e.currency
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.payment_id = ? ORDER BY t.id, e.id`, paymentID).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the ledger of payment %s: %w", paymentID, err)
	}
	list, last := []api.DeskMovement{}, int64(0)
	for _, r := range rows {
		if r.ID != last {
			list = append(list, api.DeskMovement{Kind: r.Kind, Reference: filled(r.Reference), HappenedAt: r.HappenedAt, BookedAt: r.BookedAt,
				Actor: filled(r.Actor), Note: filled(r.Note)})
			last = r.ID
		}
		m := &list[len(list)-1]
		m.Legs = append(m.Legs, api.DeskLeg{Account: r.Account, AmountMinor: r.AmountMinor, Currency: r.Currency})
	}
	return list, nil
}

// Where a payment's money is, of the words of the contract.
const (
	arrived  api.DeskPaymentWhere = "arrived"
	returned api.DeskPaymentWhere = "returned"
)

// stops say where a payment's money is: when each stop was reached, of those that can be. What went back keeps the days of the stops before.
func stops(p api.DeskPayment) []api.DeskStop {
	first := func(what ...string) *time.Time { // of an event that may have come again
		for _, e := range slices.Backward(p.History) {
			if slices.Contains(what, e.What) {
				return at(&e.At)
			}
		}
		return nil
	}
	last := func(what ...string) *time.Time {
		for _, e := range p.History {
			if slices.Contains(what, e.What) {
				return at(&e.At)
			}
		}
		return nil
	}
	reached := func(stop api.DeskStopStop, when *time.Time) api.DeskStop { return api.DeskStop{Stop: stop, At: when} }
	held := first("status_succeeded")
	list := []api.DeskStop{
		reached(api.StopPromised, at(&p.CreatedAt)),
		reached(api.StopCharged, cmp.Or(first("status_processing"), held)),
		reached(api.StopHeld, held),
		reached(api.StopApproved, last("run_agreed")),
		reached(api.StopSent, last("run_arrived")),
		reached(api.StopArrived, last("run_paid_out", "run_none_left")),
	}
	if p.Where != arrived && p.Where != returned {
		list[5].At = nil // it has come back since
	}
	if back := last("refund_succeeded", "refund_by_hand"); back != nil || p.Where == returned {
		list = append(list, reached(api.StopReturned, back))
	}
	return list
}
