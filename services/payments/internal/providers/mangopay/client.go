package mangopay

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/calls"
)

// Name of the provider in our rows, accounts and events.
const Name = "mangopay"

// productionURL is the API's base address. docs.mangopay.com/api-reference/overview/api-environments
const productionURL = "https://api.mangopay.com"

// Config says how to reach Mangopay; zeros take the defaults in brackets.
type Config struct {
	ClientID string
	APIKey   string
	// URL is the API's base address, without /v2.01 [Mangopay's production].
	URL string
	// How calls are made, as in calls.Policy.
	Timeout    time.Duration
	Tries      int
	Pause      time.Duration
	BreakAfter int
	BreakFor   time.Duration
	// Wallet finds where a campaign's money goes, and whose that is. Error: provider.ErrRefused when the campaign takes none here.
	Wallet func(ctx context.Context, campaign string) (provider.Wallet, error)
	// HookURL is where events are told; without it no hooks are kept.
	HookURL string
	// Transport to the API [the network].
	Transport http.RoundTripper
	// Sleep waits between two looks whether a report is there; it ends with ctx and then gives its error [a timer].
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time
	Log   *slog.Logger
}

var (
	_ provider.Provider      = (*Client)(nil)
	_ provider.Registrations = (*Client)(nil)
	_ provider.Repayments    = (*Client)(nil)
	_ provider.Contests      = (*Client)(nil)
)

// Client calls Mangopay. It is safe for concurrent use.
type Client struct {
	config Config
	calls  *calls.Caller
	http   *http.Client
	token  token
	rate   rate
}

// New makes a client; it calls nobody.
func New(c Config) *Client {
	if c.URL == "" {
		c.URL = productionURL
	}
	c.URL = strings.TrimSuffix(c.URL, "/")
	if c.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented type
		transport.MaxIdleConnsPerHost = 32
		c.Transport = transport
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	client := &Client{config: c, http: &http.Client{Transport: tracing.ToOutside(c.Transport, Name)}}
	client.calls = calls.New(calls.Policy{Provider: Name, Timeout: c.Timeout, Tries: c.Tries, Pause: c.Pause, BreakAfter: c.BreakAfter,
		BreakFor: c.BreakFor, IsOutage: isOutage, IsRepeatable: isRepeatable, Log: c.Log})
	return client
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Name is the provider's.
func (c *Client) Name() string { return Name }

// Health is the state of the circuit breaker: 0 closed, 0.5 half open, 1 open.
func (c *Client) Health() float64 { return c.calls.Health() }

// Traits of Mangopay: docs.mangopay.com/api-reference/overview/idempotency, docs.mangopay.com/guides/payment-methods/card/web.
func (c *Client) Traits() provider.Traits {
	return provider.Traits{PageLife: 15 * time.Minute, KeyLife: 24 * time.Hour, SettledHook: "PAYIN_REFUND_SUCCEEDED"}
}
