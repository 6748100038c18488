package payins_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

type counting struct {
	http.RoundTripper
	payIns atomic.Int64
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, "/payins/") {
		c.payIns.Add(1)
	}
	return c.RoundTripper.RoundTrip(r)
}

// Nobody signs provider B's hooks: however many anybody makes up, few are asked about, and the others are not kept. One that is about a
// payment of ours is heard all the same.
func TestHooks_ThatAreMadeUp_CostTheProviderLittle(t *testing.T) {
	t.Parallel()
	calls := &counting{}
	b := paymentstest.NewB(t, func(c *app.Config) { calls.RoundTripper, c.MangopayTransport = c.MangopayTransport, calls })
	pledge := b.Pledge()
	asked := b.Pay(b.Order(pledge, paymentstest.AskedCard))
	calls.payIns.Store(0)
	begun := time.Now()
	for i := range 200 {
		hear(b, fmt.Sprintf("payin_m_madeup%d", i))
	}
	most := 60 + int(time.Since(begun).Seconds()) + 1 // one more each second
	if n, kept := int(calls.payIns.Load()), b.Count(`webhook_events`); n > most || kept > most {
		t.Errorf("%d calls at the provider, %d hooks are kept", n, kept)
	}
	atPage(b, asked.PayIn.SecureModeRedirectURL, "pass")
	hear(b, asked.PayIn.ID)
	if got := b.Count(`payments WHERE status = 'succeeded'`); got != 1 {
		t.Error("the hook about a payment of ours was not heard")
	}
	calls.payIns.Store(0)
	for range 100 {
		hear(b, asked.PayIn.ID)
	}
	if n := calls.payIns.Load(); n > 20*3 {
		t.Errorf("%d calls about one payment", n)
	}
}

// hear is a hook about a pay-in, which the worker hears at once.
func hear(b *paymentstest.B, object string) {
	b.T.Helper()
	status, answer := b.Send(http.MethodGet, b.API.URL+"/api/webhooks/mangopay?EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId="+object+"&Date=1", "", nil, nil)
	if status != http.StatusOK {
		b.T.Fatalf("%d %s", status, answer)
	}
	if err := b.App.Webhooks.Drain(b.T.Context()); err != nil {
		b.T.Fatal(err)
	}
}
