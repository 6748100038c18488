package webhooks_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestWebhook_WhatIsNotTrusted_ChangesNothing(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.MustPay(a)
	event := func(id, version, kind string, live bool) string {
		return fmt.Sprintf(paymentstest.EventFormat, id, version, live, kind, a.Stripe.PaymentIntent.ID)
	}
	good := event("evt_good", "2023-10-16", "payment_intent.succeeded", false)
	for name, c := range map[string]struct {
		body, signature string
		status          int
		code            string
		stored          string // the status of the stored event, empty for none
	}{
		"forged":       {good, paymentstest.Signed(good, "whsec_other", w.Now()), 400, "webhook_signature_invalid", ""},
		"unsigned":     {good, "", 400, "webhook_signature_invalid", ""},
		"empty secret": {good, paymentstest.Signed(good, "", w.Now()), 400, "webhook_signature_invalid", ""},
		"changed": {good + " ", paymentstest.Signed(good, paymentstest.WebhookSecret, w.Now()), 400,
			"webhook_signature_invalid", ""},
		"stale": {good, paymentstest.Signed(good, paymentstest.WebhookSecret, w.Now().Add(-6*time.Minute)), 400,
			"webhook_signature_invalid", ""},
		"future": {good, paymentstest.Signed(good, paymentstest.WebhookSecret, w.Now().Add(6*time.Minute)), 400,
			"webhook_signature_invalid", ""},
		"no timestamp": {good, strings.SplitN(paymentstest.Signed(good, paymentstest.WebhookSecret, w.Now()), ",", 2)[1],
			400, "webhook_signature_invalid", ""},
		"oversized": {strings.Repeat("x", 65<<10), "t=1,v1=00", 413, "body_too_large", ""},
		"malformed": {"{", paymentstest.Signed("{", paymentstest.WebhookSecret, w.Now()), 400, "malformed_body", ""},
		"no event":  {`{"id":"evt_x"}`, paymentstest.Signed(`{"id":"evt_x"}`, paymentstest.WebhookSecret, w.Now()), 400, "malformed_body", ""},
		"other version": {event("evt_version", "2024-04-10", "payment_intent.succeeded", false), "sign", 500,
			"webhook_version_mismatch", "refused"},
		"other mode":   {event("evt_mode", "2023-10-16", "payment_intent.succeeded", true), "sign", 200, "", "ignored"},
		"unknown type": {event("evt_type", "2023-10-16", "customer.created", false), "sign", 200, "", "ignored"},
	} {
		if c.signature == "sign" {
			c.signature = paymentstest.Signed(c.body, paymentstest.WebhookSecret, w.Now())
		}
		before := w.Count("webhook_events")
		if status, code := w.Hook(c.body, c.signature); status != c.status || code != c.code {
			t.Errorf("%s: answered %d %s, want %d %s", name, status, code, c.status, c.code)
		}
		stored := w.Count("webhook_events") - before
		if (c.stored != "") != (stored == 1) || c.stored != "" &&
			w.Count("webhook_events WHERE status = ? AND convert_from(body, 'UTF8') = ?", c.stored, c.body) != 1 {
			t.Errorf("%s: %d events stored, want it %q", name, stored, c.stored)
		}
	}
	w.Drain()
	w.WantStatus(pledge, "created")

	for range 3 { // the same event again is taken and does no more work
		if status, _ := w.Hook(good, paymentstest.Signed(good, paymentstest.WebhookSecret,
			w.Now())); status != http.StatusOK {
			t.Fatalf("a good event answered %d", status)
		}
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if n := w.Count("webhook_events WHERE event_key = 'evt_good' AND status = 'processed' AND attempts = 1"); n != 1 {
		t.Errorf("the good event is stored and processed %d times", n)
	}
	w.Audit()
}

func TestWebhook_SecretBeingRolled_BothWork(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) { c.StripeWebhookSecret = "whsec_new, " + paymentstest.WebhookSecret })
	for i, secret := range []string{"whsec_new", paymentstest.WebhookSecret} {
		body := fmt.Sprintf(paymentstest.EventFormat, fmt.Sprint("evt_", i), "2023-10-16", false, "payment_intent.succeeded",
			"pi_unknown")
		if status, _ := w.Hook(body, paymentstest.Signed(body, secret, w.Now())); status != http.StatusOK {
			t.Errorf("an event signed with %s answered %d", secret, status)
		}
	}
	w.Settle()
	if n := w.Count("webhook_events WHERE status = 'processed'"); n != 2 { // an intent that is not there is nobody's
		t.Errorf("%d events processed", n)
	}
}

func TestWebhook_DuplicatedAndShuffled_SameEnd(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Control("webhooks", `{"duplicate":4,"shuffle_ms":300}`)
	w.Work()
	paid, declined := w.Pledge(), w.Pledge()
	a := w.MustSetup(paid)
	w.Confirm(a, "pm_card_visa_chargeDeclined")
	w.AnswerChallenge(w.Confirm(a, "pm_card_authenticationRequired"), "fail")
	w.AnswerChallenge(w.Confirm(a, "pm_card_authenticationRequired"), "pass")
	w.Confirm(w.MustSetup(declined), "pm_card_visa_chargeDeclined")
	w.AwaitWebhooks()
	// The worker beside us has leased what it works on, so nothing is due and not all is done.
	w.Eventually("the events", func() bool { return len(w.Heard(paid)) == 2 && len(w.Heard(declined)) == 1 })
	w.Settle()
	w.WantStatus(paid, "succeeded")
	w.WantStatus(declined, "created")
	w.WantHeard(paid, "started", "succeeded")
	w.Audit()
}

func TestWebhook_RedisDown_IsTakenAndSweptUp(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Redis.Close()
	w.MustPay(a)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	w.Audit()
}

func TestWebhook_ContentDown_EventArrivesLaterOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.Settle()
	w.Content.SetDown(true)
	w.MustPay(a)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started")
	w.Content.SetDown(false)
	w.Pass(time.Minute)
	w.Settle()
	w.WantHeard(pledge, "started", "succeeded")
	w.Audit()
}

// An event that was refused for its version counts when it comes again after the endpoint was put right.
func TestWebhook_RefusedThenComesAgainInOurVersion_IsTaken(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	pledge := w.Pledge()
	a := w.MustSetup(pledge)
	w.MustPay(a)
	for _, c := range []struct {
		version string
		want    int
	}{{"2024-04-10", 500}, {"2023-10-16", 200}, {"2023-10-16", 200}} {
		body := paymentstest.EventBody("evt_again", c.version, a.Stripe.PaymentIntent.ID)
		if status, _ := w.Hook(body, paymentstest.Signed(body, paymentstest.WebhookSecret, w.Now())); status != c.want {
			t.Fatalf("version %s answered %d", c.version, status)
		}
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if n := w.Count("webhook_events WHERE status = 'processed' AND attempts = 1 AND api_version = '2023-10-16'"); n != 1 {
		t.Errorf("%d events processed", n)
	}
}

// Many deliveries at once, several of them of the same event: each event is stored once, and everybody is answered.
func TestWebhook_ManyAtOnceWithRepetitions_EachStoredOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	const events, copies = 150, 3
	var wait sync.WaitGroup
	for n := range events * copies {
		wait.Go(func() {
			body := paymentstest.EventBody(fmt.Sprint("evt_many_", n%events), "2023-10-16", "pi_nobodys")
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.API.URL+"/api/webhooks/stripe",
				strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Stripe-Signature", paymentstest.Signed(body, paymentstest.WebhookSecret, w.Now()))
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			if res.StatusCode != http.StatusOK {
				t.Errorf("event %d answered %d", n, res.StatusCode)
			}
		})
	}
	wait.Wait()
	if n := w.Count("webhook_events WHERE status = 'received'"); n != events {
		t.Errorf("%d events are stored, want %d", n, events)
	}
}
