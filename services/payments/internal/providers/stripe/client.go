package stripe

import (
	"context"
	crand "crypto/rand"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"
	sdk "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/balancetransaction"
	"github.com/stripe/stripe-go/v76/charge"
	"github.com/stripe/stripe-go/v76/checkout/session"
	"github.com/stripe/stripe-go/v76/customer"
	"github.com/stripe/stripe-go/v76/dispute"
	"github.com/stripe/stripe-go/v76/paymentintent"
	"github.com/stripe/stripe-go/v76/paymentmethod"
	"github.com/stripe/stripe-go/v76/refund"
	"github.com/stripe/stripe-go/v76/setupintent"

	"talkoot.fi/payments/internal/provider"
)

// Name of the provider in our rows, accounts and events.
const Name = "stripe"

// Config says how to reach Stripe; zeros take the defaults in brackets.
type Config struct {
	// Key is the secret key.
	Key string
	// URL is the API's base address [Stripe's own].
	URL string
	// Timeout bounds one try [8 s].
	Timeout time.Duration
	// Tries is how often a call is tried in all [3].
	Tries int
	// Pause before the second try, doubled each time, plus up to as much again by chance [150 ms].
	Pause time.Duration
	// BreakAfter is the number of failures in a row from which Stripe is left alone [10].
	BreakAfter int
	// BreakFor is for how long [5 s].
	BreakFor time.Duration
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
	breaker   *gobreaker.CircuitBreaker[any]
	intents   paymentintent.Client
	charges   charge.Client
	sessions  session.Client
	customers customer.Client
	methods   paymentmethod.Client
	setups    setupintent.Client
	refunds   refund.Client
	disputes  dispute.Client
	balance   balancetransaction.Client
}

// New makes a client; it calls nobody.
func New(c Config) *Client {
	if c.Timeout <= 0 {
		c.Timeout = 8 * time.Second
	}
	if c.Tries <= 0 {
		c.Tries = 3
	}
	if c.Pause <= 0 {
		c.Pause = 150 * time.Millisecond
	}
	if c.BreakAfter <= 0 {
		c.BreakAfter = 10
	}
	if c.BreakFor <= 0 {
		c.BreakFor = 5 * time.Second
	}
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
	backend := sdk.GetBackendWithConfig(sdk.APIBackend, &sdk.BackendConfig{
		URL:               sdk.String(c.URL),
		HTTPClient:        &http.Client{Transport: c.Transport, Timeout: c.Timeout},
		MaxNetworkRetries: sdk.Int64(0), // retried here, where a replayed failure can be told from a fresh one
		EnableTelemetry:   sdk.Bool(false),
		// Its debug lines print whole bodies, client secrets included; what is worth knowing is in our errors.
		LeveledLogger: &sdk.LeveledLogger{Level: sdk.LevelNull},
	})
	client := &Client{
		config:    c,
		intents:   paymentintent.Client{B: backend, Key: c.Key},
		charges:   charge.Client{B: backend, Key: c.Key},
		sessions:  session.Client{B: backend, Key: c.Key},
		customers: customer.Client{B: backend, Key: c.Key},
		methods:   paymentmethod.Client{B: backend, Key: c.Key},
		setups:    setupintent.Client{B: backend, Key: c.Key},
		refunds:   refund.Client{B: backend, Key: c.Key},
		disputes:  dispute.Client{B: backend, Key: c.Key},
		balance:   balancetransaction.Client{B: backend, Key: c.Key},
	}
	client.breaker = gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Name:         Name,
		Timeout:      c.BreakFor,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return int64(n.ConsecutiveFailures) >= int64(c.BreakAfter) },
		IsSuccessful: func(err error) bool { return !isOutage(err) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			c.Log.Warn("circuit breaker moved", "provider", Name, "from", from.String(), "to", to.String())
		},
	})
	return client
}

// Health is the state of the circuit breaker: 0 closed, 0.5 half open, 1 open.
func (c *Client) Health() float64 {
	return map[gobreaker.State]float64{gobreaker.StateClosed: 0, gobreaker.StateHalfOpen: 0.5,
		gobreaker.StateOpen: 1}[c.breaker.State()]
}

// Name is the provider's.
func (c *Client) Name() string { return Name }

// Traits of Stripe: docs.stripe.com/api/checkout/sessions/create#expires_at, docs.stripe.com/api/idempotent_requests.
func (c *Client) Traits() provider.Traits {
	return provider.Traits{HookIDs: true, PageLife: 30 * time.Minute, KeyLife: 24 * time.Hour}
}

// isLive reports whether the key moves real money.
func (c *Client) isLive() bool {
	return strings.HasPrefix(c.config.Key, "sk_live_") || strings.HasPrefix(c.config.Key, "rk_live_")
}

// call runs one API call, repeating what is safe to repeat: reads, and writes by their idempotency key. Its errors may
// be logged, whatever the official client says.
func (c *Client) call(ctx context.Context, act string, try func(ctx context.Context) error) error {
	pause := c.config.Pause
	for n := 1; ; n++ {
		_, err := c.breaker.Execute(func() (any, error) {
			ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
			defer cancel()
			return nil, scrub(try(ctx))
		})
		if err == nil {
			return nil
		}
		if n == c.config.Tries || ctx.Err() != nil || !isRepeatable(err) {
			return translate(act, err)
		}
		timer := time.NewTimer(pause + rand.N(pause)) //nolint:gosec // jitter, not a secret
		select {
		case <-ctx.Done():
			timer.Stop()
			return translate(act, errors.Join(err, ctx.Err()))
		case <-timer.C:
		}
		pause *= 2
	}
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
