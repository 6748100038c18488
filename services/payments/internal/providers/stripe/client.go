package stripe

import (
	"context"
	crand "crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/account"
	"github.com/stripe/stripe-go/v76/accountlink"
	"github.com/stripe/stripe-go/v76/balance"
	"github.com/stripe/stripe-go/v76/balancetransaction"
	"github.com/stripe/stripe-go/v76/charge"
	"github.com/stripe/stripe-go/v76/checkout/session"
	"github.com/stripe/stripe-go/v76/customer"
	"github.com/stripe/stripe-go/v76/dispute"
	"github.com/stripe/stripe-go/v76/loginlink"
	"github.com/stripe/stripe-go/v76/paymentintent"
	"github.com/stripe/stripe-go/v76/paymentmethod"
	"github.com/stripe/stripe-go/v76/payout"
	"github.com/stripe/stripe-go/v76/radar/earlyfraudwarning"
	"github.com/stripe/stripe-go/v76/refund"
	"github.com/stripe/stripe-go/v76/setupintent"
	"github.com/stripe/stripe-go/v76/transfer"
	"github.com/stripe/stripe-go/v76/transferreversal"

	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/calls"
)

// Name of the provider in our rows, accounts and events.
const Name = "stripe"

// Config says how to reach Stripe; zeros take the defaults in brackets.
type Config struct {
	// Key is the secret key.
	Key string
	// URL is the API's base address [Stripe's own].
	URL string
	// How calls are made, as in calls.Policy.
	Timeout    time.Duration
	Tries      int
	Pause      time.Duration
	BreakAfter int
	BreakFor   time.Duration
	// WebhookSecrets of the endpoint, several while one is being rolled; without any every hook is refused.
	WebhookSecrets []string
	// Transport to the API [the network].
	Transport http.RoundTripper
	// Pin is told the account of the key before the first call, and keeps every call from being made by its error [none].
	Pin func(ctx context.Context, account string) error
	Log *slog.Logger
}

// Client calls Stripe. It is safe for concurrent use.
type Client struct {
	config    Config
	calls     *calls.Caller
	intents   paymentintent.Client
	charges   charge.Client
	sessions  session.Client
	customers customer.Client
	methods   paymentmethod.Client
	setups    setupintent.Client
	refunds   refund.Client
	disputes  dispute.Client
	warnings  earlyfraudwarning.Client
	balance   balancetransaction.Client
	accounts  account.Client
	links     accountlink.Client
	logins    loginlink.Client
	balances  balance.Client
	transfers transfer.Client
	reversals transferreversal.Client
	payouts   payout.Client
}

// New makes a client; it calls nobody.
func New(c Config) *Client {
	caller := calls.New(calls.Policy{Provider: Name, Timeout: c.Timeout, Tries: c.Tries, Pause: c.Pause, BreakAfter: c.BreakAfter,
		BreakFor: c.BreakFor, IsOutage: isOutage, IsRepeatable: isRepeatable, Log: c.Log})
	if c.URL == "" {
		c.URL = sdk.APIURL
	}
	c.URL = strings.TrimSuffix(c.URL, "/")
	if c.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented type
		transport.MaxIdleConnsPerHost = 32
		c.Transport = transport
	}
	if c.Pin != nil {
		c.Transport = &pinned{base: c.Transport, pin: c.Pin}
	}
	c.Transport = tracing.ToOutside(c.Transport, Name)
	backend := sdk.GetBackendWithConfig(sdk.APIBackend, &sdk.BackendConfig{
		URL:               sdk.String(c.URL),
		HTTPClient:        &http.Client{Transport: c.Transport, Timeout: caller.Timeout()},
		MaxNetworkRetries: sdk.Int64(0), // retried here, where a replayed failure can be told from a fresh one
		EnableTelemetry:   sdk.Bool(false),
		// Its debug lines print whole bodies, client secrets included; what is worth knowing is in our errors.
		LeveledLogger: &sdk.LeveledLogger{Level: sdk.LevelNull},
	})
	return &Client{
		config:    c,
		calls:     caller,
		intents:   paymentintent.Client{B: backend, Key: c.Key},
		charges:   charge.Client{B: backend, Key: c.Key},
		sessions:  session.Client{B: backend, Key: c.Key},
		customers: customer.Client{B: backend, Key: c.Key},
		methods:   paymentmethod.Client{B: backend, Key: c.Key},
		setups:    setupintent.Client{B: backend, Key: c.Key},
		refunds:   refund.Client{B: backend, Key: c.Key},
		disputes:  dispute.Client{B: backend, Key: c.Key},
		warnings:  earlyfraudwarning.Client{B: backend, Key: c.Key},
		balance:   balancetransaction.Client{B: backend, Key: c.Key},
		accounts:  account.Client{B: backend, Key: c.Key},
		links:     accountlink.Client{B: backend, Key: c.Key},
		logins:    loginlink.Client{B: backend, Key: c.Key},
		balances:  balance.Client{B: backend, Key: c.Key},
		transfers: transfer.Client{B: backend, Key: c.Key}, reversals: transferreversal.Client{B: backend, Key: c.Key},
		payouts: payout.Client{B: backend, Key: c.Key},
	}
}

// Health is the state of the circuit breaker: 0 closed, 0.5 half open, 1 open.
func (c *Client) Health() float64 { return c.calls.Health() }

// Name is the provider's.
func (c *Client) Name() string { return Name }

// Traits of Stripe: docs.stripe.com/api/checkout/sessions/create#expires_at, docs.stripe.com/api/idempotent_requests.
func (c *Client) Traits() provider.Traits {
	return provider.Traits{HookIDs: true, Recurring: true, PageLife: 30 * time.Minute, KeyLife: 24 * time.Hour}
}

// isLive reports whether the key moves real money.
func (c *Client) isLive() bool {
	return strings.HasPrefix(c.config.Key, "sk_live_") || strings.HasPrefix(c.config.Key, "rk_live_")
}

// call runs one API call, repeating what is safe to repeat: reads, and writes by their idempotency key. Its errors may
// be logged, whatever the official client says.
func (c *Client) call(ctx context.Context, act string, try func(ctx context.Context) error) error {
	err := c.calls.Do(ctx, func(ctx context.Context) error { return scrub(try(ctx)) })
	if err != nil {
		return translate(act, err)
	}
	return nil
}

// each walks a list of the API, newest first, and stops at fn's first error.
func (c *Client) each(ctx context.Context, act string, iter interface {
	Next() bool
	Err() error
}, fn func() error) error {
	for iter.Next() {
		if err := fn(); err != nil {
			return err
		}
	}
	if err := scrub(iter.Err()); err != nil {
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			err = errors.Join(err, ctx.Err())
		}
		return translate(act, err)
	}
	return nil
}

// onceKey is the idempotency key of ending something: doing that again later is harmless, and must not meet the stored
// refusal or failure of an earlier time. Within one call all tries carry the same key.
func onceKey(act, id string) string { return act + ":" + id + ":" + crand.Text() }
