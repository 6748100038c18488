package mangopay

import (
	"context"
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

// Options configure a Sandbox; it forgets everything on Close unless StateDir is set.
type Options struct {
	// ClientID and APIKey are the one client's. Both are required.
	ClientID, APIKey string
	// PublicURL is how a browser reaches the handler, without a trailing slash. Empty means http://localhost:8091.
	PublicURL string
	// HookURL is hooked for every event type from the start. Empty: hooks are the API's only.
	HookURL string
	// HookTransport carries the deliveries. Nil means the network.
	HookTransport http.RoundTripper
	// RetryAfter lists the waits between delivery attempts. Nil means DefaultRetryAfter.
	RetryAfter []time.Duration
	// ChallengeAbove is the amount in minor units above which a card without a rule of its own meets a 3-D Secure
	// challenge. 0 means 5000.
	ChallengeAbove int64
	// RateTimes is how many times the usual calls the rate headers allow. 0 means 1.
	RateTimes int64

	// The rest is as in standin.Options.
	StateDir                       string
	Sync, InMemory, ManualDelivery bool
	Log                            *slog.Logger
	Now                            func() time.Time
	Random                         rand.Source
}

// DefaultRetryAfter is every ten minutes for an hour, then every eight hours for three days.
func DefaultRetryAfter() []time.Duration {
	var out []time.Duration
	for range 6 {
		out = append(out, 10*time.Minute)
	}
	for range 9 {
		out = append(out, 8*time.Hour)
	}
	return out
}

const hookTimeout = 2 * time.Second

// Sandbox is one running stand-in; Close stops it.
type Sandbox struct {
	opts    Options
	engine  *standin.Engine
	log     *slog.Logger
	handler http.Handler
	routes  []route
	pages   *pages
	rate    rateMeter
	forced  forcedCode
}

// New opens the state and starts delivering hooks, unless delivery is manual. The caller serves Handler and calls Close.
func New(opts Options) (*Sandbox, error) {
	if opts.ClientID == "" || opts.APIKey == "" {
		return nil, errors.New("a client has an id and a key: set ClientID and APIKey")
	}
	if opts.PublicURL == "" {
		opts.PublicURL = "http://localhost:8091"
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
	if opts.ChallengeAbove == 0 {
		opts.ChallengeAbove = 5000
	}
	if opts.RateTimes == 0 {
		opts.RateTimes = 1
	}
	s := &Sandbox{opts: opts, log: opts.Log, routes: apiRoutes(), rate: rateMeter{times: opts.RateTimes}}
	var err error
	if s.pages, err = loadPages(); err != nil {
		return nil, err
	}
	s.engine, err = standin.Open(standin.Options{
		Name: "mangopay", StateDir: opts.StateDir, Sync: opts.Sync, InMemory: opts.InMemory, ManualDelivery: opts.ManualDelivery,
		Log: opts.Log, Now: opts.Now, Random: opts.Random, Objects: objectBuckets(), Plain: plainBuckets(),
		RetryAfter: opts.RetryAfter, DeliveryTimeout: hookTimeout, HookTransport: opts.HookTransport,
		Taken: func(status int) bool { return status == http.StatusOK }, Post: post{},
		Perform: func(u *standin.Unit, t standin.Task) error { return s.in(u, &call{}).perform(t) },
		Setup:   func(u *standin.Unit) error { return s.in(u, &call{}).keepConfiguredHooks() },
	})
	if err != nil {
		return nil, err
	}
	s.handler = s.serve()
	if err := s.engine.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler serves the API, where browsers register cards, the pages, and the controls.
func (s *Sandbox) Handler() http.Handler { return s.handler }

// Transport carries a client's requests to Handler within the process, one at a time per caller and without sockets.
// A connection that a fault cuts is io.ErrUnexpectedEOF.
func (s *Sandbox) Transport() http.RoundTripper { return standin.InProcess(s.handler) }

// Close stops deliveries and closes the state.
func (s *Sandbox) Close() error { return s.engine.Close() }

// The errors of a manual delivery.
var (
	ErrNoDelivery = standin.ErrNoDelivery
	ErrNotTaken   = standin.ErrNotTaken
)

// Delivery is one pending delivery of an event to a hook.
type Delivery = standin.Delivery

// Deliveries lists the pending deliveries, in the order in which they would be sent.
func (s *Sandbox) Deliveries() []Delivery { return s.engine.Hooks.Waiting() }

// Deliver makes one attempt now, also before the delivery is due. Errors: ErrNoDelivery, ErrNotTaken, ctx's.
func (s *Sandbox) Deliver(ctx context.Context, id string) error {
	return s.engine.Hooks.Deliver(ctx, id)
}

// DropDelivery drops a pending delivery; its event is still listed. Error: ErrNoDelivery.
func (s *Sandbox) DropDelivery(id string) error { return s.engine.Hooks.DropDelivery(id) }

// DuplicateDelivery queues a delivery's event once more, due now. Error: ErrNoDelivery.
func (s *Sandbox) DuplicateDelivery(id string) (string, error) {
	return s.engine.Hooks.DuplicateDelivery(id)
}

// RunDue does the tasks that are due by the sandbox's clock, and returns how many.
func (s *Sandbox) RunDue(ctx context.Context) (int, error) { return s.engine.RunDue(ctx) }

// NextDue is when, by Options.Now, the next task is due; false when there is none.
func (s *Sandbox) NextDue() (at time.Time, some bool) {
	at, some, err := s.engine.NextDue()
	if err != nil {
		panic(fmt.Errorf("read the sandbox's state: %w", err))
	}
	return at, some
}

// Advance moves the clock forward; what falls due happens at RunDue, or by itself unless delivery is manual.
func (s *Sandbox) Advance(d time.Duration) error { return s.engine.Advance(int64(d / time.Second)) }

// forcedCode is the ResultCode that the next card pay-in ends with.
type forcedCode struct {
	mu   sync.Mutex
	next string
}

func (f *forcedCode) set(code string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next = code
}

func (f *forcedCode) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	code := f.next
	f.next = ""
	return code
}

// call is one unit of work on the state: an API request, a person's step on a page, or something that fell due.
type call struct {
	s     *Sandbox
	unit  *standin.Unit
	tx    *bolt.Tx
	now   int64
	r     *http.Request
	ids   map[string]string // of the path, by their names in the pattern
	query url.Values        // by lower-case names
	body  []byte
	page  http.Header // of a list

	isRead bool // the body
}

func (s *Sandbox) in(u *standin.Unit, c *call) *call {
	c.s, c.unit, c.tx, c.now = s, u, u.Tx, u.Now
	return c
}

func (s *Sandbox) write(c *call, fn func(*call) error) error {
	return s.engine.Write(func(u *standin.Unit) error { return fn(s.in(u, c)) })
}

func (s *Sandbox) read(c *call, fn func(*call) error) error {
	return s.engine.Read(func(u *standin.Unit) error { return fn(s.in(u, c)) })
}

// newID makes an id like user_m_01…: opaque to whoever uses it.
func (c *call) newID(prefix string) string { return prefix + "_m_" + c.s.engine.IDs.Text(26) }

func (c *call) schedule(after int64, act, id string) error {
	return c.unit.Schedule(c.now+after, standin.Task{Act: act, ID: id})
}
