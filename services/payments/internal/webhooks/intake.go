// Package webhooks receives what providers tell us and hands it to the payments it is about.
//
// It owns the stored events. Invariants: an event is stored once, by the provider's own id, after the provider's adapter
// has checked the raw delivery, and nothing is decided while the provider waits; of a provider whose events have no ids
// one row a type and object is kept, and each delivery makes it wait again. The worker fetches the object anew and lets
// package payments advance the payment. An event is a hint that may come late, twice or never.
package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
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

// Intake is the HTTP side.
type Intake struct {
	DB        *gorm.DB
	Providers map[string]provider.Provider
	// Wake tells the workers and must not block.
	Wake func()
	Now  func() time.Time
	Log  *slog.Logger

	store store
}

// Receive stores a provider's event that came as a request. Errors: as Take.
func (in *Intake) Receive(c echo.Context, name string) error {
	r := c.Request()
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), MaxBody)) + bytes.MinRead) // it is not moved while it is read
	if _, err := body.ReadFrom(http.MaxBytesReader(c.Response().Writer, r.Body, MaxBody)); err != nil {
		return readFault(err)
	}
	d := provider.Delivery{Header: r.Header, Query: c.QueryParams(), Body: body.Bytes(), At: in.Now().UTC()}
	if err := in.Take(r.Context(), name, d); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, receipt{Received: true})
}

// Take checks a provider's delivery and stores it. Errors: ConfigurationError when the provider is off,
// WebhookSignatureInvalid (forged, stale or from the future), MalformedBody, WebhookVersionMismatch (stored all the same).
func (in *Intake) Take(ctx context.Context, name string, d provider.Delivery) error {
	p, on := in.Providers[name]
	if !on {
		return apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	}
	hook, err := p.ReadHook(d)
	switch {
	case errors.Is(err, provider.ErrSignature):
		// Without the body: whoever cannot sign it chose its words.
		in.Log.WarnContext(ctx, "webhook refused", "provider", name, "request_id", httpx.RequestID(ctx), "error", err)
		return apperr.New(apperr.WebhookSignatureInvalid).Wrap(err)
	case err != nil:
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	status := statusOf(hook)
	pool, err := in.DB.DB()
	if err != nil {
		return fmt.Errorf("find the pool: %w", err)
	}
	body := d.Body
	if len(body) == 0 { // all is in the address
		body = []byte(d.Query.Encode())
	}
	isNew, err := in.store.put(ctx, pool, d.At, &arrival{provider: name, hook: hook, status: status, body: body, again: !p.Traits().HookIDs})
	if err != nil {
		return err
	}
	if status == statusRefused {
		return apperr.New(apperr.WebhookVersionMismatch).Wrap(fmt.Errorf("event %s has version %s, which is not the agreed one", hook.Key, hook.APIVersion))
	}
	if isNew && status == statusReceived {
		in.Wake()
	}
	return nil
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
