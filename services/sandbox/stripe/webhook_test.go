package stripe_test

import (
	"encoding/json"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/webhook"

	"talkoot.fi/sandbox/stripe"
)

func TestSign_MatchesThePublishedVector(t *testing.T) {
	body := `{"id":"evt_1","object":"event","api_version":"2023-10-16","created":1700000000,"livemode":false,"pending_webhooks":1,"type":"payment_intent.succeeded","request":{"id":null,"idempotency_key":null},"data":{"object":{"id":"pi_1","object":"payment_intent"}}}`
	got := stripe.Sign([]byte(body), "whsec_test", time.Unix(1700000000, 0))
	if want := "t=1700000000,v1=b29ddf3a0606dadd06a125fc081245d95e45d520cb5ccb98f1cae7171efece52"; got != want {
		t.Errorf("got %s", got)
	}
	if _, err := webhook.ConstructEventWithTolerance([]byte(body), got, "whsec_test", 100*365*24*time.Hour); err != nil {
		t.Errorf("the official library refuses it: %v", err)
	}
}

func TestWebhook_ASuccessIsDeliveredSignedAndCountsDown(t *testing.T) {
	r := newReceiver(t)
	b := start(t, stripe.Options{WebhookURL: r.server.URL, WebhookSecret: webhookSecret})
	paid := b.pay("pm_card_visa")
	e := r.next(t)
	if e.Type != "payment_intent.succeeded" || e.Request == nil {
		t.Fatalf("%+v", e)
	}
	var pi stripego.PaymentIntent
	if err := json.Unmarshal(e.Data.Raw, &pi); err != nil || pi.ID != paid.ID || pi.Status != "succeeded" {
		t.Errorf("%v %v", pi.ID, err)
	}
	b.eventually(func() bool {
		held, err := b.api.Events.Get(e.ID, nil)
		return err == nil && held.PendingWebhooks == 0
	}, "the delivered event has no pending webhooks")
}

func TestWebhook_IsRetriedUntilAccepted(t *testing.T) {
	r := newReceiver(t)
	r.refuse = 2
	b := start(t, stripe.Options{
		WebhookURL: r.server.URL, WebhookSecret: webhookSecret,
		RetryAfter: []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond},
	})
	b.pay("pm_card_visa")
	if e := r.next(t); e.Type != "payment_intent.succeeded" {
		t.Error(e.Type)
	}
}

func TestWebhook_OfARunningDeliverySurvivesARestart(t *testing.T) {
	r, dir := newReceiver(t), t.TempDir()
	opts := stripe.Options{StateDir: dir, WebhookURL: r.server.URL, WebhookSecret: webhookSecret}
	t.Run("before", func(t *testing.T) {
		b := start(t, opts)
		b.control("webhooks", `{"hold":true}`)
		b.pay("pm_card_visa")
	})
	start(t, opts)
	if e := r.next(t); e.Type != "payment_intent.succeeded" {
		t.Error(e.Type)
	}
}

func TestWebhookControls_HoldDropDuplicateAndReplay(t *testing.T) {
	r := newReceiver(t)
	b := start(t, stripe.Options{WebhookURL: r.server.URL, WebhookSecret: webhookSecret})
	b.control("webhooks", `{"hold":true,"shuffle_ms":20}`)
	for range 5 {
		b.pay("pm_card_visa")
	}
	if len(r.events) != 0 {
		t.Fatal("held deliveries went out")
	}
	b.control("webhooks/release", `{}`)
	seen := map[string]bool{}
	for range 5 {
		seen[r.next(t).ID] = true
	}
	if len(seen) != 5 {
		t.Fatalf("%d events after the release", len(seen))
	}
	b.control("webhooks", `{"drop":1}`)
	lost := b.pay("pm_card_visa")
	var eventID string
	b.eventually(func() bool {
		it := b.api.Events.List(&stripego.EventListParams{Type: stripego.String("payment_intent.succeeded")})
		if it.Next() {
			eventID = it.Event().ID
			return it.Event().Data.Object["id"] == lost.ID
		}
		return false
	}, "the dropped event is still listed")
	b.control("webhooks", `{"duplicate":2}`)
	b.control("replay", `{"event":"`+eventID+`"}`)
	for range 3 {
		if e := r.next(t); e.ID != eventID {
			t.Errorf("got %s, want %s three times", e.ID, eventID)
		}
	}
}

func TestWebhookEndpoint_ShowsItsSecretOnceAndKnowsItsEvents(t *testing.T) {
	b := start(t, stripe.Options{})
	w, err := b.api.WebhookEndpoints.New(&stripego.WebhookEndpointParams{
		URL: stripego.String("http://127.0.0.1:9/hook"), EnabledEvents: stripego.StringSlice([]string{"payment_intent.succeeded"}),
		APIVersion: stripego.String("2023-10-16"),
	})
	if err != nil || w.Secret == "" {
		t.Fatalf("%+v %v", w, err)
	}
	w, err = b.api.WebhookEndpoints.Get(w.ID, nil)
	if err != nil || w.Secret != "" {
		t.Errorf("the secret is shown again: %v", err)
	}
	_, err = b.api.WebhookEndpoints.New(&stripego.WebhookEndpointParams{
		URL: stripego.String("http://127.0.0.1:9/hook"), EnabledEvents: stripego.StringSlice([]string{"refund.failed"}),
	})
	if e := stripeError(t, err); e.HTTPStatusCode != 400 {
		t.Errorf("refund.failed is not of this version: %v", e)
	}
}
