package stripe

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"talkoot.fi/sandbox/standin"
)

// The ways a call can be told to fail.
const (
	fault403       = "403"        // the key may not make this call, no effect
	fault404       = "404"        // the object of the path is not there, no effect
	fault409       = "409"        // idempotency_key_in_use, no effect
	fault429       = "429"        // rate_limit, no effect
	faultLock      = "lock"       // 429 lock_timeout with Stripe-Should-Retry, no effect
	fault500       = "500"        // no effect; a repetition with its key is executed
	fault500Stored = "500_stored" // no effect; its key keeps the 500, as Stripe's do once a call executes
	fault503       = "503"        // no effect
)

func faultKinds() []string {
	return []string{fault403, fault404, fault409, fault429, faultLock, fault500, fault500Stored, fault503, standin.CutBefore, standin.CutAfter}
}

// FaultRule fails the next Times calls that match; Method and Path (a prefix) may be empty. Kind is one of the README's.
type FaultRule = standin.FaultRule

// RefundCost is the fee of each refund from now on, as some methods of payment and countries have one.
type RefundCost struct {
	Amount   int64 `json:"amount"`   // minor units; 0 ends it
	Returned bool  `json:"returned"` // the fee comes back with a refund that fails
}

// refundCost is what the controls have asked for.
type refundCost struct {
	mu sync.Mutex
	is RefundCost
}

func (r *refundCost) now() RefundCost {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.is
}

func (r *refundCost) set(to RefundCost) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.is = to
}

// fault is what happens to one call; the zero value is nothing.
type fault struct {
	standin.Fault
	path string // of the call
}

// executed tells whether the failed call counts as executed, so that its key keeps the answer.
func (f fault) executed() bool { return f.Kind == fault500Stored }

// answer is the injected response, if the fault has one.
func (f fault) answer() (answer, bool) {
	e := &apiError{body: errorBody{Type: typeAPI, Message: "An unknown error occurred."}}
	retry := ""
	switch f.Kind {
	case fault403:
		e = invalidRequest(http.StatusForbidden, "",
			"The provided key does not have the required permissions for this endpoint on this account.")
	case fault404:
		e = missingAt(f.path)
	case fault409:
		e.status = http.StatusConflict
		e.body = errorBody{Type: typeIdempotency, Code: "idempotency_key_in_use",
			Message: "There is currently another in-progress request using this Idempotent Key."}
	case fault429:
		e.status = http.StatusTooManyRequests
		e.body = errorBody{Type: typeInvalidRequest, Code: "rate_limit",
			Message: "Request rate limit exceeded."}
	case faultLock:
		e.status, retry = http.StatusTooManyRequests, "true"
		e.body = errorBody{Type: typeInvalidRequest, Code: "lock_timeout",
			Message: "This object cannot be accessed right now because another API request or Stripe process is currently accessing it."}
	case fault500, fault500Stored:
		e.status = http.StatusInternalServerError
	case fault503:
		e.status = http.StatusServiceUnavailable
	default:
		return answer{}, false
	}
	raw, err := json.Marshal(map[string]errorBody{"error": e.body})
	if err != nil {
		return answer{}, false
	}
	return answer{Status: e.status, Body: raw, retry: retry, stored: f.executed()}, true
}

// missingAt is what the call of a path answers when its object is not there.
func missingAt(path string) *apiError {
	parts := strings.Split(strings.TrimPrefix(path, "/v1/"), "/")
	if parts[0] == "checkout" && len(parts) > 1 {
		parts = parts[1:]
	}
	if len(parts) == 1 {
		return invalidRequest(http.StatusNotFound, "", "Unrecognized request URL ("+path+").")
	}
	noun, param := strings.TrimSuffix(parts[0], "s"), "id"
	switch parts[0] {
	case "payment_intents":
		param = "intent"
	case "payment_methods":
		noun, param = methods.noun, "payment_method"
	case "sessions":
		noun, param = sessions.noun, "session"
	case "balance_transactions":
		noun = transactions.noun
	case "webhook_endpoints":
		noun, param = endpoints.noun, "webhook_endpoint"
	case "topups":
		noun, param = topups.noun, "topup"
	case "disputes", "payouts":
		param = noun
	}
	return missingResource(noun, parts[1], param)
}
