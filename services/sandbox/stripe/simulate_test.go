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

// simulation is a sandbox with a clock and a seed of its own, without goroutines and sockets.
type simulation struct {
	t       testing.TB
	sandbox *stripe.Sandbox
	api     *client.API
	random  *rand.PCG
	now     time.Time
	refuse  int // answer 500 this many times
	got     []stripego.Event
}

func newSimulation(t testing.TB, seed uint64) *simulation {
	t.Helper()
	sim := &simulation{t: t, random: rand.NewPCG(seed, 0), now: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)}
	var err error
	sim.sandbox, err = stripe.New(stripe.Options{
		InMemory: true, ManualDelivery: true, Now: func() time.Time { return sim.now }, Random: sim.random,
		WebhookURL: "http://receiver.test/hook", WebhookSecret: webhookSecret, WebhookTransport: sim,
		RetryAfter: []time.Duration{time.Minute, time.Hour},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sim.sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	sim.api = officialWith("http://sandbox.test", 0, &http.Client{Transport: sim.sandbox.Transport()})
	return sim
}

// RoundTrip is the webhook receiver.
func (sim *simulation) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	// The age of the signature is not checked, because its time is that of the simulated clock.
	e, err := webhook.ConstructEventWithOptions(body, r.Header.Get("Stripe-Signature"), webhookSecret,
		webhook.ConstructEventOptions{IgnoreTolerance: true})
	status := http.StatusOK
	if sim.refuse > 0 || err != nil {
		sim.refuse--
		status = http.StatusInternalServerError
	} else {
		sim.got = append(sim.got, e)
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
}

func (sim *simulation) intent(amount int64) *stripego.PaymentIntent {
	sim.t.Helper()
	pi, err := sim.api.PaymentIntents.New(&stripego.PaymentIntentParams{
		Amount: &amount, Currency: stripego.String("eur"), Metadata: map[string]string{"pledge_id": "7"},
	})
	if err != nil {
		sim.t.Fatal(err)
	}
	return pi
}

func (sim *simulation) paid(amount int64) stripe.Intent {
	sim.t.Helper()
	pi, err := sim.sandbox.ConfirmIntent(sim.intent(amount).ID, "4242424242424242")
	if err != nil || pi.Status != "succeeded" {
		sim.t.Fatalf("%+v %v", pi, err)
	}
	return pi
}

func (sim *simulation) runDue(want int) {
	sim.t.Helper()
	if n, err := sim.sandbox.RunDue(sim.t.Context()); err != nil || n != want {
		sim.t.Errorf("%d things fell due, want %d: %v", n, want, err)
	}
}

func (sim *simulation) settle() {
	sim.t.Helper()
	for _, d := range sim.sandbox.Deliveries() {
		if err := sim.sandbox.Deliver(sim.t.Context(), d.ID); err != nil {
			sim.t.Fatal(err)
		}
	}
}

func TestManualDelivery_NothingHappensWithoutACall(t *testing.T) {
	sim := newSimulation(t, 1)
	pi, err := sim.sandbox.ConfirmIntent(sim.intent(1000).ID, "pm_card_createDispute")
	if err != nil || pi.Status != "succeeded" {
		t.Fatalf("%+v %v", pi, err)
	}
	waiting := sim.sandbox.Deliveries()
	if len(waiting) != 1 || waiting[0].Type != "payment_intent.succeeded" || !waiting[0].Due.Equal(sim.now) || len(sim.got) != 0 {
		t.Fatalf("%+v", waiting)
	}
	sim.runDue(0)
	if at, some := sim.sandbox.NextDue(); !some || !at.Equal(sim.now.Add(10*time.Second)) {
		t.Errorf("next due at %v", at)
	}
	sim.now = sim.now.Add(10 * time.Second)
	if len(sim.sandbox.Snapshot().Disputes) != 0 {
		t.Error("the dispute opened by itself")
	}
	sim.runDue(1)
	sim.runDue(0)
	if len(sim.sandbox.Snapshot().Disputes) != 1 || len(sim.sandbox.Deliveries()) != 3 {
		t.Errorf("%+v", sim.sandbox.Deliveries())
	}
}

func TestManualDelivery_DropsRetriesAndDuplicates(t *testing.T) {
	sim := newSimulation(t, 1)
	for range 3 {
		sim.paid(1000)
		sim.now = sim.now.Add(time.Second)
	}
	waiting := sim.sandbox.Deliveries()
	lost, refused, twice := waiting[0], waiting[1], waiting[2]

	if err := sim.sandbox.DropDelivery(lost.ID); err != nil {
		t.Error(err)
	}
	if err := sim.sandbox.Deliver(t.Context(), lost.ID); !errors.Is(err, stripe.ErrNoDelivery) {
		t.Errorf("a dropped delivery still goes out: %v", err)
	}
	if err := sim.sandbox.DropDelivery(lost.ID); !errors.Is(err, stripe.ErrNoDelivery) {
		t.Error(err)
	}

	sim.refuse = 1
	if err := sim.sandbox.Deliver(t.Context(), refused.ID); !errors.Is(err, stripe.ErrNotTaken) {
		t.Errorf("refused: %v", err)
	}
	if last := sim.sandbox.Deliveries()[1]; last.ID != refused.ID || !last.Due.Equal(sim.now.Add(time.Minute)) || last.Type != refused.Type {
		t.Errorf("it waits for its next attempt: %+v", last)
	}
	if err := sim.sandbox.Deliver(t.Context(), refused.ID); err != nil {
		t.Errorf("also before it is due: %v", err)
	}

	copied, err := sim.sandbox.DuplicateDelivery(twice.ID)
	if err != nil || copied == twice.ID || sim.sandbox.Deliveries()[1].ID != copied {
		t.Fatalf("%v %v", copied, err)
	}
	sim.settle()
	if _, err := sim.sandbox.DuplicateDelivery("dlv_none"); !errors.Is(err, stripe.ErrNoDelivery) {
		t.Error(err)
	}
	if _, err := sim.sandbox.DuplicateDelivery(twice.ID); err != nil {
		t.Errorf("also one that is over: %v", err)
	}
	sim.settle()
	var got []string
	for _, e := range sim.got {
		got = append(got, e.ID)
	}
	if want := []string{refused.Event, twice.Event, twice.Event, twice.Event}; !reflect.DeepEqual(got, want) {
		t.Errorf("received %v, want %v", got, want)
	}
}

func TestManualDelivery_IsGivenUpAfterItsLastAttempt(t *testing.T) {
	sim := newSimulation(t, 1)
	sim.paid(1000)
	sim.refuse = 3
	for range 3 {
		if err := sim.sandbox.Deliver(t.Context(), sim.sandbox.Deliveries()[0].ID); !errors.Is(err, stripe.ErrNotTaken) {
			t.Fatal(err)
		}
	}
	if left := sim.sandbox.Deliveries(); len(left) != 0 {
		t.Errorf("%+v", left)
	}
}

func TestManualDelivery_AnAttemptCutByItsContextIsNotCounted(t *testing.T) {
	sim := newSimulation(t, 1)
	sim.paid(1000)
	before := sim.sandbox.Deliveries()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sim.sandbox.Deliver(ctx, before[0].ID); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if after := sim.sandbox.Deliveries(); !reflect.DeepEqual(before, after) {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// scenario makes payments, a challenge, a refund and a dispute, and returns the resulting state as text.
func (sim *simulation) scenario() string {
	sim.t.Helper()
	pi := sim.paid(1000)
	secure, err := sim.sandbox.ConfirmIntent(sim.intent(2500).ID, "4000002760003184")
	if err != nil || secure.Status != "requires_action" {
		sim.t.Fatalf("%+v %v", secure, err)
	}
	if secure, err = sim.sandbox.AnswerChallenge(secure.ID, true); err != nil || secure.Status != "succeeded" {
		sim.t.Fatalf("%+v %v", secure, err)
	}
	if _, err := sim.sandbox.RefundByHand(pi.LatestCharge, 400); err != nil {
		sim.t.Fatal(err)
	}
	if _, err := sim.sandbox.OpenDispute(stripe.DisputeOrder{Charge: secure.LatestCharge}); err != nil {
		sim.t.Fatal(err)
	}
	return fmt.Sprintf("%+v %+v", sim.sandbox.Snapshot(), sim.sandbox.Deliveries())
}

func TestRandom_TheSameSeedGivesTheSameState(t *testing.T) {
	first, second, other := newSimulation(t, 7), newSimulation(t, 7), newSimulation(t, 8)
	state := first.scenario()
	if again := second.scenario(); again != state {
		t.Errorf("one seed, two states:\n%s\n%s", state, again)
	}
	if other.scenario() == state {
		t.Error("another seed gives the same ids")
	}
	first.settle()
	first.now = first.now.Add(time.Hour)
	if err := first.sandbox.Reset(); err != nil {
		t.Fatal(err)
	}
	first.random.Seed(7, 0)
	first.now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	if again := first.scenario(); again != state {
		t.Errorf("the state after a reset differs:\n%s\n%s", state, again)
	}
}

func TestReset_ForgetsAllButTheConfiguredEndpoint(t *testing.T) {
	sim := newSimulation(t, 1)
	sim.scenario()
	if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: "500"}); err != nil {
		t.Fatal(err)
	}
	if err := sim.sandbox.Reset(); err != nil {
		t.Fatal(err)
	}
	if b := sim.sandbox.Snapshot(); len(b.Intents)+len(b.BalanceTransactions)+len(b.Net)+len(sim.sandbox.Deliveries()) != 0 {
		t.Errorf("%+v", b)
	}
	sim.paid(1000)
	if len(sim.sandbox.Deliveries()) != 1 {
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

func TestTransport_AFaultCutsTheConnection(t *testing.T) {
	sim := newSimulation(t, 1)
	for _, kind := range []string{"cut_before", "cut_after"} {
		if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: kind, Method: "POST"}); err != nil {
			t.Fatal(err)
		}
		amount := int64(900)
		_, err := sim.api.PaymentIntents.New(&stripego.PaymentIntentParams{Amount: &amount, Currency: stripego.String("eur")})
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if n := len(sim.sandbox.Snapshot().Intents); n != 1 {
		t.Errorf("%d intents, want that of the call cut after its effect", n)
	}
	if err := sim.sandbox.AddFault(stripe.FaultRule{Kind: "tea"}); err == nil || !strings.Contains(err.Error(), "cut_after") {
		t.Errorf("an unknown kind: %v", err)
	}
}

// BenchmarkSimulation measures 200 calls and a reset.
func BenchmarkSimulation(b *testing.B) {
	sim := newSimulation(b, 1)
	calls := 0
	for b.Loop() {
		for calls = 0; calls < 200; calls += 4 {
			pi := sim.paid(1000)
			if _, err := sim.sandbox.RefundByHand(pi.LatestCharge, 0); err != nil {
				b.Fatal(err)
			}
			if _, err := sim.api.PaymentIntents.Get(pi.ID, nil); err != nil {
				b.Fatal(err)
			}
			sim.settle()
		}
		if err := sim.sandbox.Reset(); err != nil {
			b.Fatal(err)
		}
		sim.got = nil
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*calls), "µs/call")
}

func BenchmarkSnapshot(b *testing.B) {
	sim := newSimulation(b, 1)
	for range 50 {
		sim.paid(1000)
	}
	for b.Loop() {
		sim.sandbox.Snapshot()
	}
}
