package mangopay

import (
	"net/http"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// The ways a call can be told to fail, besides a connection that ends before or after its effect.
const (
	fault401      = "401"       // the token is no longer good, no effect
	fault403      = "403"       // no effect
	fault404      = "404"       // the object of the path is not there, no effect
	fault409      = "409"       // the idempotency key was used, no effect
	fault429      = "429"       // rate_limit, no effect
	fault500      = "500"       // no effect
	fault500After = "500_after" // the effect happens and its key keeps the answer, then the answer is a 500
	fault503      = "503"       // no effect

	fault500Stored = "500_stored" // no effect, and its key keeps the 500
)

func faultKinds() []string {
	return []string{fault401, fault403, fault404, fault409, fault429, fault500, fault500After, fault500Stored, fault503, standin.CutBefore, standin.CutAfter}
}

// FaultRule fails the next Times calls that match; Method and Path may be empty. Path is a prefix of what follows the
// client's id, like /payins/card/direct, or /oauth/token.
type FaultRule = standin.FaultRule

// AddFault makes calls fail as the rule says.
func (s *Sandbox) AddFault(in FaultRule) error {
	in.Path = strings.ToLower(in.Path)
	return s.engine.Faults.Add(in, faultKinds())
}

// injected is the error of a fault that has one.
func injected(f standin.Fault, path string) *apiError {
	switch f.Kind {
	case fault401:
		return unauthorized()
	case fault403:
		return &apiError{status: http.StatusForbidden, kind: "forbidden_ressource", message: "The call is not allowed."}
	case fault404:
		return notFound("Ressource", path[strings.LastIndexByte(path, '/')+1:])
	case fault409:
		return conflict()
	case fault429:
		return &apiError{status: http.StatusTooManyRequests, kind: "rate_limit", message: "Too many requests were sent."}
	case fault500:
		return &apiError{status: http.StatusInternalServerError, kind: "internal_server_error", message: "Internal Server Error"}
	case fault503:
		return &apiError{status: http.StatusServiceUnavailable, kind: "service_unavailable", message: "Service Unavailable"}
	}
	return nil
}

// Calm turns every fault off; deliveries that were held go out.
func (s *Sandbox) Calm() error {
	s.forced.set("")
	return s.engine.Calm()
}

// Reset forgets everything but the configured hooks, and resets the clock. Nothing else may run meanwhile.
func (s *Sandbox) Reset() error {
	s.forced.set("")
	s.rate.forget()
	return s.engine.Reset()
}

// Hold keeps all deliveries back, or no longer.
func (s *Sandbox) Hold(hold bool) error {
	if !hold {
		return s.engine.Hooks.Release()
	}
	plan := s.engine.Hooks.Plan()
	plan.Hold = true
	return s.engine.Hooks.SetPlan(plan)
}

const controlPath = "/_sandbox"

func (s *Sandbox) controlRoutes(mux *http.ServeMux) {
	s.engine.CommonControls(mux, controlPath)
	on := func(path string, h http.HandlerFunc) { mux.HandleFunc("POST "+controlPath+path, h) }
	on("/faults", standin.Control(s.AddFault))
	on("/calm", standin.Control(func(struct{}) error { return s.Calm() }))
	on("/reset", standin.Control(func(struct{}) error { return s.Reset() }))
	on("/tokens/expire", standin.Control(func(struct{}) error { return s.ExpireTokens() }))
	on("/next-code", standin.Control(func(in struct {
		Code string `json:"code"`
	}) error {
		s.ForceCode(in.Code)
		return nil
	}))
	on("/pay-ins/settle", standin.Control(func(in struct {
		PayIn string `json:"pay_in"`
		Code  string `json:"code"`
	}) error {
		return s.SettlePayIn(in.PayIn, in.Code)
	}))
	on("/challenges/answer", standin.Control(func(in struct {
		PayIn string `json:"pay_in"`
		Pass  bool   `json:"pass"`
	}) error {
		return s.AnswerChallenge(in.PayIn, in.Pass)
	}))
	on("/mandates/answer", standin.Control(func(in struct {
		Mandate string `json:"mandate"`
		Confirm bool   `json:"confirm"`
	}) error {
		return s.ConfirmMandate(in.Mandate, in.Confirm)
	}))
	on("/transfers/answer", standin.Control(func(in struct {
		Transfer string `json:"transfer"`
		Pass     bool   `json:"pass"`
	}) error {
		return s.AuthoriseTransfer(in.Transfer, in.Pass)
	}))
	on("/users/enrol", standin.Control(func(in struct {
		User string `json:"user"`
		Pass bool   `json:"pass"`
	}) error {
		return s.Enrol(in.User, in.Pass)
	}))
	on("/users/revoke", standin.Control(func(in struct {
		User string `json:"user"`
	}) error {
		return s.RevokeConsents(in.User)
	}))
	on("/users/block-outflows", standin.Control(func(in struct {
		User  string `json:"user"`
		Block bool   `json:"block"`
	}) error {
		return s.BlockOutflows(in.User, in.Block)
	}))
	on("/users/kyc", standin.Control(func(in struct {
		User  string `json:"user"`
		Level string `json:"level"`
	}) error {
		return s.SetKYC(in.User, in.Level)
	}))
	on("/recipients/answer", standin.Control(func(in struct {
		Recipient string `json:"recipient"`
		Pass      bool   `json:"pass"`
	}) error {
		return s.AnswerRecipient(in.Recipient, in.Pass)
	}))
	on("/verifications/end", standin.Control(func(in struct {
		Verification string `json:"verification"`
		Pass         bool   `json:"pass"`
	}) error {
		return s.EndVerification(in.Verification, in.Pass)
	}))
	on("/payouts/settle", standin.Control(func(in struct {
		PayOut string `json:"payout"`
		Code   string `json:"code"`
	}) error {
		return s.SettlePayOut(in.PayOut, in.Code)
	}))
	on("/payouts/return", standin.Control(func(in struct {
		PayOut string `json:"payout"`
		Reason string `json:"reason"`
		Kept   int64  `json:"kept"`
	}) error {
		return s.ReturnPayOut(in.PayOut, in.Reason, in.Kept)
	}))
	on("/disputes", standin.Control(standin.OutcomeOnly(s.OpenDispute)))
	on("/disputes/decide", standin.Control(func(in struct {
		Dispute string `json:"dispute"`
		Result  string `json:"result"`
	}) error {
		return s.DecideDispute(in.Dispute, in.Result)
	}))
	on("/disputes/reopen", standin.Control(func(in struct {
		Dispute string `json:"dispute"`
		Message string `json:"message"`
	}) error {
		return s.ReopenDispute(in.Dispute, in.Message)
	}))
	on("/documents/decide", standin.Control(func(in struct {
		Document string `json:"document"`
		Refusal  string `json:"refusal"`
	}) error {
		return s.DecideDocument(in.Document, in.Refusal)
	}))
	mux.HandleFunc("GET "+controlPath+"/state", s.controlState)
	mux.HandleFunc("GET "+controlPath+"/deliveries", s.controlDeliveries)
}

type stateSummary struct {
	Clock   int64                `json:"clock"`
	Held    map[string]int       `json:"objects"`
	Calls   int64                `json:"calls"` // since the start
	Pending int                  `json:"pending_deliveries"`
	Hooks   standin.HookPlan     `json:"webhooks"`
	Faults  []FaultRule          `json:"faults"`
	Latency *standin.LatencyRule `json:"latency"`
	Wallets []Wallet             `json:"client_wallets"`
}

func (s *Sandbox) controlState(w http.ResponseWriter, _ *http.Request) {
	out := stateSummary{Held: map[string]int{}, Calls: s.engine.Faults.Calls(), Hooks: s.engine.Hooks.Plan()}
	out.Faults, out.Latency = s.engine.Faults.On()
	err := s.read(&call{}, func(c *call) error {
		out.Clock, out.Pending = c.now, standin.PendingIn(c.tx)
		for _, b := range append(objectBuckets(), standin.Deliveries.Bucket) {
			out.Held[b] = standin.Count(c.tx, b)
		}
		return each(c.tx, wallets, "client", func(w *wallet) bool {
			out.Wallets = append(out.Wallets, Wallet{ID: w.ID, Balance: w.Balance})
			return true
		})
	})
	if err != nil {
		standin.WriteJSON(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	standin.WriteJSON(w, http.StatusOK, out)
}

// controlDeliveries lists every delivery, oldest first.
func (s *Sandbox) controlDeliveries(w http.ResponseWriter, _ *http.Request) {
	out := []standin.StoredDelivery{}
	err := s.read(&call{}, func(c *call) error {
		return each(c.tx, standin.Deliveries, "", func(d *standin.StoredDelivery) bool {
			out = append(out, *d)
			return true
		})
	})
	if err != nil {
		standin.WriteJSON(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	standin.WriteJSON(w, http.StatusOK, out)
}
