package stripe

import (
	"fmt"
	"net/http"
)

// The four error types of API version 2023-10-16.
const (
	typeAPI            = "api_error"
	typeCard           = "card_error"
	typeIdempotency    = "idempotency_error"
	typeInvalidRequest = "invalid_request_error"
)

// errorBody is the error object of an answer, of last_payment_error and of last_setup_error.
type errorBody struct {
	Charge        string         `json:"charge,omitempty"`
	Code          string         `json:"code,omitempty"`
	DeclineCode   string         `json:"decline_code,omitempty"`
	DocURL        string         `json:"doc_url,omitempty"`
	Message       string         `json:"message"`
	Param         string         `json:"param,omitempty"`
	PaymentIntent any            `json:"payment_intent,omitempty"`
	PaymentMethod *paymentMethod `json:"payment_method,omitempty"`
	RequestLogURL string         `json:"request_log_url,omitempty"`
	SetupIntent   any            `json:"setup_intent,omitempty"`
	Type          string         `json:"type"`
}

// apiError is an answer that is not a success. A handler that returns one with commits set keeps
// what it wrote (a decline leaves a failed charge); any other error undoes the transaction.
type apiError struct {
	status  int
	commits bool
	body    errorBody
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%d %s %s: %s", e.status, e.body.Type, e.body.Code, e.body.Message)
}

// stored tells whether an idempotency key keeps this answer: everything that comes from executing
// the call does, faults in its parameters do not.
func (e *apiError) stored() bool {
	return e.status == http.StatusPaymentRequired || e.status >= http.StatusInternalServerError ||
		e.body.Code == codeUnexpectedState || e.body.Code == codeSetupUnexpectedState || e.body.Code == codeChargeDisputed || e.body.Code == codeBalanceInsufficient
}

const (
	codeUnexpectedState      = "payment_intent_unexpected_state"
	codeSetupUnexpectedState = "setup_intent_unexpected_state"
	codeChargeDisputed       = "charge_disputed"
	codeBalanceInsufficient  = "balance_insufficient"
)

func invalidRequest(status int, code, message string) *apiError {
	e := &apiError{status: status, body: errorBody{Type: typeInvalidRequest, Code: code, Message: message}}
	if code != "" {
		e.body.DocURL = "https://stripe.com/docs/error-codes/" + dashed(code)
	}
	return e
}

func invalidParam(param, code, message string) *apiError {
	e := invalidRequest(http.StatusBadRequest, code, message)
	e.body.Param = param
	return e
}

func missingParam(param string) *apiError {
	return invalidParam(param, "parameter_missing", "Missing required param: "+param+".")
}

func missingResource(noun, id, param string) *apiError {
	e := invalidParam(param, "resource_missing", fmt.Sprintf("No such %s: '%s'", noun, id))
	e.status = http.StatusNotFound
	return e
}

func internalError() *apiError {
	return &apiError{status: http.StatusInternalServerError, body: errorBody{
		Type: typeAPI, Message: "An unknown error occurred.",
	}}
}

// cardError is a 402 that keeps what was written before it.
func cardError(code, declineCode, message string) *apiError {
	return &apiError{status: http.StatusPaymentRequired, commits: true, body: errorBody{
		Type: typeCard, Code: code, DeclineCode: declineCode, Message: message,
		DocURL: "https://stripe.com/docs/error-codes/" + dashed(code),
	}}
}

func dashed(code string) string {
	out := []byte(code)
	for i, b := range out {
		if b == '_' {
			out[i] = '-'
		}
	}
	return string(out)
}
