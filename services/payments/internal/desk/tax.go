package desk

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
)

// TaxReportTaken is the act of taking the yearly report of all creators.
const TaxReportTaken = "tax_report"

// DeskTaxReport gives what is reported of all creators for a year, to an operator who has just shown that it is them. That they took it is written
// down first: nobody reads it without a trace.
func (h *Handlers) DeskTaxReport(c echo.Context) error {
	var body api.DeskTaxReport
	if err := c.Bind(&body); err != nil {
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	op, err := h.operator(c, body.Note)
	if err != nil {
		return err
	}
	if err := h.Payments.Note(c.Request().Context(), TaxReportTaken, op, map[string]string{"year": strconv.Itoa(body.Year)}); err != nil {
		return err //nolint:wrapcheck // it says all
	}
	return h.TaxReport(c, body.Year, "fi", 0)
}
