package mangopay_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

func TestRoutes_CompareWordsWithoutCaseAndTakeAFinalSlash(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	for _, path := range []string{"/users/" + payer, "/Users/" + payer + "/", "/USERS/natural/" + payer} {
		if got := w.get(path); id(got) != payer {
			t.Errorf("%s: %v", path, got)
		}
	}
	w.post("/CardRegistrations/", object{"UserId": payer, "Currency": "EUR"})
	if status, _ := w.call(http.MethodGet, "/users/"+strings.ToLower(payer), nil); status != http.StatusNotFound {
		t.Errorf("an id in another case is another id: %d", status)
	}
	if status, out := w.call(http.MethodDelete, "/users/"+payer, nil); status != http.StatusMethodNotAllowed || len(out) != 1 || out["Message"] == nil {
		t.Errorf("a wrong method is answered 405 with a message only: %d %v", status, out)
	}
}

func TestTokens_AreGivenForTheClientAndEndByTheClock(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	first := w.token
	w.logIn()
	if w.token == first {
		t.Error("each call gives another token")
	}
	bearer := func(client, scheme, token string) int {
		status, _, _ := w.raw(http.MethodGet, "http://mangopay.test/v2.01/"+client+"/users/"+payer, "", http.Header{"Authorization": {scheme + token}})
		return status
	}
	for name, tc := range map[string]struct {
		client, scheme, token string
		status                int
	}{
		"the older token": {clientID, "Bearer ", first, 200}, "in lower case": {clientID, "bearer ", w.token, 200},
		"another client": {"someone", "Bearer ", w.token, 401}, "a made-up token": {clientID, "Bearer ", "x", 401},
		"none": {clientID, "", "", 401}, "the key itself": {clientID, "", basicAuth(clientID, apiKey), 200},
	} {
		if got := bearer(tc.client, tc.scheme, tc.token); got != tc.status {
			t.Errorf("%s: %d", name, got)
		}
	}
	old := w.token
	w.pass(time.Hour)
	if got := bearer(clientID, "Bearer ", old); got != http.StatusUnauthorized {
		t.Errorf("an hour later: %d", got)
	}
	status, _, out := w.raw(http.MethodPost, "http://mangopay.test/v2.01/oauth/token", "grant_type=client_credentials", http.Header{
		"Authorization": {basicAuth(clientID, "wrong")}, "Content-Type": {"application/x-www-form-urlencoded"}})
	if body := parsed(t, out); status != http.StatusUnauthorized || body["error"] != "invalid_client" || body["Message"] != nil {
		t.Errorf("a wrong key: %d %s", status, out)
	}
}

func TestErrors_NameTheFieldsAndHaveADateWithAFraction(t *testing.T) {
	w := start(t)
	status, _, raw := w.raw(http.MethodGet, base+"/users/user_x", "", http.Header{"Authorization": {"Bearer " + w.token}})
	out := parsed(t, raw)
	errs, _ := out["errors"].(map[string]any)
	if status != 404 || out["Type"] != "ressource_not_found" || !strings.Contains(errs["RessourceNotFound"].(string), "User with the id=user_x") {
		t.Errorf("%d %s", status, raw)
	}
	if !strings.Contains(string(raw), `.0,"errors"`) || !strings.Contains(out["Id"].(string), "#") {
		t.Errorf("%s", raw)
	}
}

func TestBodies_AreRefusedForWhatIsMissingUnknownOrOfAnotherCase(t *testing.T) {
	w := start(t)
	payer := object{"FirstName": "Maija", "LastName": "M", "Email": "m@example.com", "UserCategory": "PAYER"}
	with := func(name string, v any) object {
		out := object{}
		for k, v := range payer {
			out[k] = v
		}
		if out[name] = v; v == nil {
			delete(out, name)
		}
		return out
	}
	for name, body := range map[string]object{
		"FirstName": with("FirstName", nil), "LastName": with("LastName", ""), "Email": with("Email", "nobody"), "UserCategory": with("UserCategory", "BOTH"),
		"Nickname": with("Nickname", "x"), "firstName": with("firstName", "x"), "Tag": with("Tag", strings.Repeat("x", 256)),
		"Birthday": with("Birthday", "1980-01-01"), "Address.City": with("Address", object{"AddressLine1": "Katu 1", "PostalCode": "00100", "Country": "FI"}),
		"PhoneNumber": with("PhoneNumber", "+358"), "IncomeRange": with("IncomeRange", 7),
	} {
		w.refuses(http.MethodPost, "/users/natural", body, 400, "param_error", name)
	}
	for _, missing := range []string{"Birthday", "Nationality", "CountryOfResidence", "TermsAndConditionsAccepted"} {
		body := ownerOrder("o@example.com")
		delete(body, missing)
		w.refuses(http.MethodPost, "/users/natural", body, 400, "param_error", missing)
	}
}

func TestIdempotency_ARepeatDoesNothingAndTheFirstAnswerIsKeptADay(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	order := directOrder(payer, wallet, w.card(payer, frictionless), 1000)
	key := "pledge-0123456789-1"
	status, first := w.call(http.MethodPost, "/payins/card/direct", order, key)
	if status != 200 {
		t.Fatal(first)
	}
	status, again := w.call(http.MethodPost, "/payins/card/direct", order, key)
	if status != http.StatusConflict || again["Type"] != "idempotent_creation_conflict" {
		t.Errorf("%d %v", status, again)
	}
	w.balances(map[string]int64{wallet: 1000})
	kept := w.get("/responses/" + key)
	resource, _ := kept["Resource"].(map[string]any)
	if kept["StatusCode"] != "200" || resource["Id"] != id(first) || kept["RequestURL"] != base+"/payins/card/direct" {
		t.Errorf("%v", kept)
	}
	for _, bad := range []string{"short", strings.Repeat("x", 37), "with spaces in it!"} {
		if status, _ := w.call(http.MethodPost, "/payins/card/direct", order, bad); status != 400 {
			t.Errorf("key %q: %d", bad, status)
		}
	}
	w.pass(24 * time.Hour)
	w.refuses(http.MethodGet, "/responses/"+key, nil, 404, "ressource_not_found")
	if status, out := w.call(http.MethodPost, "/payins/card/direct", order, key); status != 200 || id(out) == id(first) {
		t.Errorf("a day later the key is free: %d", status)
	}
}

func TestIdempotency_ARefusedCallKeepsItsAnswerToo(t *testing.T) {
	w := start(t)
	key := "refused-0123456789"
	if status, _ := w.call(http.MethodPost, "/users/natural", object{}, key); status != 400 {
		t.Fatal(status)
	}
	if status, _ := w.call(http.MethodPost, "/users/natural", object{}, key); status != http.StatusConflict {
		t.Errorf("%d", status)
	}
	if kept := w.get("/responses/" + key); kept["StatusCode"] != "400" {
		t.Errorf("%v", kept)
	}
}

func TestFaults_ALostAnswerHasItsEffectAndALostCallNone(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	order := directOrder(payer, wallet, w.card(payer, frictionless), 1000)
	for kind, tc := range map[string]struct {
		status  int // of the call; 0: the connection ends
		effect  bool
		unknown bool // the key then
	}{
		"cut_before": {0, false, true}, "cut_after": {0, true, false}, "500": {500, false, true}, "500_after": {500, true, false}, "500_stored": {500, false, false},
		"429": {429, false, true}, "503": {503, false, true}, "401": {401, false, true},
	} {
		before := w.balance(wallet)
		w.must(w.s.AddFault(mangopay.FaultRule{Kind: kind, Method: http.MethodPost, Path: "/PayIns/card"}))
		key := "fault-" + strings.ReplaceAll(kind, "_", "-") + "-0123456789"
		res, err := w.try(http.MethodPost, base+"/payins/card/direct", string(mustJSON(order)), http.Header{
			"Authorization": {"Bearer " + w.token}, "Content-Type": {"application/json"}, "Idempotency-Key": {key}})
		if tc.status == 0 && !errors.Is(err, io.ErrUnexpectedEOF) || tc.status != 0 && (err != nil || res.StatusCode != tc.status) {
			t.Errorf("%s: %v %v", kind, res, err)
		}
		if w.balance(wallet) > before != tc.effect {
			t.Errorf("%s: effect %v", kind, !tc.effect)
		}
		if status, _ := w.call(http.MethodGet, "/responses/"+key, nil); (status == 404) != tc.unknown {
			t.Errorf("%s: the key's answer %d", kind, status)
		}
	}
}

func TestLists_HavePagesAnOrderAndFilters(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	var ids []string
	for i := range 12 {
		amount := int64(1000 + i)
		if i == 5 {
			amount = 33305 // refused by the bank
		}
		order := directOrder(payer, wallet, w.card(payer, frictionless), amount)
		ids = append(ids, id(w.post("/payins/card/direct", order)))
		w.now = w.now.Add(time.Second)
	}
	path := "/users/" + payer + "/transactions"
	first, header := w.list(path)
	if len(first) != 10 || id(first[0]) != ids[0] || header.Get("X-Number-Of-Pages") != "2" || header.Get("X-Number-Of-Items") != "12" ||
		!strings.Contains(header.Get("Link"), `rel="next"`) {
		t.Errorf("%d items, %v", len(first), header)
	}
	if rest, _ := w.list(path + "?Page=2&Per_Page=10"); len(rest) != 2 || id(rest[1]) != ids[11] {
		t.Errorf("%v", rest)
	}
	if newest, _ := w.list(path + "?sort=CreationDate:DESC&per_page=1"); id(newest[0]) != ids[11] {
		t.Errorf("%v", newest)
	}
	if failed, _ := w.list(path + "?Status=FAILED"); len(failed) != 1 || id(failed[0]) != ids[5] {
		t.Errorf("%v", failed)
	}
	if both, _ := w.list(path + "?Status=FAILED,SUCCEEDED&Type=PAYIN&per_page=100"); len(both) != 12 {
		t.Errorf("%d", len(both))
	}
	status, _ := w.call(http.MethodGet, path+"?per_page=101", nil)
	if status != 400 {
		t.Errorf("%d", status)
	}
}

func TestHeaders_OfRateHaveAValueForEachWindow(t *testing.T) {
	w := start(t)
	_, header := w.list("/hooks")
	for _, name := range []string{"X-Ratelimit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		if n := len(strings.Split(header.Get(name), ",")); n != 4 {
			t.Errorf("%s: %q", name, header.Get(name))
		}
	}
}

func TestTransactions_AreGoneAfterThirteenMonths(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	in := w.paid(payer, wallet, 1000, 0)
	w.pass(390 * 24 * time.Hour)
	w.get("/payins/" + in)
	w.pass(10 * 24 * time.Hour)
	w.refuses(http.MethodGet, "/payins/"+in, nil, 404, "ressource_not_found")
	if left, _ := w.list("/users/" + payer + "/transactions"); len(left) != 0 {
		t.Errorf("%v", left)
	}
}

func TestState_SurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	var payer string
	t.Run("before", func(t *testing.T) { payer = startWith(t, mangopay.Options{StateDir: dir}).payer("Maija") })
	startWith(t, mangopay.Options{StateDir: dir}).get("/users/" + payer)
}

// What is changed keeps the rest.
func TestChanges_AreOfWhatTheyName(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	creator, wallet := w.creator()
	company := id(w.post("/users/legal", legalOwner(false)))
	paying := id(w.post("/sca/users/legal", object{"Name": "Yhdistys ry", "Email": "ry@example.com", "UserCategory": "PAYER", "LegalPersonType": "ORGANIZATION",
		"LegalRepresentative": object{"FirstName": "Riitta", "LastName": "R", "Email": "riitta@example.com"}, "TermsAndConditionsAccepted": true}))
	w.paid(payer, wallet, 1000, 0)
	in := w.paid(payer, wallet, 2000, 0)
	dispute, err := w.s.OpenDispute(mangopay.DisputeOrder{PayIn: in})
	w.must(err)
	full := legalOwner(true)
	for path, change := range map[string]object{
		"/wallets/" + wallet: {"Tag": "7", "Description": "Another"}, "/users/legal/" + company: {"Tag": "7"}, "/disputes/" + dispute: {"Tag": "7"},
		"/sca/users/natural/" + creator: {"Tag": "7", "TermsAndConditionsAccepted": true}, "/sca/users/legal/" + paying: {"Tag": "7", "TermsAndConditionsAccepted": true},
	} {
		if got := w.ok(http.MethodPut, path, change); got["Tag"] != "7" {
			t.Errorf("%s: %v", path, got)
		}
	}
	got := w.ok(http.MethodPut, "/sca/users/legal/"+paying+"/category", object{"UserCategory": "OWNER", "TermsAndConditionsAccepted": true,
		"LegalRepresentative": full["LegalRepresentative"], "HeadquartersAddress": full["HeadquartersAddress"]})
	if got["UserCategory"] != "OWNER" || got["Name"] != "Yhdistys ry" || got["UserStatus"] != "PENDING_USER_ACTION" {
		t.Errorf("%v", got)
	}
}
