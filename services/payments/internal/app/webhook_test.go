package app_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sdkwebhook "github.com/stripe/stripe-go/v76/webhook"

	"talkoot.fi/payments/internal/app"
)

const eventFormat = `{"id":"%s","object":"event","api_version":"%s","created":1700000000,"livemode":%t,"pending_webhooks":1,"type":"%s",` +
	`"request":{"id":null,"idempotency_key":null},"data":{"object":{"id":"%s","object":"payment_intent"}}}`

func signed(body, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(sdkwebhook.ComputeSignature(at, []byte(body), secret)))
}

func (w *world) hook(body, signature string) (int, string) {
	w.t.Helper()
	status, answer := w.send(http.MethodPost, w.api.URL+"/api/webhooks/stripe", "application/json", strings.NewReader(body),
		map[string]string{"Stripe-Signature": signature})
	return status, w.read(status, answer, nil)
}

func TestWebhook_WhatIsNotTrusted_ChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.mustPay(a)
	event := func(id, version, kind string, live bool) string {
		return fmt.Sprintf(eventFormat, id, version, live, kind, a.Stripe.PaymentIntent.ID)
	}
	good := event("evt_good", "2023-10-16", "payment_intent.succeeded", false)
	for name, c := range map[string]struct {
		body, signature string
		status          int
		code            string
		stored          string // the status of the stored event, empty for none
	}{
		"forged":        {good, signed(good, "whsec_other", w.now()), 400, "webhook_signature_invalid", ""},
		"unsigned":      {good, "", 400, "webhook_signature_invalid", ""},
		"empty secret":  {good, signed(good, "", w.now()), 400, "webhook_signature_invalid", ""},
		"changed":       {good + " ", signed(good, webhookSecret, w.now()), 400, "webhook_signature_invalid", ""},
		"stale":         {good, signed(good, webhookSecret, w.now().Add(-6*time.Minute)), 400, "webhook_signature_invalid", ""},
		"future":        {good, signed(good, webhookSecret, w.now().Add(6*time.Minute)), 400, "webhook_signature_invalid", ""},
		"no timestamp":  {good, strings.SplitN(signed(good, webhookSecret, w.now()), ",", 2)[1], 400, "webhook_signature_invalid", ""},
		"oversized":     {strings.Repeat("x", 65<<10), "t=1,v1=00", 413, "body_too_large", ""},
		"malformed":     {"{", signed("{", webhookSecret, w.now()), 400, "malformed_body", ""},
		"no event":      {`{"id":"evt_x"}`, signed(`{"id":"evt_x"}`, webhookSecret, w.now()), 400, "malformed_body", ""},
		"other version": {event("evt_version", "2024-04-10", "payment_intent.succeeded", false), "sign", 500, "webhook_version_mismatch", "refused"},
		"other mode":    {event("evt_mode", "2023-10-16", "payment_intent.succeeded", true), "sign", 200, "", "ignored"},
		"unknown type":  {event("evt_type", "2023-10-16", "customer.created", false), "sign", 200, "", "ignored"},
	} {
		if c.signature == "sign" {
			c.signature = signed(c.body, webhookSecret, w.now())
		}
		before := w.count("webhook_events")
		if status, code := w.hook(c.body, c.signature); status != c.status || code != c.code {
			t.Errorf("%s: answered %d %s, want %d %s", name, status, code, c.status, c.code)
		}
		stored := w.count("webhook_events") - before
		if (c.stored != "") != (stored == 1) || c.stored != "" && w.count("webhook_events WHERE status = ? AND convert_from(body, 'UTF8') = ?", c.stored, c.body) != 1 {
			t.Errorf("%s: %d events stored, want it %q", name, stored, c.stored)
		}
	}
	w.drain()
	w.wantStatus(pledge, "created")

	for range 3 { // the same event again is taken and does no more work
		if status, _ := w.hook(good, signed(good, webhookSecret, w.now())); status != http.StatusOK {
			t.Fatalf("a good event answered %d", status)
		}
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	if n := w.count("webhook_events WHERE event_id = 'evt_good' AND status = 'processed' AND attempts = 1"); n != 1 {
		t.Errorf("the good event is stored and processed %d times", n)
	}
	w.audit()
}

func TestWebhook_SecretBeingRolled_BothWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *app.Config) { c.StripeWebhookSecret = "whsec_new, " + webhookSecret })
	for i, secret := range []string{"whsec_new", webhookSecret} {
		body := fmt.Sprintf(eventFormat, fmt.Sprint("evt_", i), "2023-10-16", false, "payment_intent.succeeded", "pi_unknown")
		if status, _ := w.hook(body, signed(body, secret, w.now())); status != http.StatusOK {
			t.Errorf("an event signed with %s answered %d", secret, status)
		}
	}
	w.settle()
	if n := w.count("webhook_events WHERE status = 'processed'"); n != 2 { // an intent that is not there is nobody's
		t.Errorf("%d events processed", n)
	}
}

func TestWebhook_DuplicatedAndShuffled_SameEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.control("webhooks", `{"duplicate":4,"shuffle_ms":300}`)
	w.work()
	paid, declined := w.pledge(), w.pledge()
	a := w.mustSetup(paid)
	w.confirm(a, "pm_card_visa_chargeDeclined")
	w.answerChallenge(w.confirm(a, "pm_card_authenticationRequired"), "fail")
	w.answerChallenge(w.confirm(a, "pm_card_authenticationRequired"), "pass")
	w.confirm(w.mustSetup(declined), "pm_card_visa_chargeDeclined")
	w.awaitWebhooks()
	w.settle()
	w.wantStatus(paid, "succeeded")
	w.wantStatus(declined, "created")
	w.eventually("the events", func() bool { return len(w.heard(paid)) == 2 && len(w.heard(declined)) == 1 })
	w.wantHeard(paid, "started", "succeeded")
	w.audit()
}

func TestWebhook_RedisDown_IsTakenAndSweptUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.redis.Close()
	w.mustPay(a)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started", "succeeded")
	w.audit()
}

func TestWebhook_ContentDown_EventArrivesLaterOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.settle()
	w.content.setDown(true)
	w.mustPay(a)
	w.settle()
	w.wantStatus(pledge, "succeeded")
	w.wantHeard(pledge, "started")
	w.content.setDown(false)
	w.pass(time.Minute)
	w.settle()
	w.wantHeard(pledge, "started", "succeeded")
	w.audit()
}
