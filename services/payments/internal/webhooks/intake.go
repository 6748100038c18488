// Package webhooks receives what providers tell us and hands it to the payments it is about.
//
// It owns the stored events. Invariants: an event is stored once, by the provider's own id, after the provider's adapter
// has checked the raw delivery, and nothing is decided while the provider waits; of a provider whose events have no ids
// one row a type and object is kept, and each delivery makes it wait again. The worker fetches the object anew and lets
// package payments advance the payment. An event is a hint that may come late, twice or never.
package webhooks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/payments/internal/payments"
	"talkoot.fi/payments/internal/provider"
)

// MaxBody is the largest body in bytes; the events we subscribe to have a tenth of it.
const MaxBody = 64 << 10

// What became of a stored event.
const (
	statusReceived  = "received"
	statusProcessed = "processed"
	statusIgnored   = "ignored"
	statusRefused   = "refused"
)

// Options are the parts of a Service. All are needed but those with a default, which stands in brackets.
type Options struct {
	DB        *gorm.DB
	Providers map[string]provider.Provider // by their names
	Payments  *payments.Service
	// Wake tells the workers of a stored event and must not block.
	Wake func()
	Now  func() time.Time
	Log  *slog.Logger
	// Concurrency is how many events are at work at once [8].
	Concurrency int
	// Timeout bounds the work on one event; one that takes longer comes again [15 s].
	Timeout time.Duration
}

// Service receives events and processes them.
type Service struct {
	db          *gorm.DB
	providers   map[string]provider.Provider
	payments    *payments.Service
	wake        func()
	now         func() time.Time // as PostgreSQL keeps it
	log         *slog.Logger
	concurrency int
	timeout     time.Duration
	store       store
}

// New makes the service.
func New(o Options) *Service {
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }
	return &Service{
		db: o.DB, providers: o.Providers, payments: o.Payments, wake: o.Wake, now: now, log: o.Log,
		concurrency: cmp.Or(o.Concurrency, 8), timeout: cmp.Or(o.Timeout, 15*time.Second),
	}
}

// Receive checks and stores what came to a provider's webhook address, and answers it. Errors: ConfigurationError when the
// provider is off, WebhookSignatureInvalid (forged, stale or from the future), BodyTooLarge, MalformedBody,
// WebhookVersionMismatch (stored all the same).
func (s *Service) Receive(c echo.Context, name string) error {
	r := c.Request()
	ctx := r.Context()
	p, on := s.providers[name]
	if !on {
		return apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	}
	var raw bytes.Buffer
	raw.Grow(int(min(max(r.ContentLength, 0), MaxBody)) + bytes.MinRead) // it is not moved while it is read
	if _, err := raw.ReadFrom(http.MaxBytesReader(c.Response().Writer, r.Body, MaxBody)); err != nil {
		return readFault(err)
	}
	d := provider.Delivery{Header: r.Header, Query: c.QueryParams(), Body: raw.Bytes(), At: s.now()}
	hook, err := p.ReadHook(d)
	switch {
	case errors.Is(err, provider.ErrSignature):
		// Without the body: whoever cannot sign it chose its words.
		s.log.WarnContext(ctx, "webhook refused", "provider", name, "request_id", httpx.RequestID(ctx), "error", err)
		return apperr.New(apperr.WebhookSignatureInvalid).Wrap(err)
	case err != nil:
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	a := &arrival{provider: name, hook: hook, status: statusOf(hook), body: d.Body, again: !p.Traits().HookIDs}
	if len(a.body) == 0 { // all is in the address
		a.body = []byte(d.Query.Encode())
	}
	pool, err := s.db.DB()
	if err != nil {
		return fmt.Errorf("find the pool: %w", err)
	}
	isNew, err := s.store.put(ctx, pool, d.At, a)
	if err != nil {
		return err
	}
	if a.status == statusRefused {
		return apperr.New(apperr.WebhookVersionMismatch).Wrap(fmt.Errorf("event %s has version %s, which is not the agreed one", hook.Key, hook.APIVersion))
	}
	if isNew && a.status == statusReceived {
		s.wake()
	}
	return c.JSON(http.StatusOK, receipt{Received: true})
}

func readFault(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return apperr.New(apperr.BodyTooLarge).Wrap(err)
	}
	return apperr.New(apperr.MalformedBody).Wrap(fmt.Errorf("read body: %w", err))
}

func statusOf(h provider.Hook) string {
	switch {
	case h.WrongVersion:
		return statusRefused
	case h.Foreign || h.About == provider.AboutNothing:
		return statusIgnored
	}
	return statusReceived
}

// receipt is what a provider is told whose event is stored.
type receipt struct {
	Received bool `json:"received"`
}
