package mangopay_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

// tokenise sends a card as a browser does, and gives what it is answered.
func (w *world) tokenise(reg object, number, expiry, cvx string) string {
	w.t.Helper()
	form := url.Values{"data": {reg["PreregistrationData"].(string)}, "accessKeyRef": {reg["AccessKey"].(string)}, "cardNumber": {number},
		"cardExpirationDate": {expiry}, "cardCvx": {cvx}}
	status, header, out := w.raw(http.MethodPost, reg["CardRegistrationURL"].(string), form.Encode(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	if status != 200 || header.Get("Access-Control-Allow-Origin") != "*" || !strings.HasPrefix(header.Get("Content-Type"), "text/plain") {
		w.t.Errorf("%d %v", status, header)
	}
	return string(out)
}

func TestRegistration_TakesACardThatTheBrowserSent(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	reg := w.post("/cardregistrations", object{"UserId": payer, "Currency": "EUR"})
	if reg["Status"] != "CREATED" || reg["CardId"] != nil || reg["ResultCode"] != nil || reg["RegistrationData"] != nil || reg["CardType"] != "CB_VISA_MASTERCARD" {
		t.Errorf("%v", reg)
	}
	data := w.tokenise(reg, frictionless, "1230", "123")
	if !strings.HasPrefix(data, "data=") || strings.Contains(data, frictionless) {
		t.Fatal(data)
	}
	done := w.ok(http.MethodPut, "/CardRegistrations/"+id(reg), object{"RegistrationData": data})
	w.ends(done, "VALIDATED", "000000")
	if again := w.ok(http.MethodPut, "/cardregistrations/"+id(reg), object{"RegistrationData": data}); again["CardId"] != done["CardId"] {
		t.Errorf("a repeat makes another card: %v", again)
	}
	card := w.get("/cards/" + done["CardId"].(string))
	for name, want := range map[string]any{"ExpirationDate": "1230", "Alias": "497010XXXXXX1119", "Active": true, "Validity": "UNKNOWN", "UserId": payer, "Currency": "EUR"} {
		if card[name] != want {
			t.Errorf("%s: %v", name, card[name])
		}
	}
	if of, _ := w.list("/users/" + payer + "/cards"); len(of) != 1 {
		t.Errorf("%v", of)
	}
	w.refuses(http.MethodPost, "/cardregistrations", object{"UserId": "user_x", "Currency": "EUR"}, 404, "ressource_not_found")
}

func TestRegistration_CanBeFinishedByTheBrowserItself(t *testing.T) {
	w := start(t)
	reg := w.post("/cardregistrations", object{"UserId": w.payer("Maija"), "Currency": "EUR"})
	form := url.Values{"Id": {id(reg)}, "RegistrationData": {w.tokenise(reg, frictionless, "1230", "123")}}
	at := base + "/CardRegistrations/" + id(reg)
	if status, header, _ := w.raw(http.MethodOptions, at, "", nil); status != 204 || header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %v", status, header)
	}
	status, header, out := w.raw(http.MethodPost, at, form.Encode(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	if done := parsed(t, out); status != 200 || done["Status"] != "VALIDATED" || header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %v", status, done)
	}
}

func TestRegistration_OfABadCardSaysWhichPartIsWrong(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	for name, tc := range map[string]struct{ number, expiry, cvx, answer, code string }{
		"a digit off":       {"4970107111111118", "1230", "123", "errorCode=02625", "105202"},
		"letters":           {"4970x", "1230", "123", "errorCode=02625", "105202"},
		"month 13":          {frictionless, "1330", "123", "errorCode=02626", "105203"},
		"a year of four":    {frictionless, "122030", "123", "errorCode=02626", "105203"},
		"no code":           {frictionless, "1230", "", "errorCode=02627", "105204"},
		"four of three":     {frictionless, "1230", "1234", "errorCode=02627", "105204"},
		"over":              {frictionless, "1026", "123", "errorCode=02624", "02624"},
		"refused by itself": {frictionless, "1230", "902", "errorCode=01902", "01902"},
	} {
		reg := w.post("/cardregistrations", object{"UserId": payer, "Currency": "EUR"})
		answer := w.tokenise(reg, tc.number, tc.expiry, tc.cvx)
		if answer != tc.answer {
			t.Errorf("%s: %s", name, answer)
		}
		done := w.ok(http.MethodPut, "/cardregistrations/"+id(reg), object{"RegistrationData": answer})
		w.ends(done, "ERROR", tc.code)
		if done["CardId"] != nil {
			t.Errorf("%s: %v", name, done)
		}
	}
	reg := w.post("/cardregistrations", object{"UserId": payer, "Currency": "EUR"})
	w.ends(w.ok(http.MethodPut, "/cardregistrations/"+id(reg), object{"RegistrationData": "data=made-up"}), "ERROR", "105206")
}

func TestTokenisation_NeedsTheRegistrationsOwnKeyAndAPost(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	one, two := w.post("/cardregistrations", object{"UserId": payer, "Currency": "EUR"}), w.post("/cardregistrations", object{"UserId": payer, "Currency": "EUR"})
	mixed := object{"PreregistrationData": one["PreregistrationData"], "AccessKey": two["AccessKey"], "CardRegistrationURL": one["CardRegistrationURL"]}
	if answer := w.tokenise(mixed, frictionless, "1230", "123"); answer != "errorCode=09101" {
		t.Error(answer)
	}
	if _, _, out := w.raw(http.MethodGet, one["CardRegistrationURL"].(string)+"?data=x", "", nil); string(out) != "errorCode=02632" {
		t.Errorf("%s", out)
	}
	of := w.tokenise(one, frictionless, "1230", "123")
	w.ends(w.ok(http.MethodPut, "/cardregistrations/"+id(two), object{"RegistrationData": of}), "ERROR", "105206")
	w.pass(6 * time.Hour)
	if answer := w.tokenise(one, frictionless, "1230", "123"); answer != "errorCode=02631" {
		t.Error(answer)
	}
}

func TestCards_LiveOnByAPaymentWithinADayAndEndForGood(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	used, unused := w.card(payer, frictionless), w.card(payer, frictionless)
	if w.get("/cards/" + used)["Fingerprint"] != w.get("/cards/" + unused)["Fingerprint"] {
		t.Error("one card has one fingerprint")
	}
	w.post("/payins/card/direct", directOrder(payer, wallet, used, 1000))
	w.pass(24 * time.Hour)
	for card, want := range map[string]any{used: "VALID true", unused: "INVALID false"} {
		o := w.get("/cards/" + card)
		if got := o["Validity"].(string) + map[bool]string{true: " true", false: " false"}[o["Active"].(bool)]; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, unused, 1000)), "FAILED", "101410")
	w.ok(http.MethodPut, "/cards/"+used, object{"Active": false})
	w.refuses(http.MethodPut, "/cards/"+used, object{"Active": true}, 400, "param_error", "Active")
	w.ends(w.post("/payins/card/direct", directOrder(payer, wallet, used, 1000)), "FAILED", "101410")
}

func TestCards_AreNeverKeptWithTheirNumbers(t *testing.T) {
	w := start(t)
	reg := w.post("/cardregistrations", object{"UserId": w.payer("Maija"), "Currency": "EUR"})
	answer, err := w.s.Tokenise(id(reg), mangopay.CardInput{Number: plain, Expiry: "1230", CVX: "123"})
	w.must(err)
	done := w.ok(http.MethodPut, "/cardregistrations/"+id(reg), object{"RegistrationData": answer})
	for _, held := range []object{done, w.get("/cards/" + done["CardId"].(string))} {
		if strings.Contains(string(mustJSON(held)), plain) {
			t.Errorf("%v", held)
		}
	}
}
