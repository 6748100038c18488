// Package webhooks receives what providers tell us and hands it to the payments it is about.
//
// It owns the stored events. Invariants: an event is stored once, by the provider's own id, after the provider's
// adapter has checked the raw delivery, and nothing is decided while the provider waits; of a provider whose events
// have no ids one row a type and object is kept, and each delivery makes it wait again. The worker fetches the object
// anew and lets package payments advance the payment. An event is a hint that may come late, twice or never.
package webhooks

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
)

// MaxBody is the largest body in bytes; the events we subscribe to have a tenth of it.
const MaxBody = 64 << 10

// What became of a stored event.
const (
	statusReceived  = "received"
	statusProcessed = "processed"
	statusIgnored   = "ignored"
	statusRefused   = "refused"
)

// Provider is what is asked of a payment provider here.
type Provider interface {
	Traits() provider.Traits
	provider.Hooks
}

// Options are the parts of a Service. All are needed but those with a default, which stands in brackets.
type Options struct {
	DB        *gorm.DB
	Providers map[string]Provider // by their names
	Payments  *payments.Service
	// RefreshCard is told of a kept card that was renewed or is kept no longer.
	RefreshCard func(ctx context.Context, provider, card string) error
	// CustomerGone is told of a payer that was deleted.
	CustomerGone func(ctx context.Context, provider, customer string) error
	// PayeeChanged is told of a creator's account that has changed, or that its provider says is gone; object leads to it.
	PayeeChanged func(ctx context.Context, provider, object string, isGone bool) error
	// Sent is told of a transfer to a creator or a payout of theirs that has changed.
	Sent func(ctx context.Context, provider, object string) error
	// Limiter bounds what hooks that nobody has signed make us ask [nothing bounds it].
	Limiter *ratelimit.Limiter
	// Wake tells the workers of a stored event and must not block.
	Wake func()
	Now  func() time.Time
	Log  *slog.Logger
	// Concurrency is how many events are at work at once [8].
	Concurrency int
	// Timeout bounds the work on one event; one that takes longer comes again [15 s].
	Timeout time.Duration
}

// Service receives events and processes them.
type Service struct {
	db           *gorm.DB
	providers    map[string]Provider
	payments     *payments.Service
	refreshCard  func(ctx context.Context, provider, card string) error
	customerGone func(ctx context.Context, provider, customer string) error
	payeeChanged func(ctx context.Context, provider, object string, isGone bool) error
	sent         func(ctx context.Context, provider, object string) error
	limiter      *ratelimit.Limiter
	wake         func()
	now          func() time.Time // as PostgreSQL keeps it
	log          *slog.Logger
	concurrency  int
	timeout      time.Duration
	store        store
}

// New makes the service.
func New(o Options) *Service {
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }
	return &Service{
		db: o.DB, providers: o.Providers, payments: o.Payments, refreshCard: o.RefreshCard, customerGone: o.CustomerGone, payeeChanged: o.PayeeChanged, sent: o.Sent, limiter: o.Limiter, wake: o.Wake,
		now: now, log: o.Log,
		concurrency: cmp.Or(o.Concurrency, 8), timeout: cmp.Or(o.Timeout, 15*time.Second),
	}
}

// Receive checks and stores what came to a provider's webhook address, and answers it. Errors: ConfigurationError when
// the provider is off, WebhookSignatureInvalid (forged, stale or from the future), BodyTooLarge, MalformedBody,
// WebhookVersionMismatch (stored all the same).
func (s *Service) Receive(c echo.Context, name string) error {
	r := c.Request()
	ctx := r.Context()
	p, on := s.providers[name]
	if !on {
		return apperr.New(apperr.ConfigurationError).WithCode("provider_off")
	}
	var raw bytes.Buffer
	// as large as it will be, so that reading does not grow it
	raw.Grow(int(min(max(r.ContentLength, 0), MaxBody)) + bytes.MinRead)
	if _, err := raw.ReadFrom(http.MaxBytesReader(c.Response().Writer, r.Body, MaxBody)); err != nil {
		return readFault(err)
	}
	d := provider.Delivery{Header: r.Header, Query: c.QueryParams(), Body: raw.Bytes(), At: s.now()}
	hook, err := p.ReadHook(d)
	switch {
	case errors.Is(err, provider.ErrSignature):
		// The body is not logged: anybody may have written it.
		s.log.WarnContext(ctx, "webhook refused", "provider", name, "request_id", httpx.RequestID(ctx), "error", err)
		return apperr.New(apperr.WebhookSignatureInvalid).Wrap(err)
	case err != nil:
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	a := &arrival{provider: name, hook: hook, status: statusOf(hook), body: d.Body, trace: tracing.Carried(ctx), again: !p.Traits().HookIDs}
	if len(a.body) == 0 { // such as a provider's that puts all into the address
		a.body = []byte(d.Query.Encode())
	}
	pool, err := s.db.DB()
	if err != nil {
		return fmt.Errorf("find the pool: %w", err)
	}
	isNew, err := s.store.put(ctx, pool, d.At, a)
	if err != nil {
		return err
	}
	if a.status == statusRefused {
		return apperr.New(apperr.WebhookVersionMismatch).Wrap(
			fmt.Errorf("event %s has version %s, which is not the agreed one", hook.Key, hook.APIVersion))
	}
	if isNew && a.status == statusReceived {
		s.wake()
	}
	return c.JSON(http.StatusOK, receipt{Received: true})
}

func readFault(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return apperr.New(apperr.BodyTooLarge).Wrap(err)
	}
	return apperr.New(apperr.MalformedBody).Wrap(fmt.Errorf("read body: %w", err))
}

func statusOf(h provider.Hook) string {
	switch {
	case h.WrongVersion:
		return statusRefused
	case h.Foreign || h.About == provider.AboutNothing:
		return statusIgnored
	}
	return statusReceived
}

// receipt is what a provider is told whose event is stored.
type receipt struct {
	Received bool `json:"received"`
}

const (
	// storeAtOnce is how many statements may be under way. Events that come meanwhile collect and go together in the next
	// one, which is what lets a burst through.
	storeAtOnce = 2
	// storeBatch bounds one statement, in events; with MaxBody that is 4 MiB.
	storeBatch   = 64
	storeTimeout = 5 * time.Second
)

// arrival is one event on its way into the table, and the request that waits for it.
type arrival struct {
	provider string
	hook     provider.Hook
	status   string
	body     []byte
	trace    string // of the request
	again    bool   // each delivery is news: the provider's events have no ids

	asked bool      // to write; guarded by the store's lock
	turns chan turn // at most one to write and one with the result
}

// turn is what a waiting request is told: to write what has collected, or what became of its event.
type turn struct {
	write bool
	isNew bool
	err   error
}

// store writes events in batches; the zero value is ready. It has no goroutine of its own: the requests that wait for
// their events write for each other, at most storeAtOnce of them at a time. Invariant: while an event waits, some
// request is writing or has been asked to.
type store struct {
	mu      sync.Mutex
	waiting []*arrival
	writers int // requests that write or have been asked to
}

// put writes one event and reports whether it is new. It returns when the event is in the table or cannot be, also when
// the caller has hung up: others' events may be in the same statement.
func (s *store) put(ctx context.Context, pool *sql.DB, now time.Time, a *arrival) (bool, error) {
	ctx = context.WithoutCancel(ctx)
	a.turns = make(chan turn, 2)
	s.mu.Lock()
	s.waiting = append(s.waiting, a)
	free := s.writers < storeAtOnce
	if free {
		s.writers++
	}
	s.mu.Unlock()
	if free {
		s.write(ctx, pool, now)
	}
	for {
		t := <-a.turns
		if !t.write {
			return t.isNew, t.err
		}
		s.write(ctx, pool, now)
	}
}

// write stores one batch, and then asks a request that still waits to write the next.
func (s *store) write(ctx context.Context, pool *sql.DB, now time.Time) {
	if batch := s.take(); len(batch) > 0 {
		fresh, err := insert(ctx, pool, now, batch)
		for _, a := range batch {
			a.turns <- turn{isNew: fresh[a.hook.Key], err: err}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.waiting {
		if !a.asked {
			a.asked = true
			a.turns <- turn{write: true}
			return
		}
	}
	s.writers-- // nothing waits, or all who wait have been asked to write
}

// take removes the next batch, which is of one provider. A second copy of an event waits for the next batch, because ON
// CONFLICT cannot change a row twice in one statement. The batch is sorted by the events' keys, so that two statements
// never deadlock.
func (s *store) take() []*arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	var batch, left []*arrival
	inside := map[string]bool{}
	for _, a := range s.waiting {
		if len(batch) == storeBatch || inside[a.hook.Key] || a.provider != s.waiting[0].provider {
			left = append(left, a)
			continue
		}
		inside[a.hook.Key] = true
		batch = append(batch, a)
	}
	s.waiting = left
	slices.SortFunc(batch, func(a, b *arrival) int { return strings.Compare(a.hook.Key, b.hook.Key) })
	return batch
}

// insert writes a batch in one statement and tells which events are new. An event that was refused or ignored before
// counts as new when it comes again and is accepted now: the service or the endpoint's settings have changed since. It
// uses the pool directly because GORM would cost time here, and this is the most frequent write.
func insert(ctx context.Context, pool *sql.DB, now time.Time, batch []*arrival) (fresh map[string]bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	n := len(batch)
	keys, types, about, versions, live := make([]string, n), make([]string, n), make([]string, n), make([]string,
		n), make([]bool, n)
	objects, money, bodies, statuses, traces := make([]string, n), make([]string, n), make([][]byte, n),
		make([]string, n), make([]string, n)
	for i, a := range batch {
		h := a.hook
		keys[i], types[i], about[i], versions[i], live[i] = h.Key, h.Type, string(h.About), h.APIVersion, h.Live
		objects[i], money[i], bodies[i], statuses[i] = h.Object, h.Money, a.body, a.status
		traces[i] = a.trace
	}
	rows, err := pool.QueryContext(ctx, `INSERT INTO webhook_events (provider, event_key, type, about, api_version, livemode, object_ref, money_ref,
		body, status, received_at, next_attempt_at, traceparent)
		SELECT $2, e.key, e.type, e.about, e.version, e.live, e.object, e.money, e.body, e.status, $1, $1, nullif(e.trace, '')
		FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::bytea[],
			$11::text[], $13::text[])
			AS e (key, type, about, version, live, object, money, body, status, trace)
		ON CONFLICT (provider, event_key) DO UPDATE SET status = excluded.status, api_version = excluded.api_version,
			object_ref = excluded.object_ref, money_ref = excluded.money_ref, body = excluded.body, received_at = excluded.received_at,
			next_attempt_at = excluded.next_attempt_at, attempts = 0, traceparent = excluded.traceparent
		WHERE excluded.status = 'received' AND ($12 OR webhook_events.status IN ('refused', 'ignored'))
		RETURNING event_key`, now, batch[0].provider, keys, types, about, versions, live, objects, money, bodies, statuses,
		batch[0].again, traces)
	if err != nil {
		return nil, fmt.Errorf("store %d events: %w", n, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	fresh = map[string]bool{}
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return nil, fmt.Errorf("read the stored events: %w", err)
		}
		fresh[key] = true
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("store %d events: %w", n, err)
	}
	return fresh, nil
}
