package taxdata

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
)

// Handlers answers creators about their tax data.
type Handlers struct {
	data  *Service
	whose holders.Whose
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(data *Service, whose holders.Whose) *Handlers { return &Handlers{data, whose} }

// Rules are the limits by address.
func Rules() ratelimit.Rules {
	rule := func(name string, per int) []ratelimit.Rule {
		return []ratelimit.Rule{{Name: name, Limit: ratelimit.Per(per, time.Minute)}}
	}
	return ratelimit.Rules{"GET /api/users/me/tax-data": rule("tax_standing_address", 120), "PUT /api/users/me/tax-data": rule("tax_data_address", 20),
		"GET /api/users/me/tax-data/values": rule("tax_data_address", 20), "GET /api/users/me/tax-reports": rule("tax_standing_address", 120),
		"GET /api/users/me/tax-reports/:year": rule("tax_data_address", 20)}
}

// person is whose the session of a call is: nobody else's data can be named. Errors: those of holders.Whose; ConfirmationRequired of who has not just
// shown that it is them, where that is asked.
func (h *Handlers) person(c echo.Context, isProofAsked bool) (int64, error) {
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	who, err := h.whose(c.Request().Context(), c.Request().Header.Get(echo.HeaderAuthorization))
	if err == nil && isProofAsked && !who.HasConfirmed {
		err = apperr.New(apperr.ConfirmationRequired)
	}
	return who.UserID, err
}

// TaxData tells how it stands with the data of whose the session is.
func (h *Handlers) TaxData(c echo.Context) error {
	user, err := h.person(c, false)
	if err != nil {
		return err
	}
	return h.standing(c, user)
}

// SetTaxData keeps the data of whose the session is, who has just shown that it is them.
func (h *Handlers) SetTaxData(c echo.Context) error {
	user, err := h.person(c, true)
	if err != nil {
		return err
	}
	var body api.TaxDataChange
	if err := c.Bind(&body); err != nil {
		return apperr.New(apperr.MalformedBody) // its cause may quote what was said
	}
	if err := h.data.Set(c.Request().Context(), user, body); err != nil {
		return err
	}
	return h.standing(c, user)
}

func (h *Handlers) standing(c echo.Context, user int64) error {
	st, err := h.data.Standing(c.Request().Context(), user)
	if err != nil {
		return err
	}
	answer := api.TaxStanding{IsAsked: st.IsAsked, Version: st.Version, Missing: make([]api.TaxPart, len(st.Missing)), By: st.By, IsHeld: st.IsHeld, RemindedAt: st.RemindedAt}
	for i, part := range st.Missing {
		answer.Missing[i] = api.TaxPart(part)
	}
	if st.Given.Kind != "" && st.GivenAt != nil {
		answer.Given = &api.TaxGiven{Kind: api.TaxKind(st.Given.Kind), Name: st.Given.Name(), Country: st.Given.Address.Country, Tin: st.Given.TIN.wire(), GivenAt: *st.GivenAt}
	}
	return c.JSON(http.StatusOK, answer)
}

func (t *TIN) wire() *api.TaxNumberEnd {
	if t == nil {
		return nil
	}
	return &api.TaxNumberEnd{IssuedBy: t.Country, End: t.End()}
}

// TaxDataValues gives what whose the session is has said, who has just shown that it is them.
func (h *Handlers) TaxDataValues(c echo.Context) error {
	user, err := h.person(c, true)
	if err != nil {
		return err
	}
	d, version, err := h.data.Values(c.Request().Context(), user)
	if err != nil {
		return err
	}
	answer := api.TaxDataValues{Version: version, Kind: api.TaxKind(d.Kind), FirstName: optional(d.FirstName), LastName: optional(d.LastName), BirthDate: optional(d.BirthDate),
		LegalName: optional(d.LegalName), RegistrationNumber: optional(d.RegistrationNumber), VatID: optional(d.VAT), Tin: d.TIN.wire(),
		Address: api.TaxAddress{Street: d.Address.Street, PostalCode: optional(d.Address.PostalCode), City: d.Address.City, Country: d.Address.Country}}
	if p := d.BirthPlace; p != nil {
		answer.BirthPlace = &api.TaxBirthPlace{BirthCity: p.City, BirthCountry: p.Country}
	}
	return c.JSON(http.StatusOK, answer)
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// TaxReports lists what is reported of whose the session is.
func (h *Handlers) TaxReports(c echo.Context) error {
	user, err := h.person(c, false)
	if err != nil {
		return err
	}
	years, err := h.data.Reports(c.Request().Context(), user)
	if err != nil {
		return err
	}
	answer := api.TaxReports{Years: make([]api.TaxYear, len(years))}
	for i, y := range years {
		answer.Years[i] = api.TaxYear{Year: y.Year, Currency: y.Currency, Quarters: make([]api.TaxQuarter, len(y.Quarters))}
		for j, q := range y.Quarters {
			answer.Years[i].Quarters[j] = api.TaxQuarter{ConsiderationMinor: q.Consideration, FeeMinor: q.Fee, Activities: q.Activities}
		}
	}
	return c.JSON(http.StatusOK, answer)
}

// TaxReport gives the report of a year of whose the session is, who has just shown that it is them.
func (h *Handlers) TaxReport(c echo.Context, year int, params api.TaxReportParams) error {
	user, err := h.person(c, true)
	if err != nil {
		return err
	}
	return h.data.Answer(c, year, string(params.Language), user)
}
