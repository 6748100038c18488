package webhooks_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// What took too long is written down as that, and comes again; it is not left to the end of its lease without a word.
func TestDrain_AnEventThatTookTooLong_IsMarkedAndComesAgain(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t, func(c *app.Config) { c.HookTimeout = time.Second })
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	w.Settle()
	release := make(chan struct{})
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents/") {
			<-release
		}
		return false
	}, nil)
	w.MustPay(form)
	w.AwaitWebhooks()
	w.Drain()
	close(release)
	var rows []struct {
		Status, LastError string
		Attempts          int
		NextAttemptAt     time.Time
	}
	w.Scan(&rows, `SELECT status, last_error, attempts, next_attempt_at FROM webhook_events WHERE type = 'payment_intent.succeeded'`)
	if len(rows) != 1 || rows[0].Status != "received" || rows[0].LastError == "" || rows[0].Attempts != 1 ||
		rows[0].NextAttemptAt.Sub(w.Now()) > 3*time.Second {
		t.Errorf("the event is %+v", rows)
	}
	w.Pass(3 * time.Second)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.WantHeard(pledge, "started", "succeeded")
	if n := w.Count("webhook_events WHERE status = 'received'"); n != 0 {
		t.Errorf("%d events wait", n)
	}
	w.Audit()
}
