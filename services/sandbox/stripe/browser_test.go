package stripe_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

// browse posts or gets a page without following redirects.
func (b *fixture) browse(method, address string, form url.Values) (int, string, string) {
	b.t.Helper()
	if u, err := url.Parse(address); err == nil && u.Host != "" { // pages name the public URL
		address = u.RequestURI()
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+address, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Location"), string(body)
}

func (b *fixture) challenged(method string) *stripego.PaymentIntent {
	b.t.Helper()
	pi, err := b.intent(func(p *stripego.PaymentIntentParams) {
		p.Confirm, p.PaymentMethod = stripego.Bool(true), &method
		p.ReturnURL = stripego.String("https://shop.test/return?order=1")
	})
	if err != nil || pi.NextAction == nil || pi.NextAction.RedirectToURL == nil {
		b.t.Fatalf("%+v %v", pi, err)
	}
	return pi
}

func TestChallenge_ItsAnswerDecidesAndCountsOnce(t *testing.T) {
	b := start(t, stripe.Options{})
	for _, tc := range []struct{ card, outcome, redirect, status, code string }{
		{"pm_card_authenticationRequired", "pass", "succeeded", "succeeded", ""},
		{"pm_card_authenticationRequired", "fail", "failed", "requires_payment_method", "payment_intent_authentication_failure"},
		{"pm_card_threeDSecureRequiredChargeDeclined", "pass", "failed", "requires_payment_method", "card_declined"},
	} {
		pi := b.challenged(tc.card)
		for range 2 { // the second answer changes nothing
			status, to, _ := b.browse(http.MethodPost, pi.NextAction.RedirectToURL.URL, url.Values{"outcome": {tc.outcome}})
			u, err := url.Parse(to)
			if err != nil || status != http.StatusSeeOther || u.Query().Get("redirect_status") != tc.redirect || u.Query().Get("order") != "1" || u.Query().Get("payment_intent") != pi.ID {
				t.Errorf("%s %s: %d %s", tc.card, tc.outcome, status, to)
			}
		}
		after, err := b.api.PaymentIntents.Get(pi.ID, nil)
		if err != nil || string(after.Status) != tc.status {
			t.Errorf("%s %s: %v %v", tc.card, tc.outcome, after.Status, err)
		}
		if tc.code != "" && (after.LastPaymentError == nil || string(after.LastPaymentError.Code) != tc.code) {
			t.Errorf("%s %s: %+v", tc.card, tc.outcome, after.LastPaymentError)
		}
	}
}

func TestChallenge_OfAnIntentThatMovedOnIsOver(t *testing.T) {
	b := start(t, stripe.Options{})
	pi := b.challenged("pm_card_authenticationRequired")
	if _, err := b.api.PaymentIntents.Cancel(pi.ID, &stripego.PaymentIntentCancelParams{}); err != nil {
		t.Fatal(err)
	}
	b.browse(http.MethodPost, pi.NextAction.RedirectToURL.URL, url.Values{"outcome": {"pass"}})
	after, err := b.api.PaymentIntents.Get(pi.ID, nil)
	if err != nil || after.Status != "canceled" || after.LatestCharge != nil {
		t.Errorf("a canceled intent was charged: %v %v", after.Status, err)
	}
}

func (b *fixture) session() *stripego.CheckoutSession {
	b.t.Helper()
	o, err := b.api.CheckoutSessions.New(sessionParams())
	if err != nil || o.PaymentIntent != nil || o.Status != "open" || o.AmountTotal != 9650 {
		b.t.Fatalf("%+v %v", o, err)
	}
	return o
}

func sessionParams() *stripego.CheckoutSessionParams {
	return &stripego.CheckoutSessionParams{
		Mode: stripego.String("payment"), SuccessURL: stripego.String("https://shop.test/thanks?s={CHECKOUT_SESSION_ID}"),
		CancelURL: stripego.String("https://shop.test/back"), Locale: stripego.String("sv"),
		LineItems: []*stripego.CheckoutSessionLineItemParams{{
			Quantity: stripego.Int64(2),
			PriceData: &stripego.CheckoutSessionLineItemPriceDataParams{
				Currency: stripego.String("eur"), UnitAmount: stripego.Int64(4825),
				ProductData: &stripego.CheckoutSessionLineItemPriceDataProductDataParams{Name: stripego.String("Huivi <b>")},
			},
		}},
		PaymentIntentData: &stripego.CheckoutSessionPaymentIntentDataParams{Metadata: map[string]string{"pledge_id": "9"}},
	}
}

func card(number string) url.Values {
	return url.Values{"number": {number}, "expiry": {"12 / 40"}, "cvc": {"123"}, "name": {"Aino"}, "email": {"aino@example.test"}}
}

func TestCheckout_IsPaidOnItsPageAfterADeclineAndAChallenge(t *testing.T) {
	r := newReceiver(t)
	b := start(t, stripe.Options{WebhookURL: r.server.URL, WebhookSecret: webhookSecret})
	o := b.session()
	status, _, page := b.browse(http.MethodGet, o.URL, nil)
	if status != http.StatusOK || !strings.Contains(page, `lang="sv"`) || !strings.Contains(page, "96,50") || strings.Contains(page, "Huivi <b>") {
		t.Fatalf("page %d in Swedish, with the sum, escaped", status)
	}
	status, _, page = b.browse(http.MethodPost, o.URL, card("4000000000000002"))
	if status != http.StatusUnprocessableEntity || !strings.Contains(page, "Kortet nekades") {
		t.Errorf("decline: %d", status)
	}
	status, to, _ := b.browse(http.MethodPost, o.URL, card("4000002760003184"))
	if status != http.StatusSeeOther || !strings.Contains(to, "/3ds/") {
		t.Fatalf("challenge: %d %s", status, to)
	}
	_, to, _ = b.browse(http.MethodPost, to, url.Values{"outcome": {"pass"}})
	_, to, _ = b.browse(http.MethodGet, to, nil)
	if to != "https://shop.test/thanks?s="+o.ID {
		t.Errorf("landed at %s", to)
	}
	params := &stripego.CheckoutSessionParams{}
	params.AddExpand("payment_intent")
	params.AddExpand("line_items")
	o, err := b.api.CheckoutSessions.Get(o.ID, params)
	if err != nil || o.PaymentStatus != "paid" || o.URL != "" || o.PaymentIntent.Status != "succeeded" || o.PaymentIntent.Metadata["pledge_id"] != "9" || len(o.LineItems.Data) != 1 {
		t.Errorf("%+v %v", o, err)
	}
	seen := map[stripego.EventType]int{}
	for range 4 {
		seen[r.next(t).Type]++
	}
	if seen["payment_intent.payment_failed"] != 1 || seen["payment_intent.requires_action"] != 1 || seen["payment_intent.succeeded"] != 1 || seen["checkout.session.completed"] != 1 {
		t.Errorf("events %v", seen)
	}
}

func TestCheckout_AGivenAddressIsFilledInAndStays(t *testing.T) {
	b := start(t, stripe.Options{})
	params := sessionParams()
	params.CustomerEmail = stripego.String("leena@example.test")
	o, err := b.api.CheckoutSessions.New(params)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, page := b.browse(http.MethodGet, o.URL, nil); !strings.Contains(page, `value="leena@example.test" readonly`) {
		t.Errorf("the address is not filled in: %s", page)
	}
	if status, _, _ := b.browse(http.MethodPost, o.URL, card("4242424242424242")); status != http.StatusSeeOther {
		t.Errorf("paid: %d", status)
	}
	if o, err = b.api.CheckoutSessions.Get(o.ID, nil); err != nil || o.CustomerDetails.Email != "leena@example.test" {
		t.Errorf("paid as %+v, %v", o.CustomerDetails, err)
	}
	for _, bad := range []string{"leena", "a..b@example.test", "p\u00e4ivi@example.test"} {
		params.CustomerEmail = &bad
		var refused *stripego.Error
		if _, err := b.api.CheckoutSessions.New(params); !errors.As(err, &refused) || refused.Code != "email_invalid" || refused.Param != "customer_email" {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestCheckout_ExpiresWithItsIntentAndTakesNoMoreMoney(t *testing.T) {
	b := start(t, stripe.Options{})
	o := b.session()
	_, to, _ := b.browse(http.MethodPost, o.URL, card("4000002760003184"))
	b.control("clock", `{"advance_seconds": 86401}`)
	b.eventually(func() bool {
		held, err := b.api.CheckoutSessions.Get(o.ID, nil)
		return err == nil && held.Status == "expired"
	}, "the session expires")
	b.browse(http.MethodPost, to, url.Values{"outcome": {"pass"}})
	if status, _, _ := b.browse(http.MethodPost, o.URL, card("4242424242424242")); status != http.StatusUnprocessableEntity {
		t.Errorf("paying an expired session: %d", status)
	}
	held, err := b.api.Balance.Get(nil)
	if err != nil || held.Pending[0].Amount != 0 {
		t.Errorf("money was taken: %+v %v", held.Pending, err)
	}
}

func TestPages_TheListShowsWhatIsHeld(t *testing.T) {
	b := start(t, stripe.Options{})
	pi := b.pay("pm_card_visa")
	status, _, page := b.browse(http.MethodGet, "/", nil)
	if status != http.StatusOK || !strings.Contains(page, pi.ID) || !strings.Contains(page, "/mail/") {
		t.Errorf("list page %d", status)
	}
}

func BenchmarkPaymentFlow(b *testing.B) {
	sandbox, err := stripe.New(stripe.Options{StateDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := sandbox.Close(); err != nil {
			b.Error(err)
		}
	}()
	post := func(path, form string) {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, path, strings.NewReader(form))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+secretKey)
		w := &discard{header: http.Header{}}
		sandbox.Handler().ServeHTTP(w, req)
		if w.status != http.StatusOK {
			b.Fatalf("%s: %d", path, w.status)
		}
	}
	for b.Loop() {
		post("/v1/customers", "email=a@b.test")
		post("/v1/payment_intents", "amount=1000&currency=eur&payment_method_types[0]=card")
		post("/v1/payment_intents", "amount=1000&currency=eur&payment_method_types[0]=card&confirm=true&payment_method=pm_card_visa")
	}
}

type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

func TestWallet_ItsTokenPaysOnceAndIsToldAsGooglePay(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, err := b.intent(func(*stripego.PaymentIntentParams) {})
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"client_secret": {pi.ClientSecret}, "payment_method_data[type]": {"card"}, "payment_method_data[card][token]": {"tok_google_pay"}}
	status, _, confirmed := b.raw(http.MethodPost, "/v1/payment_intents/"+pi.ID+"/confirm", publishableKey, form, nil)
	if status != http.StatusOK || confirmed["status"] != "succeeded" {
		t.Fatalf("%d %v", status, confirmed)
	}
	params := &stripego.PaymentIntentParams{}
	params.AddExpand("payment_method")
	params.AddExpand("latest_charge")
	paid, err := b.api.PaymentIntents.Get(pi.ID, params)
	if err != nil {
		t.Fatal(err)
	}
	if wallet := paid.PaymentMethod.Card.Wallet; wallet == nil || wallet.Type != "google_pay" {
		t.Errorf("the method's wallet: %+v", wallet)
	}
	if wallet := paid.LatestCharge.PaymentMethodDetails.Card.Wallet; wallet == nil || wallet.Type != "google_pay" {
		t.Errorf("the charge's wallet: %+v", wallet)
	}
}
