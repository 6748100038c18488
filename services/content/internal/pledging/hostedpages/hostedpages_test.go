package hostedpages

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/closing"
)

// payments stands for the payment service.
type payments func(r *http.Request) (status int, body string, err error)

func (p payments) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body, err := p(r)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {"7"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func ask(t *testing.T, pledge, x string, p payments) (api.PledgePaymentPageResponseObject, error) {
	t.Helper()
	client, err := closing.NewClient(closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(strings.Repeat("s", 32)), Now: time.Now, Transport: p})
	if err != nil {
		t.Fatal(err)
	}
	return NewHandlers(client).PledgePaymentPage(t.Context(), api.PledgePaymentPageRequestObject{PledgeID: pledge, X: x})
}

func TestPage_IsThatOfThePaymentService(t *testing.T) {
	t.Parallel()
	pledge, sent := ids.New(), ""
	answer, err := ask(t, pledge, "card", func(r *http.Request) (int, string, error) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
			t.Error("without a service token")
		}
		body, err := io.ReadAll(r.Body)
		sent = r.Method + " " + r.URL.Path + " " + strings.TrimSpace(string(body))
		return 200, `{"is_pending": false, "url": "https://pages.example/1"}`, err
	})
	got, is := answer.(api.PledgePaymentPage200JSONResponse)
	if err != nil || !is || got.PaymentPage.URL != "https://pages.example/1" || got.PaymentPageURL != got.PaymentPage.URL {
		t.Errorf("%+v, %v", answer, err)
	}
	if want := `POST /internal/payments/page {"network":"","pledge_id":"` + pledge + `","x":"card"}`; sent != want {
		t.Errorf("asked %s", sent)
	}
}

func TestPage_BeingMade_IsAskedForAgain(t *testing.T) {
	t.Parallel()
	answer, err := ask(t, ids.New(), "card", func(*http.Request) (int, string, error) { return 200, `{"is_pending": true}`, nil })
	if got, is := answer.(api.PledgePaymentPage202JSONResponse); err != nil || !is || *got.Headers.RetryAfter != 2 || got.Body.Status != api.Pending {
		t.Errorf("%+v, %v", answer, err)
	}
}

// What the payment service refuses is refused in its words; what it does not answer is an outage, and no page.
func TestPage_Refused_SaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		err    error
		want   error
	}{
		{409, `{"status": "pledge_already_paid"}`, nil, apperr.New(apperr.PledgeAlreadyPaid)},
		{422, `{"status": "payment_method_unsupported"}`, nil, apperr.New(apperr.PaymentMethodUnsupported)},
		{503, `{"status": "configuration_error", "code": "provider_off"}`, nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")},
		{404, `{"status": "not_found"}`, nil, apperr.New(apperr.NotFound)},
		{429, `{"status": "too_many_requests"}`, nil, apperr.New(apperr.TooManyRequests)},
		{401, `{"status": "token_invalid"}`, nil, apperr.New(apperr.Unavailable)}, // our own token
		{400, `{"status": "malformed_body"}`, nil, apperr.New(apperr.Unavailable)},
		{500, `{"status": "internal"}`, nil, apperr.New(apperr.Unavailable)},
		{418, `{"status": "made_up"}`, nil, apperr.New(apperr.Unavailable)},
		{502, `<html>`, nil, apperr.New(apperr.Unavailable)},
		{200, `{}`, nil, apperr.New(apperr.Unavailable)},
		{200, `<html>`, nil, apperr.New(apperr.Unavailable)},
		{0, "", errors.New("no route"), apperr.New(apperr.Unavailable)},
	} {
		answer, err := ask(t, ids.New(), "card", func(*http.Request) (int, string, error) { return c.status, c.body, c.err })
		if answer != nil || !errors.Is(err, c.want) {
			t.Errorf("%d %s: %+v, %v", c.status, c.body, answer, err)
		}
		fault := apperr.From(err)
		wait := map[int]time.Duration{429: 7 * time.Second, 503: 7 * time.Second, 409: 0, 422: 0, 404: 0}
		if want, is := wait[c.status]; is && fault.Retry != want {
			t.Errorf("%d: again after %s", c.status, fault.Retry)
		}
	}
}
