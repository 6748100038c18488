//go:build unix

package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Fault makes the next Times calls of the provider's API fail. Kinds: 403, 404, 409, 429, lock, 500, 500_stored, 503,
// cut_before, cut_after. Method and Path (a prefix) narrow it.
type Fault struct {
	Kind   string `json:"kind"`
	Times  int    `json:"times"`
	Method string `json:"method"`
	Path   string `json:"path"`
}

// Webhooks is how webhook deliveries misbehave; the zero value delivers normally.
type Webhooks struct {
	Drop      int   `json:"drop"`      // how many of the next ones are lost
	Duplicate int   `json:"duplicate"` // how many more times each is sent
	DelayMS   int64 `json:"delay_ms"`
	ShuffleMS int64 `json:"shuffle_ms"`
	Hold      bool  `json:"hold"` // keep all back until Calm
}

// Break makes the provider's API fail.
func (r *Harness) Break(ctx context.Context, f Fault) error { return r.control(ctx, "faults", f) }

// Slow makes every call of the provider's API take ms milliseconds longer.
func (r *Harness) Slow(ctx context.Context, ms int64) error {
	return r.control(ctx, "latency", map[string]int64{"ms": ms})
}

// Disturb makes the delivery of webhooks misbehave.
func (r *Harness) Disturb(ctx context.Context, w Webhooks) error {
	return r.control(ctx, "webhooks", w)
}

// Dispute opens a dispute of a charge.
func (r *Harness) Dispute(ctx context.Context, chargeID string) error {
	return r.control(ctx, "disputes", map[string]string{"charge": chargeID})
}

// Warn has a card's holder report a charge as fraud.
func (r *Harness) Warn(ctx context.Context, chargeID string) error {
	return r.control(ctx, "warnings", map[string]string{"charge": chargeID})
}

// TopUp is a person sending money from our bank to provider A's balance.
func (r *Harness) TopUp(ctx context.Context, minor int64) error {
	return r.control(ctx, "topups", map[string]int64{"amount": minor})
}

// Decide has the bank decide a dispute: won or lost.
func (r *Harness) Decide(ctx context.Context, disputeID, status string) error {
	return r.control(ctx, "disputes/decide", map[string]string{"dispute": disputeID, "status": status})
}

// FailRefund has a backer's bank send a refund back that had succeeded.
func (r *Harness) FailRefund(ctx context.Context, refundID string) error {
	return r.control(ctx, "refunds/fail", map[string]string{"refund": refundID})
}

// Calm ends the faults of Break, Slow and Disturb at both providers; webhooks that were held back are delivered.
func (r *Harness) Calm(ctx context.Context) error { return r.controlBoth(ctx, "calm") }

// retryWebhooks makes due what waits for its next delivery.
func (r *Harness) retryWebhooks(ctx context.Context) error {
	return r.controlBoth(ctx, "webhooks/retry")
}

func (r *Harness) controlBoth(ctx context.Context, path string) error {
	err := r.control(ctx, path, struct{}{})
	if err == nil && r.MangopayURL != "" {
		err = r.controlB(ctx, path, struct{}{})
	}
	return err
}

// undelivered is how many webhooks are still to come.
func (r *Harness) undelivered(ctx context.Context) (int, error) {
	state, err := r.state(ctx)
	return state.Pending, err
}

// ProviderCalls is how many calls of their APIs both providers have had since the start, browsers' too.
func (r *Harness) ProviderCalls(ctx context.Context) (int64, error) {
	state, err := r.state(ctx)
	return state.Calls, err
}

type providersState struct {
	Pending int `json:"pending_deliveries"`
	Calls   int64
}

// state is that of both providers together.
func (r *Harness) state(ctx context.Context) (sum providersState, err error) {
	err = r.ask(ctx, http.MethodGet, "state", nil, &sum)
	if err == nil && r.MangopayURL != "" {
		var second providersState
		err = r.askAt(ctx, http.MethodGet, r.MangopayURL+"/_sandbox/state", nil, &second)
		sum.Pending, sum.Calls = sum.Pending+second.Pending, sum.Calls+second.Calls
	}
	return sum, err
}

func (r *Harness) control(ctx context.Context, path string, order any) error {
	text, err := json.Marshal(order)
	if err != nil {
		return fmt.Errorf("control the sandbox: %w", err)
	}
	return r.ask(ctx, http.MethodPost, path, text, nil)
}

func (r *Harness) ask(ctx context.Context, method, path string, body []byte, into any) error {
	return r.askAt(ctx, method, r.SandboxURL+"/_control/"+path, body, into)
}

func (r *Harness) askAt(ctx context.Context, method, path string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("control the sandbox: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	return r.send(request, into)
}
