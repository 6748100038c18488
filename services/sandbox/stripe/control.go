package stripe

import (
	"net/http"

	"talkoot.fi/sandbox/standin"
)

// controlRoutes are the calls that make the sandbox misbehave and move its clock. They take JSON
// only, so that no page of another site can post to them.
func (s *Sandbox) controlRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /_control/state", s.controlState)
	s.engine.CommonControls(mux, "/_control")
	mux.HandleFunc("POST /_control/faults", standin.Control(s.AddFault))
	mux.HandleFunc("POST /_control/replay", standin.Control(s.replayEvent))
	mux.HandleFunc("POST /_control/disputes", standin.Control(standin.OutcomeOnly(s.OpenDispute)))
	mux.HandleFunc("POST /_control/disputes/decide", standin.Control(standin.OutcomeOnly(s.DecideDispute)))
	mux.HandleFunc("POST /_control/disputes/return", standin.Control(standin.OutcomeOnly(s.ReturnDisputed)))
	mux.HandleFunc("POST /_control/warnings", standin.Control(standin.OutcomeOnly(s.Warn)))
	mux.HandleFunc("POST /_control/cards", standin.Control(standin.OutcomeOnly(s.ChangeCard)))
	mux.HandleFunc("POST /_control/refunds/fail", standin.Control(standin.OutcomeOnly(s.FailRefund)))
	mux.HandleFunc("POST /_control/refunds/cost", standin.Control(s.SetRefundCost))
	mux.HandleFunc("POST /_control/payouts", standin.Control(standin.OutcomeOnly(s.PayOut)))
	mux.HandleFunc("POST /_control/payouts/settle", standin.Control(standin.OutcomeOnly(s.SettlePayout)))
	mux.HandleFunc("POST /_control/payouts/fail", standin.Control(standin.OutcomeOnly(s.FailPayout)))
	mux.HandleFunc("POST /_control/lines", standin.Control(standin.OutcomeOnly(s.AddLine)))
	mux.HandleFunc("POST /_control/transfers/reverse", standin.Control(s.ReverseTransfer))
	mux.HandleFunc("POST /_control/topups", standin.Control(standin.OutcomeOnly(func(in struct {
		Amount int64 `json:"amount"`
	}) (Topup, error) {
		return s.TopUp(in.Amount)
	})))
	mux.HandleFunc("POST /_control/accounts/move", standin.Control(s.MoveAccount))
	for name, do := range s.accountControls() {
		mux.HandleFunc("POST /_control/accounts/"+name, standin.Control(do))
	}
	mux.HandleFunc("POST /_control/calm", standin.Control(func(struct{}) error { return s.Calm() }))
	mux.HandleFunc("POST /_control/reset", standin.Control(func(struct{}) error { return s.Reset() }))
}

// AddFault makes calls fail as the rule says. Of several rules that match a call the first added applies.
func (s *Sandbox) AddFault(in FaultRule) error { return s.engine.Faults.Add(in, faultKinds()) }

// SetRefundCost sets the fee of each refund from now on.
func (s *Sandbox) SetRefundCost(in RefundCost) error {
	if in.Amount < 0 {
		return standin.BadControl("amount must not be negative")
	}
	s.refunds.set(in)
	return nil
}

type replayOrder struct {
	Event    string `json:"event"`
	Endpoint string `json:"endpoint"` // empty: every enabled endpoint
}

func (s *Sandbox) replayEvent(in replayOrder) error {
	return s.write(&call{}, func(c *call) error {
		e, err := events.Find(c.tx, in.Event)
		if err != nil {
			return err
		}
		if e == nil {
			return standin.BadControl("no such event: " + in.Event)
		}
		found, _, err := endpoints.page(c.tx, pageQuery{limit: 100}, func(w *webhookEndpoint) bool {
			return w.Status == "enabled" && (in.Endpoint == "" || w.ID == in.Endpoint)
		})
		if err != nil {
			return err
		}
		for _, w := range found {
			if _, err := c.unit.Enqueue(e.ID, e.Type, w.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// Calm turns every fault off; deliveries that were held go out.
func (s *Sandbox) Calm() error {
	s.refunds.set(RefundCost{})
	return s.engine.Calm()
}

// Reset forgets everything but the configured endpoint, and resets the clock, so that one sandbox serves many
// simulations. Nothing else may run meanwhile. It does not reset Options.Random; seed it again to get the same ids.
func (s *Sandbox) Reset() error {
	s.refunds.set(RefundCost{})
	return s.engine.Reset()
}

type stateSummary struct {
	Clock     int64                `json:"clock"`
	Held      map[string]int       `json:"objects"`
	Calls     int64                `json:"calls"` // since the start
	Pending   int                  `json:"pending_deliveries"`
	Webhooks  standin.HookPlan     `json:"webhooks"`
	Faults    []FaultRule          `json:"faults"`
	Latency   *standin.LatencyRule `json:"latency"`
	Refunds   RefundCost           `json:"refund_cost"`
	Succeeded int64                `json:"amount_succeeded"`
	Refunded  int64                `json:"amount_refunded"`
}

// controlState sums up what is held: counts, and the money of succeeded intents and live refunds.
func (s *Sandbox) controlState(w http.ResponseWriter, _ *http.Request) {
	out := stateSummary{Held: map[string]int{}, Calls: s.engine.Faults.Calls()}
	err := s.read(&call{}, func(c *call) error {
		out.Clock = c.now
		for _, b := range append(objectBuckets(), standin.Deliveries.Bucket) {
			out.Held[b] = standin.Count(c.tx, b)
		}
		out.Pending = standin.PendingIn(c.tx)
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
		standin.WriteJSON(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	out.Faults, out.Latency = s.engine.Faults.On()
	out.Refunds, out.Webhooks = s.refunds.now(), s.engine.Hooks.Plan()
	standin.WriteJSON(w, http.StatusOK, out)
}
