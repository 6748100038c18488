package standin

import (
	"cmp"
	"container/heap"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	dispatchWorkers = 16
	maxAnswer       = 1 << 20
	bucketPending   = "deliveries.pending"
)

// The states of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryFailed    = "failed"  // given up
	DeliveryDropped   = "dropped" // lost by a control, never tried

	lostByControl = "lost by a control"
)

// StoredDelivery is the delivery of one event to one endpoint.
type StoredDelivery struct {
	ID         string `json:"id"`
	Event      string `json:"event"`
	Type       string `json:"type"` // of the event
	Endpoint   string `json:"endpoint"`
	State      string `json:"state"`
	Attempts   int    `json:"attempts"`
	NextAt     int64  `json:"next_at"` // the stand-in's clock, milliseconds
	LastStatus int    `json:"last_status"`
	LastError  string `json:"last_error"`
}

// Deliveries describes how deliveries are stored. It is read-only.
var Deliveries = Kind[StoredDelivery]{
	Bucket: "deliveries",
	ID:     func(o *StoredDelivery) string { return o.ID },
	Index:  func(o *StoredDelivery) []string { return []string{"event=" + o.Event} },
}

// Post addresses deliveries and hears how they went.
type Post interface {
	// Address reads what a delivery carries and where to, and returns what makes its request; nil when its endpoint is
	// gone or disabled.
	Address(tx *bolt.Tx, d *StoredDelivery) (func(context.Context) (*http.Request, error), error)
	// Tried is told of each attempt, in the transaction that records it.
	Tried(tx *bolt.Tx, d *StoredDelivery) error
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

// Dispatcher sends events to their endpoints. The queue in memory mirrors the pending rows of the store.
type Dispatcher struct {
	e      *Engine
	client *http.Client
	mu     sync.Mutex
	queue  deliveryHeap
	places uint64 // how many have been queued
	signal chan struct{}
	plan   HookPlan
}

// HookPlan is how deliveries misbehave; the zero value delivers normally.
type HookPlan struct {
	Drop      int   `json:"drop"`       // lose the next N deliveries
	Duplicate int   `json:"duplicate"`  // send every delivery this many extra times
	DelayMS   int64 `json:"delay_ms"`   // wait before each first attempt
	ShuffleMS int64 `json:"shuffle_ms"` // add a random wait up to this, so that order changes
	Hold      bool  `json:"hold"`       // keep all deliveries back until released
}

func newDispatcher(e *Engine) *Dispatcher {
	carrier := e.opts.HookTransport
	if carrier == nil {
		carrier = &http.Transport{MaxIdleConnsPerHost: dispatchWorkers, IdleConnTimeout: 30 * time.Second}
	}
	return &Dispatcher{e: e, signal: make(chan struct{}, 1), client: &http.Client{
		Timeout:       e.opts.DeliveryTimeout,
		Transport:     carrier,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Enqueue stores a pending delivery and returns its id; the dispatcher gets it once the transaction has committed.
func (u *Unit) Enqueue(event, eventType, endpoint string) (string, error) {
	due := u.engine.nowMs() + u.engine.Hooks.firstDelay()
	d := &StoredDelivery{ID: u.engine.IDs.ID("dlv_"), Event: event, Type: eventType, Endpoint: endpoint, State: DeliveryPending, NextAt: due}
	if err := Deliveries.Put(u.Tx, d); err != nil {
		return "", err
	}
	u.queued = append(u.queued, d.queued())
	return d.ID, u.Tx.Bucket([]byte(bucketPending)).Put([]byte(d.ID), []byte{})
}

func (d *StoredDelivery) queued() queuedDelivery {
	return queuedDelivery{id: d.ID, event: d.Event, eventType: d.Type, dueMs: d.NextAt}
}

func pendingDeliveries(tx *bolt.Tx) ([]queuedDelivery, error) {
	var out []queuedDelivery
	err := tx.Bucket([]byte(bucketPending)).ForEach(func(id, _ []byte) error {
		d, err := Deliveries.Find(tx, string(id))
		if err != nil || d == nil {
			return err
		}
		out = append(out, d.queued())
		return nil
	})
	return out, err
}

// SetPlan replaces how deliveries misbehave.
func (q *Dispatcher) SetPlan(in HookPlan) error {
	if in.Drop < 0 || in.Duplicate < 0 || in.DelayMS < 0 || in.ShuffleMS < 0 {
		return BadControl("counts and milliseconds must not be negative")
	}
	q.mu.Lock()
	q.plan = in
	q.mu.Unlock()
	q.kick()
	return nil
}

// Plan is how deliveries misbehave.
func (q *Dispatcher) Plan() HookPlan {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.plan
}

// Release lets held deliveries go, in a new order when the plan shuffles.
func (q *Dispatcher) Release() error {
	q.mu.Lock()
	q.plan.Hold = false
	held, window := q.queue, q.plan.ShuffleMS
	q.queue = nil
	q.mu.Unlock()
	slices.SortFunc(held, queuedDelivery.compare)
	if window > 0 {
		now := q.e.nowMs()
		for i := range held {
			held[i].dueMs = now + q.e.IDs.Below(window)
		}
	}
	q.add(held...)
	q.kick()
	return nil
}

// Retry ends the pauses of deliveries that wait for their next attempt.
func (q *Dispatcher) Retry() error {
	q.mu.Lock()
	now := q.e.nowMs()
	for i := range q.queue {
		q.queue[i].dueMs = min(q.queue[i].dueMs, now)
	}
	heap.Init(&q.queue)
	q.mu.Unlock()
	q.kick()
	return nil
}

func (q *Dispatcher) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue, q.places = nil, 0
}

func (q *Dispatcher) firstDelay() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	delay := q.plan.DelayMS
	if q.plan.ShuffleMS > 0 {
		delay += q.e.IDs.Below(q.plan.ShuffleMS)
	}
	return delay
}

func (q *Dispatcher) add(items ...queuedDelivery) {
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

func (q *Dispatcher) kick() {
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// next takes a delivery that is due, or says how long to wait.
func (q *Dispatcher) next() (id string, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 || q.plan.Hold {
		return "", time.Minute
	}
	if ms := q.queue[0].dueMs - q.e.nowMs(); ms > 0 {
		return "", min(time.Duration(ms)*time.Millisecond, time.Minute)
	}
	id = heap.Pop(&q.queue).(queuedDelivery).id
	if len(q.queue) > 0 {
		q.kick() // another worker may take the next one
	}
	return id, 0
}

// run is one worker.
func (q *Dispatcher) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		id, wait := q.next()
		if id != "" {
			if _, err := q.deliver(ctx, id); err != nil && ctx.Err() == nil {
				q.e.log.Error("delivery", "delivery", id, "error", err)
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

func (q *Dispatcher) takeDrop() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.plan.Drop == 0 {
		return false
	}
	q.plan.Drop--
	return true
}
