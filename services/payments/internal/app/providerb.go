package app

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/payins"
	"talkoot.fi/payments/internal/payments"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// ProviderB is what provider B's calls for pledges need of the rest. This is the one place where it is wired: without it the calls answer
// that the method cannot be used.
type ProviderB struct {
	// Provider takes what Router leaves to it.
	Provider provider.Provider
	Router   payments.Router
	// WalletOf and Whose are as in payins.Options.
	WalletOf func(ctx context.Context, campaignID int64) (id string, err error)
	Whose    func(ctx context.Context, authorization string) (userID int64, err error)
}

// router names the provider of what begins now.
func (c Config) router() payments.Router {
	if c.ProviderB.Router != nil {
		return c.ProviderB.Router
	}
	return func(payments.Way) string { return stripe.Name }
}

type payInHandlers = payins.Handlers

func (a *App) payInHandlers() *payInHandlers {
	c := a.config
	return payins.NewHandlers(payins.Options{Payments: a.Payments, WalletOf: c.ProviderB.WalletOf, Whose: c.ProviderB.Whose,
		PerPledge: ratelimit.Per(c.SetupPerPledgeMinute, time.Minute), PublicURL: c.PublicURL})
}

// checkedPayIns are the calls of payins, whose requests are held to the contract.
func checkedPayIns(check []echo.MiddlewareFunc, into map[string][]echo.MiddlewareFunc) map[string][]echo.MiddlewareFunc {
	for _, call := range []string{"cardRegistrationData", "finishCardRegistration", "cardPayIn", "bankAccounts", "createBankAccount", "createMandate",
		"debitPayIn", "forgetKeptCard"} {
		into[call] = check
	}
	return into
}
