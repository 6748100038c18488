package app_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/reconcile"
)

// What a stop, a slow answer or a long absence leaves behind is made good.

// A stop in the middle of a refund lets it be written down.
func TestTidy_StoppedInTheMiddle_FinishesWhatItBegan(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	_, id, _ := w.paid()
	w.loseWebhooks()
	if err := w.app.Pledges.Refund(t.Context(), id, 0, pledges.ReasonRequested); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b.set(func(_ http.ResponseWriter, r *http.Request) bool {
		if isCall(r, http.MethodPost, "/v1/refunds") {
			stop()
		}
		return false
	}, nil)
	if err := w.app.Pledges.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	if n := w.count("refunds WHERE status = 'succeeded'"); n != 1 {
		t.Errorf("%d refunds are written down", n)
	}
}

// One event whose object the provider does not hand out holds no other up.
func TestDrain_OneSlowEvent_HoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	w, b := newWorldBetween(t)
	slow := w.mustSetup(w.pledge())
	release := make(chan struct{})
	b.set(func(_ http.ResponseWriter, r *http.Request) bool {
		if isCall(r, http.MethodGet, "/v1/payment_intents/"+slow.Stripe.PaymentIntent.ID) {
			<-release
		}
		return false
	}, nil)
	w.work()
	w.mustPay(slow)
	w.eventually("the slow event to be at work", func() bool { return w.count("webhook_events WHERE attempts = 1") >= 1 })
	var last string
	for range 12 {
		last = w.pledge()
		w.mustPay(w.mustSetup(last))
	}
	w.eventually("all others", func() bool { return w.count("payments WHERE status = 'succeeded'") == 12 })
	close(release)
	w.eventually("the slow one", func() bool { return w.count("payments WHERE status = 'succeeded'") == 13 })
	w.eventually("the last event", func() bool { return len(w.heard(last)) == 2 })
}

// An event that was refused for its version counts when it comes again after the endpoint was put right.
func TestWebhook_RefusedThenComesAgainInOurVersion_IsTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	pledge := w.pledge()
	a := w.mustSetup(pledge)
	w.mustPay(a)
	for _, c := range []struct {
		version string
		want    int
	}{{"2024-04-10", 500}, {"2023-10-16", 200}, {"2023-10-16", 200}} {
		body := eventBody("evt_again", c.version, a.Stripe.PaymentIntent.ID)
		if status, _ := w.hook(body, signed(body, webhookSecret, w.now())); status != c.want {
			t.Fatalf("version %s answered %d", c.version, status)
		}
	}
	w.settle()
	w.wantStatus(pledge, "succeeded")
	if n := w.count("webhook_events WHERE status = 'processed' AND attempts = 1 AND api_version = '2023-10-16'"); n != 1 {
		t.Errorf("%d events processed", n)
	}
}

func eventBody(id, version, intent string) string {
	var body bytes.Buffer
	_, _ = body.WriteString(`{"id":"` + id + `","object":"event","api_version":"` + version + `","created":1700000000,"livemode":false,` +
		`"type":"payment_intent.succeeded","data":{"object":{"id":"` + intent + `","object":"payment_intent"}}}`)
	return body.String()
}

// After workers stood still for days, the next comparison covers the time since the last one.
func TestReconciliation_AfterALongStop_LeavesNoGap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	compare := func() {
		t.Helper()
		pass := reconcile.Pass{Slot: w.now().UTC().Format(time.RFC3339), To: w.now().UTC()}
		w.exec(`INSERT INTO reconcile_runs (name, slot, started_at) VALUES ('reconcile:ledger', ?, ?)`, pass.Slot, pass.To)
		if err := w.app.Reconcile.RunLedger(t.Context(), pass); err != nil {
			t.Fatal(err)
		}
	}
	compare()
	w.pass(time.Hour)
	if status := w.byHand("/v1/payment_intents", url.Values{"amount": {"700"}, "currency": {"eur"}, "payment_method_types[0]": {"card"},
		"payment_method": {"pm_card_visa"}, "confirm": {"true"}}); status != http.StatusOK {
		t.Fatalf("making an intent by hand answered %d", status)
	}
	w.pass(72 * time.Hour)
	compare()
	if n := w.count("anomalies WHERE kind = 'ledger_difference'"); n != 2 { // the charge and its fee
		t.Errorf("%d differences found", n)
	}
}

// However long the content service was away, its events are tried again within minutes of its return.
func TestContentDownForLong_EventsComeSoonAfterItsReturn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustSetup(w.pledge())
	w.content.setDown(true)
	w.exec(`UPDATE outbox SET attempts = 30`)
	if _, err := w.app.Relay.RunOnce(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	var next time.Time
	w.scan(&next, `SELECT next_attempt_at FROM outbox`)
	if pause := next.Sub(w.now()); pause > 7*time.Minute {
		t.Errorf("the next try is in %s", pause)
	}
}

// Many deliveries at once, several of them of the same event: each event is stored once, and everybody is answered.
func TestWebhook_ManyAtOnceWithRepetitions_EachStoredOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loseWebhooks()
	const events, copies = 150, 3
	var wait sync.WaitGroup
	for n := range events * copies {
		wait.Go(func() {
			body := eventBody(fmt.Sprint("evt_many_", n%events), "2023-10-16", "pi_nobodys")
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.api.URL+"/api/webhooks/stripe", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Stripe-Signature", signed(body, webhookSecret, w.now()))
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
	if n := w.count("webhook_events WHERE status = 'received'"); n != events {
		t.Errorf("%d events are stored, want %d", n, events)
	}
}
