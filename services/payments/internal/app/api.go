package app

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/book/openledger"
	"talkoot.fi/payments/internal/charging/payins"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/payout/taxdata"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/payments/internal/watching/webhooks"
)

// server is the contract, composed of the domains' calls.
type server struct {
	*paymentHandlers
	*subscriptionHandlers
	*payeeHandlers
	*settlementHandlers
	*taxHandlers
	*ledgerHandlers
	*routingHandlers
	*deskHandlers
	*payInHandlers
	webhooks *webhooks.Service
}

type (
	paymentHandlers      = payments.Handlers
	subscriptionHandlers = subscriptions.Handlers
	payeeHandlers        = payees.Handlers
	settlementHandlers   = settlements.Handlers
	taxHandlers          = taxdata.Handlers
	ledgerHandlers       = openledger.Handlers
	routingHandlers      = routing.Handlers
	deskHandlers         = desk.Handlers
)

// StripeWebhook stores an event of provider A.
func (s server) StripeWebhook(c echo.Context, _ api.StripeWebhookParams) error {
	return s.webhooks.Receive(c, stripe.Name)
}

// MangopayWebhook stores an event of provider B.
func (s server) MangopayWebhook(c echo.Context, _ api.MangopayWebhookParams) error {
	return s.webhooks.Receive(c, mangopay.Name)
}

// Handler is the HTTP API.
func (a *App) Handler() (http.Handler, error) {
	spec, err := api.GetSpecJSON()
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	promised, err := contract.Load(spec)
	if err != nil {
		return nil, err
	}
	c := a.config
	e, err := a.newEcho(security(promised), a.stateOfProviders())
	if err != nil {
		return nil, err
	}
	check := []echo.MiddlewareFunc{promised.Middleware()}
	rules, perSubject := payments.Rules(ratelimit.Per(c.SetupPerMinute, time.Minute)), ratelimit.Per(c.SetupPerPledgeMinute,
		time.Minute)
	maps.Copy(rules, payees.Rules())
	maps.Copy(rules, settlements.Rules())
	maps.Copy(rules, taxdata.Rules())
	maps.Copy(rules, openledger.Rules())
	maps.Copy(rules, routing.Rules())
	maps.Copy(rules, desk.Rules())
	maps.Copy(rules, subscriptions.Rules(ratelimit.Per(c.SetupPerMinute, time.Minute)))
	maps.Copy(rules, payins.Rules(ratelimit.Per(c.SetupPerMinute, time.Minute)))
	limit := a.limiter.ByAddress(rules)
	api.RegisterHandlersWithOptions(httpx.Routes(e, limit, a.guard.Middleware), server{
		paymentHandlers:      payments.NewHandlers(a.Payments, perSubject, c.StripePublishableKey),
		subscriptionHandlers: subscriptions.NewHandlers(a.Subscriptions, a.guard.AlsoHolds, perSubject, c.StripePublishableKey),
		payeeHandlers:        payees.NewHandlers(a.Payees, a.guard.Whose, c.PublicURL.String()),
		settlementHandlers:   settlements.NewHandlers(a.Settlements, a.guard.Whose),
		taxHandlers:          taxdata.NewHandlers(a.TaxData, a.guard.Whose),
		ledgerHandlers:       openledger.NewHandlers(a.DB),
		routingHandlers:      routing.NewHandlers(a.DB, a.Routes, a.Payees, a.guard.Whose, a.keptCards),
		payInHandlers:        a.payInHandlers(),
		deskHandlers: desk.NewHandlers(desk.Options{DB: a.DB, Whose: a.guard.Whose, Holds: a.guard.Holds, Content: a.content, Payments: a.Payments, Settlements: a.Settlements, Support: a.Subscriptions,
			Webhooks: a.Webhooks, Routes: a.Routes, Providers: slices.Collect(maps.Keys(a.Providers)), Contests: provider.Having[provider.Contests](a.Providers),
			PublicURL: c.PublicURL.String(), Bank: a.Payees.BankOf, TaxMissingBy: a.TaxData.MissingBy, TaxReport: a.TaxData.Answer, Now: a.now}),
		webhooks: a.Webhooks,
	}, api.RegisterHandlersOptions{OperationMiddlewares: desk.Checked(check, checkedPayIns(check, map[string][]echo.MiddlewareFunc{
		// A webhook is not in the list: its signature is over the raw body, and is checked before anything is parsed.
		"setupPledgePayment": check, "pledgePayment": check, "pledgePaymentPage": check,
		"setupSubscriptionPayment": check, "subscription": check, "subscriptionPayment": check, "cancelSubscription": check,
		"modifySubscriptionLevel": check, "skipSubscriptionMonth": check, "pauseSubscription": check,
		"resumeSubscription": check, "setSubscriptionNotices": check, "setupSubscriptionCard": check,
		"changeSubscriptionCard": check, "lookAtSubscriptionLink": check, "setupSubscriptionLink": check,
		"followSubscriptionLink": check, "campaignMethods": check, "ownPayees": check, "ownPayouts": check, "payoutStatement": check, "payoutLines": check,
		"taxData": check, "setTaxData": check, "taxDataValues": check, "taxReports": check, "taxReport": check,
		"ledgerDays": check, "createCreatorAccount": check,
		"verifyCreatorAccount": check, "onboardStripeAccount": check, "linkStripeAccount": check, "updateStripeAccount": check,
		"addPayoutBank": check, "payoutBankFields": check, "confirmPayoutBank": check, "endPayoutBank": check,
	}))})
	return e, a.routeInternal(e)
}

func (a *App) newEcho(events httpx.Security, state ...prometheus.Collector) (*echo.Echo, error) {
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(state...)
	if err := dbx.RegisterPool(metrics, a.DB, "payments"); err != nil {
		return nil, err
	}
	return httpx.New(httpx.Options{
		Metrics: metrics, Security: events,
		Log: a.log, Now: a.now, Name: "payments", CORSOrigins: a.config.CORSOrigins, BodyLimit: webhooks.MaxBody,
		PublicURL:      a.config.PublicURL.String(),
		TrustedProxies: a.config.proxies(), Classify: classify,
		// Redis and the provider are not here: without them we still take webhooks and answer what we know.
		Ready: []httpx.Check{{Name: "database", Run: a.pingDatabase}},
	}), nil
}

func (a *App) pingDatabase(ctx context.Context) error {
	pool, err := a.DB.DB()
	if err != nil {
		return err
	}
	return pool.PingContext(ctx)
}

func classify(err error) *apperr.Error {
	if dbx.IsUnavailable(err) {
		return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second)
	}
	if dbx.IsTimeout(err) {
		return apperr.New(apperr.Busy).RetryAfter(2 * time.Second)
	}
	if dbx.IsNoText(err) {
		return apperr.New(apperr.MalformedBody)
	}
	return nil
}
