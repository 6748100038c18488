// Package webhooks receives what the provider tells us and hands it to the payments it is about.
//
// It owns the stored events. Invariants: an event is stored once, by the provider's own id, after its signature over
// the raw body was verified, and nothing is decided while the provider waits; the worker fetches the object again and
// lets package pledges advance the payment. An event is a hint that may come late, twice or never.
package webhooks

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/providers/stripe"
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
	DB *gorm.DB
	// Secrets of the endpoint, several while one is being rolled; none when the provider is off.
	Secrets []string
	// Live is the mode of our key; events of the other mode are stored and ignored.
	Live bool
	// Nudge tells the workers and must not block.
	Nudge func()
	Now   func() time.Time
	Log   *slog.Logger

	store store
}

// StripeWebhook stores an event of provider A. Errors: BodyTooLarge, WebhookSignatureInvalid (forged, stale or from the
// future), MalformedBody, WebhookVersionMismatch (stored all the same), ConfigurationError without secrets.
func (in *Intake) StripeWebhook(c echo.Context, params api.StripeWebhookParams) error {
	ctx := c.Request().Context()
	if len(in.Secrets) == 0 {
		return apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Response().Writer, c.Request().Body, MaxBody))
	if err != nil {
		return readFault(err)
	}
	header := ""
	if params.StripeSignature != nil {
		header = *params.StripeSignature
	}
	if err := stripe.VerifySignature(body, header, in.Secrets, in.Now()); err != nil {
		// Without the body: whoever cannot sign it chose its words.
		in.Log.WarnContext(ctx, "webhook refused", "request_id", httpx.RequestID(ctx), "error", err)
		return apperr.New(apperr.WebhookSignatureInvalid).Wrap(err)
	}
	event, err := stripe.ParseEvent(body)
	if err != nil {
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	status := in.statusOf(event)
	pool, err := in.DB.DB()
	if err != nil {
		return fmt.Errorf("find the pool: %w", err)
	}
	isNew, err := in.store.put(ctx, pool, in.Now().UTC(), &arrival{event: event, status: status, body: body})
	if err != nil {
		return err
	}
	if status == statusRefused {
		return apperr.New(apperr.WebhookVersionMismatch).Wrap(fmt.Errorf("event %s has version %s, agreed is %s", event.ID, event.APIVersion, stripe.APIVersion))
	}
	if isNew && status == statusReceived {
		in.Nudge()
	}
	return c.JSON(http.StatusOK, api.StripeWebhook200JSONResponse{Received: true})
}

func readFault(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return apperr.New(apperr.BodyTooLarge).Wrap(err)
	}
	return apperr.New(apperr.MalformedBody).Wrap(fmt.Errorf("read body: %w", err))
}

func (in *Intake) statusOf(e stripe.Event) string {
	switch {
	case e.APIVersion != stripe.APIVersion:
		return statusRefused
	case e.Live != in.Live || subjectOf(e.Type) == subjectNone:
		return statusIgnored
	}
	return statusReceived
}

// subject says what kind of question an event raises.
type subject int

const (
	subjectNone    subject = iota // not ours to care about
	subjectPayment                // has the payment moved?
	subjectMoney                  // has money that was paid moved: refunds?
	subjectDispute                // has a bank asked for it, or decided?
)

func subjectOf(eventType string) subject {
	switch {
	case strings.HasPrefix(eventType, "payment_intent."), strings.HasPrefix(eventType, "checkout.session."):
		return subjectPayment
	case eventType == "charge.refunded", strings.HasPrefix(eventType, "charge.refund."), strings.HasPrefix(eventType, "refund."):
		return subjectMoney
	case strings.HasPrefix(eventType, "charge.dispute."):
		return subjectDispute
	}
	return subjectNone
}
