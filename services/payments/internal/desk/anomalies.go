package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/watching/anomalies"
)

func shownAnomalies(list []anomalies.Anomaly) []api.DeskAnomaly {
	out := make([]api.DeskAnomaly, len(list))
	for i, a := range list {
		out[i] = api.DeskAnomaly{AnomalyID: a.ID, Kind: string(a.Kind), Provider: a.Provider, Reference: a.Reference, PaymentID: a.PaymentID, Detail: a.Detail,
			FoundAt: a.FoundAt, SeenAt: a.SeenAt, Times: a.Times, ClosedAt: at(a.ResolvedAt), ClosedBy: filled(a.ResolvedBy), Note: filled(a.Note)}
		if a.Detail == nil {
			out[i].Detail = map[string]string{}
		}
	}
	return out
}

// DeskAnomalies lists what no rule could settle.
func (h *Handlers) DeskAnomalies(c echo.Context, params api.DeskAnomaliesParams) error {
	if _, err := h.staff(c); err != nil {
		return err
	}
	list, total, err := anomalies.Page(c.Request().Context(), h.DB, or(params.Closed, false), page, or(params.Offset, 0))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.DeskAnomalies{Anomalies: shownAnomalies(list), Total: total})
}

// DeskAnomaly shows one.
func (h *Handlers) DeskAnomaly(c echo.Context, anomalyID api.DeskAnomalyID) error {
	if _, err := h.staff(c); err != nil {
		return err
	}
	a, err := anomalies.ByID(c.Request().Context(), h.DB, anomalyID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, shownAnomalies([]anomalies.Anomaly{a})[0])
}

// DeskMended closes one that was dealt with.
func (h *Handlers) DeskMended(c echo.Context, anomalyID api.DeskAnomalyID) error {
	var body api.DeskMendedJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	op, err := h.operator(c, body.Note)
	if err != nil {
		return err
	}
	if err := h.Payments.Resolve(c.Request().Context(), anomalyID, op); err != nil {
		return refusal(err)
	}
	return c.NoContent(http.StatusNoContent)
}

// or is what a parameter says, or what holds without it.
func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}
