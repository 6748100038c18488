package paymentstest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"talkoot.fi/payments/internal/contentclient"
)

// Fee of 50 euros at the provider's stand-in: 1.5 % and 25 cents.
const Fee = 100

// Pledge is a pledge of 50 euros that waits for its payment.
func (w *World) Pledge() string { return w.Content.Pledge(w.Now(), nil) }

// SetupAnswer is the form's part of the API.
type SetupAnswer struct {
	Status int
	Code   string
	Stripe struct {
		PaymentIntent struct {
			ID           string `json:"id"`
			ClientSecret string `json:"client_secret"`
		} `json:"payment_intent"`
		PublishableKey string `json:"publishable_key"`
	} `json:"stripe"`
	Payment Payment `json:"payment"`
}

// Payment is what the browser sees of one.
type Payment struct {
	ID          string `json:"payment_id"`
	Status      string `json:"status"`
	FailureCode string `json:"failure_code"`
	Method      string `json:"method"`
	AmountMinor int64  `json:"amount_minor"`
}

// Post calls the API; the second value is the error's status, with its code after a slash.
func (w *World) Post(path string, header map[string]string, into any) (int, string) {
	w.T.Helper()
	status, body := w.Send(http.MethodPost, w.API.URL+path, "", nil, header)
	return status, w.read(status, body, into)
}

func (w *World) read(status int, body []byte, into any) string {
	w.T.Helper()
	if status >= http.StatusBadRequest {
		var e struct{ Status, Code string }
		if err := json.Unmarshal(body, &e); err != nil {
			w.T.Fatalf("error answer %s: %v", body, err)
		}
		return strings.TrimSuffix(e.Status+"/"+e.Code, "/")
	}
	if into != nil {
		if err := json.Unmarshal(body, into); err != nil {
			w.T.Fatalf("answer %s: %v", body, err)
		}
	}
	return ""
}

// Setup asks for the form.
func (w *World) Setup(pledge string) SetupAnswer {
	w.T.Helper()
	var a SetupAnswer
	a.Status, a.Code = w.Post("/api/pledges/"+pledge+"/setup/", nil, &a)
	return a
}

// SendSetup asks for the form with a request of the test's own.
func (w *World) SendSetup(r *http.Request) (a SetupAnswer, header http.Header) {
	w.T.Helper()
	w.Identify(r)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.T.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	a.Code = w.read(answer.StatusCode, body, &a)
	a.Status = answer.StatusCode
	return a, answer.Header
}

// MustSetup asks for the form and wants it.
func (w *World) MustSetup(pledge string) SetupAnswer {
	w.T.Helper()
	a := w.Setup(pledge)
	if a.Status != http.StatusOK || a.Stripe.PaymentIntent.ClientSecret == "" ||
		a.Stripe.PublishableKey != PublishableKey {
		w.T.Fatalf("setup of %s answered %+v", pledge, a)
	}
	return a
}

// Payment is the browser's question after it came back.
func (w *World) Payment(pledge string) Payment {
	w.T.Helper()
	status, body := w.Send(http.MethodGet, w.API.URL+"/api/pledges/"+pledge+"/payment", "", nil, nil)
	var a struct{ Payment Payment }
	if code := w.read(status, body, &a); code != "" {
		w.T.Fatalf("payment of %s answered %d %s", pledge, status, code)
	}
	return a.Payment
}

// IntentAnswer is what Stripe.js sees of an intent.
type IntentAnswer struct {
	Status     string `json:"status"`
	NextAction struct {
		UseStripeSDK struct {
			Source string `json:"source"`
		} `json:"use_stripe_sdk"`
	} `json:"next_action"`
	Error struct {
		Code        string `json:"code"`
		DeclineCode string `json:"decline_code"`
	} `json:"error"`
}

// Confirm is what Stripe.js does with the form: publishable key, client secret and a ready-made card.
func (w *World) Confirm(a SetupAnswer, card string) IntentAnswer {
	w.T.Helper()
	form := url.Values{"payment_method": {card}, "client_secret": {a.Stripe.PaymentIntent.ClientSecret},
		"use_stripe_sdk": {"true"}}
	_, body := w.Send(http.MethodPost, w.Provider.URL+"/v1/payment_intents/"+a.Stripe.PaymentIntent.ID+"/confirm",
		"application/x-www-form-urlencoded", strings.NewReader(form.Encode()),
		map[string]string{"Authorization": "Bearer " + PublishableKey})
	var out IntentAnswer
	if err := json.Unmarshal(body, &out); err != nil {
		w.T.Fatalf("confirm answered %s: %v", body, err)
	}
	if out.Status == "" && out.Error.Code == "" {
		w.T.Fatalf("confirm answered %s", body)
	}
	return out
}

// MustPay pays with a card that works.
func (w *World) MustPay(a SetupAnswer) {
	w.T.Helper()
	if got := w.Confirm(a, "pm_card_visa"); got.Status != "succeeded" {
		w.T.Fatalf("paying gave %+v", got)
	}
}

// AnswerChallenge answers the bank's challenge with pass or fail.
func (w *World) AnswerChallenge(a IntentAnswer, outcome string) {
	w.T.Helper()
	status, body := w.Send(http.MethodPost, w.Provider.URL+"/3ds/"+a.NextAction.UseStripeSDK.Source,
		"application/x-www-form-urlencoded",
		strings.NewReader(url.Values{"outcome": {outcome}}.Encode()), nil)
	if status >= http.StatusBadRequest {
		w.T.Fatalf("challenge answered %d %s", status, body)
	}
}

// PageAnswer is the hosted page's part of the API.
type PageAnswer struct {
	PaymentPage struct {
		URL string `json:"url"`
	} `json:"payment_page"`
	PaymentPageURL string `json:"paymentPageUrl"`
	Status         string `json:"status"`
	RetryAfter     int    `json:"retry_after"`
}

// Page asks for a hosted page of a way to pay.
func (w *World) Page(pledge, x string) (int, string, PageAnswer) {
	w.T.Helper()
	var a PageAnswer
	status, code := w.Post("/api/pledges/"+pledge+"/payment-page/"+x+"/", nil, &a)
	if status == http.StatusOK && (a.PaymentPageURL == "" || a.PaymentPageURL != a.PaymentPage.URL) {
		w.T.Errorf("page answered %+v", a)
	}
	return status, code, a
}

// MakePages does the queue's work on the pages that are promised.
func (w *World) MakePages() {
	w.T.Helper()
	var ids []int64
	w.Scan(&ids, `SELECT id FROM attempts WHERE method = 'page' AND status = 'creating'`)
	for _, id := range ids {
		_ = w.App.Payments.MakePage(w.T.Context(), id) // what became of it is in the row
	}
}

// MustPage asks for a hosted page, has it made and gives its address.
func (w *World) MustPage(pledge string) string {
	w.T.Helper()
	w.AskForPage(pledge)
	w.MakePages()
	status, code, a := w.Page(pledge, "stripe")
	if status != http.StatusOK {
		w.T.Fatalf("page answered %d %s", status, code)
	}
	return a.PaymentPageURL
}

// AskForPage asks for a hosted page and does not wait for the queue.
func (w *World) AskForPage(pledge string) {
	w.T.Helper()
	w.Redis.SetError("gone")
	defer w.Redis.SetError("")
	w.Page(pledge, "stripe")
}

// PayOnPage submits the hosted page and tells whether it took the card.
func (w *World) PayOnPage(page, card string) bool {
	w.T.Helper()
	form := url.Values{"name": {"Aino"}, "email": {"aino@example.com"}, "number": {card}, "cvc": {"123"},
		"expiry": {"12/34"}}
	status, _ := w.Send(http.MethodPost, page, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), nil)
	return status == http.StatusSeeOther
}

// MustPayOnPage pays a hosted page with a card that works.
func (w *World) MustPayOnPage(page string) {
	w.T.Helper()
	if !w.PayOnPage(page, "4242424242424242") {
		w.T.Fatalf("the page %q takes no card", page)
	}
}

// Paid is a pledge whose payment we have heard of.
func (w *World) Paid() (pledge, paymentID string, intent string) {
	w.T.Helper()
	return w.PayWith("pm_card_visa")
}

// PayWith pays a new pledge with a ready-made card, and settles.
func (w *World) PayWith(card string) (pledge, paymentID, intent string) {
	w.T.Helper()
	pledge = w.Pledge()
	a := w.MustSetup(pledge)
	if got := w.Confirm(a, card); got.Status != "succeeded" {
		w.T.Fatalf("paying with %s gave %+v", card, got)
	}
	w.Settle()
	return pledge, a.Payment.ID, a.Stripe.PaymentIntent.ID
}

// At reads an object of the provider with the secret key.
func (w *World) At(path string, into any) int {
	w.T.Helper()
	status, body := w.Send(http.MethodGet, w.Provider.URL+path, "", nil,
		map[string]string{"Authorization": "Bearer " + SecretKey})
	if into != nil {
		if err := json.Unmarshal(body, into); err != nil {
			w.T.Fatalf("%s answered %s: %v", path, body, err)
		}
	}
	return status
}

// IntentStatus is how an intent stands at the provider.
func (w *World) IntentStatus(intent string) string {
	w.T.Helper()
	var in struct{ Status string }
	w.At("/v1/payment_intents/"+intent, &in)
	return in.Status
}

// ByHand posts to the provider with the secret key, as somebody does in its own pages.
func (w *World) ByHand(path string, form url.Values) int {
	w.T.Helper()
	status, _ := w.Send(http.MethodPost, w.Provider.URL+path, "application/x-www-form-urlencoded",
		strings.NewReader(form.Encode()),
		map[string]string{"Authorization": "Bearer " + SecretKey})
	return status
}

// Held counts the provider's objects of a kind.
func (w *World) Held(kind string) int {
	w.T.Helper()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	w.At("/v1/"+kind+"?limit=100", &list)
	return len(list.Data)
}

// Heard is what the content service was told about a pledge.
func (w *World) Heard(pledge string) []string {
	var out []string
	for _, e := range w.Content.Heard(pledge) {
		out = append(out, strings.TrimPrefix(string(e.Type), "payment."))
	}
	return out
}

// WantHeard wants the content service told just this, in order and numbered.
func (w *World) WantHeard(pledge string, want ...string) {
	w.T.Helper()
	if got := w.Heard(pledge); !slices.Equal(got, want) {
		w.T.Errorf("content heard %v, want %v", got, want)
	}
	for i, e := range w.Content.Heard(pledge) {
		if e.Sequence != int64(i+1) {
			w.T.Errorf("event %d has the sequence %d", i, e.Sequence)
		}
	}
}

// PaymentOf is the id of a pledge's payment; "" when there is none.
func (w *World) PaymentOf(pledge string) string {
	w.T.Helper()
	var id string
	w.Scan(&id, `SELECT id FROM payments WHERE subject_kind = 'pledge' AND subject_id = ?`, pledge)
	return id
}

// WantStatus wants a pledge's payment in a state.
func (w *World) WantStatus(pledge, want string) {
	w.T.Helper()
	var got string
	w.Scan(&got, `SELECT status FROM payments WHERE subject_id = ?`, pledge)
	if got != want {
		w.T.Errorf("payment is %s, want %s", got, want)
	}
}

// Outcome is what the content service answers the success of a pledge's payment.
func (w *World) Outcome(pledge string, outcome contentclient.EventOutcomeOutcome) {
	w.Content.Answer(pledge, outcome)
}
