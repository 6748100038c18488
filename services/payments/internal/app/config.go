package app

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/kit/tracing"
)

// Config is what the process is given: the environment, read by conf.Load, whose tag help says what each variable is
// for.
type Config struct {
	Addr        string        `env:"ADDR" default:"127.0.0.1:8082" help:"address the API listens on; :8082 in a container"`
	WorkAddr    string        `env:"WORK_ADDR" help:"address of the worker's health and metrics; empty for none"`
	Leave       time.Duration `env:"DRAIN_PAUSE" default:"0s" help:"how long /readyz says no before the API stops accepting"`
	DatabaseURL conf.Secret   `env:"DATABASE_URL" required:"true" help:"postgres://user:password@host:port/database"`
	RedisURL    conf.Secret   `env:"REDIS_URL" required:"true" help:"redis://host:port/0"`
	PublicURL   url.URL       `env:"PUBLIC_URL" required:"true" help:"address of the web app, for the way back from payment pages"`
	ContentURL  url.URL       `env:"CONTENT_URL" required:"true" help:"address of the content service"`

	StripeSecretKey      conf.Secret `env:"STRIPE_SECRET_KEY" help:"sk_…; empty turns provider A off"`
	StripePublishableKey string      `env:"STRIPE_PUBLISHABLE_KEY" help:"pk_…, handed to browsers"`
	StripeAPIURL         string      `env:"STRIPE_API_URL" help:"empty for Stripe's own"`
	StripeWebhookSecret  conf.Secret `env:"STRIPE_WEBHOOK_SECRET" help:"whsec_…; several, separated by commas, while one is being rolled"`

	MangopayClientID string      `env:"MANGOPAY_CLIENT_ID" help:"the platform's name at Mangopay"`
	MangopayAPIKey   conf.Secret `env:"MANGOPAY_API_KEY" help:"empty turns provider B off"`
	MangopayAPIURL   string      `env:"MANGOPAY_API_URL" help:"empty for Mangopay's own"`
	MangopayHookURL  string      `env:"MANGOPAY_HOOK_URL" help:"how Mangopay reaches /api/webhooks/mangopay; empty leaves its hooks as they are"`

	// Traces are where traces are sent, and which.
	Traces tracing.Config

	ServiceSecret  conf.Secret `env:"SERVICE_SECRET" required:"true" help:"shared with the content service, at least 32 bytes; behind a comma those of before"`
	SealingKey     conf.Secret `env:"SEALING_KEY" help:"seals tax data, at least 32 bytes; behind a comma those of before. Without it a key that follows from SERVICE_SECRET does"`
	CORSOrigins    []string    `env:"CORS_ORIGINS" help:"origins whose pages may call us, separated by commas"`
	TrustedProxies []string    `env:"TRUSTED_PROXIES" help:"networks whose X-Forwarded-For is believed, separated by commas; empty for loopback"`

	SetupPerMinute       int           `env:"RATE_LIMIT_SETUP" default:"60" min:"1" help:"setups and payment pages per minute and address"`
	DeclinesPerHour      int           `env:"RATE_LIMIT_DECLINES" default:"30" min:"1" help:"refused cards per hour and address; a third of it per card, ten times as many per campaign"`
	SetupPerPledgeMinute int           `env:"RATE_LIMIT_SETUP_OF_PLEDGE" default:"30" min:"1" help:"setups and payment pages per minute and pledge"`
	DatabaseConns        int           `env:"DATABASE_CONNS" default:"16" min:"1" help:"connections to PostgreSQL of one process"`
	WorkConcurrency      int           `env:"WORK_CONCURRENCY" default:"10" min:"1" help:"jobs at once of one worker"`
	ChargesPerSecond     int           `env:"CHARGES_PER_SECOND" default:"5" min:"1" help:"monthly charges that one worker begins in a second"`
	ChargesAtOnce        int           `env:"CHARGES_AT_ONCE" default:"16" min:"1" help:"monthly charges at once of one worker"`
	RefundsPerMinuteA    int           `env:"REFUNDS_PER_MINUTE_STRIPE" default:"600" min:"1" help:"refunds of whole campaigns that are sent to provider A in a minute, of five calls each"`
	RefundsPerMinuteB    int           `env:"REFUNDS_PER_MINUTE_MANGOPAY" default:"36" min:"1" help:"the same of provider B, of two calls each"`
	SweepEvery           time.Duration `env:"SWEEP_EVERY" default:"5s" help:"how often a worker looks for work that the queue lost"`

	// What follows is not from the environment: tests and simulations, which run the service in their own process, set it.
	// Zeros take the usual values.

	// StripeTransport carries calls to the provider.
	StripeTransport http.RoundTripper
	// StripePause is before a call's second try.
	StripePause time.Duration
	// StripeBreakAfter is the number of failures in a row after which the provider is left alone for a while.
	StripeBreakAfter int
	// MangopayTransport, MangopayPause and MangopayBreakAfter are the same of the other one.
	MangopayTransport  http.RoundTripper
	MangopayPause      time.Duration
	MangopayBreakAfter int
	// MangopaySleep waits between two looks whether a report of Mangopay's is there.
	MangopaySleep func(ctx context.Context, d time.Duration) error
	// ContentTransport carries calls to the content service.
	ContentTransport http.RoundTripper
	// Tracer sees every statement.
	Tracer pgx.QueryTracer
	// KeepSessions is dbx.Config.Keep.
	KeepSessions func(settings string, connect driver.Connector) driver.Connector
	// StatementTimeout bounds one statement.
	StatementTimeout time.Duration
	// Workers is how many pieces of work each of the worker's loops does at once.
	Workers int
	// PageWait is how long a request waits for its hosted page.
	PageWait time.Duration
	// CallWait is how long a request waits for the provider.
	CallWait time.Duration
	// HookTimeout bounds the work on one webhook event.
	HookTimeout time.Duration
}

// Validate checks what one variable alone does not tell.
func (c *Config) Validate() error {
	var faults []error
	for _, one := range c.ServiceSecret.List() {
		if len(one) < servicetoken.MinSecretBytes {
			faults = append(faults, fmt.Errorf("SERVICE_SECRET has fewer than %d bytes: make a longer one", servicetoken.MinSecretBytes))
		}
	}
	for _, one := range c.SealingKey.List() {
		if len(one) < servicetoken.MinSecretBytes {
			faults = append(faults, fmt.Errorf("SEALING_KEY has fewer than %d bytes: make a longer one", servicetoken.MinSecretBytes))
		}
	}
	if c.Leave < 0 {
		faults = append(faults, errors.New("DRAIN_PAUSE must not be negative"))
	}
	for name, addr := range map[string]string{"ADDR": c.Addr, "WORK_ADDR": c.WorkAddr} {
		if err := httpx.CheckAddr(addr); addr != "" && err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	if c.StripeSecretKey.IsSet() {
		if len(c.webhookSecrets()) == 0 {
			faults = append(faults, errors.New("STRIPE_WEBHOOK_SECRET is not set but STRIPE_SECRET_KEY is: anybody could sign "+
				"webhooks"))
		}
		if c.StripePublishableKey == "" {
			faults = append(faults, errors.New("STRIPE_PUBLISHABLE_KEY is not set but STRIPE_SECRET_KEY is: browsers could "+
				"not pay"))
		}
	}
	if c.MangopayAPIKey.IsSet() && c.MangopayClientID == "" {
		faults = append(faults, errors.New("MANGOPAY_CLIENT_ID is not set but MANGOPAY_API_KEY is"))
	}
	faults = append(faults, c.Traces.Validate())
	if _, err := httpx.ParseProxies(c.TrustedProxies); err != nil {
		faults = append(faults, fmt.Errorf("TRUSTED_PROXIES: %w", err))
	}
	return errors.Join(faults...)
}

func (c *Config) webhookSecrets() []string {
	var out []string
	for s := range strings.SplitSeq(c.StripeWebhookSecret.Reveal(), ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (c *Config) proxies() []netip.Prefix {
	list, _ := httpx.ParseProxies(c.TrustedProxies) // checked by Validate
	return list
}
