package app_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"testing"

	"talkoot.fi/payments/internal/app"
)

// The stand-in opens no disputes, so a proxy before it says that each charge has one.
func TestDispute_IsTakenInOnce(t *testing.T) {
	t.Parallel()
	var disputed atomic.Bool
	w := newWorld(t, func(c *app.Config) {
		target := mustURL(t, c.StripeAPIURL)
		proxy := httputil.NewSingleHostReverseProxy(&target)
		proxy.ModifyResponse = func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			if err == nil && disputed.Load() {
				body = bytes.ReplaceAll(body, []byte(`"disputed":false`), []byte(`"disputed":true`))
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Length", fmt.Sprint(len(body)))
			return err
		}
		server := httptest.NewServer(proxy)
		t.Cleanup(server.Close)
		c.StripeAPIURL = server.URL
	})
	pledge, _, intent := w.paid()
	disputed.Store(true)
	for i := range 2 {
		body := strings.Replace(fmt.Sprintf(eventFormat, fmt.Sprint("evt_", i), "2023-10-16", false, "charge.dispute.created", "dp_1"),
			`"object":"payment_intent"`, `"object":"dispute","payment_intent":"`+intent+`"`, 1)
		if status, code := w.hook(body, signed(body, webhookSecret, w.now())); status != http.StatusOK {
			t.Fatalf("webhook answered %d %s", status, code)
		}
	}
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantHeard(pledge, "started", "succeeded", "disputed")

	// Giving a part back ends no dispute.
	w.refundByHand(intent, 1500)
	w.settle()
	w.wantStatus(pledge, "disputed")
	w.wantHeard(pledge, "started", "succeeded", "disputed", "refunded", "disputed")
	w.audit()
}
