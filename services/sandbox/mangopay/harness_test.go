package mangopay_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/mangopay/officialclient"
)

const (
	clientID = "talkoot"
	apiKey   = "key-of-tests"
	base     = "http://mangopay.test/v2.01/" + clientID
)

// object is JSON as it came.
type object map[string]any

// world is a sandbox with a clock of its own and a client.
type world struct {
	t     *testing.T
	s     *mangopay.Sandbox
	now   time.Time
	token string
	mu    sync.Mutex
	hooks []string // queries of what we were told
	deaf  bool     // we do not answer hooks

	mirror *officialclient.Mirror
}

func start(t *testing.T) *world {
	t.Helper()
	return startWith(t, mangopay.Options{HookURL: "http://us.test/hook?source=b"})
}

func startWith(t *testing.T, opts mangopay.Options) *world {
	t.Helper()
	w := &world{t: t, now: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)}
	opts.ClientID, opts.APIKey, opts.PublicURL = clientID, apiKey, "http://mangopay.test"
	opts.InMemory, opts.ManualDelivery, opts.HookTransport = opts.StateDir == "", true, w
	opts.Now, opts.Random = func() time.Time { return w.now }, rand.NewPCG(1, 2)
	var err error
	if w.s, err = mangopay.New(opts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.s.Close(); err != nil {
			t.Error(err)
		}
	})
	w.mirror = officialclient.NewMirror(w.s.Transport(), nil)
	t.Cleanup(w.spoil)
	w.logIn()
	return w
}

// spoiled are the calls that were sent with everything wrong that can be, and how often.
var spoiled = struct {
	sync.Mutex
	sent map[string]int
}{sent: map[string]int{}}

// spoil has each call that the test made, and no test before, refuse all that can be wrong with it.
func (w *world) spoil() {
	w.must(w.s.Calm())
	for _, call := range w.mirror.Calls() {
		spoiled.Lock()
		isDone := spoiled.sent[call] > 0
		spoiled.Unlock()
		if isDone {
			continue
		}
		sent, taken, err := w.mirror.Spoil(call, func(r *http.Request) { r.SetBasicAuth(clientID, apiKey) })
		if err != nil || len(taken) > 0 {
			w.t.Error(strings.Join(taken, "\n"), err)
		}
		spoiled.Lock()
		spoiled.sent[call] = max(spoiled.sent[call], sent)
		spoiled.Unlock()
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if run := flag.Lookup("test.run"); code == 0 && run.Value.String() == "" {
		total := 0
		for call := range officialclient.Shapes() {
			if total += spoiled.sent[call]; spoiled.sent[call] == 0 {
				fmt.Println("no test makes", call)
				code = 1
			}
		}
		fmt.Printf("%d calls, %d requests with one thing wrong\n", len(spoiled.sent), total)
	}
	os.Exit(code)
}

// RoundTrip is our hook address.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	status := http.StatusOK
	if w.deaf {
		status = http.StatusNoContent // anything but 200 is a failure
	} else {
		w.hooks = append(w.hooks, r.Method+" "+r.URL.RawQuery)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

func (w *world) logIn() {
	w.t.Helper()
	status, _, out := w.raw(http.MethodPost, "http://mangopay.test/v2.01/oauth/token", "grant_type=client_credentials", http.Header{
		"Authorization": {basicAuth(clientID, apiKey)}, "Content-Type": {"application/x-www-form-urlencoded"}})
	if status != http.StatusOK {
		w.t.Fatal(status, string(out))
	}
	w.token = parsed(w.t, out)["access_token"].(string)
}

func basicAuth(user, key string) string {
	r, _ := http.NewRequest(http.MethodGet, "http://x", nil)
	r.SetBasicAuth(user, key)
	return r.Header.Get("Authorization")
}

func parsed(t *testing.T, raw []byte) object {
	t.Helper()
	var out object
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return out
}

func (w *world) try(method, target, body string, header http.Header) (*http.Response, error) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for name, v := range header {
		req.Header[name] = v
	}
	return w.mirror.RoundTrip(req)
}

func (w *world) raw(method, target, body string, header http.Header) (int, http.Header, []byte) {
	w.t.Helper()
	res, err := w.try(method, target, body, header)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, res.Header, out
}

// call is an API call with an optional idempotency key.
func (w *world) call(method, path string, body any, key ...string) (int, object) {
	w.t.Helper()
	raw := []byte{}
	if body != nil {
		raw, _ = json.Marshal(body)
	}
	header := http.Header{"Authorization": {"Bearer " + w.token}, "Content-Type": {"application/json"}}
	if len(key) > 0 {
		header["Idempotency-Key"] = key
	}
	status, _, out := w.raw(method, base+path, string(raw), header)
	if len(out) == 0 || out[0] == '[' {
		return status, nil
	}
	return status, parsed(w.t, out)
}

func (w *world) ok(method, path string, body any) object {
	w.t.Helper()
	status, out := w.call(method, path, body)
	if status != http.StatusOK {
		w.t.Fatalf("%s %s: %d %v", method, path, status, out)
	}
	return out
}

func (w *world) post(path string, body any) object {
	w.t.Helper()
	return w.ok(http.MethodPost, path, body)
}

func (w *world) get(path string) object { w.t.Helper(); return w.ok(http.MethodGet, path, nil) }

func (w *world) list(path string) ([]object, http.Header) {
	w.t.Helper()
	status, header, out := w.raw(http.MethodGet, base+path, "", http.Header{"Authorization": {"bearer " + w.token}})
	var items []object
	if err := json.Unmarshal(out, &items); status != http.StatusOK || err != nil {
		w.t.Fatalf("%s: %d %s", path, status, out)
	}
	return items, header
}

// refuses wants an error of the API that names these fields.
func (w *world) refuses(method, path string, body any, status int, kind string, fields ...string) {
	w.t.Helper()
	got, out := w.call(method, path, body)
	named, _ := out["errors"].(map[string]any)
	for _, f := range fields {
		if _, there := named[f]; !there {
			w.t.Errorf("%s %s: %v does not name %s", method, path, out, f)
		}
	}
	if got != status || out["Type"] != kind {
		w.t.Errorf("%s %s: %d %v, want %d %s", method, path, got, out, status, kind)
	}
}

// pass lets time pass and does what is due.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	w.now = w.now.Add(d)
	if _, err := w.s.RunDue(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.logIn()
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// told is what the hooks were sent since the last call, as "type id".
func (w *world) told() []string {
	w.t.Helper()
	for _, d := range w.s.Deliveries() {
		w.must(w.s.Deliver(w.t.Context(), d.ID))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, h := range w.hooks {
		q, err := url.ParseQuery(strings.TrimPrefix(h, "GET "))
		w.must(err)
		out = append(out, q.Get("EventType")+" "+q.Get("RessourceId"))
	}
	w.hooks = nil
	return out
}

func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func id(o object) string { return o["Id"].(string) }

func eur(amount int64) object { return object{"Currency": "EUR", "Amount": amount} }

// payer makes a payer with this first name.
func (w *world) payer(first string) string {
	w.t.Helper()
	return id(w.post("/users/natural", object{"FirstName": first, "LastName": "Meikäläinen", "Email": "payer@example.com", "UserCategory": "PAYER"}))
}

func ownerOrder(email string) object {
	return object{"FirstName": "Olli", "LastName": "Omistaja", "Email": email, "UserCategory": "OWNER", "Birthday": 315532800,
		"Nationality": "FI", "CountryOfResidence": "FI", "TermsAndConditionsAccepted": true}
}

// creator makes a verified owner with a wallet.
func (w *world) creator() (user, wallet string) {
	w.t.Helper()
	user = id(w.post("/sca/users/natural", ownerOrder("owner+accept@example.com")))
	w.must(w.s.SetKYC(user, "REGULAR"))
	return user, w.wallet(user)
}

func (w *world) wallet(user string) string {
	w.t.Helper()
	return id(w.post("/wallets", object{"Owners": []string{user}, "Currency": "EUR", "Description": "Campaign"}))
}

// The cards of the tests.
const (
	frictionless = "4970107111111119"
	challenged   = "4970105181818183"
	plain        = "4111111111111111"
)

// card registers a card of a payer.
func (w *world) card(user, number string) string {
	w.t.Helper()
	reg := w.post("/cardregistrations", object{"UserId": user, "Currency": "EUR"})
	answer, err := w.s.Tokenise(id(reg), mangopay.CardInput{Number: number, Expiry: "1230", CVX: "123"})
	w.must(err)
	done := w.ok(http.MethodPut, "/cardregistrations/"+id(reg), object{"RegistrationData": answer})
	if done["Status"] != "VALIDATED" {
		w.t.Fatal(done)
	}
	return done["CardId"].(string)
}

func browser() object {
	return object{"AcceptHeader": "text/html", "JavaEnabled": false, "Language": "fi-FI", "ColorDepth": 24, "ScreenHeight": 900, "ScreenWidth": 1440,
		"TimeZoneOffset": "-120", "UserAgent": "Tests", "JavascriptEnabled": true}
}

func directOrder(payer, wallet, card string, amount int64) object {
	return object{"AuthorId": payer, "CreditedWalletId": wallet, "DebitedFunds": eur(amount), "Fees": eur(0), "CardId": card,
		"SecureModeReturnURL": "https://shop.test/back?p=1", "BrowserInfo": browser(), "IpAddress": "192.0.2.1"}
}

// paid is a payment that succeeded, of a payer's card.
func (w *world) paid(payer, wallet string, amount, fees int64) string {
	w.t.Helper()
	order := directOrder(payer, wallet, w.card(payer, frictionless), amount)
	order["Fees"] = eur(fees)
	in := w.post("/payins/card/direct", order)
	if in["Status"] != "SUCCEEDED" {
		w.t.Fatal(in)
	}
	return id(in)
}

func (w *world) balance(wallet string) int64 {
	w.t.Helper()
	for _, held := range w.s.Snapshot().Wallets {
		if held.ID == wallet {
			return held.Balance.Amount
		}
	}
	return 0
}

func (w *world) balances(want map[string]int64) {
	w.t.Helper()
	for wallet, amount := range want {
		if got := w.balance(wallet); got != amount {
			w.t.Errorf("%s has %d, want %d", wallet, got, amount)
		}
	}
}

// ends wants a status and a result code.
func (w *world) ends(o object, status, code string) {
	w.t.Helper()
	if o["Status"] != status || o["ResultCode"] != code && (code != "" || o["ResultCode"] != nil) {
		w.t.Errorf("%v %v, want %s %s", o["Status"], o["ResultCode"], status, code)
	}
}

// visit sends a form to a page of the sandbox and gives where it leads, "" for a page.
func (w *world) visit(page string, form url.Values) string {
	w.t.Helper()
	status, _, body := w.raw(http.MethodGet, page, "", nil)
	if status != http.StatusOK || !bytes.Contains(body, []byte("<form")) {
		w.t.Fatalf("%s: %d %s", page, status, body)
	}
	u, err := url.Parse(page)
	w.must(err)
	form.Set("token", u.Query().Get("token"))
	form.Set("returnUrl", u.Query().Get("returnUrl"))
	status, header, body := w.raw(http.MethodPost, page, form.Encode(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	if status != http.StatusFound && status != http.StatusOK {
		w.t.Fatalf("%s: %d %s", page, status, body)
	}
	return header.Get("Location")
}
