package webhooks_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/migrations"
)

// The way of a webhook from its request to its row, without the network.
func BenchmarkWebhookIntake(b *testing.B) {
	config := app.Config{
		DatabaseURL: conf.Secret(dbtest.New(b, migrations.FS).URL), RedisURL: "redis://127.0.0.1:1",
		StripeSecretKey:      paymentstest.SecretKey,
		StripePublishableKey: paymentstest.PublishableKey, StripeWebhookSecret: paymentstest.WebhookSecret,
		ServiceSecret: paymentstest.ServiceSecret, DatabaseConns: 16,
	}
	config.PublicURL.Host, config.ContentURL.Host = "talkoot.example", "content.example"
	service, err := app.New(b.Context(), config, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = service.Close() }()
	h, err := service.Handler()
	if err != nil {
		b.Fatal(err)
	}
	var n atomic.Int64
	b.SetParallelism(16)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			body := paymentstest.EventBody(fmt.Sprint("evt_", n.Add(1)), "2023-10-16", strings.Repeat("x", 200))
			r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/api/webhooks/stripe", strings.NewReader(body))
			r.Header.Set("Stripe-Signature", paymentstest.Signed(body, paymentstest.WebhookSecret, time.Now()))
			answer := httptest.NewRecorder()
			if h.ServeHTTP(answer, r); answer.Code != http.StatusOK {
				b.Errorf("answered %d %s", answer.Code, answer.Body)
			}
		}
	})
}
