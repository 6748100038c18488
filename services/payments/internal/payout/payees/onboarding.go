package payees

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// countriesJSON are those whose people provider A pays from a platform here: the EEA, Switzerland and the United Kingdom. The form has them
// too.
//
//go:embed countries.json
var countriesJSON []byte

var countries = readCountries() //nolint:gochecknoglobals // a part of the program

func readCountries() (list []string) {
	if err := json.Unmarshal(countriesJSON, &list); err != nil {
		panic(fmt.Sprintf("countries.json: %v", err)) // it is a part of the program
	}
	return list
}

// OnboardStripeAccount makes the account of whose the session is at provider A.
func (h *Handlers) OnboardStripeAccount(c echo.Context) error {
	var body api.StripeOnboarding
	who, err := h.asked(c, &body)
	if err != nil {
		return err
	}
	if !who.HasConfirmedEmail {
		return apperr.New(apperr.AddressUnconfirmed)
	}
	kind, isKnown := stripe.PayeeKind(string(body.Account.Type))
	faults := apperr.New(apperr.InvalidFields)
	if !isKnown {
		faults = faults.WithField("account.type", apperr.RuleOneOf)
	}
	if !slices.Contains(countries, body.Account.Country) {
		faults = faults.WithField("account.country", apperr.RuleOneOf)
	}
	if at, err := url.Parse(body.Account.URL); err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil {
		faults = faults.WithField("account.url", apperr.RuleURL)
	}
	if err := faults.OrNil(); err != nil {
		return err
	}
	p, err := h.payees.Make(c.Request().Context(), who.UserID, stripe.Name, &provider.PayeeOrder{Kind: kind, Email: who.Email, Country: body.Account.Country,
		Type: string(body.Account.Type), Website: body.Account.URL, AcceptedTerms: true, Currency: money.EUR})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, stripeAccount(p))
}

// LinkStripeAccount leads whose the session is to what is missing of their own account.
func (h *Handlers) LinkStripeAccount(c echo.Context, id string) error {
	var body api.StripeLinking
	who, err := h.asked(c, &body)
	if err != nil {
		return err
	}
	faults := apperr.New(apperr.InvalidFields)
	for _, to := range []struct{ field, address string }{{"refreshUrl", body.Account.RefreshURL}, {"returnUrl", body.Account.ReturnURL}} {
		if !httpx.IsOfSite(h.publicURL, to.address) {
			faults = faults.WithField("account."+to.field, apperr.RuleOfThisSite)
		}
	}
	if err := faults.OrNil(); err != nil {
		return err
	}
	_, address, err := h.payees.Step(c.Request().Context(), who.UserID, stripe.Name, id,
		provider.Back{Return: body.Account.ReturnURL, Refresh: body.Account.RefreshURL})
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store") // whoever has the address can fill the account in
	return c.JSON(http.StatusOK, linkAnswer(address))
}

// OpenStripeDashboard leads whose the session is, who has just shown that it is them, to their own pages at provider A.
func (h *Handlers) OpenStripeDashboard(c echo.Context, id string) error {
	who, err := h.person(c)
	if err != nil {
		return err
	}
	if !who.HasConfirmed {
		return apperr.New(apperr.ConfirmationRequired)
	}
	address, err := h.payees.Home(c.Request().Context(), who.UserID, stripe.Name, id)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store") // whoever has the address is signed in there
	return c.JSON(http.StatusOK, linkAnswer(address))
}

// linkAnswer is an address on the wire; "" is none.
func linkAnswer(address string) (answer api.StripeLinkAnswer) {
	if address != "" {
		answer.StripeAccountLink.URL = &address
	}
	return answer
}

// UpdateStripeAccount asks provider A how an account of whose the session is is now.
func (h *Handlers) UpdateStripeAccount(c echo.Context, id string) error {
	who, err := h.person(c)
	if err != nil {
		return err
	}
	p, err := h.payees.Own(c.Request().Context(), who.UserID, stripe.Name, id)
	if err == nil {
		p, err = h.payees.Look(c.Request().Context(), p)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, stripeAccount(p))
}

// asked gives whose the session of a call is, and its body.
func (h *Handlers) asked(c echo.Context, body any) (holders.Person, error) {
	who, err := h.person(c)
	if err != nil {
		return who, err
	}
	if err := c.Bind(body); err != nil {
		return who, apperr.New(apperr.MalformedBody).Wrap(err)
	}
	return who, nil
}

func stripeAccount(p Payee) (answer api.StripeAccountAnswer) {
	answer.Account.ID, answer.Payee = p.Ref, p.wire()
	return answer
}
