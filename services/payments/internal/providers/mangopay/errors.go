package mangopay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

var (
	// errKeyUsed means that the key has made something before.
	errKeyUsed = errors.New("idempotency key was used")
	// errBody means that an answer was not what the API answers. What it was is not told: it may be about a person.
	errBody = errors.New("the answer is not of the API")
)

// fault is what we keep of an HTTP error: never its message, which may quote what was sent.
// docs.mangopay.com/errors
type fault struct {
	status    int
	kind      string
	fields    string // names of those that it is about
	id        string // for Mangopay's support
	isOfToken bool
	isForeign bool // somebody else's, such as a proxy's page
	isStored  bool // the first answer of a key, which every repeat brings again
}

func (f *fault) Error() string {
	return fmt.Sprintf("mangopay answered %d %s %s (%s)", f.status, f.kind, f.fields, f.id)
}

func faultOf(status int, header http.Header, body []byte) *fault {
	f := &fault{status: status, id: header.Get("X-Request-Id")}
	var said struct {
		Type   string
		ID     string            `json:"Id"`
		Errors map[string]string `json:"errors"`
	}
	if f.isForeign = json.Unmarshal(body, &said) != nil; !f.isForeign {
		f.kind, f.fields = said.Type, strings.Join(slices.Sorted(maps.Keys(said.Errors)), " ")
		if said.ID != "" {
			f.id = said.ID
		}
	}
	return f
}

func (f *fault) isServerFault() bool { return f.status >= http.StatusInternalServerError }

// isOutage is what the circuit breaker counts: Mangopay did not answer, or with a failure of its own.
func isOutage(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, errKeyUsed) || errors.As(err, &errClosed{}) {
		return false
	}
	var f *fault
	if errors.As(err, &f) {
		return f.isServerFault() && !f.isStored || f.status == http.StatusTooManyRequests
	}
	return true
}

// isRepeatable: reads and changes may always be made again, and what makes something carries a key.
func isRepeatable(err error) bool {
	if errors.Is(err, errKeyUsed) || errors.As(err, &errClosed{}) {
		return false
	}
	var f *fault
	return !errors.As(err, &f) || f.isServerFault() && !f.isStored
}

// translate names an error in the core's terms and says which call it was.
func translate(act string, err error) error {
	if errors.Is(err, errKeyUsed) {
		return err
	}
	said := fmt.Errorf("%s: %w", act, err)
	if closed := (errClosed{}); errors.As(err, &closed) {
		return apperr.New(apperr.ProviderUnavailable).RetryAfter(max(closed.after, time.Second)).Wrap(said)
	}
	var f *fault
	if !errors.As(err, &f) {
		return apperr.New(apperr.ProviderUnavailable).Wrap(said)
	}
	switch {
	case f.isServerFault() && f.isStored:
		return fmt.Errorf("%w: %w", provider.ErrBurned, said)
	case f.isServerFault(), f.status == http.StatusTooManyRequests, f.status == http.StatusConflict:
		return apperr.New(apperr.ProviderUnavailable).Wrap(said)
	case f.status == http.StatusUnauthorized, f.isOfToken:
		return apperr.New(apperr.ConfigurationError).WithCode("provider_rejected_credentials").Wrap(said)
	case f.status == http.StatusNotFound:
		return fmt.Errorf("%w: %w", provider.ErrNotFound, said)
	case f.kind == "mandate_cannot_be_cancelled":
		return fmt.Errorf("%w: %w", provider.ErrState, said)
	case f.status == http.StatusForbidden: // such as a consent that the owner of a wallet has not given
		return fmt.Errorf("%w: %w", provider.ErrRefused, said)
	}
	return fmt.Errorf("%w: %w", provider.ErrFinal, said)
}
