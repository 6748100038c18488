package stripe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// controlRoutes are the calls that make the sandbox misbehave and move its clock. They take JSON
// only, so that no page of another site can post to them.
func (s *Sandbox) controlRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /_control/state", s.controlState)
	mux.HandleFunc("POST /_control/faults", control(s.AddFault))
	mux.HandleFunc("POST /_control/latency", control(s.setLatency))
	mux.HandleFunc("POST /_control/webhooks", control(s.setWebhookPlan))
	mux.HandleFunc("POST /_control/webhooks/release", control(s.releaseWebhooks))
	mux.HandleFunc("POST /_control/replay", control(s.replayEvent))
	mux.HandleFunc("POST /_control/disputes", control(outcomeOnly(s.OpenDispute)))
	mux.HandleFunc("POST /_control/disputes/decide", control(outcomeOnly(s.DecideDispute)))
	mux.HandleFunc("POST /_control/disputes/return", control(outcomeOnly(s.ReturnDisputed)))
	mux.HandleFunc("POST /_control/cards", control(outcomeOnly(s.ChangeCard)))
	mux.HandleFunc("POST /_control/refunds/fail", control(outcomeOnly(s.FailRefund)))
	mux.HandleFunc("POST /_control/refunds/cost", control(s.SetRefundCost))
	mux.HandleFunc("POST /_control/payouts", control(outcomeOnly(s.PayOut)))
	mux.HandleFunc("POST /_control/payouts/fail", control(outcomeOnly(s.FailPayout)))
	mux.HandleFunc("POST /_control/lines", control(outcomeOnly(s.AddLine)))
	mux.HandleFunc("POST /_control/clock", control(s.advanceClock))
	mux.HandleFunc("POST /_control/calm", control(func(struct{}) error { return s.Calm() }))
	mux.HandleFunc("POST /_control/reset", control(func(struct{}) error { return s.Reset() }))
}

// badControl is the error of an invalid control call, answered 400.
type badControl struct{ reason string }

func (e badControl) Error() string { return e.reason }

func control[T any](do func(T) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			writeJSON(w, http.StatusUnsupportedMediaType, map[string]string{"error": "send application/json"})
			return
		}
		var in T
		dec := json.NewDecoder(io.LimitReader(r.Body, maxBody))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil && !errors.Is(err, io.EOF) {
			writeJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
			return
		}
		if err := do(in); err != nil {
			status := http.StatusInternalServerError
			if bad := (badControl{}); errors.As(err, &bad) {
				status = http.StatusBadRequest
			}
			if refused := (*Refusal)(nil); errors.As(err, &refused) {
				status = refused.HTTPStatus
			}
			writeJSON(w, status, map[string]string{"error": err.Error()})
			return
		}
		writeJSON(w, http.StatusOK, map[string]bool{"ok": true})
	}
}

// outcomeOnly drops the result of an act, which the response over HTTP does not contain.
func outcomeOnly[T, U any](act func(T) (U, error)) func(T) error {
	return func(in T) error {
		_, err := act(in)
		return err
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "encode answer", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // a client that left needs no answer
}

// AddFault makes calls fail as the rule says. Of several rules that match a call the first added applies.
func (s *Sandbox) AddFault(in FaultRule) error {
	if !slices.Contains(faultKinds(), in.Kind) {
		return badControl{"kind must be one of " + strings.Join(faultKinds(), ", ")}
	}
	if in.Times < 1 {
		in.Times = 1
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.rules = append(s.faults.rules, in)
	return nil
}

func (s *Sandbox) setLatency(in latencyRule) error {
	if in.MS < 0 || in.Times < 0 {
		return badControl{"ms and times must not be negative"}
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.latency = &in
	if in.MS == 0 {
		s.faults.latency = nil
	}
	return nil
}

// SetRefundCost sets the fee of each refund from now on.
func (s *Sandbox) SetRefundCost(in RefundCost) error {
	if in.Amount < 0 {
		return badControl{"amount must not be negative"}
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.refunds = in
	return nil
}

func (s *Sandbox) setWebhookPlan(in webhookPlan) error {
	if in.Drop < 0 || in.Duplicate < 0 || in.DelayMS < 0 || in.ShuffleMS < 0 {
		return badControl{"counts and milliseconds must not be negative"}
	}
	s.dispatcher.mu.Lock()
	s.dispatcher.plan = in
	s.dispatcher.mu.Unlock()
	s.dispatcher.kick()
	return nil
}

// releaseWebhooks lets held deliveries go, in a new order when the plan shuffles.
func (s *Sandbox) releaseWebhooks(struct{}) error {
	q := s.dispatcher
	q.mu.Lock()
	q.plan.Hold = false
	held, window := q.queue, q.plan.ShuffleMS
	q.queue = nil
	q.mu.Unlock()
	slices.SortFunc(held, queuedDelivery.compare)
	if window > 0 {
		now := s.nowMs()
		for i := range held {
			held[i].dueMs = now + s.ids.below(window)
		}
	}
	q.add(held...)
	q.kick()
	return nil
}

type replayOrder struct {
	Event    string `json:"event"`
	Endpoint string `json:"endpoint"` // empty: every enabled endpoint
}

func (s *Sandbox) replayEvent(in replayOrder) error {
	return s.write(&call{}, func(c *call) error {
		e, err := events.find(c.tx, in.Event)
		if err != nil {
			return err
		}
		if e == nil {
			return badControl{"no such event: " + in.Event}
		}
		found, _, err := endpoints.page(c.tx, pageQuery{limit: 100}, func(w *webhookEndpoint) bool {
			return w.Status == "enabled" && (in.Endpoint == "" || w.ID == in.Endpoint)
		})
		if err != nil {
			return err
		}
		for _, w := range found {
			if err := c.enqueue(e, w.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

type clockOrder struct {
	AdvanceSeconds int64 `json:"advance_seconds"`
}

// advanceClock moves the sandbox's clock forward for good and does what falls due.
func (s *Sandbox) advanceClock(in clockOrder) error {
	if in.AdvanceSeconds < 1 {
		return badControl{"advance_seconds must be at least 1: the clock only moves forward"}
	}
	total := s.offset.Add(in.AdvanceSeconds)
	err := s.db.Update(func(tx *bolt.Tx) error { return putJSON(tx, bucketSettings, "clock_offset", total) })
	if err != nil {
		return fmt.Errorf("store clock: %w", err)
	}
	s.kickSchedule()
	s.dispatcher.kick()
	return nil
}

// Calm turns every fault off; deliveries that were held go out.
func (s *Sandbox) Calm() error {
	s.faults.mu.Lock()
	s.faults.rules, s.faults.latency, s.faults.refunds = nil, nil, RefundCost{}
	s.faults.mu.Unlock()
	return s.setWebhookPlan(webhookPlan{})
}

// Reset forgets everything but the configured endpoint, and resets the clock, so that one sandbox serves many
// simulations. Nothing else may run meanwhile. It does not reset Options.Random; seed it again to get the same ids.
func (s *Sandbox) Reset() error {
	if err := s.Calm(); err != nil {
		return err
	}
	err := s.db.Update(func(tx *bolt.Tx) error {
		names := plainBuckets()
		for _, b := range objectBuckets() {
			names = append(names, b, b+orderSuffix, b+indexSuffix)
		}
		for _, name := range names {
			if err := tx.DeleteBucket([]byte(name)); err != nil {
				return fmt.Errorf("empty %s: %w", name, err)
			}
		}
		if err := createBuckets(tx); err != nil {
			return err
		}
		s.offset.Store(0)
		if err := ensurePruning(tx, s); err != nil {
			return err
		}
		return s.keepConfiguredEndpoint(tx)
	})
	if err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	s.dispatcher.mu.Lock()
	s.dispatcher.queue, s.dispatcher.places = nil, 0
	s.dispatcher.mu.Unlock()
	return nil
}

type stateSummary struct {
	Clock     int64          `json:"clock"`
	Held      map[string]int `json:"objects"`
	Pending   int            `json:"pending_deliveries"`
	Webhooks  webhookPlan    `json:"webhooks"`
	Faults    []FaultRule    `json:"faults"`
	Latency   *latencyRule   `json:"latency"`
	Refunds   RefundCost     `json:"refund_cost"`
	Succeeded int64          `json:"amount_succeeded"`
	Refunded  int64          `json:"amount_refunded"`
}

// controlState sums up what is held: counts, and the money of succeeded intents and live refunds.
func (s *Sandbox) controlState(w http.ResponseWriter, _ *http.Request) {
	out := stateSummary{Held: map[string]int{}}
	err := s.read(&call{}, func(c *call) error {
		out.Clock = c.now
		for _, b := range objectBuckets() {
			out.Held[b] = c.tx.Bucket([]byte(b + orderSuffix)).Stats().KeyN
		}
		out.Pending = c.tx.Bucket([]byte(bucketPending)).Stats().KeyN
		_, _, err := intents.page(c.tx, pageQuery{limit: 1}, func(o *paymentIntent) bool {
			if o.Status == statusSucceeded {
				out.Succeeded += o.AmountReceived
			}
			return false
		})
		if err != nil {
			return err
		}
		_, _, err = refunds.page(c.tx, pageQuery{limit: 1}, func(o *refund) bool {
			if o.Status != refundFailed && o.Status != refundCanceled {
				out.Refunded += o.Amount
			}
			return false
		})
		return err
	})
	if err != nil {
		writeJSON(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	s.faults.mu.Lock()
	out.Faults, out.Refunds = slices.Clone(s.faults.rules), s.faults.refunds
	if s.faults.latency != nil {
		copied := *s.faults.latency
		out.Latency = &copied
	}
	s.faults.mu.Unlock()
	s.dispatcher.mu.Lock()
	out.Webhooks = s.dispatcher.plan
	s.dispatcher.mu.Unlock()
	writeJSON(w, http.StatusOK, out)
}
