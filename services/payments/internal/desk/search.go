package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
)

const (
	contentTimeout  = 5 * time.Second
	maxContentBytes = 64 << 10
)

var lastFour = regexp.MustCompile(`^\d{4}$`) //nolint:gochecknoglobals // a constant that Go cannot have

// rowSQL is a payment as lists show it. Which run has its charge is by the run's lines as they are now.
const rowSQL = `
	SELECT p.id AS payment_id, p.subject_kind, p.subject_id, nullif(p.period, 0) AS period, p.campaign_id, p.title, p.provider, p.method, p.amount_minor,
		p.amount_refunded_minor, p.currency, p.status, p.created_at, coalesce(run.id, '') AS run_id,
		CASE WHEN p.status = 'disputed' THEN 'contested' WHEN p.status = 'refunded' THEN 'returned' WHEN p.status = 'processing' THEN 'charged'
			WHEN p.status IN ('created', 'requires_action') THEN 'promised' WHEN p.status IN ('failed', 'canceled') THEN 'nothing'
			WHEN run.state = 'paid' THEN 'arrived' WHEN run.state IN ('sent', 'paying') THEN 'sent' WHEN run.state IN ('approved', 'booked', 'sending') THEN 'approved'
			ELSE 'held' END AS "where"
	FROM payments p LEFT JOIN attempts a ON a.id = p.paid_attempt_id
	LEFT JOIN LATERAL (SELECT r.id, r.state FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id AND r.version = l.version
		WHERE l.charge_ref = a.charge_ref AND a.charge_ref <> '' AND l.left_at IS NULL AND l.gross_minor > 0 AND r.provider = a.provider AND r.state <> 'void'
		ORDER BY r.number DESC LIMIT 1) run ON true `

// foundRow is a payment of a list, and the run that has its charge.
type foundRow struct {
	api.DeskPaymentRow
	RunID string
}

func (h *Handlers) rows(ctx context.Context, where string, args map[string]any) ([]foundRow, error) {
	var list []foundRow
	args["limit"] = page
	if err := h.DB.WithContext(ctx).Raw(rowSQL+where+` ORDER BY p.created_at DESC, p.id LIMIT @limit`, args).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	return list, nil
}

// DeskSearch finds payments and runs by one word.
func (h *Handlers) DeskSearch(c echo.Context) error {
	ctx := c.Request().Context()
	var body api.DeskSearchJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	if _, err := h.staff(c); err != nil {
		return err
	}
	word := typed.Line(body.Word)
	out := api.DeskFound{Payments: []api.DeskPaymentRow{}, Runs: []api.DeskRunRow{}}
	var list []foundRow
	var err error
	id, notID := ids.Parse(word)
	switch {
	case lastFour.MatchString(word):
		out.ReadAs = api.ReadAsLastFour
		list, err = h.rows(ctx, `WHERE p.method <> '' AND right(p.method, 4) = @four`, map[string]any{"four": word})
	case strings.Contains(word, "@"):
		out.ReadAs = api.ReadAsEmail
		list, err = h.byAddress(ctx, word)
	case notID == nil:
		out.ReadAs = api.ReadAsID
		list, err = h.rows(ctx, `WHERE p.id = @id OR p.subject_kind IN ('pledge', 'subscription') AND p.subject_id = @id OR p.further_of = @id
			OR p.id = (SELECT payment_id FROM refunds WHERE id = @id)`, map[string]any{"id": id})
		if err == nil {
			out.Runs, err = h.runRows(ctx, `WHERE r.id = ?`, id)
		}
	default:
		out.ReadAs = api.ReadAsProviderID
		names := map[string]any{"ref": word, "providers": h.Providers}
		list, err = h.rows(ctx, `WHERE p.id IN (
			SELECT payment_id FROM attempts WHERE provider IN @providers AND object_ref = @ref
			UNION ALL SELECT payment_id FROM attempts WHERE provider IN @providers AND money_ref = @ref
			UNION ALL SELECT payment_id FROM attempts WHERE provider IN @providers AND charge_ref = @ref AND charge_ref <> ''
			UNION ALL SELECT payment_id FROM refunds WHERE provider IN @providers AND provider_ref = @ref
			UNION ALL SELECT payment_id FROM disputes WHERE provider IN @providers AND provider_ref = @ref
			UNION ALL SELECT payment_id FROM fraud_warnings WHERE provider IN @providers AND provider_ref = @ref)`, names)
		if err == nil {
			out.Runs, err = h.runRows(ctx, `WHERE r.id IN (SELECT run_id FROM settlement_moves WHERE provider IN ? AND kind IN ('transfer', 'payout') AND ref = ?) ORDER BY r.created_at DESC LIMIT ?`,
				h.Providers, word, page)
		}
	}
	if err != nil {
		return err
	}
	for _, one := range list {
		out.Payments = append(out.Payments, one.DeskPaymentRow)
	}
	return c.JSON(http.StatusOK, out)
}

// byAddress finds the payments of a mail address: the content service knows people, here are none.
func (h *Handlers) byAddress(ctx context.Context, email string) ([]foundRow, error) {
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	response, err := h.Content.OrdersOfAddress(ctx, contentclient.AddressQuestion{Email: email})
	if err != nil {
		return nil, unavailable(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxContentBytes))
	if err != nil {
		return nil, unavailable(err)
	}
	var answer contentclient.AddressOrders
	if response.StatusCode == http.StatusUnprocessableEntity { // no address
		return nil, nil
	}
	if response.StatusCode != http.StatusOK {
		return nil, unavailable(fmt.Errorf("content answered %d", response.StatusCode))
	}
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&answer); err != nil {
		return nil, unavailable(err)
	}
	if len(answer.SubjectIds) == 0 {
		return nil, nil
	}
	return h.rows(ctx, `WHERE p.subject_kind IN ('pledge', 'subscription') AND (p.subject_id IN @ids OR p.further_of IN @ids)`, map[string]any{"ids": answer.SubjectIds})
}

func unavailable(err error) error {
	return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("ask the content service: %w", err))
}
