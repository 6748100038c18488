// Package app puts the payment service together. It is the table of contents: every part is made here, in the order in
// which the next needs it, for the two processes and for the tests. It holds no rules.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/api/internalapi"
	"talkoot.fi/payments/internal/book/openledger"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/charging/payins"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/payout/taxdata"
	"talkoot.fi/payments/internal/pins"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/payments/internal/wake"
	"talkoot.fi/payments/internal/watching/reconcile"
	"talkoot.fi/payments/internal/watching/webhooks"
)

// contentTimeout bounds one call to the content service.
const contentTimeout = 8 * time.Second

// eventAlarmAfter is about a day of failed deliveries. Until then an event is tried at least every five minutes: when
// the content service is back, what backers wait for comes soon.
const eventAlarmAfter = 300

// forgetsAtOnce is how many cards and customers one worker has deleted at once.
const forgetsAtOnce = 2

// warmConns is how many connections to PostgreSQL stand ready for calls however long none comes.
const warmConns = 2

// App is the whole service, wired. Make it with New and close it with Close.
type App struct {
	config Config
	log    *slog.Logger
	now    func() time.Time

	DB        *gorm.DB
	guard     *holders.Guard
	content   *contentclient.Client
	redis     redis.UniversalClient
	limiter   *ratelimit.Limiter
	queue     *jobs.Client
	waker     *wake.Sender
	drain     *wake.Waker // of the worker's loop over webhook events
	tidy      *wake.Waker // of its loop over attempts, refunds and disputes
	steps     *wake.Waker // of its loop over subscriptions
	Providers map[string]provider.Provider
	// Payees are who is paid; Routes say by which methods a campaign can be paid, and who takes each.
	Payees   *payees.Service
	Routes   *routing.Routes
	Payments *payments.Service
	// Subscriptions are what is paid monthly.
	Subscriptions *subscriptions.Service
	Endings       *endings.Service
	// Settlements are what reaches creators.
	Settlements *settlements.Service
	// TaxData is who is paid, as the law asks for it.
	TaxData   *taxdata.Service
	Webhooks  *webhooks.Service
	Reconcile *reconcile.Service
	// Relay tells the content service what became of payments; Forgets has the provider delete what nobody needs any more. They
	// share the outbox and nothing else: a provider that is slow to forget does not hold up events.
	Relay, Forgets *outbox.Relay
}

// New connects to PostgreSQL and makes every part. Redis, the provider and the content service may be down.
func New(ctx context.Context, c Config, now func() time.Time, log *slog.Logger) (*App, error) {
	a := &App{config: c, log: log, now: now, drain: wake.NewWaker(), tidy: wake.NewWaker(), steps: wake.NewWaker()}

	var err error
	a.DB, err = dbx.Open(ctx, dbx.Config{
		URL: c.DatabaseURL.Reveal(), AppName: "payments", MaxConns: c.DatabaseConns, Tracer: c.Tracer,
		Keep: c.KeepSessions, StatementTimeout: c.StatementTimeout,
	}, log)
	if err != nil {
		return nil, err
	}
	if a.redis, err = jobs.OpenRedis(c.RedisURL.Reveal()); err != nil {
		return nil, errors.Join(err, dbx.Close(a.DB))
	}
	a.queue, a.limiter = jobs.NewClient(a.redis), ratelimit.New(a.redis, now, log)
	a.waker = wake.New(a.queue, log, webhooks.Drain(), events.Deliver(), payments.Tidy(), subscriptions.Steps())

	content, err := contentClient(c, now)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.content = content
	secret, older := c.ServiceSecret.Keys()
	tokens, err := ordertoken.New(secret, now, older...)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.guard = holders.New(tokens, content)
	a.Providers = a.providers(c)
	a.Routes = routing.New(slices.Collect(maps.Keys(a.Providers)), now)
	sender := events.NewSender(content, a.giveBack)
	relay := func(atOnce int, handlers map[string]outbox.Handler) (*outbox.Relay, error) {
		return outbox.NewRelay(outbox.Config{DB: a.DB, Now: now, Log: log, Handlers: handlers, OnlyHandled: true,
			AlarmAfter: eventAlarmAfter, Concurrency: atOnce})
	}
	a.Relay, err = relay(c.Workers, map[string]outbox.Handler{events.Kind: sender.Handle, events.SubscriptionKind: sender.HandleSubscription,
		events.PayeeKind: sender.HandlePayee})
	if err == nil {
		a.Forgets, err = relay(min(c.Workers, forgetsAtOnce), map[string]outbox.Handler{vault.KindForget: a.forget})
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.Payees = payees.New(payees.Options{DB: a.DB, Providers: provider.Having[payees.Provider](a.Providers), Now: now, Log: log,
		WakeEvents: both(a.Relay.Wake, a.waker.Func(events.Deliver()))})
	seals, err := taxdata.NewSeals(append(c.SealingKey.All(), c.ServiceSecret.All()...)...)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.TaxData = taxdata.New(taxdata.Options{DB: a.DB, Seals: seals, Remind: a.Payees.TellTaxReminder, WakeEvents: both(a.Relay.Wake, a.waker.Func(events.Deliver())), Now: now})
	a.Payments, err = payments.New(payments.Options{
		DB: a.DB, Providers: provider.Parts[payments.Provider](a.Providers), Router: a.Routes.Route, IsPaidInto: a.Payees.IsPaidInto,
		Content: content, Queue: a.queue,
		PublicURL: c.PublicURL.String(), Now: now, Log: log,
		Workers: c.Workers, PageWait: c.PageWait, CallWait: c.CallWait, Limiter: a.limiter,
		DeclinesPerHour: c.DeclinesPerHour, RefundsPerMinute: map[string]int{stripe.Name: c.RefundsPerMinuteA, mangopay.Name: c.RefundsPerMinuteB},
		// Both ways: the worker process wakes its own loops and sends nothing; the API process wakes a worker by the queue.
		WakeEvents: both(a.Relay.Wake, a.waker.Func(events.Deliver())),
		WakeTidy:   both(a.tidy.Wake, a.waker.Func(payments.Tidy())),
	})
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.Subscriptions, err = subscriptions.New(subscriptions.Options{
		DB: a.DB, Payments: a.Payments, Providers: provider.Parts[subscriptions.Provider](a.Providers),
		Content: content, Now: now, Log: log, AtOnce: c.ChargesAtOnce, PerSecond: c.ChargesPerSecond,
		WakeEvents: both(a.Relay.Wake, a.waker.Func(events.Deliver())),
		WakeSteps:  both(a.steps.Wake, a.waker.Func(subscriptions.Steps())),
	})
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.Webhooks = webhooks.New(webhooks.Options{
		DB: a.DB, Providers: provider.Parts[webhooks.Provider](a.Providers), Payments: a.Payments,
		Wake: both(a.drain.Wake, a.waker.Func(webhooks.Drain())), Now: now, Log: log,
		RefreshCard: a.Subscriptions.RefreshCard, CustomerGone: a.Subscriptions.CustomerGone, PayeeChanged: a.Payees.Changed,
		Sent: func(ctx context.Context, provider, object string) error {
			return a.Settlements.Heard(ctx, provider, object)
		},
		Concurrency: c.Workers, Timeout: c.HookTimeout, Limiter: a.limiter,
	})
	a.Endings = endings.New(a.DB, a.Payments, provider.Having[endings.Provider](a.Providers), now)
	a.Settlements = settlements.New(settlements.Options{DB: a.DB, Providers: provider.Having[settlements.Provider](a.Providers), Standing: a.Endings.Standing,
		StandingOfMonths: a.Endings.StandingOfMonths, Fresh: a.Payees.FreshToPay, Bank: a.Payees.BankOf, Held: a.TaxData.IsHeld, Tell: a.Payees.TellPayout, Off: a.Routes.OffSince, Now: now})
	a.Reconcile = reconcile.New(reconcile.Options{DB: a.DB, Payments: a.Payments,
		Providers: provider.Parts[reconcile.Provider](a.Providers), Reversed: a.Settlements.SeeReversals, Now: now, Log: log})
	return a, nil
}

// providers are those that have a key, by name. A new one is made here and nowhere else.
func (a *App) providers(c Config) map[string]provider.Provider {
	out := map[string]provider.Provider{}
	if c.StripeSecretKey.IsSet() {
		out[stripe.Name] = stripe.New(stripe.Config{
			Key: c.StripeSecretKey.Reveal(), URL: c.StripeAPIURL, WebhookSecrets: c.webhookSecrets(),
			Pin:       func(ctx context.Context, account string) error { return pins.Pin(ctx, a.DB, stripe.Name, account) },
			Transport: c.StripeTransport, Pause: c.StripePause, BreakAfter: c.StripeBreakAfter, Log: a.log,
		})
	}
	if c.MangopayAPIKey.IsSet() {
		out[mangopay.Name] = mangopay.New(mangopay.Config{
			ClientID: c.MangopayClientID, APIKey: c.MangopayAPIKey.Reveal(), URL: c.MangopayAPIURL, HookURL: c.MangopayHookURL, Wallet: a.mangopayWallet,
			Transport: c.MangopayTransport, Pause: c.MangopayPause, BreakAfter: c.MangopayBreakAfter, Sleep: c.MangopaySleep,
			Now: a.now, Log: a.log,
		})
	}
	return out
}

// CheckAccounts makes sure that every provider's key is of the account that our money is in. A provider that does not answer is
// no error: it is asked again before its first call. Error: provider.ErrOtherAccount.
func (a *App) CheckAccounts(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	for name, p := range a.Providers {
		pinned, can := p.(interface {
			CheckAccount(ctx context.Context) error
		})
		if !can {
			continue
		}
		if err := pinned.CheckAccount(ctx); errors.Is(err, provider.ErrOtherAccount) {
			return err //nolint:wrapcheck // it says all
		} else if err != nil {
			a.log.WarnContext(ctx, "the account at a provider is not known yet", "provider", name, "error", err)
		}
	}
	return nil
}

// noteUnopened says at a start that a key is missing: it is needed until `payments reseal` has run.
func (a *App) noteUnopened(ctx context.Context) {
	n, err := a.TaxData.Unopened(ctx)
	if err != nil || n > 0 {
		a.log.ErrorContext(ctx, "tax data are sealed by a key that is not here: give SEALING_KEY (or SERVICE_SECRET) the one of before, too", "records", n, "error", err)
	}
}

// accountTimeout bounds how long a start waits for the providers to say whose their keys are.
const accountTimeout = 5 * time.Second

// giveBack refunds a payment whose money the content service does not accept; a subscription whose month it is ends.
// Repeated, it changes nothing.
func (a *App) giveBack(ctx context.Context, paymentID string, outcome events.Outcome) error {
	p, err := a.Payments.Payment(ctx, paymentID)
	if err == nil && p.Subject.Kind == string(contentclient.Subscription) {
		_, _, err = a.Subscriptions.Close(ctx, p.Subject.ID, subscriptions.CampaignClosed)
	}
	if err == nil {
		_, _, err = a.Payments.Refund(ctx, paymentID, refunds.Wish{Reason: refunds.Reason(outcome)})
	}
	return err
}

// Deliver takes due messages of each kind once, and returns how many; for those who have a clock of their own.
func (a *App) Deliver(ctx context.Context, batch int) (int, error) {
	told, err := a.Relay.RunOnce(ctx, batch)
	if err != nil {
		return told, err
	}
	forgot, err := a.Forgets.RunOnce(ctx, batch)
	return told + forgot, err
}

// forget hands on what is to be forgotten at a provider; the relay is made before the subscriptions are.
func (a *App) forget(ctx context.Context, m outbox.Message) error {
	return a.Subscriptions.Forget(ctx, m)
}

func both(one, other func()) func() {
	return func() { one(); other() }
}

// Now is the service's clock.
func (a *App) Now() time.Time { return a.now() }

// Close lets go of PostgreSQL and Redis.
func (a *App) Close() error { return errors.Join(a.redis.Close(), dbx.Close(a.DB)) }

func contentClient(c Config, now func() time.Time) (*contentclient.Client, error) {
	secret, _ := c.ServiceSecret.Keys()
	signer, err := servicetoken.NewSigner(secret, servicetoken.Payments, now)
	if err != nil {
		return nil, err
	}
	base := c.ContentTransport
	if base == nil {
		base = http.DefaultTransport
	}
	caller := &http.Client{Timeout: contentTimeout, Transport: servicetoken.Transport(base, signer, servicetoken.Content)}
	client, err := contentclient.NewClient(c.ContentURL.String(), contentclient.WithHTTPClient(caller))
	if err != nil {
		return nil, fmt.Errorf("make the client of the content service: %w", err)
	}
	return client, nil
}

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

// routeInternal registers what only the content service may call; the public edge answers 404 on it.
func (a *App) routeInternal(e *echo.Echo) error {
	spec, err := internalapi.GetSpecJSON()
	if err != nil {
		return fmt.Errorf("read the internal contract: %w", err)
	}
	promised, err := contract.Load(spec)
	if err != nil {
		return err
	}
	secret, others := a.config.ServiceSecret.Keys()
	verifier, err := servicetoken.NewVerifier(secret, servicetoken.Content, servicetoken.Payments, a.now, others...)
	if err != nil {
		return fmt.Errorf("service token: %w", err)
	}
	routes := httpx.Routes(e, servicetoken.Require(verifier), promised.Middleware())
	internalapi.RegisterHandlers(routes, internalapi.NewStrictHandler(internalServer{a}, nil))
	return nil
}

// internalServer is the internal contract: what is closed is a payment or a subscription.
type internalServer struct{ app *App }

// HoldCampaign has nothing charged for a campaign, or lets it go on.
func (s internalServer) HoldCampaign(ctx context.Context, r internalapi.HoldCampaignRequestObject) (
	internalapi.HoldCampaignResponseObject, error) {
	return internalapi.HoldCampaign204Response{}, s.app.Subscriptions.HoldCampaign(ctx, r.CampaignID, r.Body.Number, r.Body.IsOnHold)
}

// ClosePayment ends what nobody wants paid any more.
func (s internalServer) ClosePayment(ctx context.Context, r internalapi.ClosePaymentRequestObject) (
	internalapi.ClosePaymentResponseObject, error) {
	if r.Body.SubjectKind == internalapi.Subscription {
		return s.app.Subscriptions.ClosePayment(ctx, r)
	}
	return payments.NewInternalHandlers(s.app.Payments).ClosePayment(ctx, r)
}

// RefundPledge begins a refund that people have agreed or decided about.
func (s internalServer) RefundPledge(ctx context.Context, r internalapi.RefundPledgeRequestObject) (
	internalapi.RefundPledgeResponseObject, error) {
	return payments.NewInternalHandlers(s.app.Payments).RefundPledge(ctx, r)
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

// Serve runs the API until ctx ends.
func (a *App) Serve(ctx context.Context) error {
	if err := a.CheckAccounts(ctx); err != nil {
		return err
	}
	a.noteUnopened(ctx)
	handler, err := a.Handler()
	if err != nil {
		return err
	}
	// Requests that are still answered after ctx has ended wake too.
	waking, stop := context.WithCancel(context.WithoutCancel(ctx))
	var group errgroup.Group
	group.Go(func() error { return a.waker.Run(waking) })
	group.Go(func() error { return dbx.KeepWarm(waking, a.DB, warmConns) })
	group.Go(func() error {
		defer stop()
		return httpx.Run(ctx, handler, a.config.Addr, a.config.Leave)
	})
	return group.Wait()
}
