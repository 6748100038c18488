package stripe_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/client"
	"github.com/stripe/stripe-go/v76/webhook"

	"talkoot.fi/sandbox/stripe"
)

const (
	secretKey      = "sk_test_conformance1234"
	publishableKey = "pk_test_conformance1234"
	webhookSecret  = "whsec_conformance"
)

// fixture is one running sandbox with the official client pointed at it.
type fixture struct {
	t       *testing.T
	sandbox *stripe.Sandbox
	server  *httptest.Server
	api     *client.API
}

func start(t *testing.T, opts stripe.Options) *fixture {
	t.Helper()
	sandbox, err := stripe.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sandbox.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	return &fixture{t: t, sandbox: sandbox, server: server, api: official(server.URL, 0)}
}

// official is stripe-go as the payment service builds it.
func official(base string, retries int64) *client.API {
	return officialWith(base, retries, http.DefaultClient)
}

func officialWith(base string, retries int64, over *http.Client) *client.API {
	backend := stripego.GetBackendWithConfig(stripego.APIBackend, &stripego.BackendConfig{
		URL: stripego.String(base), MaxNetworkRetries: stripego.Int64(retries), EnableTelemetry: stripego.Bool(false),
		HTTPClient:    over,
		LeveledLogger: &stripego.LeveledLogger{Level: stripego.LevelNull},
	})
	return client.New(secretKey, &stripego.Backends{API: backend, Connect: backend, Uploads: backend})
}

// intent makes an intent of 10,00 € with card payments and lets change adjust it.
func (b *fixture) intent(change func(*stripego.PaymentIntentParams)) (*stripego.PaymentIntent, error) {
	params := &stripego.PaymentIntentParams{
		Amount: stripego.Int64(1000), Currency: stripego.String("eur"),
		PaymentMethodTypes: stripego.StringSlice([]string{"card"}),
	}
	if change != nil {
		change(params)
	}
	return b.api.PaymentIntents.New(params)
}

func (b *fixture) pay(method string) *stripego.PaymentIntent {
	b.t.Helper()
	pi, err := b.intent(func(p *stripego.PaymentIntentParams) {
		p.PaymentMethod, p.Confirm = stripego.String(method), stripego.Bool(true)
	})
	if err != nil {
		b.t.Fatalf("pay with %s: %v", method, err)
	}
	return pi
}

func stripeError(t *testing.T, err error) *stripego.Error {
	t.Helper()
	var e *stripego.Error
	if !errors.As(err, &e) {
		t.Fatalf("want a *stripe.Error, got %v", err)
	}
	return e
}

// raw makes a call the official client would not make.
func (b *fixture) raw(method, path, key string, form url.Values, header http.Header) (int, http.Header, map[string]any) {
	b.t.Helper()
	target, body := b.server.URL+path, io.Reader(nil)
	if method == http.MethodGet {
		if len(form) > 0 {
			target += "?" + form.Encode()
		}
	} else {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, target, body)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for name, v := range header {
		req.Header[name] = v
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, res.Header, out
}

func (b *fixture) control(path, body string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.server.URL+"/_control/"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		b.t.Fatalf("control %s: %d %s", path, res.StatusCode, text)
	}
}

// receiver is a webhook endpoint that verifies with the official library.
type receiver struct {
	server *httptest.Server
	events chan stripego.Event
	mu     sync.Mutex
	refuse int // answer 500 this many times
	faults []error
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{events: make(chan stripego.Event, 1000)}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		e, err := webhook.ConstructEvent(body, req.Header.Get("Stripe-Signature"), webhookSecret)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err != nil {
			r.faults = append(r.faults, err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.refuse > 0 {
			r.refuse--
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		r.events <- e
	}))
	t.Cleanup(r.server.Close)
	return r
}

func (r *receiver) next(t *testing.T) stripego.Event {
	t.Helper()
	select {
	case e := <-r.events:
		return e
	case <-time.After(10 * time.Second):
		r.mu.Lock()
		defer r.mu.Unlock()
		t.Fatalf("no event came; signature faults: %v", r.faults)
		return stripego.Event{}
	}
}

// eventually polls for something that another goroutine does; it fails after ten seconds.
func (b *fixture) eventually(ok func() bool, what string) {
	b.t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			b.t.Fatal("never: " + what)
		case <-tick.C:
		}
	}
}
