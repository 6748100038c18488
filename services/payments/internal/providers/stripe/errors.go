package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// fault is what we keep of an error of Stripe: never its message, which may quote what was sent, nor its objects.
type fault struct {
	httpStatus      int
	kind, code      string
	param           string
	requestID       string
	replayed, retry bool
	noRetry         bool
}

func (f *fault) Error() string {
	return fmt.Sprintf("stripe answered %d %s/%s %s (%s)", f.httpStatus, f.kind, f.code, f.param, f.requestID)
}

// isServerFault tells that Stripe failed, not we.
func (f *fault) isServerFault() bool { return f.httpStatus >= http.StatusInternalServerError }

// scrub turns what the official client returns into something that may be logged; nil stays nil.
func scrub(err error) error {
	var e *sdk.Error
	if !errors.As(err, &e) {
		return err
	}
	f := &fault{httpStatus: e.HTTPStatusCode, kind: string(e.Type), code: string(e.Code), param: e.Param,
		requestID: e.RequestID}
	if e.LastResponse != nil {
		f.replayed = e.LastResponse.Header.Get("Idempotent-Replayed") == "true"
		f.retry = e.LastResponse.Header.Get("Stripe-Should-Retry") == "true"
		f.noRetry = e.LastResponse.Header.Get("Stripe-Should-Retry") == "false"
	}
	return f
}

// isOutage is what the circuit breaker counts: Stripe did not answer, or with a failure of its own.
func isOutage(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, provider.ErrOtherAccount) {
		return false
	}
	var f *fault
	if errors.As(err, &f) {
		return f.isServerFault() && !f.replayed || f.httpStatus == http.StatusTooManyRequests
	}
	return true
}

func isRepeatable(err error) bool {
	if errors.Is(err, provider.ErrOtherAccount) {
		return false
	}
	var f *fault
	if !errors.As(err, &f) {
		return true // the connection failed or the answer was not Stripe's; the key makes repeating safe
	}
	switch {
	case f.replayed || f.noRetry:
		return false
	case f.retry:
		return true
	}
	return f.isServerFault() || f.httpStatus == http.StatusConflict || f.httpStatus == http.StatusTooManyRequests
}

// translate names an error in our terms and says which call it was.
func translate(act string, err error) error {
	if errors.Is(err, provider.ErrOtherAccount) {
		return apperr.New(apperr.ConfigurationError).WithCode("provider_other_account").Wrap(fmt.Errorf("%s: %w", act, err))
	}
	var f *fault
	if !errors.As(err, &f) {
		return apperr.New(apperr.ProviderUnavailable).Wrap(fmt.Errorf("%s: %w", act, err))
	}
	err = fmt.Errorf("%s: %w", act, err)
	switch {
	case f.isServerFault() && f.replayed:
		return fmt.Errorf("%w: %w", provider.ErrBurned, err)
	case f.isServerFault(), f.httpStatus == http.StatusConflict, f.httpStatus == http.StatusTooManyRequests:
		return apperr.New(apperr.ProviderUnavailable).Wrap(err)
	case f.code == string(sdk.ErrorCodeAccountInvalid): // a connected account that was disconnected from us, or never was
		return fmt.Errorf("%w: %w", provider.ErrNotFound, err)
	case f.httpStatus == http.StatusUnauthorized, f.httpStatus == http.StatusForbidden:
		return apperr.New(apperr.ConfigurationError).WithCode("provider_rejected_credentials").Wrap(err)
	case f.httpStatus == http.StatusNotFound, f.code == string(sdk.ErrorCodeResourceMissing):
		return fmt.Errorf("%w: %w", provider.ErrNotFound, err)
	case f.code == string(sdk.ErrorCodePaymentIntentUnexpectedState), f.code == string(sdk.ErrorCodeSetupIntentUnexpectedState):
		return fmt.Errorf("%w: %w", provider.ErrState, err)
	case f.code == string(sdk.ErrorCodeChargeDisputed), f.code == string(sdk.ErrorCodeRefundDisputedPayment):
		return fmt.Errorf("%w: %w", provider.ErrDisputed, err)
	}
	return fmt.Errorf("%w: %w", provider.ErrRefused, err)
}
