// Package hostedpages gives the hosted payment page of a pledge. The payment service makes it, and decides; here is who asks: the holder of
// the pledge, whom package holders has let through.
package hostedpages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/paymentsclient"
)

const (
	// callTimeout bounds one call to the payment service, which waits briefly for the page.
	callTimeout = 12 * time.Second
	// retryAfter is when a caller asks again, for a page that is being made or of a service that does not answer.
	retryAfter = 2 * time.Second
	// maxAnswer bounds what is read of an answer, in bytes.
	maxAnswer = 64 << 10
)

// Handlers answers the call.
type Handlers struct{ payments *paymentsclient.Client }

// NewHandlers makes the handlers; payments calls the payment service with a service token (closing.NewClient). Rules and holders.Guard
// belong before them.
func NewHandlers(payments *paymentsclient.Client) *Handlers { return &Handlers{payments} }

// Rules are the limits by address; calls is how many pages one may ask for.
func Rules(calls ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /pledges/:pledge_id/payment_page/:x": {{Name: "payment_page", Limit: calls}}}
}

// PledgePaymentPage asks for the page. Errors: those of the payment service, Unavailable when it does not answer.
func (h *Handlers) PledgePaymentPage(ctx context.Context, r api.PledgePaymentPageRequestObject) (api.PledgePaymentPageResponseObject, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := read(h.payments.PaymentPage(ctx, paymentsclient.PageQuestion{PledgeID: r.PledgeID, X: r.X,
		Network: ratelimit.Address(httpx.ClientIP(ctx))}))
	if err != nil {
		return nil, err
	}
	if answer.IsPending {
		seconds := int(retryAfter.Seconds())
		return api.PledgePaymentPage202JSONResponse{Body: api.PaymentPagePending{Status: api.Pending, RetryAfter: seconds},
			Headers: api.PledgePaymentPage202ResponseHeaders{RetryAfter: &seconds}}, nil
	}
	page := api.PaymentPageAnswer{PaymentPageURL: *answer.URL}
	page.PaymentPage.URL = *answer.URL
	return api.PledgePaymentPage200JSONResponse(page), nil
}

func read(response *http.Response, err error) (answer paymentsclient.PageAnswer, _ error) {
	away := func(err error) (paymentsclient.PageAnswer, error) {
		return paymentsclient.PageAnswer{}, apperr.New(apperr.Unavailable).RetryAfter(retryAfter).Wrap(fmt.Errorf("ask for a payment page: %w", err))
	}
	if err != nil {
		return away(err)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return away(err)
	}
	if response.StatusCode != http.StatusOK {
		return answer, refusal(response, body)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return away(err)
	}
	if !answer.IsPending && (answer.URL == nil || *answer.URL == "") { // another program answers at that address
		return away(errors.New("the answer has no page"))
	}
	return answer, nil
}

// refusal is an error of the payment service's, as it said it. One that is about this call of ours is told as an outage.
func refusal(response *http.Response, body []byte) error {
	var said struct {
		Status apperr.Status
		Code   string
		Params apperr.Params
	}
	wait := retryAfter
	if s, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && s > 0 {
		wait = time.Duration(s) * time.Second
	}
	isOurs := response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusBadRequest
	if json.Unmarshal(body, &said) != nil || !said.Status.Known() || said.Status == apperr.Internal || isOurs {
		return apperr.New(apperr.Unavailable).RetryAfter(wait).Wrap(fmt.Errorf("ask for a payment page: the payment service answered %d", response.StatusCode))
	}
	refused := apperr.New(said.Status).WithCode(said.Code).WithParams(said.Params)
	if said.Status.HTTP() == http.StatusTooManyRequests || said.Status.HTTP() == http.StatusServiceUnavailable {
		refused = refused.RetryAfter(wait)
	}
	return refused
}
