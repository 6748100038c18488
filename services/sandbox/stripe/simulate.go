package stripe

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

const deliveryTimeout = 10 * time.Second

// The errors of a manual delivery.
var (
	// ErrNoDelivery tells that no delivery has the id, or that it is no longer pending.
	ErrNoDelivery = standin.ErrNoDelivery
	// ErrNotTaken tells that the receiver did not answer 2xx: the delivery is pending until its next attempt, or given
	// up.
	ErrNotTaken = standin.ErrNotTaken
)

// Delivery is one pending delivery of an event (evt_…) to an endpoint.
type Delivery = standin.Delivery

// Deliveries lists the pending deliveries, in the order in which they would be sent.
func (s *Sandbox) Deliveries() []Delivery { return s.engine.Hooks.Waiting() }

// Pending counts the pending deliveries, those that are being attempted included.
func (s *Sandbox) Pending() (n int, err error) { return s.engine.Hooks.Pending() }

// Deliver makes one attempt now, also before the delivery is due. Nil means that the receiver took it, or that a
// control dropped it; it is no longer pending. Errors: ErrNoDelivery; ErrNotTaken, after which it is pending under the
// same id as Options.RetryAfter says, or given up after the last attempt; ctx's, after which it is pending as before.
func (s *Sandbox) Deliver(ctx context.Context, id string) error {
	return s.engine.Hooks.Deliver(ctx, id)
}

// DropDelivery drops a pending delivery; its event is still listed by the API. Errors: ErrNoDelivery.
func (s *Sandbox) DropDelivery(id string) error { return s.engine.Hooks.DropDelivery(id) }

// DuplicateDelivery queues the event of a delivery, pending or not, once more for the same endpoint, due now. It
// returns the new delivery's id. Errors: ErrNoDelivery.
func (s *Sandbox) DuplicateDelivery(id string) (string, error) {
	return s.engine.Hooks.DuplicateDelivery(id)
}

// RunDue does the tasks that are due by the sandbox's clock: sessions expire, holds lapse, refunds settle or fail,
// disputes open, payouts arrive, old idempotency keys are removed. It returns how many tasks it did; a second call
// does nothing until the clock moves on.
func (s *Sandbox) RunDue(ctx context.Context) (n int, err error) { return s.engine.RunDue(ctx) }

// NextDue is when, by Options.Now, the next task is due, so that a simulation can move its clock there; false when
// there is none.
func (s *Sandbox) NextDue() (at time.Time, some bool) {
	at, some, err := s.engine.NextDue()
	if err != nil {
		panic(fmt.Errorf("read the sandbox's state: %w", err))
	}
	return at, some
}

// post sends events as signed JSON.
type post struct{ s *Sandbox }

func (p post) Address(tx *bolt.Tx, d *standin.StoredDelivery) (func(context.Context) (*http.Request, error), error) {
	e, err := events.Find(tx, d.Event)
	if err != nil || e == nil {
		return nil, err
	}
	w, err := endpoints.Find(tx, d.Endpoint)
	if err != nil || w == nil || w.Status != "enabled" {
		return nil, err
	}
	return func(ctx context.Context) (*http.Request, error) {
		body, err := eventFor(e, w)
		if err != nil {
			return nil, fmt.Errorf("encode event: %w", err)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("address endpoint: %w", err)
		}
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
		req.Header.Set("User-Agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
		// The wall clock, not the advanced one: the receiver compares with its own.
		req.Header.Set("Stripe-Signature", Sign(body, w.Secret, p.s.engine.Wall()))
		return req, nil
	}, nil
}

// Tried counts down what an event still waits for.
func (post) Tried(tx *bolt.Tx, d *standin.StoredDelivery) error {
	if d.State != standin.DeliveryDelivered {
		return nil
	}
	e, err := events.Find(tx, d.Event)
	if err != nil || e == nil || e.PendingWebhooks == 0 {
		return err
	}
	e.PendingWebhooks--
	return events.Put(tx, e)
}

// Sign returns the Stripe-Signature header of a webhook body sent at that time.
func Sign(body []byte, secret string, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
