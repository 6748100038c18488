package standin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// deliver makes one attempt and records its result. The delivery is nil when nothing is left to attempt. If ctx ends
// during the attempt, the delivery stays pending and the attempt is not counted.
func (q *Dispatcher) deliver(ctx context.Context, id string) (*StoredDelivery, error) {
	var d *StoredDelivery
	var request func(context.Context) (*http.Request, error)
	err := q.e.db.View(func(tx *bolt.Tx) (err error) {
		if d, err = Deliveries.Find(tx, id); err != nil || d == nil {
			return err
		}
		request, err = q.e.opts.Post.Address(tx, d)
		return err
	})
	if err != nil || d == nil || d.State != DeliveryPending {
		return nil, err
	}
	switch {
	case request == nil:
		d.State, d.LastError = DeliveryFailed, "the endpoint is gone or disabled"
	case q.takeDrop():
		d.State, d.LastError = DeliveryDropped, lostByControl
	default:
		status := 0
		for range 1 + q.Plan().Duplicate {
			status, err = q.send(ctx, request)
		}
		if ctx.Err() != nil { // stopping: the attempt counts for nothing and is repeated
			return d, nil
		}
		d.LastStatus = status
		q.settle(d, err)
	}
	return d, q.record(d)
}

// settle sets the delivery's state and next attempt after an attempt.
func (q *Dispatcher) settle(d *StoredDelivery, err error) {
	d.Attempts++
	d.LastError = ""
	if err == nil && q.e.opts.Taken(d.LastStatus) {
		d.State = DeliveryDelivered
		return
	}
	if err != nil {
		d.LastError = err.Error()
	}
	if d.Attempts > len(q.e.opts.RetryAfter) {
		d.State = DeliveryFailed
		return
	}
	d.NextAt = q.e.nowMs() + q.e.opts.RetryAfter[d.Attempts-1].Milliseconds()
}

func (q *Dispatcher) record(d *StoredDelivery) error {
	// Batch joins the results of concurrent workers in one commit; repeating an attempt whose
	// result was lost is what receivers must bear anyway. Batch waits for other callers, and manual delivery has none.
	commit := q.e.db.Batch
	if q.e.opts.ManualDelivery {
		commit = q.e.db.Update
	}
	err := commit(func(tx *bolt.Tx) error {
		if old, err := Deliveries.Find(tx, d.ID); err != nil || old == nil { // reset meanwhile
			return err
		}
		if err := Deliveries.Put(tx, d); err != nil {
			return err
		}
		if d.State != DeliveryPending {
			if err := tx.Bucket([]byte(bucketPending)).Delete([]byte(d.ID)); err != nil {
				return err
			}
		}
		return q.e.opts.Post.Tried(tx, d)
	})
	if err != nil {
		return fmt.Errorf("record delivery: %w", err)
	}
	if d.State == DeliveryPending {
		q.add(d.queued())
	}
	q.e.log.Debug("delivery", "delivery", d.ID, "event", d.Event, "state", d.State, "attempts", d.Attempts, "status", d.LastStatus)
	return nil
}

func (q *Dispatcher) send(ctx context.Context, request func(context.Context) (*http.Request, error)) (status int, err error) {
	req, err := request(ctx)
	if err != nil {
		return 0, err
	}
	res, err := q.client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("send event: %w", err)
	}
	_, copyErr := io.Copy(io.Discard, io.LimitReader(res.Body, maxAnswer))
	return res.StatusCode, errors.Join(copyErr, res.Body.Close())
}

// The errors of a manual delivery.
var (
	// ErrNoDelivery tells that no delivery has the id, or that it is no longer pending.
	ErrNoDelivery = errors.New("no such delivery")
	// ErrNotTaken tells that the receiver did not take it: the delivery is pending until its next attempt, or given up.
	ErrNotTaken = errors.New("delivery not taken")
)

// Delivery is one pending delivery of an event to an endpoint.
type Delivery struct {
	ID    string
	Event string
	Type  string    // of the event
	Due   time.Time // by Options.Now
}

// Waiting lists the pending deliveries, in the order in which they would be sent.
func (q *Dispatcher) Waiting() []Delivery {
	q.mu.Lock()
	waiting := slices.Clone(q.queue)
	q.mu.Unlock()
	slices.SortFunc(waiting, queuedDelivery.compare)
	ahead := q.e.offset.Load() * 1000
	out := make([]Delivery, 0, len(waiting))
	for _, d := range waiting {
		out = append(out, Delivery{ID: d.id, Event: d.event, Type: d.eventType, Due: time.UnixMilli(d.dueMs - ahead).UTC()})
	}
	return out
}

// Pending counts the pending deliveries, those that are being attempted included.
func (q *Dispatcher) Pending() (n int, err error) {
	err = q.e.db.View(func(tx *bolt.Tx) error {
		n = PendingIn(tx)
		return nil
	})
	return n, err
}

// PendingIn counts the pending deliveries of a transaction.
func PendingIn(tx *bolt.Tx) int { return tx.Bucket([]byte(bucketPending)).Stats().KeyN }

// Deliver makes one attempt now, also before the delivery is due. Nil means that the receiver took it, or that a
// control dropped it; it is no longer pending. Errors: ErrNoDelivery; ErrNotTaken, after which it is pending under the
// same id as Options.RetryAfter says, or given up after the last attempt; ctx's, after which it is pending as before.
func (q *Dispatcher) Deliver(ctx context.Context, id string) error {
	item, waits := q.take(id)
	if !waits {
		return fmt.Errorf("deliver %s: %w", id, ErrNoDelivery)
	}
	d, err := q.deliver(ctx, id)
	if err == nil && d != nil && d.State == DeliveryPending {
		err = ctx.Err()
	}
	switch {
	case err != nil:
		q.add(item)
		return fmt.Errorf("deliver %s: %w", id, err)
	case d == nil:
		return fmt.Errorf("deliver %s: %w", id, ErrNoDelivery)
	case d.State == DeliveryPending || d.State == DeliveryFailed:
		return fmt.Errorf("deliver %s: %w: answer %d %s", id, ErrNotTaken, d.LastStatus, d.LastError)
	}
	return nil
}

// DropDelivery drops a pending delivery; its event is still listed by the API. Errors: ErrNoDelivery.
func (q *Dispatcher) DropDelivery(id string) error {
	if _, waits := q.take(id); !waits {
		return fmt.Errorf("drop %s: %w", id, ErrNoDelivery)
	}
	var d *StoredDelivery
	err := q.e.db.View(func(tx *bolt.Tx) (err error) {
		d, err = Deliveries.Find(tx, id)
		return err
	})
	if err == nil && d == nil {
		err = ErrNoDelivery
	}
	if err != nil {
		return fmt.Errorf("drop %s: %w", id, err)
	}
	d.State, d.LastError = DeliveryDropped, lostByControl
	return q.record(d)
}

// DuplicateDelivery queues the event of a delivery, pending or not, once more for the same endpoint, due now. It
// returns the new delivery's id. Errors: ErrNoDelivery.
func (q *Dispatcher) DuplicateDelivery(id string) (made string, err error) {
	err = q.e.Write(func(u *Unit) error {
		d, err := Deliveries.Find(u.Tx, id)
		if err != nil {
			return err
		}
		if d == nil {
			return ErrNoDelivery
		}
		made, err = u.Enqueue(d.Event, d.Type, d.Endpoint)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("duplicate %s: %w", id, err)
	}
	return made, nil
}

// take removes a delivery from the queue, whenever it is due.
func (q *Dispatcher) take(id string) (queuedDelivery, bool) {
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
