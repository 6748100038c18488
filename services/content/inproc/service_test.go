package inproc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/servicetoken"

	"talkoot.fi/content/inproc"
	"talkoot.fi/content/migrations"
)

const secret = "a secret of the tests that is long enough"

var noon = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// world is a content service whose clock the test moves, and what it has sent.
type world struct {
	orders map[string]string // order tokens by the ids of their pledges
	*inproc.Service
	t      *testing.T
	config inproc.Config
	now    atomic.Pointer[time.Time]

	mu       sync.Mutex
	mails    []string
	closings []string
	isDown   bool
}

// RoundTrip is the payment service.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isDown {
		return nil, errors.New("down")
	}
	var order struct {
		ID     string `json:"subject_id"`
		Reason string `json:"reason"`
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		return nil, err
	}
	w.closings = append(w.closings, order.ID+" "+order.Reason)
	answer := httptest.NewRecorder()
	_, _ = io.WriteString(answer, `{"status": "none"}`)
	return answer.Result(), nil
}

func (w *world) pass(d time.Duration) {
	later := w.now.Load().Add(d)
	w.now.Store(&later)
}

func setup(t *testing.T) *world {
	t.Helper()
	w := &world{t: t}
	w.now.Store(&noon)
	w.orders = map[string]string{}
	w.config = inproc.Config{DatabaseURL: dbtest.New(t, migrations.FS).URL, ServiceSecret: secret, Payments: w,
		Now: func() time.Time { return *w.now.Load() },
		Mail: func(_ context.Context, m inproc.Mail) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.mails = append(w.mails, m.Kind+" "+m.To)
			return nil
		}}
	w.open(w.config)
	return w
}

func (w *world) open(c inproc.Config) {
	w.t.Helper()
	s, err := inproc.New(w.t.Context(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	w.Service = s
	w.t.Cleanup(func() { _ = s.Close() })
}

func (w *world) campaign(slug string, rewards ...inproc.RewardSpec) inproc.Campaign {
	w.t.Helper()
	made, err := w.NewCampaign(w.t.Context(), inproc.CampaignSpec{Slug: slug, GoalMinor: 1000_00, FirstDay: noon, LastDay: noon.AddDate(0, 0, 7), Rewards: rewards})
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// call makes a call and checks its status; internal calls carry the payment service's token.
func (w *world) call(method, address, body string, want int, into any) {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), method, address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(address, "/internal/") {
		signer, err := servicetoken.NewSigner([]byte(secret), servicetoken.Payments, w.config.Now)
		if err != nil {
			w.t.Fatal(err)
		}
		token, err := signer.Sign(servicetoken.Content)
		if err != nil {
			w.t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if token := w.orders[strings.Trim(strings.TrimPrefix(address, "/pledges/"), "/")]; token != "" {
		r.Header.Set(ordertoken.Header, token)
	}
	answer := httptest.NewRecorder()
	w.Handler().ServeHTTP(answer, r)
	if answer.Code != want {
		w.t.Fatalf("%s %s: %d %s, want %d", method, address, answer.Code, answer.Body, want)
	}
	if into != nil {
		if err := json.Unmarshal(answer.Body.Bytes(), into); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) pledge(c inproc.Campaign, euros int) string {
	w.t.Helper()
	var made struct {
		Pledge struct {
			ID string `json:"pledge_id"`
		} `json:"pledge"`
		Token string `json:"order_token"`
	}
	w.call("POST", fmt.Sprintf("/campaigns/%d/pledges/", c.ID), fmt.Sprintf(`{"amount": %d, "reward_id": %d,
		"pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": "B"}}`, euros, c.RewardIDs[0]), http.StatusCreated, &made)
	w.orders[made.Pledge.ID] = made.Token
	return made.Pledge.ID
}

func (w *world) pay(id string, cents int) (outcome string) {
	w.t.Helper()
	var answer struct {
		Outcome string `json:"outcome"`
	}
	w.call("POST", "/internal/payment-events", fmt.Sprintf(`{"event_id": "paid-%s", "sequence": 1, "type": "payment.succeeded", "subject_kind": "pledge",
		"subject_id": %q, "payment_id": "p", "provider": "stripe", "amount_minor": %d, "currency": "EUR", "occurred_at": %q}`,
		id, id, cents, w.config.Now().Format(time.RFC3339)), http.StatusOK, &answer)
	return answer.Outcome
}

func (w *world) relay(want int) {
	w.t.Helper()
	if n, err := w.RelayOnce(w.t.Context()); err != nil || n != want {
		w.t.Fatalf("the relay took %d, %v; want %d", n, err, want)
	}
}

func TestService_RunsPledgesStepByStep(t *testing.T) {
	w := setup(t)
	ctx := t.Context()
	c := w.campaign("ensimmainen", inproc.RewardSpec{AmountMinor: 10_00, Stock: 30})
	paid, given, lapsing := w.pledge(c, 10), w.pledge(c, 12), w.pledge(c, 10)
	w.call("GET", "/internal/orders/pledge/"+paid, "", http.StatusOK, nil)
	if got := w.pay(paid, 10_00); got != "applied" {
		t.Errorf("paid: %s", got)
	}
	w.call("DELETE", "/pledges/"+given+"/", "", http.StatusNoContent, nil)
	w.isDown = true
	w.relay(2) // the receipt, and a payment.close message that cannot be delivered
	w.isDown = false
	w.relay(0)
	w.pass(10 * time.Second)
	w.relay(1)
	if err := w.MoveStage(ctx, c.ID, inproc.StageSucceeded); !errors.Is(err, inproc.ErrUndecided) {
		t.Errorf("settled with an undecided pledge: %v", err)
	}
	w.pass(time.Hour)
	if n, err := w.Lapse(ctx); err != nil || n != 1 {
		t.Errorf("%d lapsed, %v", n, err)
	}
	w.relay(0) // a payment in progress has a grace period
	if !slices.Equal(w.mails, []string{"mail.receipt a@b.fi"}) || !slices.Equal(w.closings, []string{given + " released"}) {
		t.Errorf("mails %q, closings %q", w.mails, w.closings)
	}
	if got := w.pay(given, 12_00); got != "pledge_closed" {
		t.Errorf("given up, then paid: %s", got)
	}
	if err := w.MoveStage(ctx, c.ID, inproc.StageSucceeded); err != nil {
		t.Error(err)
	}
	if got := w.pay(lapsing, 10_00); got != "pledge_closed" {
		t.Errorf("lapsed, then paid after the settlement: %s", got)
	}
	if drifts, err := w.Recompute(ctx); err != nil || len(drifts) > 0 {
		t.Errorf("drifts %v, %v", drifts, err)
	}
	w.campaign("toinen")
}

// killer ends the process at its n-th statement.
type killer struct{ left atomic.Int64 }

func (k *killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if k.left.Add(-1) < 0 {
		runtime.Goexit()
	}
	return ctx
}

func (k *killer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestService_KilledAtAnyStatement_AnotherOneGoesOn(t *testing.T) {
	w := setup(t)
	c := w.campaign("ensimmainen", inproc.RewardSpec{AmountMinor: 10_00, Stock: 100})
	for statement := range int64(40) {
		id := w.pledge(c, 10)
		k := &killer{}
		k.left.Store(1 << 40)
		config := w.config
		config.Tracer = k
		w.open(config)
		k.left.Store(statement)
		done := make(chan bool)
		go func() {
			isAlive := false
			defer func() { done <- isAlive }()
			w.call("DELETE", "/pledges/"+id+"/", "", http.StatusNoContent, nil)
			isAlive = true
		}()
		isAlive := <-done
		w.open(w.config)
		w.call("DELETE", "/pledges/"+id+"/", "", http.StatusNoContent, nil)
		if _, err := w.RelayOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(w.closings, id+" released") || len(w.closings) != int(statement)+1 {
			t.Fatalf("killed at statement %d: %d closings", statement, len(w.closings))
		}
		if drifts, err := w.Recompute(t.Context()); err != nil || len(drifts) > 0 {
			t.Fatalf("drifts %v, %v", drifts, err)
		}
		if isAlive {
			return // killed at each statement
		}
	}
	t.Error("never came through")
}
