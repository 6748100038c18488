package desk

import (
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
)

// DeskWebhooks lists stored events that could not be taken up yet.
func (h *Handlers) DeskWebhooks(c echo.Context, params api.DeskWebhooksParams) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	out := api.DeskWebhooks{Webhooks: []api.DeskWebhook{}}
	const failed = `FROM webhook_events WHERE status = 'received' AND last_error <> '' `
	err := h.DB.WithContext(ctx).Raw(`SELECT count(*) ` + failed).Scan(&out.Total).Error
	if err == nil {
		err = h.DB.WithContext(ctx).Raw(`SELECT provider, event_key, type, object_ref, received_at, attempts AS tries, next_attempt_at AS next_at, nullif(last_error, '') AS error `+
			failed+`ORDER BY received_at, event_key LIMIT ? OFFSET ?`, page, or(params.Offset, 0)).Scan(&out.Webhooks).Error
	}
	if err != nil {
		return fmt.Errorf("list failed events: %w", err)
	}
	return c.JSON(http.StatusOK, out)
}

// DeskReplay has a stored event taken up again.
func (h *Handlers) DeskReplay(c echo.Context) error {
	var body api.DeskReplayJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOn(c, body.Note, func(ctx context.Context, op payments.Operator) error {
		return h.Webhooks.Replay(ctx, string(body.Provider), body.EventKey, op)
	})
}

// waitingRefunds are those that are not with their backers: the worker has them, or a person.
const waitingRefunds = `WHERE id IN (SELECT reference FROM anomalies WHERE resolved_at IS NULL AND kind IN ('refund_failed', 'refund_stuck')
	UNION SELECT id FROM refunds WHERE next_check_at IS NOT NULL AND status IN ('creating', 'pending')) `

// DeskRefunds lists refunds that are not with their backers.
func (h *Handlers) DeskRefunds(c echo.Context, params api.DeskRefundsParams) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	out := api.DeskRefunds{}
	err := h.DB.WithContext(ctx).Raw(`SELECT count(*) FROM refunds ` + waitingRefunds).Scan(&out.Total).Error
	if err != nil {
		return fmt.Errorf("count refunds: %w", err)
	}
	if out.Refunds, err = h.refunds(ctx, waitingRefunds+`ORDER BY created_at, id LIMIT ? OFFSET ?`, page, or(params.Offset, 0)); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (h *Handlers) refunds(ctx context.Context, where string, args ...any) ([]api.DeskRefund, error) {
	list := []api.DeskRefund{}
	err := h.DB.WithContext(ctx).Raw(`SELECT id AS refund_id, payment_id, provider, amount_minor, currency, reason, status, nullif(failure_code, '') AS failure_code,
		provider_ref, failures AS tries, nullif(actor, '') AS actor, nullif(note, '') AS note, created_at, settled_at FROM refunds `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read refunds: %w", err)
	}
	return list, nil
}

// DeskRepeatRefund sends a failed refund once more.
func (h *Handlers) DeskRepeatRefund(c echo.Context, refundID string) error {
	var body api.DeskRepeatRefundJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOn(c, body.Note, func(ctx context.Context, op payments.Operator) error {
		_, err := h.Payments.RepeatRefund(ctx, refundID, op)
		return err
	})
}
