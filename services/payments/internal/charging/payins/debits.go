package payins

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/idem"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/fields"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// BankAccounts lists the accounts that whoever pays a pledge is offered.
func (h *Handlers) BankAccounts(c echo.Context) error {
	var body api.PledgeRef
	ctx, sub, err := h.begin(c, &body)
	if err != nil {
		return err
	}
	accounts, mandates, err := h.Payments.OfferedAccounts(ctx, sub, payments.NetworkOf(ctx))
	if err != nil {
		return payments.OnPledge(err)
	}
	answer := api.BankAccountsAnswer{BankAccounts: make([]api.BankAccount, len(accounts))}
	for i, a := range accounts {
		answer.BankAccounts[i] = wireAccount(a, mandateOf(a.Ref, mandates) != nil)
	}
	return c.JSON(http.StatusOK, answer)
}

// CreateBankAccount adds an account of whoever pays a pledge.
func (h *Handlers) CreateBankAccount(c echo.Context) error {
	var body api.NewBankAccount
	ctx, sub, err := h.begin(c, &body)
	if err != nil {
		return err
	}
	faults := apperr.New(apperr.InvalidFields)
	iban, broken := fields.IBAN(body.IBAN)
	if broken == "" && !fields.SEPA.IsDebited(iban[:2]) {
		broken = apperr.RuleIBANDebit
	}
	if broken != "" {
		faults = faults.WithField("IBAN", broken)
	}
	if !fields.SEPA.HasCountry(body.OwnerAddress.Country) {
		faults = faults.WithField("OwnerAddress.Country", apperr.RuleOneOf)
	}
	name := fields.Text(body.OwnerName)
	if name == "" {
		faults = faults.WithField("OwnerName", apperr.RuleRequired)
	}
	address, faults := fields.Address(body.OwnerAddress, "OwnerAddress.", faults)
	if err := faults.OrNil(); err != nil {
		return err
	}
	made, err := h.Payments.AddAccount(ctx, sub, payments.NetworkOf(ctx), provider.BankAccountOrder{OwnerName: name, IBAN: iban, Address: address})
	if errors.Is(err, provider.ErrFinal) {
		return apperr.New(apperr.InvalidFields).WithField("IBAN", apperr.RuleIBAN).Wrap(err)
	}
	if err != nil {
		return payments.OnPledge(err)
	}
	if err := h.Payments.KeepAccount(ctx, sub, made, body.Keep != nil && *body.Keep); err != nil {
		return err
	}
	_, mandates, err := h.Payments.Accounts(ctx, sub, payments.NetworkOf(ctx))
	if err != nil {
		return payments.OnPledge(err)
	}
	return c.JSON(http.StatusOK, api.BankAccountAnswer{BankAccount: wireAccount(made, mandateOf(made.Ref, mandates) != nil)})
}

// CreateMandate makes the mandate of an account, or gives the one that can be used.
func (h *Handlers) CreateMandate(c echo.Context) error {
	var body api.NewMandate
	ctx, sub, err := h.begin(c, &body)
	if err == nil {
		err = h.checkReturn("returnURL", body.ReturnURL)
	}
	if err != nil {
		return err
	}
	accounts, mandates, err := h.Payments.Accounts(ctx, sub, payments.NetworkOf(ctx))
	if err != nil {
		return payments.OnPledge(err)
	}
	at := slices.IndexFunc(accounts, func(a provider.BankAccount) bool { return a.Ref == body.BankAccountID })
	if at < 0 {
		return apperr.New(apperr.NotFound)
	}
	if !fields.SEPA.IsDebited(accounts[at].Country) {
		return apperr.New(apperr.InvalidFields).WithField("IBAN", apperr.RuleIBANDebit)
	}
	var answer api.MandateAnswer
	if m := mandateOf(body.BankAccountID, mandates); m != nil {
		answer.Mandate.ID, answer.Mandate.Status = mangopay.IDIn(m.Ref), api.MandateAnswerMandateStatusSUBMITTED
		if m.HasPaid {
			answer.Mandate.Status = api.MandateAnswerMandateStatusACTIVE
		}
		return c.JSON(http.StatusOK, answer)
	}
	_, setup, err := h.Payments.Register(ctx, sub, payments.NetworkOf(ctx), payments.Registration{Kind: provider.KindMandate,
		Account: body.BankAccountID, Language: string(body.Language), ReturnURL: body.ReturnURL})
	if err != nil {
		return payments.OnPledge(err)
	}
	answer.Mandate.ID, answer.Mandate.Status = mangopay.IDIn(setup.Ref), statusOf(setup.State)
	answer.Mandate.RedirectURL = text(provider.AddressOf(setup.Next))
	answer.Mandate.ResultCode, answer.Mandate.ResultMessage = text(setup.Result.Code), text(setup.Result.Message)
	return c.JSON(http.StatusOK, answer)
}

func statusOf(state provider.State) api.MandateAnswerMandateStatus {
	switch state {
	case provider.Succeeded:
		return api.MandateAnswerMandateStatusSUBMITTED
	case provider.Ended:
		return api.MandateAnswerMandateStatusFAILED
	case provider.Open, provider.NeedsPayer, provider.Processing:
	}
	return api.MandateAnswerMandateStatusCREATED
}

// DebitPayIn debits the account of a confirmed mandate.
func (h *Handlers) DebitPayIn(c echo.Context, params api.DebitPayInParams) error {
	var body api.DebitPayIn
	ctx, sub, err := h.begin(c, &body)
	if err != nil {
		return err
	}
	key, err := keyOf(params.IdempotencyKey, "debit pay-in", sub, body)
	if err != nil {
		return err
	}
	named := ""
	if body.MandateID != nil {
		named = mangopay.MandateRef(*body.MandateID)
	}
	mandate, err := h.Payments.UsableMandate(ctx, sub, named)
	if err != nil {
		return err
	}
	return h.pay(c, sub, key, payments.Charge{Kind: provider.KindMandate, Instrument: mandate})
}

// pay charges what pays, once per key: a repeat tells what became of that charge.
func (h *Handlers) pay(c echo.Context, sub payments.Subject, key idem.Key, charge payments.Charge) error {
	ctx := c.Request().Context()
	var p payments.Payment
	var try payments.Try
	charge.Key = payments.NameOf(key)
	err := h.Payments.Keyed(ctx, key, func(before string) (_ string, err error) {
		if before != "" {
			p, try, err = h.Payments.Tried(ctx, sub, before)
			return before, err
		}
		p, try, err = h.Payments.Pay(ctx, sub, payments.NetworkOf(ctx), charge)
		return try.Object, err
	})
	if err != nil {
		return payments.OnPledge(err)
	}
	return c.JSON(http.StatusOK, payInAnswer(p, try))
}

func mandateOf(account string, mandates []provider.Mandate) *provider.Mandate {
	at := slices.IndexFunc(mandates, func(m provider.Mandate) bool { return m.Account == account })
	if at < 0 {
		return nil
	}
	return &mandates[at]
}

func wireAccount(a provider.BankAccount, hasMandate bool) api.BankAccount {
	out := api.BankAccount{ID: a.Ref, OwnerName: a.OwnerName, HasMandate: hasMandate, OwnerAddress: api.OwnerAddress{
		AddressLine1: a.Address.Line1, AddressLine2: text(a.Address.Line2), City: a.Address.City, PostalCode: a.Address.PostalCode,
		Country: a.Address.Country}}
	out.Details.IBAN = a.Masked
	return out
}
