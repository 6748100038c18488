package paymentstest

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	sdkwebhook "github.com/stripe/stripe-go/v76/webhook"
)

// EventFormat is a provider's event about an intent: its id, API version, mode, type, and the intent's id.
const EventFormat = `{"id":"%s","object":"event","api_version":"%s","created":1700000000,"livemode":%t,"pending_webhooks":1,"type":"%s",` +
	`"request":{"id":null,"idempotency_key":null},"data":{"object":{"id":"%s","object":"payment_intent"}}}`

// EventBody is the event of a success.
func EventBody(id, version, intent string) string {
	return fmt.Sprintf(EventFormat, id, version, false, "payment_intent.succeeded", intent)
}

// Signed is the header of a body's signature.
func Signed(body, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(sdkwebhook.ComputeSignature(at, []byte(body), secret)))
}

// Hook delivers a body, and gives the answer's status, and its code when it is an error.
func (w *World) Hook(body, signature string) (int, string) {
	w.T.Helper()
	status, answer := w.Send(http.MethodPost, w.API.URL+"/api/webhooks/stripe", "application/json",
		strings.NewReader(body),
		map[string]string{"Stripe-Signature": signature})
	return status, w.read(status, answer, nil)
}

// MustHook delivers an event of ours about an intent.
func (w *World) MustHook(id, kind, intent string) {
	w.T.Helper()
	body := fmt.Sprintf(EventFormat, id, "2023-10-16", false, kind, intent)
	if status, code := w.Hook(body, Signed(body, WebhookSecret, w.Now())); status != http.StatusOK {
		w.T.Fatalf("webhook answered %d %s", status, code)
	}
}
