package payees

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/fields"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// minAge is how old who owns an account is at least, in years.
const minAge = 18

// Handlers answers creators about their accounts.
type Handlers struct {
	payees    *Service
	whose     holders.Whose
	publicURL string // the web app's
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(payees *Service, whose holders.Whose, publicURL string) *Handlers {
	return &Handlers{payees, whose, publicURL}
}

// Rules are the limits by address.
func Rules() ratelimit.Rules {
	rule := func(per int) []ratelimit.Rule {
		return []ratelimit.Rule{{Name: "payees_address", Limit: ratelimit.Per(per, time.Minute)}}
	}
	return ratelimit.Rules{"POST /api/users/mangopay/create-creator-account": rule(20), "POST /api/users/mangopay/verification": rule(20),
		"POST /api/users/stripe/onboard": rule(20), "POST /api/users/stripe/onboard/:id": rule(20), "POST /api/users/stripe/onboard/:id/update": rule(20),
		"POST /api/users/stripe/onboard/:id/dashboard": rule(20),
		"POST /api/users/mangopay/payout-banks":        rule(20), "POST /api/users/mangopay/payout-banks/:bank_id/confirmation": rule(20),
		"GET /api/users/mangopay/payout-banks/fields": rule(60), "DELETE /api/users/mangopay/payout-banks/:bank_id": rule(20),
		"GET /api/users/me/payees": rule(120)}
}

// OwnPayees lists the accounts of whose the session is.
func (h *Handlers) OwnPayees(c echo.Context) error {
	who, err := h.person(c)
	if err != nil {
		return err
	}
	list, err := h.payees.Fresh(c.Request().Context(), who.UserID)
	if err != nil {
		return err
	}
	answer := api.PayeesAnswer{Payees: make([]api.Payee, 0, len(list))}
	for _, p := range list {
		if p.State != Making {
			shown, err := h.withBanks(c, p)
			if err != nil {
				return err
			}
			answer.Payees = append(answer.Payees, shown)
		}
	}
	return c.JSON(http.StatusOK, answer)
}

// CreateCreatorAccount makes the account of whose the session is at provider B.
func (h *Handlers) CreateCreatorAccount(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := h.person(c)
	if err != nil {
		return err
	}
	var body api.CreatorAccount
	if err := c.Bind(&body); err != nil {
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	if body.UserID != who.UserID {
		return apperr.New(apperr.Forbidden)
	}
	if !who.HasConfirmedEmail {
		return apperr.New(apperr.AddressUnconfirmed)
	}
	var order *provider.PayeeOrder
	back := ""
	if body.Owner != nil {
		if order, err = h.order(body, who.Email); err != nil {
			return err
		}
		back = body.Owner.ReturnURL
	}
	p, err := h.payees.Make(ctx, who.UserID, mangopay.Name, order)
	if err != nil {
		return err
	}
	address := ""
	if back != "" {
		if p, address, err = h.payees.Step(ctx, who.UserID, mangopay.Name, "", provider.Back{Return: back}); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, creatorAccount(p, address))
}

// VerifyCreatorAccount leads whose the session is to what is missing.
func (h *Handlers) VerifyCreatorAccount(c echo.Context) error {
	who, err := h.person(c)
	if err != nil {
		return err
	}
	var body api.CreatorVerification
	if err := c.Bind(&body); err != nil {
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	if !httpx.IsOfSite(h.publicURL, body.ReturnURL) {
		return apperr.New(apperr.InvalidFields).WithField("returnUrl", apperr.RuleOfThisSite)
	}
	p, address, err := h.payees.Step(c.Request().Context(), who.UserID, mangopay.Name, "", provider.Back{Return: body.ReturnURL})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, creatorAccount(p, address))
}

func (h *Handlers) person(c echo.Context) (holders.Person, error) {
	return h.whose(c.Request().Context(), c.Request().Header.Get(echo.HeaderAuthorization))
}

// order checks what somebody says of themselves. Error: InvalidFields.
func (h *Handlers) order(body api.CreatorAccount, email string) (*provider.PayeeOrder, error) {
	in := *body.Owner
	faults := apperr.New(apperr.InvalidFields)
	o := &provider.PayeeOrder{Kind: provider.PayeeKind(body.Type), Email: email, AcceptedTerms: in.TermsAccepted, Currency: money.EUR,
		Person: provider.PayeePerson{FirstName: fields.Text(in.FirstName), LastName: fields.Text(in.LastName), Born: in.Birthdate.Time,
			Nationality: in.Nationality, Residence: in.ResidenceCountry}}
	require := func(isThere bool, field string) {
		if !isThere {
			faults = faults.WithField("owner."+field, apperr.RuleRequired)
		}
	}
	require(o.Person.FirstName != "", "first_name")
	require(o.Person.LastName != "", "last_name")
	if now := h.payees.now(); in.Birthdate.AddDate(minAge, 0, 0).After(now) || in.Birthdate.AddDate(130, 0, 0).Before(now) {
		faults = faults.WithField("owner.birthdate", apperr.RuleAdult)
	}
	if !httpx.IsOfSite(h.publicURL, in.ReturnURL) {
		faults = faults.WithField("owner.return_url", apperr.RuleOfThisSite)
	}
	if o.Kind == provider.PayeeLegal {
		o.Legal = provider.PayeeEntity{Name: fields.Optional(in.LegalName), Number: fields.Optional(in.CompanyNumber), Email: fields.Optional(in.LegalEmail)}
		require(o.Legal.Name != "", "legal_name")
		require(in.LegalType != nil, "legal_type")
		require(o.Legal.Number != "" || in.LegalType == nil || *in.LegalType != api.BUSINESS, "company_number")
		require(in.Headquarters != nil, "headquarters")
		if in.LegalType != nil {
			o.Legal.Type = string(*in.LegalType)
		}
		if in.Headquarters != nil {
			o.Legal.Address, faults = fields.Address(*in.Headquarters, "owner.headquarters.", faults)
		}
	}
	if err := faults.OrNil(); err != nil {
		return nil, err
	}
	return o, nil
}

func creatorAccount(p Payee, address string) api.CreatorAccountAnswer {
	answer := api.CreatorAccountAnswer{UserID: p.Ref, WalletID: p.WalletRef, Payee: p.wire()}
	if address != "" {
		answer.RedirectURL = &address
	}
	return answer
}

func (p Payee) wire() api.Payee {
	out := api.Payee{Provider: api.PayeeProvider(p.Provider), Type: api.PayeeType(p.Kind), State: api.PayeeState(p.State), AccountID: p.Ref, LookedAt: p.LookedAt}
	if p.WalletRef != "" {
		out.WalletID = &p.WalletRef
	}
	out.Needs = make([]struct {
		By   *time.Time         `json:"by,omitempty"`
		Code api.PayeeNeedsCode `json:"code"`
	}, len(p.Needs))
	for i, n := range p.Needs {
		out.Needs[i].By, out.Needs[i].Code = n.By, api.PayeeNeedsCode(n.Code)
	}
	return out
}
