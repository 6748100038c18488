package desk

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	openapi "github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/payout/settlements"
)

// runRows reads runs as lists show them; how many people approve one is the domain's word.
func (h *Handlers) runRows(ctx context.Context, where string, args ...any) ([]api.DeskRunRow, error) {
	list := []api.DeskRunRow{}
	err := h.DB.WithContext(ctx).Raw(`SELECT r.id AS run_id, r.campaign_id, r.provider, r.number, to_char(r.month, 'YYYY-MM') AS month, r.state, nullif(r.reason, '') AS reason, nullif(r.detail, '') AS detail,
			r.currency, r.lines, r.gross_minor, r.fee_minor, r.vat_minor, r.reserve_minor, r.released_minor, r.net_minor, r.offset_minor, r.bank_kept_minor, r.reversed_minor, r.proposed_by, r.created_at,
			coalesce((SELECT title FROM payments WHERE campaign_id = r.campaign_id LIMIT 1), '') AS title,
			(SELECT count(*) FROM settlement_approvals a WHERE a.run_id = r.id AND a.hash = r.hash AND `+settlements.Counts+`) AS approvals
		FROM (SELECT settlement_runs.*, `+settlements.BankKept+` AS bank_kept_minor, `+settlements.Reversed+` AS reversed_minor FROM settlement_runs) r `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read settlement runs: %w", err)
	}
	for i := range list {
		list[i].Needed = settlements.Run{GrossMinor: list[i].GrossMinor, ReleasedMinor: list[i].ReleasedMinor}.Needed()
	}
	return list, nil
}

// DeskRuns lists what is on its way to creators, or has come to its end.
func (h *Handlers) DeskRuns(c echo.Context, params api.DeskRunsParams) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	which, order := `r.state NOT IN ('paid', 'void')`, `r.created_at, r.id`
	if or(params.Over, false) {
		which, order = `r.state IN ('paid', 'void')`, `r.updated_at DESC, r.id`
	}
	args := []any{}
	if params.CampaignID != nil {
		which, order, args = `r.campaign_id = ?`, `r.provider, r.number`, []any{*params.CampaignID}
	}
	out := api.DeskRuns{}
	err := h.DB.WithContext(ctx).Raw(`SELECT count(*) FROM settlement_runs r WHERE `+which, args...).Scan(&out.Total).Error
	if err != nil {
		return fmt.Errorf("count settlement runs: %w", err)
	}
	out.Runs, err = h.runRows(ctx, `WHERE `+which+` ORDER BY `+order+` LIMIT ? OFFSET ?`, append(args, page, or(params.Offset, 0))...)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// runDetails is what a run's own page has more than a list.
type runDetails struct {
	Hash, PayeeRef string
	PayeeID        int64
	Version        int
	Booked, Left   int
	RatesFrom      *time.Time
	PaidAt         *time.Time
}

// DeskRun shows a run without its lines, which may be thousands.
func (h *Handlers) DeskRun(c echo.Context, runID api.RunID) error {
	ctx := c.Request().Context()
	who, err := h.staff(c)
	if err != nil {
		return err
	}
	list, err := h.runRows(ctx, `WHERE r.id = ?`, runID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return apperr.New(apperr.NotFound)
	}
	name, err := NameOf(ctx, h.DB, who.UserID)
	if err != nil {
		return err
	}
	r, more := list[0], runDetails{}
	err = h.DB.WithContext(ctx).Raw(`SELECT r.hash, r.payee_id, r.payee_ref, r.version, r.rates_from, r.paid_at, count(l.booked_at) AS booked, count(l.left_at) AS left
		FROM settlement_runs r LEFT JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version WHERE r.id = ? GROUP BY r.id`, runID).Scan(&more).Error
	if err != nil {
		return fmt.Errorf("read run %s: %w", runID, err)
	}
	out := api.DeskRun{RunID: r.RunID, CampaignID: r.CampaignID, Title: r.Title, Provider: r.Provider, Number: r.Number, Month: r.Month, State: api.DeskRunState(r.State),
		Reason: r.Reason, Detail: r.Detail, Currency: r.Currency, Lines: r.Lines, GrossMinor: r.GrossMinor, FeeMinor: r.FeeMinor, VatMinor: r.VatMinor,
		ReserveMinor: r.ReserveMinor, ReleasedMinor: r.ReleasedMinor, NetMinor: r.NetMinor, OffsetMinor: r.OffsetMinor, BankKeptMinor: r.BankKeptMinor, ReversedMinor: r.ReversedMinor, ProposedBy: r.ProposedBy, Needed: r.Needed, Approvals: r.Approvals,
		CreatedAt: r.CreatedAt, Hash: more.Hash, Version: more.Version, Booked: more.Booked, Left: more.Left, PaidAt: at(more.PaidAt),
		ApprovedBy: []api.DeskApprover{}, Steps: []api.DeskStep{}, Moves: []api.DeskMove{}}
	if more.RatesFrom != nil {
		out.RatesFrom = &openapi.Date{Time: *more.RatesFrom}
	}
	for into, query := range map[any]string{
		&out.ApprovedBy: `SELECT a.actor, a.note, a.at FROM settlement_approvals a JOIN settlement_runs r ON r.id = a.run_id AND r.hash = a.hash
			WHERE a.run_id = @run AND ` + settlements.Counts + ` ORDER BY a.at`,
		&out.Steps: `SELECT event, to_state AS "to", nullif(reason, '') AS reason, nullif(actor, '') AS actor, nullif(note, '') AS note, at
			FROM settlement_steps WHERE run_id = @run ORDER BY id`,
		&out.Moves: `SELECT kind, try AS number, amount_minor, fee_minor, state, nullif(ref, '') AS ref, nullif(code, '') AS code, nullif(returned_minor, 0) AS returned_minor, at
			FROM settlement_moves WHERE run_id = @run
			UNION ALL SELECT 'reversal', row_number() OVER (ORDER BY at, id), amount_minor, 0, state, nullif(ref, ''), nullif(code, ''), NULL, at
			FROM transfer_reversals WHERE run_id = @run ORDER BY at, kind DESC, number`,
	} {
		if err := h.DB.WithContext(ctx).Raw(query, map[string]any{"run": runID}).Scan(into).Error; err != nil {
			return fmt.Errorf("read the history of run %s: %w", runID, err)
		}
	}
	bank, err := h.Bank(ctx, h.DB, r.Provider, more.PayeeRef)
	if err != nil {
		return err
	}
	if bank.ID != "" {
		out.Bank = &api.DeskBank{Country: bank.Country, LastFour: bank.LastFour, NameCheck: filled(string(bank.NameCheck)), PaysFrom: at(bank.PaysFrom)}
	}
	by, err := h.TaxMissingBy(ctx, h.DB, r.Provider, more.PayeeRef)
	if err != nil {
		return err
	}
	out.TaxMissingBy = at(by)
	if out.CanApprove = canApprove(out, name); out.CanApprove == api.CanApprove {
		isTheirs, err := settlements.IsTheirs(ctx, h.DB, r.Provider, more.PayeeID, name)
		if err != nil {
			return err
		}
		if isTheirs {
			out.CanApprove = api.CannotOwnMoney
		}
	}
	return c.JSON(http.StatusOK, out)
}

// canApprove says whether a person can approve a run as it is; the act itself asks again.
func canApprove(r api.DeskRun, name string) api.DeskRunCanApprove {
	switch {
	case r.State != api.DeskRunState(settlements.Proposed) && (r.Reason == nil || *r.Reason != string(settlements.ApprovalMissing)):
		return api.CannotNow
	case name == "":
		return api.CannotNoOperator
	case typed.Same(name, r.ProposedBy):
		return api.CannotOwnProposal
	}
	for _, one := range r.ApprovedBy {
		if typed.Same(name, one.Actor) {
			return api.CannotApprovedAlready
		}
	}
	return api.CanApprove
}

// DeskRunLines shows some lines of a run as it is now. The primary key serves it.
func (h *Handlers) DeskRunLines(c echo.Context, runID api.RunID, params api.DeskRunLinesParams) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	var run []struct{ Version int }
	err := h.DB.WithContext(ctx).Raw(`SELECT version FROM settlement_runs WHERE id = ?`, runID).Scan(&run).Error
	if err == nil && len(run) == 0 {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return err
	}
	out := api.DeskLines{Lines: []api.DeskLine{}}
	err = h.DB.WithContext(ctx).Raw(`SELECT count(*) FROM settlement_lines WHERE run_id = ? AND version = ?`, runID, run[0].Version).Scan(&out.Total).Error
	if err == nil {
		err = h.DB.WithContext(ctx).Raw(`SELECT l.charge_ref, l.payment_id, p.method, l.gross_minor, l.fee_minor, l.vat_minor, l.reserve_minor, l.net_minor,
				CASE WHEN l.booked_at IS NOT NULL THEN 'booked' WHEN l.left_at IS NOT NULL THEN 'left' ELSE 'waits' END AS state
			FROM (SELECT * FROM settlement_lines WHERE run_id = ? AND version = ? ORDER BY charge_ref LIMIT ? OFFSET ?) l
			JOIN payments p ON p.id = l.payment_id ORDER BY l.charge_ref`, runID, run[0].Version, page, or(params.Offset, 0)).Scan(&out.Lines).Error
	}
	if err != nil {
		return fmt.Errorf("read the lines of run %s: %w", runID, err)
	}
	return c.JSON(http.StatusOK, out)
}

// DeskPropose proposes runs for the money of a campaign.
func (h *Handlers) DeskPropose(c echo.Context) error {
	ctx := c.Request().Context()
	var body api.DeskProposeJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	op, err := h.operator(c, body.Note)
	if err != nil {
		return err
	}
	made, err := h.Settlements.Propose(ctx, body.CampaignID, op.Actor, op.Note)
	if err != nil {
		return refusal(err)
	}
	out := api.DeskRuns{Runs: []api.DeskRunRow{}, Total: len(made)}
	if len(made) > 0 {
		names := make([]string, len(made))
		for i, r := range made {
			names[i] = r.ID
		}
		if out.Runs, err = h.runRows(ctx, `WHERE r.id IN ? ORDER BY r.provider`, names); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, out)
}

// DeskApprove has the caller approve what a run is.
func (h *Handlers) DeskApprove(c echo.Context, runID api.RunID) error {
	var body api.DeskApproveJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOn(c, body.Note, func(ctx context.Context, op payments.Operator) error {
		_, err := h.Settlements.Approve(ctx, runID, body.Hash, op.Actor, op.Note)
		return err
	})
}

// DeskResume has a run go on.
func (h *Handlers) DeskResume(c echo.Context, runID api.RunID) error {
	var body api.DeskResumeJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOn(c, body.Note, func(ctx context.Context, op payments.Operator) error {
		return h.Settlements.Resume(ctx, runID, op.Actor, op.Note)
	})
}

// DeskCancel ends a run.
func (h *Handlers) DeskCancel(c echo.Context, runID api.RunID) error {
	var body api.DeskCancelJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOn(c, body.Note, func(ctx context.Context, op payments.Operator) error {
		return h.Settlements.Cancel(ctx, runID, op.Actor, op.Note)
	})
}

// actOn does an act whose answer is that it is done.
func (h *Handlers) actOn(c echo.Context, note string, act func(ctx context.Context, op payments.Operator) error) error {
	op, err := h.operator(c, note)
	if err != nil {
		return err
	}
	if err := act(c.Request().Context(), op); err != nil {
		return refusal(err)
	}
	return c.NoContent(http.StatusNoContent)
}
