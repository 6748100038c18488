package stripe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
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
	opts       Options
	db         *bolt.DB
	log        *slog.Logger
	deck       cardDeck
	handler    http.Handler
	dispatcher *dispatcher
	faults     faults
	offset     atomic.Int64 // seconds the clock has been advanced
	wake       chan struct{}
	stop       context.CancelFunc
	running    sync.WaitGroup
	busy       keyLocks
	temp       bool
	known      map[string]bool // event types of this API version
	ids        idSource
	calls      map[string]endpoint // of the API, by pattern
	pages      *pages
}

// New opens the state and starts delivering webhooks, unless delivery is manual. The caller serves Handler and calls Close.
func New(opts Options) (*Sandbox, error) {
	if (opts.WebhookURL == "") != (opts.WebhookSecret == "") {
		return nil, errors.New("webhook URL and webhook secret belong together: set both or neither")
	}
	if opts.InMemory && opts.StateDir != "" {
		return nil, errors.New("a state folder is kept on its disk: set StateDir or InMemory, not both")
	}
	if opts.ManualDelivery && opts.Now == nil {
		return nil, errors.New("manual delivery needs a clock: set Now")
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
	if opts.Now == nil {
		opts.Now = time.Now //nolint:forbidigo // what Options promises for nil
	}
	if opts.RetryAfter == nil {
		opts.RetryAfter = DefaultRetryAfter()
	}
	s := &Sandbox{
		opts: opts, log: opts.Log, deck: newCardDeck(), wake: make(chan struct{}, 1),
		busy: keyLocks{held: map[string]bool{}}, known: knownEventTypes(), ids: idSource{from: opts.Random},
		calls: map[string]endpoint{},
	}
	loaded, err := loadPages()
	if err != nil {
		return nil, err
	}
	s.pages = loaded
	if err := s.makeStateDir(); err != nil {
		return nil, err
	}
	db, err := openStore(s.opts)
	if err != nil {
		return nil, errors.Join(err, s.removeTemporary())
	}
	s.db = db
	s.dispatcher = newDispatcher(s)
	s.handler = s.routes()
	if err := s.start(); err != nil {
		return nil, errors.Join(err, db.Close(), s.removeTemporary())
	}
	return s, nil
}

// memoryDisk is where Linux keeps files in memory.
const memoryDisk = "/dev/shm"

func (s *Sandbox) makeStateDir() error {
	if s.opts.StateDir != "" {
		if err := os.MkdirAll(s.opts.StateDir, 0o700); err != nil {
			return fmt.Errorf("create state folder: %w", err)
		}
		return nil
	}
	const pattern = "stripe-sandbox-"
	dir, err := "", error(nil)
	if s.opts.InMemory {
		dir, err = os.MkdirTemp(memoryDisk, pattern)
	}
	if dir == "" || err != nil { // no memory disk here, or not ours to write
		dir, err = os.MkdirTemp("", pattern)
	}
	if err != nil {
		return fmt.Errorf("create state folder: %w", err)
	}
	s.opts.StateDir, s.temp = dir, true
	return nil
}

func (s *Sandbox) removeTemporary() error {
	if !s.temp {
		return nil
	}
	return os.RemoveAll(s.opts.StateDir)
}

func (s *Sandbox) start() error {
	var pending []queuedDelivery
	err := s.db.Update(func(tx *bolt.Tx) error {
		var offset int64
		if _, err := getJSON(tx, bucketSettings, "clock_offset", &offset); err != nil {
			return err
		}
		s.offset.Store(offset)
		if err := ensurePruning(tx, s); err != nil {
			return err
		}
		if err := s.keepConfiguredEndpoint(tx); err != nil {
			return err
		}
		var err error
		pending, err = pendingDeliveries(tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("load state: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background()) //nolint:forbidigo // the goroutines end with Close, not with a caller
	s.stop = stop
	s.dispatcher.add(pending...)
	if s.opts.ManualDelivery {
		return nil
	}
	for range dispatchWorkers {
		s.running.Go(func() { s.dispatcher.run(ctx) })
	}
	s.running.Go(func() { s.runSchedule(ctx) })
	return nil
}

// Handler serves the API, the browser pages and script, and the controls.
func (s *Sandbox) Handler() http.Handler { return s.handler }

// Close stops deliveries (an attempt in progress is cut and repeated after the next start) and
// closes the state.
func (s *Sandbox) Close() error {
	s.stop()
	s.dispatcher.close()
	s.running.Wait()
	return errors.Join(s.db.Close(), s.removeTemporary())
}

// now is the sandbox's clock: the wall clock plus what controls have added.
func (s *Sandbox) now() int64 { return s.opts.Now().Unix() + s.offset.Load() }

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
