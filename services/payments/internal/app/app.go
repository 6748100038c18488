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

	"github.com/redis/go-redis/v9"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/charging/holders"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
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

	for _, makePart := range []func() error{a.makeGuard, a.makeRelays, a.makePayees, a.makeCharging} {
		if err := makePart(); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	a.makePayout()
	a.makeWatching()
	return a, nil
}

// makeGuard makes what knows the content service and who may act; and the providers.
func (a *App) makeGuard() error {
	content, err := contentClient(a.config, a.now)
	if err != nil {
		return err
	}
	secret, older := a.config.ServiceSecret.Keys()
	tokens, err := ordertoken.New(secret, a.now, older...)
	if err != nil {
		return err
	}
	a.content, a.guard = content, holders.New(tokens, content)
	a.Providers = a.providers(a.config)
	a.Routes = routing.New(slices.Collect(maps.Keys(a.Providers)), a.now)
	return nil
}

func (a *App) makeRelays() (err error) {
	relay := func(atOnce int, handlers map[string]outbox.Handler) (*outbox.Relay, error) {
		return outbox.NewRelay(outbox.Config{DB: a.DB, Now: a.now, Log: a.log, Handlers: handlers, OnlyHandled: true,
			AlarmAfter: eventAlarmAfter, Concurrency: atOnce})
	}
	sender := events.NewSender(a.content, a.giveBack)
	a.Relay, err = relay(a.config.Workers, map[string]outbox.Handler{events.Kind: sender.Handle,
		events.SubscriptionKind: sender.HandleSubscription, events.PayeeKind: sender.HandlePayee})
	if err != nil {
		return err
	}
	a.Forgets, err = relay(min(a.config.Workers, forgetsAtOnce), map[string]outbox.Handler{vault.KindForget: a.forget})
	return err
}

// wakeEvents has events delivered. A wake goes both ways: the worker process wakes its own loops and sends nothing;
// the API process wakes a worker by the queue.
func (a *App) wakeEvents() func() { return both(a.Relay.Wake, a.waker.Func(events.Deliver())) }

func (a *App) makePayees() error {
	c := a.config
	a.Payees = payees.New(payees.Options{DB: a.DB, Providers: provider.Having[payees.Provider](a.Providers),
		Now: a.now, Log: a.log, WakeEvents: a.wakeEvents()})
	seals, err := taxdata.NewSeals(append(c.SealingKey.All(), c.ServiceSecret.All()...)...)
	if err != nil {
		return err
	}
	a.TaxData = taxdata.New(taxdata.Options{DB: a.DB, Seals: seals, Remind: a.Payees.TellTaxReminder,
		WakeEvents: a.wakeEvents(), Now: a.now})
	return nil
}

func (a *App) makeCharging() (err error) {
	c := a.config
	a.Payments, err = payments.New(payments.Options{
		DB: a.DB, Providers: provider.Parts[payments.Provider](a.Providers), Router: a.Routes.Route, IsPaidInto: a.Payees.IsPaidInto,
		Content: a.content, Queue: a.queue,
		PublicURL: c.PublicURL.String(), Now: a.now, Log: a.log,
		Workers: c.Workers, PageWait: c.PageWait, CallWait: c.CallWait, Limiter: a.limiter,
		DeclinesPerHour: c.DeclinesPerHour, RefundsPerMinute: map[string]int{stripe.Name: c.RefundsPerMinuteA, mangopay.Name: c.RefundsPerMinuteB},
		WakeEvents: a.wakeEvents(), WakeTidy: both(a.tidy.Wake, a.waker.Func(payments.Tidy())),
	})
	if err != nil {
		return err
	}
	a.Subscriptions, err = subscriptions.New(subscriptions.Options{
		DB: a.DB, Payments: a.Payments, Providers: provider.Parts[subscriptions.Provider](a.Providers),
		Content: a.content, Now: a.now, Log: a.log, AtOnce: c.ChargesAtOnce, PerSecond: c.ChargesPerSecond,
		WakeEvents: a.wakeEvents(), WakeSteps: both(a.steps.Wake, a.waker.Func(subscriptions.Steps())),
	})
	return err
}

func (a *App) makePayout() {
	a.Endings = endings.New(a.DB, a.Payments, provider.Having[endings.Provider](a.Providers), a.now)
	a.Settlements = settlements.New(settlements.Options{
		DB: a.DB, Providers: provider.Having[settlements.Provider](a.Providers),
		Standing: a.Endings.Standing, StandingOfMonths: a.Endings.StandingOfMonths, Fresh: a.Payees.FreshToPay,
		Bank: a.Payees.BankOf, Held: a.TaxData.IsHeld, Tell: a.Payees.TellPayout, Off: a.Routes.OffSince, Now: a.now,
	})
}

func (a *App) makeWatching() {
	a.Webhooks = webhooks.New(webhooks.Options{
		DB: a.DB, Providers: provider.Parts[webhooks.Provider](a.Providers), Payments: a.Payments,
		Wake: both(a.drain.Wake, a.waker.Func(webhooks.Drain())), Now: a.now, Log: a.log,
		RefreshCard: a.Subscriptions.RefreshCard, CustomerGone: a.Subscriptions.CustomerGone,
		PayeeChanged: a.Payees.Changed, Sent: a.Settlements.Heard,
		Concurrency: a.config.Workers, Timeout: a.config.HookTimeout, Limiter: a.limiter,
	})
	a.Reconcile = reconcile.New(reconcile.Options{DB: a.DB, Payments: a.Payments,
		Providers: provider.Parts[reconcile.Provider](a.Providers), Reversed: a.Settlements.SeeReversals,
		Now: a.now, Log: a.log})
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
