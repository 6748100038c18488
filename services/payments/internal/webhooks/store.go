package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"talkoot.fi/payments/internal/provider"
)

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
	again    bool // each delivery is news: the provider's events have no ids

	asked bool      // to write; guarded by the store's lock
	turns chan turn // at most one to write and one with the result
}

// turn is what a waiting request is told: to write what has collected, or what became of its event.
type turn struct {
	write bool
	isNew bool
	err   error
}

// store writes events; the zero value is ready. There is no goroutine of its own: a request that finds a free hand
// writes what has collected and passes the hand on. Invariant: while anything waits, some request has a hand.
type store struct {
	mu      sync.Mutex
	waiting []*arrival
	hands   int // in use
}

// put writes one event and reports whether it is new. It returns when the event is in the table or cannot be, also when
// the caller has hung up: others' events may be in the same statement.
func (s *store) put(ctx context.Context, pool *sql.DB, now time.Time, a *arrival) (bool, error) {
	ctx = context.WithoutCancel(ctx)
	a.turns = make(chan turn, 2)
	s.mu.Lock()
	s.waiting = append(s.waiting, a)
	free := s.hands < storeAtOnce
	if free {
		s.hands++
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

// write stores one batch and passes the hand on.
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
	s.hands-- // nothing waits, or who waits has a hand
}

// take removes the next batch, which is of one provider. An event that is in it already waits for the next one: a statement cannot meet its own
// rows. The batch is in the order of the ids, so that statements side by side wait for each other and never in a circle.
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

// insert writes a batch in one statement and tells which events are new. One that we had no use for counts as new when
// it comes again and we have: after a rolled-out version, or after the endpoint was put right. It goes past GORM:
// nothing else here is as hot.
func insert(ctx context.Context, pool *sql.DB, now time.Time, batch []*arrival) (fresh map[string]bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	n := len(batch)
	keys, types, about, versions, live := make([]string, n), make([]string, n), make([]string, n), make([]string, n), make([]bool, n)
	objects, money, bodies, statuses := make([]string, n), make([]string, n), make([][]byte, n), make([]string, n)
	for i, a := range batch {
		h := a.hook
		keys[i], types[i], about[i], versions[i], live[i] = h.Key, h.Type, string(h.About), h.APIVersion, h.Live
		objects[i], money[i], bodies[i], statuses[i] = h.Object, h.Money, a.body, a.status
	}
	rows, err := pool.QueryContext(ctx, `INSERT INTO webhook_events (provider, event_key, type, about, api_version, livemode, object_ref, money_ref,
		body, status, received_at, next_attempt_at)
		SELECT $2, e.key, e.type, e.about, e.version, e.live, e.object, e.money, e.body, e.status, $1, $1
		FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::bytea[], $11::text[])
			AS e (key, type, about, version, live, object, money, body, status)
		ON CONFLICT (provider, event_key) DO UPDATE SET status = excluded.status, api_version = excluded.api_version,
			object_ref = excluded.object_ref, money_ref = excluded.money_ref, body = excluded.body, received_at = excluded.received_at,
			next_attempt_at = excluded.next_attempt_at, attempts = 0
		WHERE excluded.status = 'received' AND ($12 OR webhook_events.status IN ('refused', 'ignored'))
		RETURNING event_key`, now, batch[0].provider, keys, types, about, versions, live, objects, money, bodies, statuses, batch[0].again)
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
