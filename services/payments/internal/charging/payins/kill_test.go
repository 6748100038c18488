package payins_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// The service is killed at each statement of a charge in turn. Its payer pays again, sooner or later than the worker looks: they are
// charged once.
func TestPayIn_KilledAtAnyStatement_IsChargedOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ after, worker bool }{
		"before it runs, and the payer is quick":            {false, false},
		"before it runs, and the worker is quick":           {false, true},
		"after it took effect, and the payer is quick":      {true, false},
		"after it took effect, and the worker comes before": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &paymentstest.Killer{After: tc.after}
			b := paymentstest.NewB(t, func(c *app.Config) { c.Tracer = k })
			const most = 60
			for statement := 1; ; statement++ {
				pledge := b.Pledge()
				order := b.Order(pledge, paymentstest.PlainCard)
				wasKilled := k.Kill(t.Context(), statement, func(ctx context.Context) {
					_, _, _ = b.App.Payments.Pay(ctx, payments.Subject{Kind: "pledge", ID: pledge}, "", payments.Charge{Kind: provider.KindCard,
						Instrument: mangopay.CardRef(order["cardId"].(string)), Browser: provider.Browser{IP: "192.0.2.1", Accept: "text/html", UserAgent: "Mozilla",
							Language: "fi", JavaScript: true, ColorDepth: 24, ScreenHeight: 800, ScreenWidth: 1280}}) //nolint:forcetypeassert // as OrderBy has it
				})
				b.Bury()
				if tc.worker {
					b.Pass(3 * time.Minute)
					b.Settle()
					b.CheckOpen()
					b.Settle()
				}
				if status, answer := b.Raw("payin", order); status != http.StatusOK && status != http.StatusConflict {
					t.Fatalf("killed at statement %d, paying again: %d %s", statement, status, answer)
				}
				b.Settle()
				b.WantStatus(pledge, "succeeded")
				if got := b.Balance(); got != int64(statement)*5000 {
					t.Fatalf("killed at statement %d: %d cents of %d pledges", statement, got, statement)
				}
				if !wasKilled {
					break
				}
				if statement == most {
					t.Fatalf("more than %d statements", most)
				}
			}
			b.Audit()
		})
	}
}
