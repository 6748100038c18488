package payins

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
)

// CardRegistrationData begins the registration of a card.
func (h *Handlers) CardRegistrationData(c echo.Context) error {
	var body api.PledgeRef
	ctx, sub, err := h.begin(c, &body)
	if err != nil {
		return err
	}
	var wallet provider.Wallet
	p, setup, err := h.Payments.Register(ctx, sub, payments.NetworkOf(ctx), payments.Registration{Kind: provider.KindCard,
		Before: func(ctx context.Context, p payments.Payment) (err error) { // a campaign that takes no money here costs no other call
			wallet, err = h.WalletOf(ctx, p.CampaignID)
			return err
		}})
	if err != nil {
		return payments.OnPledge(err)
	}
	next, is := setup.Next.(provider.Register)
	if !is {
		return apperr.New(apperr.ConfigurationError).WithCode(apperr.CodeMissingClientSecret)
	}
	return c.JSON(http.StatusOK, api.CardRegistrationAnswer{AuthorID: setup.Payer, CreditedWalletID: wallet.ID, Payment: payments.Wire(p),
		CardRegistration: api.CardRegistration{ID: mangopay.IDIn(setup.Ref), CardRegistrationURL: next.URL, PreregistrationData: next.Data,
			AccessKey: next.Key, CardType: mangopay.CardType}})
}

// FinishCardRegistration hands in what the registration address has answered. Asked again, it gives the same card.
func (h *Handlers) FinishCardRegistration(c echo.Context) error {
	var body api.CardRegistrationData
	ctx, sub, err := h.begin(c, &body)
	if err != nil {
		return err
	}
	setup, err := h.Payments.FinishCard(ctx, sub, mangopay.RegistrationRef(body.RegistrationID), body.RegistrationData)
	if err != nil {
		return payments.OnPledge(err)
	}
	if setup.Instrument != nil && body.Keep != nil && *body.Keep && !holders.Of(ctx).ByMail {
		if err := h.Payments.KeepCard(ctx, sub, *setup.Instrument); err != nil {
			return err
		}
	}
	answer := api.RegisteredCardAnswer{}
	if answer.CardID, answer.Label = kept(setup.Instrument); answer.CardID == nil {
		answer.ResultCode, answer.ResultMessage = text(setup.Result.Code), text(setup.Result.Message)
	}
	return c.JSON(http.StatusOK, answer)
}

// CardPayIn charges a registered card.
func (h *Handlers) CardPayIn(c echo.Context, params api.CardPayInParams) error {
	var body api.CardPayIn
	ctx, sub, err := h.begin(c, &body)
	if err != nil {
		return err
	}
	if err := h.checkReturn("secureModeReturnURL", body.SecureModeReturnURL); err != nil {
		return err
	}
	key, err := keyOf(params.IdempotencyKey, "card pay-in", sub, body)
	if err != nil {
		return err
	}
	b := body.BrowserInfo
	check := func(p payments.Payment, payer string) (provider.Wallet, error) {
		if holders.Of(ctx).ByMail && p.BackerUserID != nil {
			list, err := h.Payments.Kept(ctx, *p.BackerUserID, mangopay.Name)
			if err != nil {
				return provider.Wallet{}, err
			}
			if slices.ContainsFunc(list, func(c vault.Card) bool { return c.Ref == mangopay.CardRef(body.CardID) }) {
				return provider.Wallet{}, apperr.New(apperr.NotYourOrder)
			}
		}
		wallet, err := h.WalletOf(ctx, p.CampaignID)
		if err != nil {
			return wallet, err
		}
		faults := apperr.New(apperr.InvalidFields)
		for _, f := range []struct {
			field  string
			isSame bool
		}{{"amount", body.Amount == p.Amount.Minor}, {"authorId", body.AuthorID == payer}, {"creditedWalletId", body.CreditedWalletID == wallet.ID}} {
			if !f.isSame {
				faults = faults.WithField(f.field, apperr.RuleDiffers)
			}
		}
		return wallet, faults.OrNil()
	}
	charge := payments.Charge{Kind: provider.KindCard, Check: check, Instrument: mangopay.CardRef(body.CardID), ReturnURL: body.SecureModeReturnURL,
		Browser: provider.Browser{IP: httpx.ClientIP(ctx), Accept: b.AcceptHeader, UserAgent: b.UserAgent, Language: b.Language,
			Java: b.JavaEnabled, JavaScript: b.JavascriptEnabled, ColorDepth: b.ColorDepth, ScreenHeight: b.ScreenHeight, ScreenWidth: b.ScreenWidth,
			TimeZoneOffset: b.TimeZoneOffset}}
	return h.pay(c, sub, key, charge)
}

// ForgetKeptCard has a card of the session's person offered no more. It is told to nobody whether it was theirs.
func (h *Handlers) ForgetKeptCard(c echo.Context, cardID string) error {
	ctx := c.Request().Context()
	authorization := c.Request().Header.Get(echo.HeaderAuthorization)
	if authorization == "" {
		return apperr.New(apperr.NotAuthenticated)
	}
	user, err := h.Whose(ctx, authorization)
	if err != nil {
		return err
	}
	for name, ref := range map[string]string{stripe.Name: cardID, mangopay.Name: mangopay.CardRef(cardID)} { // its ids say nothing of whose they are
		if err := h.Payments.ForgetCard(ctx, user, name, ref); err != nil {
			return err
		}
	}
	return c.NoContent(http.StatusNoContent)
}
