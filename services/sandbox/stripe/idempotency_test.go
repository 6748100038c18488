package stripe_test

import (
	"net/http"
	"net/url"
	"reflect"
	"sync"
	"testing"
	"time"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func keyed(key string) func(*stripego.PaymentIntentParams) {
	return func(p *stripego.PaymentIntentParams) { p.IdempotencyKey = &key }
}

func TestIdempotency_ReplaysTheFirstAnswerEvenADecline(t *testing.T) {
	b := start(t, stripe.Options{})
	first, err1 := b.intent(keyed("pledge:1:pi:1"))
	again, err2 := b.intent(keyed("pledge:1:pi:1"))
	if err1 != nil || err2 != nil || first.ID != again.ID || again.LastResponse.Header.Get("Idempotent-Replayed") != "true" {
		t.Fatalf("%v %v, replayed %q", err1, err2, again.LastResponse.Header.Get("Idempotent-Replayed"))
	}
	decline := func(p *stripego.PaymentIntentParams) {
		keyed("pledge:2:pi:1")(p)
		p.Confirm, p.PaymentMethod = stripego.Bool(true), stripego.String("pm_card_chargeDeclined")
	}
	_, err1 = b.intent(decline)
	_, err2 = b.intent(decline)
	one, two := stripeError(t, err1), stripeError(t, err2)
	if two.HTTPStatusCode != 402 || one.ChargeID == "" || one.ChargeID != two.ChargeID {
		t.Errorf("a replayed decline is the same decline: %s %s", one.ChargeID, two.ChargeID)
	}
}

func TestIdempotency_RefusesOtherParametersAndForgetsParameterFaultsAndOldKeys(t *testing.T) {
	b := start(t, stripe.Options{})
	bad := func(p *stripego.PaymentIntentParams) { keyed("k")(p); p.Amount = stripego.Int64(1) }
	if _, err := b.intent(bad); stripeError(t, err).Code != "amount_too_small" {
		t.Fatal(err)
	}
	first, err := b.intent(keyed("k"))
	if err != nil {
		t.Fatalf("a parameter fault must not be stored: %v", err)
	}
	_, err = b.intent(func(p *stripego.PaymentIntentParams) { keyed("k")(p); p.Amount = stripego.Int64(2000) })
	if e := stripeError(t, err); e.HTTPStatusCode != 400 || e.Type != stripego.ErrorTypeIdempotency || e.Code != "" {
		t.Errorf("%d %s %q", e.HTTPStatusCode, e.Type, e.Code)
	}
	b.control("clock", `{"advance_seconds": 86401}`)
	fresh, err := b.intent(keyed("k"))
	if err != nil || fresh.ID == first.ID {
		t.Errorf("a key runs anew after 24 h: %v %v", fresh.ID, err)
	}
}

func TestIdempotency_AKeyBelongsToItsPathAndParameters(t *testing.T) {
	b := start(t, stripe.Options{})
	header := http.Header{"Idempotency-Key": {"one"}}
	first := url.Values{"amount": {"5000"}, "currency": {"eur"}}
	if status, _, body := b.raw("POST", "/v1/topups", secretKey, first, header); status != 200 {
		t.Fatal(body)
	}
	for name, tc := range map[string]struct {
		path string
		form url.Values
	}{
		"another path":        {"/v1/payouts", first},
		"another value":       {"/v1/topups", url.Values{"amount": {"5001"}, "currency": {"eur"}}},
		"one parameter more":  {"/v1/topups", url.Values{"amount": {"5000"}, "currency": {"eur"}, "metadata[a]": {"b"}}},
		"even a faulty value": {"/v1/topups", url.Values{"amount": {"many"}, "currency": {"eur"}}},
	} {
		status, _, body := b.raw("POST", tc.path, secretKey, tc.form, header)
		e, _ := body["error"].(map[string]any)
		if _, coded := e["code"]; status != 400 || e["type"] != "idempotency_error" || coded {
			t.Errorf("%s: %d %v", name, status, body)
		}
	}
	if n := len(b.sandbox.Snapshot().Topups); n != 1 {
		t.Errorf("%d top-ups from one key", n)
	}
}

func TestIdempotency_TheSameKeyWhileRunningIsAConflict(t *testing.T) {
	b := start(t, stripe.Options{})
	const callers = 20
	var mu sync.Mutex
	ids, conflicts := map[string]int{}, 0
	var done sync.WaitGroup
	for range callers {
		done.Go(func() {
			pi, err := b.intent(keyed("same"))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				ids[pi.ID]++
			} else if e := stripeError(t, err); e.HTTPStatusCode == 409 && e.Code == "idempotency_key_in_use" {
				conflicts++
			} else {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if len(ids) != 1 {
		t.Errorf("%d intents from one key, %d conflicts", len(ids), conflicts)
	}
}

func TestConcurrency_ManyConfirmsOfOneIntentChargeOnce(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, err := b.intent(nil)
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for range 30 {
		done.Go(func() {
			_, err := b.api.PaymentIntents.Confirm(pi.ID, &stripego.PaymentIntentConfirmParams{PaymentMethod: stripego.String("pm_card_visa")})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if e := stripeError(t, err); e.Code != "payment_intent_unexpected_state" {
				t.Error(e)
			}
		})
	}
	done.Wait()
	n := 0
	for it := b.api.Charges.List(&stripego.ChargeListParams{PaymentIntent: &pi.ID}); it.Next(); n++ {
	}
	if won != 1 || n != 1 {
		t.Errorf("%d confirms won, %d charges", won, n)
	}
}

func TestKeys_AreCheckedAndAPublishableKeySeesTheReducedIntentOnly(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, err := b.intent(func(p *stripego.PaymentIntentParams) { p.AddMetadata("pledge_id", "9") })
	if err != nil {
		t.Fatal(err)
	}
	path, secret := "/v1/payment_intents/"+pi.ID, url.Values{"client_secret": {pi.ClientSecret}}
	for _, tc := range []struct {
		name, method, path, key string
		form                    url.Values
		status                  int
	}{
		{"no key", "GET", "/v1/balance", "", nil, 401},
		{"malformed key", "GET", "/v1/balance", "sk_test_short", nil, 401},
		{"live key", "GET", "/v1/balance", "sk_live_conformance1234", nil, 401},
		{"publishable key on a secret call", "GET", "/v1/balance", publishableKey, nil, 403},
		{"publishable key without the client secret", "GET", path, publishableKey, nil, 400},
		{"publishable key with another secret", "GET", path, publishableKey, url.Values{"client_secret": {"pi_x_secret_y"}}, 400},
		{"publishable key may not list", "GET", "/v1/payment_intents", publishableKey, nil, 403},
		{"unknown call", "GET", "/v1/nothing", secretKey, nil, 404},
		{"publishable key with the secret", "GET", path, publishableKey, secret, 200},
	} {
		status, header, body := b.raw(tc.method, tc.path, tc.key, tc.form, nil)
		if status != tc.status || header.Get("Request-Id") == "" {
			t.Errorf("%s: %d %v", tc.name, status, body)
		}
		if status == 200 {
			for _, hidden := range []string{"customer", "metadata", "transfer_data", "application_fee_amount", "latest_charge"} {
				if _, shown := body[hidden]; shown {
					t.Errorf("a publishable key sees %s", hidden)
				}
			}
		}
	}
}

func TestFaults_FailOnceThenStop(t *testing.T) {
	b := start(t, stripe.Options{})
	for kind, status := range map[string]int{"409": 409, "429": 429, "lock": 429, "500": 500, "503": 503} {
		b.control("faults", `{"kind":"`+kind+`","path":"/v1/payment_intents"}`)
		_, err := b.intent(keyed("fault-" + kind))
		if e := stripeError(t, err); e.HTTPStatusCode != status {
			t.Errorf("%s: %d", kind, e.HTTPStatusCode)
		}
		if _, err := b.intent(keyed("fault-" + kind)); err != nil {
			t.Errorf("%s must be over: %v", kind, err)
		}
	}
	b.control("faults", `{"kind":"500_stored"}`)
	for range 2 {
		if _, err := b.intent(keyed("kept")); stripeError(t, err).HTTPStatusCode != 500 {
			t.Error("a stored 500 is replayed")
		}
	}
}

func TestFaults_403And404ApplyToAPathANumberOfTimes(t *testing.T) {
	b := start(t, stripe.Options{})
	pi := b.pay("pm_card_visa")
	for _, tc := range []struct {
		kind, path  string
		status      int
		code, param stripego.ErrorCode
	}{
		{"403", "/v1/charges/", 403, "", ""},
		{"404", "/v1/charges/" + pi.LatestCharge.ID, 404, "resource_missing", "id"},
	} {
		b.control("faults", `{"kind":"`+tc.kind+`","times":2,"method":"GET","path":"`+tc.path+`"}`)
		if _, err := b.api.PaymentIntents.Get(pi.ID, nil); err != nil {
			t.Errorf("%s: another path fails too: %v", tc.kind, err)
		}
		for range 2 {
			_, err := b.api.Charges.Get(pi.LatestCharge.ID, nil)
			e := stripeError(t, err)
			if e.HTTPStatusCode != tc.status || e.Type != stripego.ErrorTypeInvalidRequest || e.Code != tc.code || e.Param != string(tc.param) {
				t.Errorf("%s: %d %s %s %s", tc.kind, e.HTTPStatusCode, e.Type, e.Code, e.Param)
			}
		}
		if _, err := b.api.Charges.Get(pi.LatestCharge.ID, nil); err != nil {
			t.Errorf("%s must be over: %v", tc.kind, err)
		}
	}
	// The error of a hidden object is the same as that of an object that does not exist.
	for _, path := range []string{"/v1/payment_intents/pi_x", "/v1/refunds/re_x", "/v1/disputes/dp_x", "/v1/customers/cus_x", "/v1/payouts/po_x",
		"/v1/topups/tu_x", "/v1/balance_transactions/txn_x", "/v1/checkout/sessions/cs_x", "/v1/payment_methods/pm_x", "/v1/events/evt_x",
		"/v1/webhook_endpoints/we_x"} {
		_, _, never := b.raw("GET", path, secretKey, nil, nil)
		b.control("faults", `{"kind":"404"}`)
		_, _, hidden := b.raw("GET", path, secretKey, nil, nil)
		for _, body := range []map[string]any{never, hidden} {
			delete(body["error"].(map[string]any), "request_log_url")
		}
		if !reflect.DeepEqual(never, hidden) {
			t.Errorf("%s: %v, hidden %v", path, never, hidden)
		}
	}
}

func TestFaults_ACutConnectionIsRecoveredByRepeatingTheKey(t *testing.T) {
	b := start(t, stripe.Options{})
	for _, kind := range []string{"cut_before", "cut_after"} {
		b.control("faults", `{"kind":"`+kind+`","method":"POST","times":2}`) // the transport repeats once by itself
		if _, err := b.intent(keyed(kind)); err == nil {
			t.Fatalf("%s: the connection should have been cut", kind)
		}
		if _, err := b.intent(keyed(kind)); err != nil {
			b.control("calm", `{}`)
			if _, err = b.intent(keyed(kind)); err != nil {
				t.Fatal(err)
			}
		}
		b.control("calm", `{}`)
	}
	n := 0
	for it := b.api.PaymentIntents.List(&stripego.PaymentIntentListParams{}); it.Next(); n++ {
	}
	if n != 2 {
		t.Errorf("%d intents from two keys", n)
	}
}

func TestOfficialClient_RetriesALockTimeout(t *testing.T) {
	b := start(t, stripe.Options{})
	b.api = official(b.server.URL, 2)
	b.control("faults", `{"kind":"lock"}`)
	if _, err := b.intent(keyed("locked")); err != nil {
		t.Errorf("the client should have retried: %v", err)
	}
}

func TestControls_TakeJSONOnly(t *testing.T) {
	b := start(t, stripe.Options{})
	status, _, _ := b.raw(http.MethodPost, "/_control/reset", "", url.Values{}, nil)
	if status != http.StatusUnsupportedMediaType {
		t.Errorf("a form post of another site reached a control: %d", status)
	}
}

func TestState_SurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	var paid *stripego.PaymentIntent
	t.Run("before", func(t *testing.T) {
		b := start(t, stripe.Options{StateDir: dir})
		paid = b.pay("pm_card_visa")
		if _, err := b.intent(keyed("kept")); err != nil {
			t.Fatal(err)
		}
		b.control("clock", `{"advance_seconds": 3600}`)
	})
	b := start(t, stripe.Options{StateDir: dir})
	pi, err := b.api.PaymentIntents.Get(paid.ID, nil)
	if err != nil || pi.Status != "succeeded" {
		t.Fatalf("%v %v", pi, err)
	}
	again, err := b.intent(keyed("kept"))
	if err != nil || again.LastResponse.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the key is forgotten: %v", err)
	}
	fresh, err := b.intent(nil)
	if err != nil || fresh.Created < time.Now().Unix()+3000 {
		t.Errorf("the advanced clock is forgotten: %v", err)
	}
}
