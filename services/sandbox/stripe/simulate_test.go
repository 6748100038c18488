package stripe_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"
	"github.com/stripe/stripe-go/v76/webhook"

	"talkoot.fi/sandbox/stripe"
)

// life is a sandbox that a simulation drives: its own clock and seed, no goroutine, no socket.
type life struct {
	t       testing.TB
	sandbox *stripe.Sandbox
	api     *client.API
	random  *rand.PCG
	now     time.Time
	refuse  int // answer 500 this many times
	got     []stripego.Event
}

func newLife(t testing.TB, seed uint64) *life {
	t.Helper()
	l := &life{t: t, random: rand.NewPCG(seed, 0), now: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)}
	var err error
	l.sandbox, err = stripe.New(stripe.Options{
		InMemory: true, ManualDelivery: true, Now: func() time.Time { return l.now }, Random: l.random,
		WebhookURL: "http://receiver.test/hook", WebhookSecret: webhookSecret, WebhookTransport: l,
		RetryAfter: []time.Duration{time.Minute, time.Hour},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	l.api = officialWith("http://sandbox.test", 0, &http.Client{Transport: l.sandbox.Transport()})
	return l
}

// RoundTrip is the webhook receiver.
func (l *life) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	// Without tolerance: the signature's time is the life's, not the machine's.
	e, err := webhook.ConstructEventWithOptions(body, r.Header.Get("Stripe-Signature"), webhookSecret,
		webhook.ConstructEventOptions{IgnoreTolerance: true})
	status := http.StatusOK
	if l.refuse > 0 || err != nil {
		l.refuse--
		status = http.StatusInternalServerError
	} else {
		l.got = append(l.got, e)
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
}

func (l *life) intent(amount int64) *stripego.PaymentIntent {
	l.t.Helper()
	pi, err := l.api.PaymentIntents.New(&stripego.PaymentIntentParams{
		Amount: &amount, Currency: stripego.String("eur"), Metadata: map[string]string{"pledge_id": "7"},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return pi
}

func (l *life) paid(amount int64) stripe.Intent {
	l.t.Helper()
	pi, err := l.sandbox.ConfirmIntent(l.intent(amount).ID, "4242424242424242")
	if err != nil || pi.Status != "succeeded" {
		l.t.Fatalf("%+v %v", pi, err)
	}
	return pi
}

func (l *life) runDue(want int) {
	l.t.Helper()
	if n, err := l.sandbox.RunDue(l.t.Context()); err != nil || n != want {
		l.t.Errorf("%d things fell due, want %d: %v", n, want, err)
	}
}

func (l *life) settle() {
	l.t.Helper()
	for _, d := range l.sandbox.Deliveries() {
		if err := l.sandbox.Deliver(l.t.Context(), d.ID); err != nil {
			l.t.Fatal(err)
		}
	}
}

func TestManualDelivery_NothingMovesUntilToldTo(t *testing.T) {
	l := newLife(t, 1)
	pi, err := l.sandbox.ConfirmIntent(l.intent(1000).ID, "pm_card_createDispute")
	if err != nil || pi.Status != "succeeded" {
		t.Fatalf("%+v %v", pi, err)
	}
	waiting := l.sandbox.Deliveries()
	if len(waiting) != 1 || waiting[0].Type != "payment_intent.succeeded" || !waiting[0].Due.Equal(l.now) || len(l.got) != 0 {
		t.Fatalf("%+v", waiting)
	}
	l.runDue(0)
	if at, some := l.sandbox.NextDue(); !some || !at.Equal(l.now.Add(10*time.Second)) {
		t.Errorf("next due at %v", at)
	}
	l.now = l.now.Add(10 * time.Second)
	if len(l.sandbox.Books().Disputes) != 0 {
		t.Error("the dispute opened by itself")
	}
	l.runDue(1)
	l.runDue(0)
	if len(l.sandbox.Books().Disputes) != 1 || len(l.sandbox.Deliveries()) != 3 {
		t.Errorf("%+v", l.sandbox.Deliveries())
	}
}

func TestManualDelivery_EachFateOfADelivery(t *testing.T) {
	l := newLife(t, 1)
	for range 3 {
		l.paid(1000)
		l.now = l.now.Add(time.Second)
	}
	waiting := l.sandbox.Deliveries()
	lost, refused, twice := waiting[0], waiting[1], waiting[2]

	if err := l.sandbox.DropDelivery(lost.ID); err != nil {
		t.Error(err)
	}
	if err := l.sandbox.Deliver(t.Context(), lost.ID); !errors.Is(err, stripe.ErrNoDelivery) {
		t.Errorf("a dropped delivery still goes out: %v", err)
	}
	if err := l.sandbox.DropDelivery(lost.ID); !errors.Is(err, stripe.ErrNoDelivery) {
		t.Error(err)
	}

	l.refuse = 1
	if err := l.sandbox.Deliver(t.Context(), refused.ID); !errors.Is(err, stripe.ErrNotTaken) {
		t.Errorf("refused: %v", err)
	}
	if last := l.sandbox.Deliveries()[1]; last.ID != refused.ID || !last.Due.Equal(l.now.Add(time.Minute)) || last.Type != refused.Type {
		t.Errorf("it waits for its next attempt: %+v", last)
	}
	if err := l.sandbox.Deliver(t.Context(), refused.ID); err != nil {
		t.Errorf("also before it is due: %v", err)
	}

	copied, err := l.sandbox.DuplicateDelivery(twice.ID)
	if err != nil || copied == twice.ID || l.sandbox.Deliveries()[1].ID != copied {
		t.Fatalf("%v %v", copied, err)
	}
	l.settle()
	if _, err := l.sandbox.DuplicateDelivery("dlv_none"); !errors.Is(err, stripe.ErrNoDelivery) {
		t.Error(err)
	}
	if _, err := l.sandbox.DuplicateDelivery(twice.ID); err != nil {
		t.Errorf("also one that is over: %v", err)
	}
	l.settle()
	var got []string
	for _, e := range l.got {
		got = append(got, e.ID)
	}
	if want := []string{refused.Event, twice.Event, twice.Event, twice.Event}; !reflect.DeepEqual(got, want) {
		t.Errorf("received %v, want %v", got, want)
	}
}

func TestManualDelivery_IsGivenUpAfterItsLastAttempt(t *testing.T) {
	l := newLife(t, 1)
	l.paid(1000)
	l.refuse = 3
	for range 3 {
		if err := l.sandbox.Deliver(t.Context(), l.sandbox.Deliveries()[0].ID); !errors.Is(err, stripe.ErrNotTaken) {
			t.Fatal(err)
		}
	}
	if left := l.sandbox.Deliveries(); len(left) != 0 {
		t.Errorf("%+v", left)
	}
}

func TestManualDelivery_ACutAttemptCountsForNothing(t *testing.T) {
	l := newLife(t, 1)
	l.paid(1000)
	before := l.sandbox.Deliveries()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.sandbox.Deliver(ctx, before[0].ID); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if after := l.sandbox.Deliveries(); !reflect.DeepEqual(before, after) {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// story is a life with something of everything; it tells what happened.
func (l *life) story() string {
	l.t.Helper()
	pi := l.paid(1000)
	secure, err := l.sandbox.ConfirmIntent(l.intent(2500).ID, "4000002760003184")
	if err != nil || secure.Status != "requires_action" {
		l.t.Fatalf("%+v %v", secure, err)
	}
	if secure, err = l.sandbox.AnswerChallenge(secure.ID, true); err != nil || secure.Status != "succeeded" {
		l.t.Fatalf("%+v %v", secure, err)
	}
	if _, err := l.sandbox.RefundByHand(pi.LatestCharge, 400); err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.sandbox.OpenDispute(stripe.DisputeOrder{Charge: secure.LatestCharge}); err != nil {
		l.t.Fatal(err)
	}
	return fmt.Sprintf("%+v %+v", l.sandbox.Books(), l.sandbox.Deliveries())
}

func TestRandom_ASeedGivesTheSameLifeAgain(t *testing.T) {
	first, second, other := newLife(t, 7), newLife(t, 7), newLife(t, 8)
	told := first.story()
	if again := second.story(); again != told {
		t.Errorf("one seed, two lives:\n%s\n%s", told, again)
	}
	if other.story() == told {
		t.Error("another seed gives the same ids")
	}
	first.settle()
	first.now = first.now.Add(time.Hour)
	if err := first.sandbox.Reset(); err != nil {
		t.Fatal(err)
	}
	first.random.Seed(7, 0)
	first.now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	if again := first.story(); again != told {
		t.Errorf("a life after a reset differs:\n%s\n%s", told, again)
	}
}

func TestReset_ForgetsAllButTheConfiguredEndpoint(t *testing.T) {
	l := newLife(t, 1)
	l.story()
	if err := l.sandbox.AddFault(stripe.FaultRule{Kind: "500"}); err != nil {
		t.Fatal(err)
	}
	if err := l.sandbox.Reset(); err != nil {
		t.Fatal(err)
	}
	if b := l.sandbox.Books(); len(b.Intents)+len(b.BalanceTransactions)+len(b.Net)+len(l.sandbox.Deliveries()) != 0 {
		t.Errorf("%+v", b)
	}
	l.paid(1000)
	if len(l.sandbox.Deliveries()) != 1 {
		t.Error("the configured endpoint is forgotten")
	}
}

func TestOptions_RefuseWhatCannotWork(t *testing.T) {
	for name, opts := range map[string]stripe.Options{
		"manual delivery without a clock": {ManualDelivery: true},
		"in memory and on a disk":         {InMemory: true, StateDir: t.TempDir()},
	} {
		if s, err := stripe.New(opts); err == nil {
			t.Errorf("%s is taken", name)
			_ = s.Close()
		}
	}
}

func TestTransport_CutsAsAConnectionDoes(t *testing.T) {
	l := newLife(t, 1)
	for _, kind := range []string{"cut_before", "cut_after"} {
		if err := l.sandbox.AddFault(stripe.FaultRule{Kind: kind, Method: "POST"}); err != nil {
			t.Fatal(err)
		}
		amount := int64(900)
		_, err := l.api.PaymentIntents.New(&stripego.PaymentIntentParams{Amount: &amount, Currency: stripego.String("eur")})
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if n := len(l.sandbox.Books().Intents); n != 1 {
		t.Errorf("%d intents, want that of the call cut after its effect", n)
	}
	if err := l.sandbox.AddFault(stripe.FaultRule{Kind: "tea"}); err == nil || !strings.Contains(err.Error(), "cut_after") {
		t.Errorf("an unknown kind: %v", err)
	}
}

// BenchmarkLife is one life of 200 calls and a reset.
func BenchmarkLife(b *testing.B) {
	l := newLife(b, 1)
	calls := 0
	for b.Loop() {
		for calls = 0; calls < 200; calls += 4 {
			pi := l.paid(1000)
			if _, err := l.sandbox.RefundByHand(pi.LatestCharge, 0); err != nil {
				b.Fatal(err)
			}
			if _, err := l.api.PaymentIntents.Get(pi.ID, nil); err != nil {
				b.Fatal(err)
			}
			l.settle()
		}
		if err := l.sandbox.Reset(); err != nil {
			b.Fatal(err)
		}
		l.got = nil
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*calls), "µs/call")
}

func BenchmarkBooks(b *testing.B) {
	l := newLife(b, 1)
	for range 50 {
		l.paid(1000)
	}
	for b.Loop() {
		l.sandbox.Books()
	}
}
