package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3filter"
)

// operational reports whether a path is of health or metrics, which are not part of a contract.
func operational(path string) bool {
	switch strings.TrimSuffix(path, "/") {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return false
}

// CheckAnswer returns an error if the contract does not describe an answer: an unknown call (unless the answer is 404
// or 405), status or header, or a body that does not match its schema. An operation's "default" describes errors only;
// a success needs its own entry. Health and metrics are not part of a contract.
func (c *Contract) CheckAnswer(req *http.Request, status int, header http.Header, body []byte) error {
	o, params := c.match(req)
	if o == nil {
		if operational(req.URL.Path) || req.Method == http.MethodOptions || status == http.StatusNotFound || status == http.StatusMethodNotAllowed {
			return nil
		}
		return errors.New("the contract has no such call")
	}
	if status < http.StatusBadRequest && o.route.Operation.Responses.Status(status) == nil {
		return fmt.Errorf("the contract has no status %d here", status)
	}
	input := o.input(req, params)
	err := openapi3filter.ValidateResponse(req.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: status, Header: header, Options: input.Options,
		Body: io.NopCloser(bytes.NewReader(body)),
	})
	if err != nil {
		return fmt.Errorf("not as described: %w", err)
	}
	return nil
}
