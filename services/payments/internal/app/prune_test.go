package app_test

import (
	"testing"
	"time"

	"talkoot.fi/kit/idem"
	"talkoot.fi/payments/internal/paymentstest"
)

// The service's role owns no table, and may remove what is kept for a while only.
func TestOldRows_AreRemovedByTheServicesRole(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Paid()
	w.Post("/api/pledges/"+w.Pledge()+"/setup", map[string]string{"Idempotency-Key": "key-of-a-pledge"}, nil)
	w.Settle()
	w.ClosePayment(w.Pledge())
	w.Pass(100 * 24 * time.Hour)
	if _, err := idem.Prune(t.Context(), w.App.DB, w.Now()); err != nil {
		t.Error(err)
	}
	if err := w.App.Webhooks.Prune(t.Context()); err != nil {
		t.Error(err)
	}
	if err := w.App.Payments.PruneClosed(t.Context()); err != nil {
		t.Error(err)
	}
	for _, table := range []string{"idempotency_keys", "webhook_events", "closed_subjects"} {
		if n := w.Count(table); n != 0 {
			t.Errorf("%s keeps %d rows", table, n)
		}
	}
}
