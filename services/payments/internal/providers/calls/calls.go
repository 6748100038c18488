// Package calls makes calls to a payment provider's API: each try has a deadline, what is safe to repeat is repeated after a
// pause, and a provider that fails again and again is left alone for a while.
package calls

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/sony/gobreaker/v2"
)

// Policy says how calls are made. Zeros take the defaults in brackets.
type Policy struct {
	// Provider is its name, for the log.
	Provider string
	// Timeout bounds one try [8 s].
	Timeout time.Duration
	// Tries is how often a call is tried in all [3].
	Tries int
	// Pause before the second try, doubled each time, plus up to as much again by chance [150 ms].
	Pause time.Duration
	// BreakAfter is the number of outages in a row from which the provider is left alone [10].
	BreakAfter int
	// BreakFor is for how long [5 s].
	BreakFor time.Duration
	// IsOutage tells which errors of a try are the provider's outages; IsRepeatable which are worth another one.
	IsOutage, IsRepeatable func(error) bool
	Log                    *slog.Logger
}

// Caller makes calls. It is safe for concurrent use.
type Caller struct {
	policy  Policy
	breaker *gobreaker.CircuitBreaker[any]
}

// New makes a caller; it calls nobody.
func New(p Policy) *Caller {
	if p.Timeout <= 0 {
		p.Timeout = 8 * time.Second
	}
	if p.Tries <= 0 {
		p.Tries = 3
	}
	if p.Pause <= 0 {
		p.Pause = 150 * time.Millisecond
	}
	if p.BreakAfter <= 0 {
		p.BreakAfter = 10
	}
	if p.BreakFor <= 0 {
		p.BreakFor = 5 * time.Second
	}
	return &Caller{policy: p, breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Name:         p.Provider,
		Timeout:      p.BreakFor,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return int64(n.ConsecutiveFailures) >= int64(p.BreakAfter) },
		IsSuccessful: func(err error) bool { return !p.IsOutage(err) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			p.Log.Warn("circuit breaker moved", "provider", p.Provider, "from", from.String(), "to", to.String())
		},
	})}
}

// Health is the state of the circuit breaker: 0 closed, 0.5 half open, 1 open.
func (c *Caller) Health() float64 {
	return map[gobreaker.State]float64{gobreaker.StateClosed: 0, gobreaker.StateHalfOpen: 0.5,
		gobreaker.StateOpen: 1}[c.breaker.State()]
}

// Timeout bounds one try.
func (c *Caller) Timeout() time.Duration { return c.policy.Timeout }

// Do makes a call: try is called again while its errors are repeatable. It gives the last error, with ctx's when that ended the
// pause before another try.
func (c *Caller) Do(ctx context.Context, try func(ctx context.Context) error) error {
	pause := c.policy.Pause
	for n := 1; ; n++ {
		_, err := c.breaker.Execute(func() (any, error) {
			ctx, cancel := context.WithTimeout(ctx, c.policy.Timeout)
			defer cancel()
			return nil, try(ctx)
		})
		isClosed := errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests)
		if err == nil || n == c.policy.Tries || ctx.Err() != nil || isClosed || !c.policy.IsRepeatable(err) {
			return err
		}
		timer := time.NewTimer(pause + rand.N(pause)) //nolint:gosec // jitter, not a secret
		select {
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(err, ctx.Err())
		case <-timer.C:
		}
		pause *= 2
	}
}
