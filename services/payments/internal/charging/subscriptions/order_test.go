package subscriptions_test

import (
	"testing"

	"talkoot.fi/payments/internal/paymentstest"
)

// Else the content service would hear of the money of support that ended before it, and count it for good.
func TestMoneyOfAMonth_IsToldAfterWhatItsSubscriptionHasTold(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	w.GoTo(noon(anchor))
	id := w.Subscription()
	w.Confirm(w.SetupMonth(id), paymentstest.Visa)
	tx := w.DB.Gorm.WithContext(t.Context()).Begin()
	defer tx.Rollback()
	if err := tx.Exec(`SELECT FROM subscriptions WHERE id = ? FOR UPDATE`, id).Error; err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.App.Subscriptions.AdvanceDue(t.Context(), id) }()
	awaitBlocked(w, 1)
	var told int64
	if err := tx.Raw(`SELECT nextval(pg_get_serial_sequence('outbox', 'id'))`).Scan(&told).Error; err != nil {
		t.Fatal(err)
	}
	tx.Rollback()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	const money = `outbox WHERE payload ->> 'type' = 'payment.succeeded' AND id `
	if w.Count(money+`< ?`, told) != 0 || w.Count(money+`> ?`, told) != 1 {
		t.Error("the money is told before what was told while it waited")
	}
	w.Audit()
}
