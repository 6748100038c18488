package stripe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// The errors of a manual delivery.
var (
	// ErrNoDelivery tells that no delivery has the id, or that it is no longer pending.
	ErrNoDelivery = errors.New("no such delivery")
	// ErrNotTaken tells that the receiver did not answer 2xx: the delivery is pending until its next attempt, or given
	// up.
	ErrNotTaken = errors.New("delivery not taken")
)

// Delivery is one pending delivery of an event to an endpoint.
type Delivery struct {
	ID    string
	Event string    // evt_…
	Type  string    // of the event
	Due   time.Time // by Options.Now
}

// Deliveries lists the pending deliveries, in the order in which they would be sent.
func (s *Sandbox) Deliveries() []Delivery {
	q := s.dispatcher
	q.mu.Lock()
	waiting := slices.Clone(q.queue)
	q.mu.Unlock()
	slices.SortFunc(waiting, queuedDelivery.compare)
	ahead := s.offset.Load() * 1000
	out := make([]Delivery, 0, len(waiting))
	for _, d := range waiting {
		out = append(out, Delivery{ID: d.id, Event: d.event, Type: d.eventType, Due: time.UnixMilli(d.dueMs - ahead).UTC()})
	}
	return out
}

// Pending counts the pending deliveries, those that are being attempted included.
func (s *Sandbox) Pending() (n int, err error) {
	err = s.read(&call{}, func(c *call) error {
		return c.tx.Bucket([]byte(bucketPending)).ForEach(func([]byte, []byte) error { n++; return nil })
	})
	return n, err
}

// Deliver makes one attempt now, also before the delivery is due. Nil means that the receiver took it, or that a
// control dropped it; it is no longer pending. Errors: ErrNoDelivery; ErrNotTaken, after which it is pending under the
// same id as Options.RetryAfter says, or given up after the last attempt; ctx's, after which it is pending as before.
func (s *Sandbox) Deliver(ctx context.Context, id string) error {
	item, waits := s.dispatcher.take(id)
	if !waits {
		return fmt.Errorf("deliver %s: %w", id, ErrNoDelivery)
	}
	d, err := s.dispatcher.deliver(ctx, id)
	if err == nil && d != nil && d.State == deliveryPending {
		err = ctx.Err()
	}
	switch {
	case err != nil:
		s.dispatcher.add(item)
		return fmt.Errorf("deliver %s: %w", id, err)
	case d == nil:
		return fmt.Errorf("deliver %s: %w", id, ErrNoDelivery)
	case d.State == deliveryPending || d.State == deliveryFailed:
		return fmt.Errorf("deliver %s: %w: answer %d %s", id, ErrNotTaken, d.LastStatus, d.LastError)
	}
	return nil
}

// DropDelivery drops a pending delivery; its event is still listed by the API. Errors: ErrNoDelivery.
func (s *Sandbox) DropDelivery(id string) error {
	item, waits := s.dispatcher.take(id)
	if !waits {
		return fmt.Errorf("drop %s: %w", id, ErrNoDelivery)
	}
	var d *delivery
	err := s.db.View(func(tx *bolt.Tx) (err error) {
		d, err = deliveries.get(tx, id, "id")
		return err
	})
	if err != nil {
		return fmt.Errorf("drop %s: %w", id, err)
	}
	d.State, d.LastError = deliveryDropped, lostByControl
	return s.dispatcher.record(d, item.eventType)
}

// DuplicateDelivery queues the event of a delivery, pending or not, once more for the same endpoint, due now. It
// returns the new delivery's id. Errors: ErrNoDelivery.
func (s *Sandbox) DuplicateDelivery(id string) (string, error) {
	c := &call{}
	err := s.write(c, func(c *call) error {
		d, err := deliveries.find(c.tx, id)
		if err != nil {
			return err
		}
		if d == nil {
			return ErrNoDelivery
		}
		e, err := events.get(c.tx, d.Event, "id")
		if err != nil {
			return err
		}
		return c.enqueue(e, d.Endpoint)
	})
	if err != nil {
		return "", fmt.Errorf("duplicate %s: %w", id, err)
	}
	return c.queued[0].id, nil
}

// take removes a delivery from the queue, whenever it is due.
func (q *dispatcher) take(id string) (queuedDelivery, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.IndexFunc(q.queue, func(d queuedDelivery) bool { return d.id == id })
	if at < 0 {
		return queuedDelivery{}, false
	}
	item := q.queue[at]
	q.queue = slices.Delete(q.queue, at, at+1)
	slices.SortFunc(q.queue, queuedDelivery.compare) // a sorted slice is a heap
	return item, true
}

// RunDue does the tasks that are due by the sandbox's clock: sessions expire, holds lapse, refunds settle or fail,
// disputes open, payouts arrive, old idempotency keys are removed. It returns how many tasks it did; a second call
// does nothing until the clock moves on.
func (s *Sandbox) RunDue(ctx context.Context) (n int, err error) {
	n, _, err = s.runDue(ctx)
	return n, err
}

// NextDue is when, by Options.Now, the next task is due, so that a simulation can move its clock there; false when
// there is none.
func (s *Sandbox) NextDue() (at time.Time, some bool) {
	s.mustRead(func(c *call) error {
		if key, _ := c.tx.Bucket([]byte(bucketSchedule)).Cursor().First(); key != nil {
			at, some = time.Unix(dueAt(key)-s.offset.Load(), 0).UTC(), true
		}
		return nil
	})
	return at, some
}
