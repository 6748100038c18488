package stripe

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// APIVersion is the version in which objects and events are rendered. A call that asks for another is refused.
const APIVersion = "2023-10-16"

// Options configure a Sandbox; the zero value works and forgets everything on Close.
type Options struct {
	// StateDir keeps the state. Empty means a temporary folder that Close removes.
	StateDir string
	// Sync flushes every write to the disk. Without it a killed process loses nothing, a power cut may.
	Sync bool
	// Log receives ids and outcomes, never bodies or secrets. Nil discards.
	Log *slog.Logger
	// Now is the wall clock. Nil means time.Now. The control call advances an offset to it.
	Now func() time.Time
	// WebhookURL and WebhookSecret register and keep one platform endpoint; both or neither.
	WebhookURL, WebhookSecret string
	// Account is the id of the account that all keys are of. Empty means one that is always the same.
	Account string
	// PublicURL is how a browser reaches the handler, without a trailing slash.
	// Empty means http://localhost:8090.
	PublicURL string
	// RetryAfter lists the waits between delivery attempts. Nil means DefaultRetryAfter.
	RetryAfter []time.Duration
	// InMemory keeps the temporary state on the machine's memory disk when it has one. StateDir must be empty.
	InMemory bool
	// ManualDelivery starts no goroutine: webhooks are sent by Deliver only, and scheduled tasks are done by RunDue
	// only. It requires Now, so that a whole simulation runs in one goroutine on a clock of its own.
	ManualDelivery bool
	// WebhookTransport carries the deliveries. Nil means the network.
	WebhookTransport http.RoundTripper
	// Random makes ids and secrets; the same source and the same calls in the same order give the same ids.
	// The sandbox locks it only for its own uses. Nil means crypto/rand.
	Random rand.Source
}

// DefaultRetryAfter begins sooner than Stripe does, so that a restarted receiver catches up at
// once, and gives up after about three days as Stripe does.
func DefaultRetryAfter() []time.Duration {
	return []time.Duration{
		time.Second, 3 * time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, time.Hour,
		3 * time.Hour, 8 * time.Hour, 24 * time.Hour, 36 * time.Hour,
	}
}

// Sandbox is one running stand-in. It owns the state file and the goroutines that deliver
// webhooks and run what is due later; Close stops them.
type Sandbox struct {
	opts    Options
	engine  *standin.Engine
	log     *slog.Logger
	deck    cardDeck
	handler http.Handler
	refunds refundCost
	busy    keyLocks
	known   map[string]bool     // event types of this API version
	calls   map[string]endpoint // of the API, by pattern
	pages   *pages
}

// New opens the state and starts delivering webhooks, unless delivery is manual. The caller serves Handler and calls Close.
func New(opts Options) (*Sandbox, error) {
	if (opts.WebhookURL == "") != (opts.WebhookSecret == "") {
		return nil, errors.New("webhook URL and webhook secret belong together: set both or neither")
	}
	if opts.PublicURL == "" {
		opts.PublicURL = "http://localhost:8090"
	}
	opts.PublicURL = strings.TrimSuffix(opts.PublicURL, "/")
	if u, err := url.Parse(opts.PublicURL); err != nil || u.Host == "" {
		return nil, fmt.Errorf("public URL %q is not an absolute URL", opts.PublicURL)
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.RetryAfter == nil {
		opts.RetryAfter = DefaultRetryAfter()
	}
	s := &Sandbox{
		opts: opts, log: opts.Log, deck: newCardDeck(), busy: keyLocks{held: map[string]bool{}}, known: knownEventTypes(),
		calls: map[string]endpoint{},
	}
	loaded, err := loadPages()
	if err != nil {
		return nil, err
	}
	s.pages = loaded
	s.engine, err = standin.Open(standin.Options{
		Name: "stripe", StateDir: opts.StateDir, Sync: opts.Sync, InMemory: opts.InMemory, ManualDelivery: opts.ManualDelivery,
		Log: opts.Log, Now: opts.Now, Random: opts.Random, Objects: objectBuckets(), Plain: plainBuckets(),
		RetryAfter: opts.RetryAfter, DeliveryTimeout: deliveryTimeout, HookTransport: opts.WebhookTransport,
		Taken: func(status int) bool { return status/100 == 2 }, Post: post{s},
		Perform: func(u *standin.Unit, t standin.Task) error { return s.in(u, &call{}).perform(t) },
		Setup:   s.setup,
	})
	if err != nil {
		return nil, err
	}
	s.handler = s.routes()
	if err := s.engine.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

// setup writes what every state has: the removal of old idempotency keys, and the configured endpoint.
func (s *Sandbox) setup(u *standin.Unit) error {
	if err := ensurePruning(s.in(u, &call{})); err != nil {
		return err
	}
	return s.keepConfiguredEndpoint(u.Tx)
}

// Handler serves the API, the browser pages and script, and the controls.
func (s *Sandbox) Handler() http.Handler { return s.handler }

// Transport carries a client's requests to Handler within the process, one at a time per caller and without sockets.
// A connection that a fault cuts is io.ErrUnexpectedEOF.
func (s *Sandbox) Transport() http.RoundTripper { return standin.InProcess(s.handler) }

// Close stops deliveries (an attempt in progress is cut and repeated after the next start) and
// closes the state.
func (s *Sandbox) Close() error { return s.engine.Close() }

// now is the sandbox's clock: the wall clock plus what controls have added.
func (s *Sandbox) now() int64 { return s.engine.Now() }

// update writes what is no call.
func (s *Sandbox) update(fn func(*bolt.Tx) error) error {
	return s.engine.Write(func(u *standin.Unit) error { return fn(u.Tx) })
}

// keyLocks holds the idempotency keys whose first call is still running.
type keyLocks struct {
	mu   sync.Mutex
	held map[string]bool
}

func (k *keyLocks) acquire(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held[key] {
		return false
	}
	k.held[key] = true
	return true
}

func (k *keyLocks) release(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.held, key)
}
