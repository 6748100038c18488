package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"talkoot.fi/payments/internal/contentclient"
)

// What a backer's browser does, and what a test looks at afterwards.

func (w *world) pledge() string { return w.content.pledge(w.now(), nil) }

type setupAnswer struct {
	Status int
	Code   string
	Stripe struct {
		PaymentIntent struct {
			ID           string `json:"id"`
			ClientSecret string `json:"client_secret"`
		} `json:"payment_intent"`
		PublishableKey string `json:"publishable_key"`
	} `json:"stripe"`
	Payment wirePayment `json:"payment"`
}

type wirePayment struct {
	ID          string `json:"payment_id"`
	Status      string `json:"status"`
	FailureCode string `json:"failure_code"`
	Method      string `json:"method"`
	AmountMinor int64  `json:"amount_minor"`
}

// post calls the API; the second value is the error's status, with its code after a slash.
func (w *world) post(path string, header map[string]string, into any) (int, string) {
	w.t.Helper()
	status, body := w.send(http.MethodPost, w.api.URL+path, "", nil, header)
	return status, w.read(status, body, into)
}

func (w *world) read(status int, body []byte, into any) string {
	w.t.Helper()
	if status >= http.StatusBadRequest {
		var e struct{ Status, Code string }
		if err := json.Unmarshal(body, &e); err != nil {
			w.t.Fatalf("error answer %s: %v", body, err)
		}
		return strings.TrimSuffix(e.Status+"/"+e.Code, "/")
	}
	if into != nil {
		if err := json.Unmarshal(body, into); err != nil {
			w.t.Fatalf("answer %s: %v", body, err)
		}
	}
	return ""
}

func (w *world) setup(pledge string) setupAnswer {
	w.t.Helper()
	var a setupAnswer
	a.Status, a.Code = w.post("/api/pledges/"+pledge+"/setup/", nil, &a)
	return a
}

func (w *world) mustSetup(pledge string) setupAnswer {
	w.t.Helper()
	a := w.setup(pledge)
	if a.Status != http.StatusOK || a.Stripe.PaymentIntent.ClientSecret == "" || a.Stripe.PublishableKey != publishableKey {
		w.t.Fatalf("setup of %s answered %+v", pledge, a)
	}
	return a
}

// payment is the browser's question after it came back.
func (w *world) payment(pledge string) wirePayment {
	w.t.Helper()
	status, body := w.send(http.MethodGet, w.api.URL+"/api/pledges/"+pledge+"/payment", "", nil, nil)
	var a struct{ Payment wirePayment }
	if code := w.read(status, body, &a); code != "" {
		w.t.Fatalf("payment of %s answered %d %s", pledge, status, code)
	}
	return a.Payment
}

type intentAnswer struct {
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

// confirm is what Stripe.js does with the form: publishable key, client secret and a ready-made card.
func (w *world) confirm(a setupAnswer, card string) intentAnswer {
	w.t.Helper()
	form := url.Values{"payment_method": {card}, "client_secret": {a.Stripe.PaymentIntent.ClientSecret}, "use_stripe_sdk": {"true"}}
	_, body := w.send(http.MethodPost, w.provider.URL+"/v1/payment_intents/"+a.Stripe.PaymentIntent.ID+"/confirm",
		"application/x-www-form-urlencoded", strings.NewReader(form.Encode()), map[string]string{"Authorization": "Bearer " + publishableKey})
	var out intentAnswer
	if err := json.Unmarshal(body, &out); err != nil {
		w.t.Fatalf("confirm answered %s: %v", body, err)
	}
	if out.Status == "" && out.Error.Code == "" {
		w.t.Fatalf("confirm answered %s", body)
	}
	return out
}

func (w *world) mustPay(a setupAnswer) {
	w.t.Helper()
	if got := w.confirm(a, "pm_card_visa"); got.Status != "succeeded" {
		w.t.Fatalf("paying gave %+v", got)
	}
}

func (w *world) answerChallenge(a intentAnswer, outcome string) {
	w.t.Helper()
	status, body := w.send(http.MethodPost, w.provider.URL+"/3ds/"+a.NextAction.UseStripeSDK.Source, "application/x-www-form-urlencoded",
		strings.NewReader(url.Values{"outcome": {outcome}}.Encode()), nil)
	if status >= http.StatusBadRequest {
		w.t.Fatalf("challenge answered %d %s", status, body)
	}
}

// payOnPage submits the hosted page and tells whether it took the card.
func (w *world) payOnPage(page, card string) bool {
	w.t.Helper()
	form := url.Values{"name": {"Aino"}, "email": {"aino@example.com"}, "number": {card}, "cvc": {"123"}, "expiry": {"12/34"}}
	status, _ := w.send(http.MethodPost, page, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), nil)
	return status == http.StatusSeeOther
}

// at reads an object of the provider with the secret key.
func (w *world) at(path string, into any) int {
	w.t.Helper()
	status, body := w.send(http.MethodGet, w.provider.URL+path, "", nil, map[string]string{"Authorization": "Bearer " + secretKey})
	if into != nil {
		if err := json.Unmarshal(body, into); err != nil {
			w.t.Fatalf("%s answered %s: %v", path, body, err)
		}
	}
	return status
}

// held counts the provider's objects of a kind.
func (w *world) held(kind string) int {
	w.t.Helper()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	w.at("/v1/"+kind+"?limit=100", &list)
	return len(list.Data)
}

// heard is what the content service was told about a pledge.
func (w *world) heard(pledge string) []string {
	var out []string
	for _, e := range w.content.heard(pledge) {
		out = append(out, strings.TrimPrefix(string(e.Type), "payment."))
	}
	return out
}

func (w *world) wantHeard(pledge string, want ...string) {
	w.t.Helper()
	if got := w.heard(pledge); !slices.Equal(got, want) {
		w.t.Errorf("content heard %v, want %v", got, want)
	}
	for i, e := range w.content.heard(pledge) {
		if e.Sequence != int64(i+1) {
			w.t.Errorf("event %d has the sequence %d", i, e.Sequence)
		}
	}
}

func (w *world) wantStatus(pledge, want string) {
	w.t.Helper()
	var got string
	w.scan(&got, `SELECT status FROM payments WHERE pledge_id = ?`, pledge)
	if got != want {
		w.t.Errorf("payment is %s, want %s", got, want)
	}
}

func (w *world) wantLedger(want map[string]int64) {
	w.t.Helper()
	var rows []struct {
		Name    string
		Balance int64
	}
	w.scan(&rows, `SELECT a.name, sum(e.amount_minor)::bigint AS balance FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id GROUP BY 1`)
	for _, r := range rows {
		if r.Balance != want[r.Name] {
			w.t.Errorf("account %s has %d, want %d", r.Name, r.Balance, want[r.Name])
		}
		delete(want, r.Name)
	}
	for name, balance := range want {
		if balance != 0 {
			w.t.Errorf("account %s is missing, want %d", name, balance)
		}
	}
}

func (w *world) outcome(pledge string, outcome contentclient.EventOutcomeOutcome) {
	w.content.answer(pledge, outcome)
}
