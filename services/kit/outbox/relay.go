package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/tracing"
)

// Handler delivers one message. It must end when its ctx does, and be idempotent.
type Handler func(ctx context.Context, m Message) error

// Config is the parts and settings of a Relay; zeros stand for the defaults in brackets.
type Config struct {
	DB       *gorm.DB
	Handlers map[string]Handler
	// OnlyHandled leaves messages of other kinds to other relays. Without it they are failures, so that none is forgotten.
	OnlyHandled bool
	Now         func() time.Time
	Log         *slog.Logger
	// Interval is how often Run polls [1 s]; see Wake.
	Interval time.Duration
	// Concurrency is the number of handlers that run at once [8].
	Concurrency int
	// Timeout is that of one call of a handler [10 s]. The messages of a crashed relay are due again 5 s after it.
	Timeout time.Duration
	// AlarmAfter is the number of failed attempts from which failures are logged at error level and the pause is an
	// hour [10, reached after about 12 minutes].
	AlarmAfter int
	// Retention is how long delivered messages and their dedupe keys are kept [7 days].
	Retention time.Duration
}

const (
	leaseSlack   = 5 * time.Second
	firstPause   = time.Second
	longestPause = 5 * time.Minute
	alarmPause   = time.Hour
	pruneEvery   = time.Hour
	markTimeout  = 5 * time.Second
	maxErrorLen  = 1000 // characters of last_error
)

// Relay delivers messages. Several may run on one table, in one process or many.
type Relay struct {
	Config
	wake chan struct{}
}

// NewRelay checks the configuration.
func NewRelay(c Config) (*Relay, error) {
	if c.DB == nil || c.Now == nil || c.Log == nil || len(c.Handlers) == 0 {
		return nil, errors.New("outbox relay needs DB, Handlers, Now and Log")
	}
	setDefault(&c.Interval, time.Second)
	setDefault(&c.Concurrency, 8)
	setDefault(&c.Timeout, 10*time.Second)
	setDefault(&c.AlarmAfter, 10)
	setDefault(&c.Retention, 7*24*time.Hour)
	return &Relay{Config: c, wake: make(chan struct{}, 1)}, nil
}

func setDefault[T int | time.Duration](value *T, fallback T) {
	if *value <= 0 {
		*value = fallback
	}
}

// Wake makes Run poll at once; it is for after the commit of a transaction that called Add. It never blocks, and a
// missed wake delays a message by at most one interval.
func (r *Relay) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run delivers until ctx ends; running handlers may then finish, for at most Timeout. It returns nil: errors of the
// database are logged and retried.
func (r *Relay) Run(ctx context.Context) error {
	var pruned time.Time
	for ctx.Err() == nil {
		claimed, err := r.RunOnce(ctx, 10*r.Concurrency)
		if err != nil && ctx.Err() == nil {
			r.Log.WarnContext(ctx, "outbox stands still", "error", err)
		}
		if err == nil && claimed > 0 {
			continue // the next message of a delivered one's stream may be due
		}
		if now := r.Now(); now.Sub(pruned) >= pruneEvery {
			if _, err := r.Prune(ctx); err != nil && ctx.Err() == nil {
				r.Log.WarnContext(ctx, "outbox not pruned", "error", err)
			}
			pruned = now
		}
		// With jitter, so that relays do not poll at the same time.
		timer := time.NewTimer(r.Interval + rand.N(r.Interval/5+1)) //nolint:gosec // jitter, not a secret
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// RunOnce delivers at most batch due messages and returns how many it claimed, delivered or not. It claims only as
// many as it can handle at once, so that a lease need only cover one call of a handler.
//
// With a Concurrency of 1 the handlers run in the caller's goroutine, in the order of the ids: a handler that ends its
// goroutine (runtime.Goexit) ends the call like a crash, and everything else depends on Now alone, so that simulations
// are deterministic.
func (r *Relay) RunOnce(ctx context.Context, batch int) (int, error) {
	total := 0
	for total < batch && ctx.Err() == nil {
		limit := min(r.Concurrency, batch-total)
		messages, err := r.claim(ctx, limit)
		if err != nil || len(messages) == 0 {
			return total, err
		}
		total += len(messages)
		// A started delivery is not cancelled by a stop; it has its own timeout.
		working := context.WithoutCancel(ctx)
		if len(messages) == 1 {
			if err := r.deliver(working, messages[0]); err != nil {
				return total, err
			}
			continue
		}
		faults := make([]error, len(messages))
		var wait sync.WaitGroup
		for i, m := range messages {
			wait.Go(func() { faults[i] = r.deliver(working, m) })
		}
		wait.Wait()
		if err := errors.Join(faults...); err != nil {
			return total, err
		}
	}
	return total, nil
}

// waitingSQL are messages that are due: not before an earlier one of their stream.
const waitingSQL = `o.done_at IS NULL AND o.next_attempt_at <= @now AND (o.stream IS NULL OR NOT EXISTS (
	SELECT 1 FROM outbox earlier
	WHERE earlier.stream = o.stream AND earlier.id < o.id AND earlier.done_at IS NULL))
	ORDER BY o.id LIMIT @limit
	FOR UPDATE OF o SKIP LOCKED`

// claim leases due messages in one statement. Index outbox_undone serves the order, outbox_undone_stream the look at
// earlier messages of a stream; it locks the claimed rows until it ends and passes over rows locked by another relay. A relay of
// some kinds looks at each by index outbox_undone_kind, so that it does not walk past what waits for others.
func (r *Relay) claim(ctx context.Context, limit int) ([]Message, error) {
	now, due := r.Now(), `SELECT o.id FROM outbox o WHERE `+waitingSQL
	if r.OnlyHandled {
		due = `SELECT own.id FROM unnest(CAST(@kinds AS text[])) AS handled(kind)
			CROSS JOIN LATERAL (SELECT o.id FROM outbox o WHERE o.kind = handled.kind AND ` + waitingSQL + `) own
			ORDER BY own.id LIMIT @limit`
	}
	var messages []Message
	err := r.DB.WithContext(ctx).Raw(`
		WITH due AS (
			`+due+`
		), claimed AS (
			UPDATE outbox SET attempts = outbox.attempts + 1, next_attempt_at = @lease_end
			FROM due WHERE outbox.id = due.id AND `+dbx.CommitAsync+`
			RETURNING outbox.id, outbox.kind, outbox.stream, outbox.payload, outbox.dedupe_key, outbox.attempts, outbox.created_at,
				outbox.traceparent
		)
		SELECT id, kind, coalesce(stream, '') AS stream, payload, coalesce(dedupe_key, '') AS dedupe_key,
			attempts AS attempt, created_at, coalesce(traceparent, '') AS traceparent FROM claimed ORDER BY id`,
		map[string]any{"now": now, "limit": limit, "lease_end": now.Add(r.Timeout + leaseSlack), "kinds": dbx.TextArray(slices.Collect(maps.Keys(r.Handlers)))},
	).Scan(&messages).Error
	if err != nil {
		return nil, fmt.Errorf("claim outbox messages: %w", err)
	}
	return messages, nil
}

// Final marks a handler's error as one after which the message is not delivered again, because whoever it is for refuses
// it for good. The message is done, and keeps the error.
func Final(err error) error { return finalError{err} }

type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// IsFinal reports whether an error is one that Final has made.
func IsFinal(err error) bool {
	var final finalError
	return errors.As(err, &final)
}

// deliver calls the handler and stores the outcome. Its error is that of the database only.
func (r *Relay) deliver(ctx context.Context, m Message) error {
	handleErr := r.handle(ctx, m)
	markCtx, cancel := context.WithTimeout(ctx, markTimeout)
	defer cancel()
	isFinal := IsFinal(handleErr)
	if handleErr == nil || isFinal {
		var reason *string
		if isFinal {
			r.Log.WarnContext(ctx, "outbox message refused for good", "outbox_id", m.ID, "kind", m.Kind, "error", handleErr)
			reason = new(clean(handleErr.Error()))
		}
		// Correct also if the lease has ended meanwhile: the message is delivered, or never will be.
		err := r.DB.WithContext(markCtx).Exec(`UPDATE outbox SET done_at = ?, last_error = left(?, ?)
			WHERE id = ? AND done_at IS NULL AND `+dbx.CommitAsync, r.Now(), reason, maxErrorLen, m.ID).Error
		if err != nil {
			return fmt.Errorf("mark outbox message %d done: %w", m.ID, err)
		}
		return nil
	}
	level := slog.LevelWarn
	if m.Attempt >= r.AlarmAfter {
		level = slog.LevelError
	}
	wait := pause(m.ID, m.Attempt, r.AlarmAfter)
	r.Log.Log(ctx, level, "outbox message not delivered", "outbox_id", m.ID, "kind", m.Kind, "attempt", m.Attempt,
		"again_in", wait, "error", handleErr)
	// The condition on attempts protects the lease of another relay that has taken over meanwhile.
	err := r.DB.WithContext(markCtx).Exec(`UPDATE outbox SET next_attempt_at = ?, last_error = left(?, ?)
		WHERE id = ? AND attempts = ? AND done_at IS NULL`,
		r.Now().Add(wait), clean(handleErr.Error()), maxErrorLen, m.ID, m.Attempt).Error
	if err != nil {
		return fmt.Errorf("put outbox message %d back: %w", m.ID, err)
	}
	return nil
}

func (r *Relay) handle(ctx context.Context, m Message) (err error) {
	handler, ok := r.Handlers[m.Kind]
	if !ok { // perhaps written by a newer version during a rolling restart
		return fmt.Errorf("no handler for %q", m.Kind)
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	ctx, end := tracing.Continue(ctx, "outbox "+m.Kind, m.Traceparent)
	defer func() { end(err) }()
	defer func() {
		if p := recover(); p != nil {
			r.Log.ErrorContext(ctx, "outbox handler panicked", "kind", m.Kind, "outbox_id", m.ID, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("handler panicked: %v", p)
		}
	}()
	return handler(ctx, m)
}

// Prune removes messages that were delivered longer than the retention ago, and returns how many. Run calls it hourly.
func (r *Relay) Prune(ctx context.Context) (int64, error) {
	n, err := dbx.Prune(ctx, r.DB, `outbox`, `done_at < ?`, r.Now().Add(-r.Retention))
	if err != nil {
		return n, fmt.Errorf("prune the outbox: %w", err)
	}
	return n, nil
}
