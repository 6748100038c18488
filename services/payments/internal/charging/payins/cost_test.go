package payins_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// spending keeps which statements a service sends, and which calls it makes to the provider.
type spending struct {
	mu                sync.Mutex
	statements, calls []string
	transport         http.RoundTripper
}

var anID = regexp.MustCompile(`[a-z]+_m_\w+`)

func (s *spending) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statements = append(s.statements, strings.Join(strings.Fields(d.SQL), " "))
	return ctx
}

func (s *spending) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *spending) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.calls = append(s.calls, r.Method+" "+anID.ReplaceAllString(strings.TrimPrefix(r.URL.Path, "/v2.01/talkoot"), "…"))
	s.mu.Unlock()
	return s.transport.RoundTrip(r)
}

// What a pledge paid by card costs: the provider's quarter of an hour has 2,300 calls, and more statements mean that something is read again.
func TestCardPayIn_MakesNoCallAndNoStatementThatIsNotNeeded(t *testing.T) {
	t.Parallel()
	s := &spending{}
	b := paymentstest.NewB(t, func(c *app.Config) {
		c.Tracer, s.transport = s, c.MangopayTransport
		c.MangopayTransport = s
	})
	b.Pay(b.Order(b.Pledge(), paymentstest.PlainCard)) // the token is fetched, what is prepared once is prepared
	b.Settle()
	pledge := b.Pledge()
	s.statements, s.calls = nil, nil
	paid := b.Pay(b.Order(pledge, paymentstest.PlainCard))
	b.WantStatus(pledge, "succeeded")
	for _, kind := range []string{"SUCCEEDED"} {
		at := fmt.Sprintf("%s/api/webhooks/mangopay?EventType=PAYIN_NORMAL_%s&RessourceId=%s&Date=1", b.API.URL, kind, paid.PayIn.ID)
		if status, answer := b.Send(http.MethodGet, at, "", nil, nil); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	if err := b.App.Webhooks.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"POST /users/natural", "POST /cardregistrations", "PUT /cardregistrations/…", "GET /cards/…", "POST /payins/card/direct"}
	if got := strings.Join(s.calls, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%d calls:\n%s", len(s.calls), got)
	}
	if len(s.statements) > 37 {
		t.Errorf("%d statements:\n%s", len(s.statements), strings.Join(s.statements, "\n"))
	}
}
