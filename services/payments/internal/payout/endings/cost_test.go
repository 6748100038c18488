package endings_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// spending keeps which statements a service sends, and which calls it makes to a provider.
type spending struct {
	mu                sync.Mutex
	statements, calls []string
	transport         http.RoundTripper
}

var anID = regexp.MustCompile(`[a-z]+_(m_)?\w{12,}`)

func (s *spending) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statements = append(s.statements, strings.Join(strings.Fields(d.SQL), " "))
	return ctx
}

func (s *spending) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *spending) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.calls = append(s.calls, r.Method+" "+anID.ReplaceAllString(r.URL.Path, "…"))
	s.mu.Unlock()
	return s.transport.RoundTrip(r)
}

func (s *spending) want(t *testing.T, what string, statements int, calls ...string) {
	t.Helper()
	if len(s.statements) > statements {
		t.Errorf("%s: %d statements, want %d:\n%s", what, len(s.statements), statements, strings.Join(s.statements, "\n"))
	}
	slices.Sort(s.calls) // workers go about two webhooks at once
	slices.Sort(calls)
	if got := strings.Join(s.calls, ", "); got != strings.Join(calls, ", ") {
		t.Errorf("%s: calls %s", what, got)
	}
	s.statements, s.calls = nil, nil
}

// What a refund of a whole campaign costs, of which a minute has as many as half of the provider's calls are: five at A, two at B, whose word that it
// has arrived asks for nothing.
func TestRefund_OfACampaign_CostsNoCallAndNoStatementThatIsNotNeeded(t *testing.T) {
	t.Parallel()
	s := &spending{transport: http.DefaultTransport}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer, c.StripeTransport, c.RefundsPerMinuteA = s, s, 600 })
	w.Paid()
	w.EndCampaign("not_reached", "backers")
	s.statements, s.calls = nil, nil
	if err := sweep(t, w.App.Endings); err != nil {
		t.Fatal(err)
	}
	s.want(t, "A begins", 27, "GET /v1/balance") // a dozen of them once a run, which is covered first
	w.Tidy()
	s.want(t, "A sends", 32, "POST /v1/refunds")
	w.AwaitWebhooks()
	s.statements, s.calls = nil, nil
	w.Drain()
	s.want(t, "A tells", 40, "GET /v1/payment_intents/…", "GET /v1/refunds", "GET /v1/payment_intents/…", "GET /v1/refunds")

	b := paymentstest.NewB(t, func(c *app.Config) {
		c.Tracer, s.transport, c.RefundsPerMinuteB = s, c.MangopayTransport, 36
		c.MangopayTransport = s
	})
	b.Pay(b.Order(b.Pledge(), paymentstest.PlainCard))
	b.Settle()
	b.EndCampaign("not_reached", "backers")
	if err := sweep(t, b.App.Endings); err != nil {
		t.Fatal(err)
	}
	s.statements, s.calls = nil, nil
	b.Tidy()
	s.want(t, "B sends", 32, "GET /v2.01/talkoot/payins/…", "POST /v2.01/talkoot/payins/…/refunds")
	var ref string
	b.Scan(&ref, `SELECT provider_ref FROM refunds`)
	at := fmt.Sprintf("%s/api/webhooks/mangopay?EventType=PAYIN_REFUND_SUCCEEDED&RessourceId=%s&Date=1", b.API.URL, ref)
	if status, answer := b.Send(http.MethodGet, at, "", nil, nil); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	b.Drain()
	s.want(t, "B tells", 10)
}
