package providertest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providertest"
	"talkoot.fi/payments/internal/watching/anomalies"
	sandbox "talkoot.fi/sandbox/mangopay"
)

// Cards of Mangopay's sandbox.
const (
	frictionless = "4970107111111119"
	challenged   = "4970105181818183"
)

// mango is the core with Mangopay's adapter at its stand-in.
type mango struct {
	*bench
	at     *sandbox.Sandbox
	client *mangopay.Client
	wallet provider.Wallet
	hooks  []string // what came, as type:object
}

const mangoURL = "http://mangopay.test"

func newMango(t *testing.T) *mango {
	t.Helper()
	m := &mango{}
	m.bench = newBenchWith(t, func(s *providertest.Strict) provider.Provider {
		now := func() time.Time { return m.now() }
		var err error
		m.at, err = sandbox.New(sandbox.Options{ClientID: "talkoot", APIKey: "key", PublicURL: mangoURL, InMemory: true, ManualDelivery: true,
			Now: s.Now, Random: rand.NewPCG(1, 2), HookTransport: hookCarrier{m}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = m.at.Close() })
		m.client = mangopay.New(mangopay.Config{ClientID: "talkoot", APIKey: "key", URL: mangoURL, Transport: m.at.Transport(), Pause: time.Millisecond,
			Now: now, Log: slog.New(slog.DiscardHandler), HookURL: "https://talkoot.example/payments/api/webhooks/mangopay",
			Wallet: func(context.Context, string) (provider.Wallet, error) { return m.wallet, nil },
			Sleep: func(ctx context.Context, d time.Duration) error {
				m.pass(d)
				_, err := m.at.RunDue(ctx)
				return err
			}})
		return m.client
	})
	owner := m.post("/sca/users/natural", map[string]any{"FirstName": "Maija", "LastName": "Meri", "Email": "maija@example.com", "UserCategory": "OWNER",
		"Birthday": 300000000, "Nationality": "FI", "CountryOfResidence": "FI", "TermsAndConditionsAccepted": true})
	m.ok(m.at.Enrol(owner, true))
	m.ok(m.at.SetKYC(owner, "REGULAR"))
	m.wallet = provider.Wallet{Owner: owner, ID: m.newWallet(owner)}
	m.ok(m.client.KeepHooks(t.Context()))
	return m
}

func (m *mango) newWallet(owner string) string {
	m.t.Helper()
	return m.post("/wallets", map[string]any{"Owners": []string{owner}, "Currency": "EUR", "Description": "Of a test"})
}

func (m *mango) ok(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// post makes something that the adapter does not, and gives its id.
func (m *mango) post(path string, body any) string {
	m.t.Helper()
	raw, err := json.Marshal(body)
	m.ok(err)
	var token struct {
		Text string `json:"access_token"`
	}
	m.send("/v2.01/oauth/token", "application/x-www-form-urlencoded", []byte("grant_type=client_credentials"), func(r *http.Request) {
		r.SetBasicAuth("talkoot", "key")
	}, &token)
	var made struct{ Id, Status, ResultCode string } //nolint:revive // the wire's
	m.send("/v2.01/talkoot"+path, "application/json", raw, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token.Text) }, &made)
	if made.Status == "FAILED" {
		m.t.Fatalf("%s: %+v", path, made)
	}
	return made.Id
}

func (m *mango) send(path, kind string, body []byte, prepare func(*http.Request), out any) {
	m.t.Helper()
	r, err := http.NewRequestWithContext(m.t.Context(), http.MethodPost, mangoURL+path, bytes.NewReader(body))
	m.ok(err)
	r.Header.Set("Content-Type", kind)
	prepare(r)
	answer, err := m.at.Transport().RoundTrip(r)
	m.ok(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	m.ok(err)
	if answer.StatusCode != http.StatusOK {
		m.t.Fatalf("%s: %d %s", path, answer.StatusCode, text)
	}
	m.ok(json.Unmarshal(text, out))
}

// hookCarrier hands the stand-in's hooks in at our webhook address.
type hookCarrier struct{ m *mango }

func (h hookCarrier) RoundTrip(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	h.m.hooks = append(h.m.hooks, q.Get("EventType")+":"+q.Get("RessourceId"))
	answer := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), nil)
	if err := h.m.webhooks.Receive(echo.New().NewContext(request, answer), mangopay.Name); err != nil {
		answer.WriteHeader(http.StatusBadRequest)
	}
	return answer.Result(), nil
}

// work does what is due: at the provider, its hooks each as often as told, and here.
func (m *mango) work(times int) {
	m.t.Helper()
	for range 4 {
		_, err := m.at.RunDue(m.t.Context())
		m.ok(err)
		for _, d := range m.at.Deliveries() {
			for range times - 1 {
				_, err := m.at.DuplicateDelivery(d.ID)
				m.ok(err)
			}
		}
		for _, d := range m.at.Deliveries() {
			m.ok(m.at.Deliver(m.t.Context(), d.ID))
		}
		m.ok(m.webhooks.Drain(m.t.Context()))
		m.ok(m.service.Tidy(m.t.Context()))
		_, err = m.relay.RunOnce(m.t.Context(), 100)
		m.ok(err)
	}
}

// loseHooks drops what the provider would tell.
func (m *mango) loseHooks() {
	m.t.Helper()
	for _, d := range m.at.Deliveries() {
		m.ok(m.at.DropDelivery(d.ID))
	}
}

// pay has the payer register a card and pay with it, and gives what the bank asks.
func (m *mango) pay(number string) provider.Next {
	m.t.Helper()
	next, err := m.charge(m.register(number))
	m.ok(err)
	return next
}

func (m *mango) register(number string) string {
	m.t.Helper()
	_, setup, err := m.service.Register(m.t.Context(), m.subject, "", aCard)
	m.ok(err)
	answer, err := m.at.Tokenise(strings.TrimPrefix(setup.Ref, "cardregistrations/"), sandbox.CardInput{Number: number, Expiry: "1230", CVX: "123"})
	m.ok(err)
	done, err := m.service.FinishCard(m.t.Context(), m.subject, setup.Ref, answer)
	if err != nil || done.Instrument == nil {
		m.t.Fatalf("registered %+v, %v", done, err)
	}
	return done.Instrument.Ref
}

func (m *mango) charge(card string) (provider.Next, error) {
	_, tried, err := m.service.Pay(m.t.Context(), m.subject, "", payments.Charge{Kind: provider.KindCard, Instrument: card,
		Browser: provider.Browser{IP: "192.0.2.1", Accept: "text/html", UserAgent: "Mozilla", Language: "fi", JavaScript: true, ColorDepth: 24,
			ScreenHeight: 800, ScreenWidth: 1280}})
	return tried.Next, err
}

// payIn is the only one that there is.
func (m *mango) payIn() string {
	m.t.Helper()
	var ids []string
	for _, t := range m.at.Snapshot().Transactions {
		if t.Type == "PAYIN" && t.Nature == "REGULAR" {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) != 1 {
		m.t.Fatalf("pay-ins %v", ids)
	}
	return ids[0]
}

// dispute is a bank that disputes it.
func (m *mango) dispute(kind, reason string) string {
	m.t.Helper()
	id, err := m.at.OpenDispute(sandbox.DisputeOrder{PayIn: m.payIn(), Type: kind, Reason: reason})
	m.ok(err)
	return id
}

// want are balances of the book; that of each wallet is also what the provider has in it. Places that are not named are empty.
func (m *mango) want(status payments.Status, balances map[string]int64) {
	m.t.Helper()
	if p := m.payment(); p.Status != status {
		m.t.Errorf("the payment is %s, want %s", p.Status, status)
	}
	wanted := map[string]int64{"backer_funds:mangopay:7": 0, "disputed_funds:mangopay:7": 0, "dispute_hold:mangopay": 0, "owed_to_backers:mangopay": 0}
	for account, minor := range balances {
		wanted[account] = minor
	}
	for account, minor := range wanted {
		if got := m.balance(account); got != minor {
			m.t.Errorf("%s has %d, want %d", account, got, minor)
		}
	}
	for _, w := range m.at.Snapshot().Wallets {
		place := w.ID
		switch {
		case strings.HasPrefix(w.ID, "CREDIT_"):
			place = "repudiation"
		case strings.HasPrefix(w.ID, "FEES_"):
			place = "fees"
		}
		if got := m.balance("provider_clearing:mangopay:" + place); got != w.Balance.Amount {
			m.t.Errorf("place %s has %d in the book, at the provider %d", place, got, w.Balance.Amount)
		}
	}
}

// compare finds nothing that differs between the book and the provider, and opens nothing.
func (m *mango) compare() {
	m.t.Helper()
	found, err := m.passes.Lines(m.t.Context(), m.client, m.now().Add(-72*time.Hour), m.now().Add(time.Hour))
	if err != nil || found.Differ != 0 || found.Foreign != 0 {
		list, _ := anomalies.List(m.t.Context(), m.db, false)
		m.t.Errorf("%+v, %v: %+v", found, err, list)
	}
}

func (m *mango) count(query string, args ...any) (n int) {
	m.t.Helper()
	m.ok(m.db.WithContext(m.t.Context()).Raw("SELECT count(*) FROM "+query, args...).Scan(&n).Error)
	return n
}

func wallet(m *mango) string { return fmt.Sprint("provider_clearing:mangopay:", m.wallet.ID) }

const repudiation = "provider_clearing:mangopay:repudiation"
