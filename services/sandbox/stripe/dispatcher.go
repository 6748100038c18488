package stripe

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	dispatchWorkers = 16
	deliveryTimeout = 10 * time.Second
)

// The states of a delivery.
const (
	deliveryPending   = "pending"
	deliveryDelivered = "delivered"
	deliveryFailed    = "failed"  // given up
	deliveryDropped   = "dropped" // lost by a control, never tried

	lostByControl = "lost by a control"
)

// delivery is the delivery of one event to one endpoint.
type delivery struct {
	ID         string `json:"id"`
	Event      string `json:"event"`
	Endpoint   string `json:"endpoint"`
	State      string `json:"state"`
	Attempts   int    `json:"attempts"`
	NextAt     int64  `json:"next_at"` // sandbox clock, milliseconds
	LastStatus int    `json:"last_status"`
	LastError  string `json:"last_error"`
}

// queuedDelivery is a pending delivery in memory. Those due at the same time are sent in the order in which they were
// queued.
type queuedDelivery struct {
	id, event, eventType string
	dueMs                int64
	place                uint64 // given by the queue
}

func (a queuedDelivery) compare(b queuedDelivery) int {
	return cmp.Or(cmp.Compare(a.dueMs, b.dueMs), cmp.Compare(a.place, b.place))
}

type deliveryHeap []queuedDelivery

func (h deliveryHeap) Len() int           { return len(h) }
func (h deliveryHeap) Less(i, j int) bool { return h[i].compare(h[j]) < 0 }
func (h deliveryHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *deliveryHeap) Push(x any)        { *h = append(*h, x.(queuedDelivery)) }
func (h *deliveryHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// dispatcher sends events to their endpoints. The queue in memory mirrors the pending rows of the store.
type dispatcher struct {
	s      *Sandbox
	client *http.Client
	mu     sync.Mutex
	queue  deliveryHeap
	places uint64 // how many have been queued
	signal chan struct{}
	plan   webhookPlan
}

// webhookPlan is how deliveries misbehave; the zero value delivers normally.
type webhookPlan struct {
	Drop      int   `json:"drop"`       // lose the next N deliveries
	Duplicate int   `json:"duplicate"`  // send every delivery this many extra times
	DelayMS   int64 `json:"delay_ms"`   // wait before each first attempt
	ShuffleMS int64 `json:"shuffle_ms"` // add a random wait up to this, so that order changes
	Hold      bool  `json:"hold"`       // keep all deliveries back until released
}

func newDispatcher(s *Sandbox) *dispatcher {
	carrier := s.opts.WebhookTransport
	if carrier == nil {
		carrier = &http.Transport{MaxIdleConnsPerHost: dispatchWorkers, IdleConnTimeout: 30 * time.Second}
	}
	return &dispatcher{s: s, signal: make(chan struct{}, 1), client: &http.Client{
		Timeout:       deliveryTimeout,
		Transport:     carrier,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (s *Sandbox) nowMs() int64 { return s.opts.Now().UnixMilli() + s.offset.Load()*1000 }

// enqueue stores a pending delivery; the dispatcher gets it once the transaction has committed.
func (c *call) enqueue(e *event, endpointID string) error {
	due := c.s.nowMs() + c.s.dispatcher.firstDelay()
	d := &delivery{ID: c.newID("dlv_"), Event: e.ID, Endpoint: endpointID, State: deliveryPending, NextAt: due}
	if err := deliveries.put(c.tx, d); err != nil {
		return err
	}
	c.queued = append(c.queued, d.queued(e))
	return c.tx.Bucket([]byte(bucketPending)).Put([]byte(d.ID), []byte{})
}

func (d *delivery) queued(e *event) queuedDelivery {
	return queuedDelivery{id: d.ID, event: e.ID, eventType: e.Type, dueMs: d.NextAt}
}

func pendingDeliveries(tx *bolt.Tx) ([]queuedDelivery, error) {
	var out []queuedDelivery
	err := tx.Bucket([]byte(bucketPending)).ForEach(func(id, _ []byte) error {
		d, err := deliveries.find(tx, string(id))
		if err != nil || d == nil {
			return err
		}
		e, err := events.find(tx, d.Event)
		if err != nil || e == nil {
			return err
		}
		out = append(out, d.queued(e))
		return nil
	})
	return out, err
}

func (q *dispatcher) firstDelay() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	delay := q.plan.DelayMS
	if q.plan.ShuffleMS > 0 {
		delay += q.s.ids.below(q.plan.ShuffleMS)
	}
	return delay
}

func (q *dispatcher) add(items ...queuedDelivery) {
	if len(items) == 0 {
		return
	}
	q.mu.Lock()
	for _, item := range items {
		q.places++
		item.place = q.places
		heap.Push(&q.queue, item)
	}
	q.mu.Unlock()
	q.kick()
}

func (q *dispatcher) kick() {
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// next takes a delivery that is due, or says how long to wait.
func (q *dispatcher) next() (id string, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 || q.plan.Hold {
		return "", time.Minute
	}
	if ms := q.queue[0].dueMs - q.s.nowMs(); ms > 0 {
		return "", min(time.Duration(ms)*time.Millisecond, time.Minute)
	}
	id = heap.Pop(&q.queue).(queuedDelivery).id
	if len(q.queue) > 0 {
		q.kick() // another worker may take the next one
	}
	return id, 0
}

// run is one worker.
func (q *dispatcher) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		id, wait := q.next()
		if id != "" {
			if _, err := q.deliver(ctx, id); err != nil && ctx.Err() == nil {
				q.s.log.Error("delivery", "delivery", id, "error", err)
			}
			continue
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-q.signal:
		case <-timer.C:
		}
	}
}

func (q *dispatcher) takeDrop() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.plan.Drop == 0 {
		return false
	}
	q.plan.Drop--
	return true
}

func (q *dispatcher) copies() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return 1 + q.plan.Duplicate
}

// deliver makes one attempt and records its result. The delivery is nil when nothing is left to attempt. If ctx ends
// during the attempt, the delivery stays pending and the attempt is not counted.
func (q *dispatcher) deliver(ctx context.Context, id string) (*delivery, error) {
	var d *delivery
	var e *event
	var w *webhookEndpoint
	err := q.s.db.View(func(tx *bolt.Tx) (err error) {
		if d, err = deliveries.find(tx, id); err != nil || d == nil {
			return err
		}
		if e, err = events.find(tx, d.Event); err != nil {
			return err
		}
		w, err = endpoints.find(tx, d.Endpoint)
		return err
	})
	if err != nil || d == nil || d.State != deliveryPending || e == nil {
		return nil, err
	}
	switch {
	case w == nil || w.Status != "enabled":
		d.State, d.LastError = deliveryFailed, "the endpoint is gone or disabled"
	case q.takeDrop():
		d.State, d.LastError = deliveryDropped, lostByControl
	default:
		status := 0
		for range q.copies() {
			status, err = q.send(ctx, e, w)
		}
		if ctx.Err() != nil { // stopping: the attempt counts for nothing and is repeated
			return d, nil
		}
		d.LastStatus = status
		q.s.settle(d, err)
	}
	return d, q.record(d, e.Type)
}

// settle sets the delivery's state and next attempt after an attempt.
func (s *Sandbox) settle(d *delivery, err error) {
	d.Attempts++
	d.LastError = ""
	if err == nil && d.LastStatus/100 == 2 {
		d.State = deliveryDelivered
		return
	}
	if err != nil {
		d.LastError = err.Error()
	}
	if d.Attempts > len(s.opts.RetryAfter) {
		d.State = deliveryFailed
		return
	}
	d.NextAt = s.nowMs() + s.opts.RetryAfter[d.Attempts-1].Milliseconds()
}

func (q *dispatcher) record(d *delivery, eventType string) error {
	// Batch joins the results of concurrent workers in one commit; repeating an attempt whose
	// result was lost is what receivers must bear anyway. Batch waits for other callers, and manual delivery has none.
	commit := q.s.db.Batch
	if q.s.opts.ManualDelivery {
		commit = q.s.db.Update
	}
	err := commit(func(tx *bolt.Tx) error {
		if old, err := deliveries.find(tx, d.ID); err != nil || old == nil { // reset meanwhile
			return err
		}
		if err := deliveries.put(tx, d); err != nil {
			return err
		}
		if d.State == deliveryPending {
			return nil
		}
		if err := tx.Bucket([]byte(bucketPending)).Delete([]byte(d.ID)); err != nil {
			return err
		}
		e, err := events.find(tx, d.Event)
		if err != nil || e == nil || d.State != deliveryDelivered || e.PendingWebhooks == 0 {
			return err
		}
		e.PendingWebhooks--
		return events.put(tx, e)
	})
	if err != nil {
		return fmt.Errorf("record delivery: %w", err)
	}
	if d.State == deliveryPending {
		q.add(queuedDelivery{id: d.ID, event: d.Event, eventType: eventType, dueMs: d.NextAt})
	}
	q.s.log.Debug("delivery", "delivery", d.ID, "event", d.Event, "state", d.State, "attempts", d.Attempts, "status", d.LastStatus)
	return nil
}

func (q *dispatcher) send(ctx context.Context, e *event, w *webhookEndpoint) (status int, err error) {
	body, err := eventFor(e, w)
	if err != nil {
		return 0, fmt.Errorf("encode event: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("address endpoint: %w", err)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
	// The wall clock, not the advanced one: the receiver compares with its own.
	req.Header.Set("Stripe-Signature", Sign(body, w.Secret, q.s.opts.Now()))
	res, err := q.client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("post event: %w", err)
	}
	_, copyErr := io.Copy(io.Discard, io.LimitReader(res.Body, maxBody))
	return res.StatusCode, errors.Join(copyErr, res.Body.Close())
}

// Sign returns the Stripe-Signature header of a webhook body sent at that time.
func Sign(body []byte, secret string, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

func (q *dispatcher) close() { q.client.CloseIdleConnections() }
