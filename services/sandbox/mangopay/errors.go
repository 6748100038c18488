package mangopay

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// apiError is an HTTP error. One without a type has only its message on the wire.
type apiError struct {
	status  int
	kind    string
	message string
	fields  map[string]string
	header  http.Header
	asks    string // a user who has to authenticate on a page, whose address the answer's header has
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%d %s: %s %v", e.status, e.kind, e.message, e.fields)
}

// ControlStatus is what a control call answers then.
func (e *apiError) ControlStatus() int { return e.status }

type errorBody struct {
	Message string            `json:"Message"`
	Type    string            `json:"Type"`
	ID      string            `json:"Id"`
	Date    json.RawMessage   `json:"Date"`
	Errors  map[string]string `json:"errors"`
}

// body is the error as sent. Its date has a fraction, as Mangopay's may.
func (e *apiError) body(s *Sandbox) []byte {
	if e.kind == "" {
		return mustJSON(map[string]string{"Message": e.message})
	}
	t := fmt.Sprintf("%x", s.engine.IDs.Text(16))
	return mustJSON(errorBody{
		Message: e.message, Type: e.kind, Errors: e.fields, Date: fmt.Appendf(nil, "%d.0", s.engine.Now()),
		ID: fmt.Sprintf("%s-%s-%s-%s-%s#%d", t[:8], t[8:12], t[12:16], t[16:20], t[20:], s.engine.Now()),
	})
}

// mustJSON encodes what always can be.
func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("encode %T: %w", v, err))
	}
	return raw
}

const badParameters = "One or several required parameters are missing or incorrect. An incorrect resource ID also raises this kind of error."

func paramErrors(fields map[string]string) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "param_error", message: badParameters, fields: fields}
}

func paramError(field, text string) *apiError { return paramErrors(map[string]string{field: text}) }

func notFound(noun, id string) *apiError {
	return &apiError{status: http.StatusNotFound, kind: "ressource_not_found", message: "The ressource does not exist",
		fields: map[string]string{"RessourceNotFound": "Cannot found the ressource " + noun + " with the id=" + id}}
}

func unauthorized() *apiError {
	return &apiError{status: http.StatusUnauthorized, message: "Authorization has been denied for this request.",
		header: http.Header{"Www-Authenticate": {"Bearer"}}}
}

func noConsent(scope string) *apiError {
	return &apiError{status: http.StatusForbidden, kind: "forbidden_ressource",
		message: "The user has not given consent to " + scope + " while they are not present.",
		fields:  map[string]string{"ScaContext": "USER_NOT_PRESENT needs the user's consent to " + scope}}
}

func conflict() *apiError {
	return &apiError{status: http.StatusConflict, kind: "idempotent_creation_conflict",
		message: "The idempotency key has been used already: see its response."}
}

// asAPIError maps anything a handler returned to an answer; what is not an apiError is a 500.
func (s *Sandbox) asAPIError(err error) *apiError {
	var e *apiError
	if errors.As(err, &e) {
		return e
	}
	s.log.Error("call failed", "error", err)
	return &apiError{status: http.StatusInternalServerError, kind: "internal_server_error", message: "Internal Server Error"}
}

// resultTexts are the messages of result codes; of others the code is the text. They are for people: programs go by the code.
var resultTexts = map[string]string{
	"000000": "Success", "001001": "Unsufficient wallet balance", "001014": "The credited funds must be more than 0",
	"001034": "PAYMENT FAILED: session expired", "101002": "The transaction has been cancelled by the user",
	"101101": "Transaction refused by the bank (Do not honor)", "101301": "Secure mode: 3DSecure authentication has failed",
	"101304": "Secure mode: The 3DSecure authentication session has expired", "101410": "The card is not active",
	"101105": "Card expired", "001830": "The transaction has been refused by the bank: insufficient funds",
	"001833": "The mandate is not in a status in which it can be used", "001806": "The mandate has been cancelled by the client",
	"001805": "The mandate has been cancelled by the user", "001807": "The mandate has expired: it was not confirmed",
	"001401": "Transaction has already been successfully refunded", "001405": "A direct debit pay-in can be refunded after 7 days",
	"005403": "The refund cannot exceed initial transaction amount", "005404": "The refunded fees cannot exceed initial fee amount",
	"005407": "Duplicate refund: same amount on the same day", "005408": "Due to repudiations against this transaction, it can not be refunded",
	"002951": "The owner of the funds is not verified", "002701": "The author is a payer", "002702": "A payer cannot receive a transfer",
	"121003": "Unsufficient wallet balance", "002996": "The owner is not verified", "130011": "Instant payment is not possible",
	"105202": "Card number: invalid format", "105203": "Expiry date: missing or invalid format", "105204": "CVV: missing or invalid format",
	"105206": "The registration data is not valid",
}

func resultText(code string) string {
	if text := resultTexts[code]; text != "" {
		return text
	}
	return "Result " + code
}
