package webhooks_test

import (
	"net/http"
	"testing"

	"talkoot.fi/payments/internal/paymentstest"
)

// One event whose object the provider does not hand out holds no other up.
func TestDrain_OneSlowEvent_HoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	slow := w.MustSetup(w.Pledge())
	release := make(chan struct{})
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents/"+slow.Stripe.PaymentIntent.ID) {
			<-release
		}
		return false
	}, nil)
	w.Work()
	w.MustPay(slow)
	w.Eventually("the slow event to be at work", func() bool { return w.Count("webhook_events WHERE attempts = 1") >= 1 })
	var last string
	for range 12 {
		last = w.Pledge()
		w.MustPay(w.MustSetup(last))
	}
	w.Eventually("all others", func() bool { return w.Count("payments WHERE status = 'succeeded'") == 12 })
	close(release)
	w.Eventually("the slow one", func() bool { return w.Count("payments WHERE status = 'succeeded'") == 13 })
	w.Eventually("the last event", func() bool { return len(w.Heard(last)) == 2 })
}
