package disputes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

// A movement is final. When the provider lists one differently than it was posted, a person is called at once, without
// waiting for the daily comparison, and nothing is booked.
func TestDispute_MovementToldAgainDifferently_CallsAPerson(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(movement map[string]any)
		told   string // what it changes our balance by
		posted string
	}{
		"another sum":         {func(m map[string]any) { m["amount"] = -4900 }, "-49.00 EUR", "-50.00 EUR"},
		"no sum":              {func(m map[string]any) { m["amount"] = 0 }, "0.00 EUR", "-50.00 EUR"},
		"the other direction": {func(m map[string]any) { m["amount"] = 5000 }, "50.00 EUR", "-50.00 EUR"},
		"another fee": {func(m map[string]any) { m["fee"] = paymentstest.DisputeFee + 1 }, "-15.01 EUR",
			"-15.00 EUR"},
		"no fee":               {func(m map[string]any) { m["fee"] = 0 }, "0.00 EUR", "-15.00 EUR"},
		"a fee that came back": {func(m map[string]any) { m["fee"] = -paymentstest.DisputeFee }, "15.00 EUR", "-15.00 EUR"},
		"another currency":     {func(m map[string]any) { m["currency"] = "sek" }, ".00 SEK", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			pledge, id, _ := w.Disputed()
			w.Settle()
			booked := paymentstest.Book{OnHold: 5000, Cost: paymentstest.DisputeFee}
			w.WantBook(booked)
			b.RewriteDisputes(func(d map[string]any) { tc.change(d["balance_transactions"].([]any)[0].(map[string]any)) })
			w.Pass(time.Minute)
			for range 2 {
				if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalDispute); !errors.Is(err, ledger.ErrDiffers) {
					t.Errorf("told differently: %v", err)
				}
			}
			w.WantBook(booked)
			w.WantStatus(pledge, "disputed")
			var why string
			w.Scan(&why, `SELECT detail ->> 'why' FROM anomalies WHERE kind = 'ledger_refused' AND resolved_at IS NULL AND payment_id = ?`, id)
			if !strings.Contains(why, tc.told+", posted as "+tc.posted) {
				t.Errorf("%d people are called, and told %q", w.Anomalies("ledger_refused"), why)
			}
			b.Set(nil, nil)
			w.Settle()
			w.WantBook(booked)
			w.Audit()
		})
	}
}
