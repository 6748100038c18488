package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payins"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// mangopayWallet finds where a campaign's money goes; campaign is as provider.Tag has it.
func (a *App) mangopayWallet(ctx context.Context, campaign string) (provider.Wallet, error) {
	id, err := strconv.ParseInt(campaign, 10, 64)
	if err != nil {
		return provider.Wallet{}, fmt.Errorf("campaign %q: %w", campaign, provider.ErrRefused)
	}
	w, err := a.Payees.Wallet(ctx, mangopay.Name, id)
	return provider.Wallet{ID: w.Ref, Owner: w.Owner}, err
}

// walletOf is mangopayWallet for the calls that name it. Error: PaymentMethodUnsupported when the campaign takes no money there.
func (a *App) walletOf(ctx context.Context, campaignID int64) (provider.Wallet, error) {
	w, err := a.Payees.Wallet(ctx, mangopay.Name, campaignID)
	if errors.Is(err, provider.ErrRefused) {
		err = apperr.New(apperr.PaymentMethodUnsupported).Wrap(err)
	}
	return provider.Wallet{ID: w.Ref, Owner: w.Owner}, err
}

type payInHandlers = payins.Handlers

func (a *App) payInHandlers() *payInHandlers {
	whose := func(ctx context.Context, authorization string) (int64, error) {
		who, err := a.guard.Whose(ctx, authorization)
		return who.UserID, err
	}
	return payins.NewHandlers(payins.Options{Payments: a.Payments, WalletOf: a.walletOf, Whose: whose,
		PerPledge: ratelimit.Per(a.config.SetupPerPledgeMinute, time.Minute), PublicURL: a.config.PublicURL.String()})
}

// keptCards are those that a person may be offered again, in the contract's words.
func (a *App) keptCards(ctx context.Context, userID int64, name string) ([]api.KeptCard, error) {
	list, err := a.Payments.Kept(ctx, userID, name)
	out := make([]api.KeptCard, len(list))
	for i, c := range list {
		out[i] = payins.WireCard(c)
	}
	return out, err
}

// checkedPayIns are the calls of payins, whose requests are held to the contract.
func checkedPayIns(check []echo.MiddlewareFunc, into map[string][]echo.MiddlewareFunc) map[string][]echo.MiddlewareFunc {
	for _, call := range []string{"cardRegistrationData", "finishCardRegistration", "cardPayIn", "bankAccounts", "createBankAccount", "createMandate",
		"debitPayIn", "forgetKeptCard"} {
		into[call] = check
	}
	return into
}
