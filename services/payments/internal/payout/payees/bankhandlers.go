package payees

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/fields"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// withBanks is an account as its owner sees it.
func (h *Handlers) withBanks(c echo.Context, p Payee) (api.Payee, error) {
	out := p.wire()
	list, err := h.payees.ShownBanks(c.Request().Context(), p.ID)
	if err != nil || len(list) == 0 {
		return out, err
	}
	banks := make([]api.PayoutBank, len(list))
	for i, b := range list {
		banks[i] = b.wire()
	}
	out.Banks = &banks
	return out, nil
}

func (b Bank) wire() api.PayoutBank {
	out := api.PayoutBank{BankID: b.ID, Country: b.Country, LastFour: b.LastFour, State: api.PayoutBankState(b.State), AddedAt: b.CreatedAt, HasFailed: b.HasFailed}
	if b.State == BankActive {
		out.PaysFrom = b.PaysFrom
	}
	if b.NameCheck != "" {
		name := api.PayoutBankNameCheck(b.NameCheck)
		out.NameCheck = &name
	}
	return out
}

// PayoutBankFields says what is asked of a bank account in a country.
func (h *Handlers) PayoutBankFields(c echo.Context, params api.PayoutBankFieldsParams) error {
	who, err := h.person(c)
	if err != nil {
		return err
	}
	list, err := h.payees.BankFields(c.Request().Context(), who.UserID, mangopay.Name, params.Country)
	if err != nil {
		return err
	}
	answer := api.PayoutBankFields{Fields: make([]api.PayoutBankField, len(list))}
	for i, f := range list {
		answer.Fields[i].Name, answer.Fields[i].IsRequired = api.PayoutBankFieldName(f.Name), f.IsRequired
		if f.MaxLength > 0 {
			answer.Fields[i].MaxLength = &list[i].MaxLength
		}
	}
	return c.JSON(http.StatusOK, answer)
}

// AddPayoutBank registers a bank account of whose the session is, who has just shown that it is them.
func (h *Handlers) AddPayoutBank(c echo.Context) error {
	var body api.NewPayoutBank
	who, err := h.asked(c, &body)
	if err != nil {
		return err
	}
	if !who.HasConfirmedEmail {
		return apperr.New(apperr.AddressUnconfirmed)
	}
	faults := apperr.New(apperr.InvalidFields)
	iban, broken := fields.IBAN(body.IBAN)
	switch broken {
	case "":
	case apperr.RuleIBANCountry:
		faults = faults.WithField("IBAN", apperr.RuleIBANPayout)
	default:
		faults = faults.WithField("IBAN", broken)
	}
	if !httpx.IsOfSite(h.publicURL, body.ReturnURL) {
		faults = faults.WithField("return_url", apperr.RuleOfThisSite)
	}
	if err := faults.OrNil(); err != nil {
		return err
	}
	ctx := c.Request().Context()
	o := provider.BankOrder{IBAN: iban, FirstName: fields.Optional(body.FirstName), LastName: fields.Optional(body.LastName),
		BusinessName: fields.Optional(body.BusinessName), Address: provider.Address{Line1: fields.Text(body.Address.AddressLine1),
			Line2: fields.Optional(body.Address.AddressLine2), City: fields.Text(body.Address.City), Region: fields.Optional(body.Address.Region),
			PostalCode: fields.Optional(body.Address.PostalCode), Country: body.Address.Country}}
	asked, err := h.payees.BankFields(ctx, who.UserID, mangopay.Name, iban[:2])
	if err != nil {
		return err
	}
	if err := checkSaid(o, asked); err != nil {
		return err
	}
	if !who.HasConfirmed {
		return apperr.New(apperr.ConfirmationRequired)
	}
	b, err := h.payees.AddBank(ctx, who.UserID, mangopay.Name, o)
	if err != nil {
		return err
	}
	return h.confirm(c, who.UserID, b.ID, body.ReturnURL)
}

// checkSaid checks that all is said that is asked of a bank account. Error: InvalidFields.
func checkSaid(o provider.BankOrder, asked []provider.BankField) error {
	said := map[string]struct{ path, text string }{
		provider.BankFirstName: {"first_name", o.FirstName}, provider.BankLastName: {"last_name", o.LastName},
		provider.BankBusinessName: {"business_name", o.BusinessName}, provider.BankLine1: {"address.AddressLine1", o.Address.Line1},
		provider.BankLine2: {"address.AddressLine2", o.Address.Line2}, provider.BankCity: {"address.City", o.Address.City},
		provider.BankRegion: {"address.Region", o.Address.Region}, provider.BankPostalCode: {"address.PostalCode", o.Address.PostalCode},
	}
	faults := apperr.New(apperr.InvalidFields)
	for _, f := range asked {
		is := said[f.Name]
		if f.IsRequired && is.text == "" {
			faults = faults.WithField(is.path, apperr.RuleRequired)
		}
	}
	return faults.OrNil()
}

// ConfirmPayoutBank leads whose the session is to the confirmation of their bank account.
func (h *Handlers) ConfirmPayoutBank(c echo.Context, id string) error {
	var body api.CreatorVerification
	who, err := h.asked(c, &body)
	if err != nil {
		return err
	}
	if !httpx.IsOfSite(h.publicURL, body.ReturnURL) {
		return apperr.New(apperr.InvalidFields).WithField("returnUrl", apperr.RuleOfThisSite)
	}
	return h.confirm(c, who.UserID, id, body.ReturnURL)
}

func (h *Handlers) confirm(c echo.Context, userID int64, id, back string) error {
	b, address, err := h.payees.BankStep(c.Request().Context(), userID, mangopay.Name, id, back)
	if err != nil {
		return err
	}
	answer := api.PayoutBankAnswer{Bank: b.wire()}
	if address != "" {
		answer.RedirectURL = &address
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.JSON(http.StatusOK, answer)
}

// EndPayoutBank has nothing more paid out to a bank account of whose the session is, who has just shown that it is them.
func (h *Handlers) EndPayoutBank(c echo.Context, id string) error {
	who, err := h.person(c)
	if err != nil {
		return err
	}
	if !who.HasConfirmed {
		return apperr.New(apperr.ConfirmationRequired)
	}
	if err := h.payees.EndBank(c.Request().Context(), who.UserID, mangopay.Name, id); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
