package paymentstest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/mangopay"
	sandbox "talkoot.fi/sandbox/mangopay"
)

// Cards of provider B: one that pays, one whose bank asks, one whose bank asks above a sum.
const (
	PlainCard = "4970107111111119"
	AskedCard = "4970105181818183"
	OtherCard = "4970104100876588"
)

// PayerAt is where a payer's browser is, as banks are told of it.
const PayerAt = `{"AcceptHeader": "text/html", "JavaEnabled": false, "Language": "fi", "ColorDepth": 24, "ScreenHeight": 800, "ScreenWidth": 1280,
	"TimeZoneOffset": -120, "UserAgent": "Mozilla/5.0", "JavascriptEnabled": true}`

// B is a world in which provider B takes the campaign's cards, debits and pages.
type B struct {
	*World
	At     *sandbox.Sandbox
	Wallet provider.Wallet
	log    lockedText
}

type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// Logged is all that the service has logged so far.
func (b *B) Logged() string {
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	return b.log.text.String()
}

// NewB makes such a world, whose campaign has a verified creator.
func NewB(t *testing.T, options ...Option) *B {
	t.Helper()
	b := &B{}
	var err error
	now := func() time.Time {
		if b.World == nil {
			return time.Now()
		}
		return b.Now()
	}
	b.At, err = sandbox.New(sandbox.Options{ClientID: "talkoot", APIKey: "key", PublicURL: "http://mangopay.test", InMemory: true, ManualDelivery: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.At.Close() })
	b.World = New(t, append([]Option{func(c *app.Config) {
		c.MangopayClientID, c.MangopayAPIKey, c.MangopayAPIURL = "talkoot", "key", "http://mangopay.test"
		c.MangopayTransport, c.MangopayPause = b.At.Transport(), time.Millisecond
	}}, options...)...)
	b.creator(t)
	return b
}

// creator makes the campaign's creator, who is verified, and its wallet.
func (b *B) creator(t *testing.T) {
	t.Helper()
	ref := b.Verified(creator)
	b.ok(b.App.Payees.SetAccounts(t.Context(), campaign, 1, map[string]string{mangopay.Name: ref, "stripe": ""}))
	wallet, err := b.App.Payees.Wallet(t.Context(), mangopay.Name, campaign)
	b.ok(err)
	b.Wallet = provider.Wallet{ID: wallet.Ref, Owner: wallet.Owner}
}

// Verified makes an account of a person's that can be paid, and gives its id.
func (b *B) Verified(user int64) string {
	b.T.Helper()
	order := provider.PayeeOrder{Kind: provider.PayeeNatural, Email: "maija@example.com", AcceptedTerms: true, Currency: money.EUR,
		Person: provider.PayeePerson{FirstName: "Maija", LastName: "Meri", Born: time.Date(1980, 5, 1, 0, 0, 0, 0, time.UTC), Nationality: "FI", Residence: "FI"}}
	made, err := b.App.Payees.Make(b.T.Context(), user, mangopay.Name, &order)
	b.ok(err)
	b.ok(b.At.Enrol(made.Ref, true))
	b.ok(b.At.SetKYC(made.Ref, "REGULAR"))
	b.ok(b.App.Payees.Changed(b.T.Context(), mangopay.Name, made.Ref, false))
	return made.Ref
}

// BankOf gives a person a bank account, which they confirm on its page.
func (b *B) BankOf(user int64, iban string) {
	b.T.Helper()
	made, err := b.App.Payees.AddBank(b.T.Context(), user, mangopay.Name, BankOrder(iban))
	b.ok(err)
	b.ok(b.At.AnswerRecipient(made.Ref, true))
	b.ok(b.App.Payees.Changed(b.T.Context(), mangopay.Name, "recipients/"+made.Ref, false))
}

// Bank gives the campaign's creator a bank account.
func (b *B) Bank(iban string) payees.Bank {
	b.T.Helper()
	b.BankOf(creator, iban)
	now, err := b.App.Payees.BankOf(b.T.Context(), b.App.DB, mangopay.Name, b.Wallet.Owner)
	b.ok(err)
	return now
}

// BankOrder is a person's order of a bank account.
func BankOrder(iban string) provider.BankOrder {
	return provider.BankOrder{IBAN: iban, FirstName: "Maija", LastName: "Meri",
		Address: provider.Address{Line1: "Opintie 14", City: "Pielavesi", PostalCode: "72400", Country: "FI"}}
}

func (b *B) ok(err error) {
	b.T.Helper()
	if err != nil {
		b.T.Fatal(err)
	}
}

// Provide calls provider B as its own platform does.
func (b *B) Provide(method, path, body string, into any) {
	b.T.Helper()
	send := func(method, target, body, contentType string, sign func(*http.Request)) []byte {
		r := httptest.NewRequestWithContext(b.T.Context(), method, "http://mangopay.test/v2.01"+target, strings.NewReader(body))
		r.RequestURI = ""
		r.Header.Set("Content-Type", contentType)
		sign(r)
		answer, err := b.At.Transport().RoundTrip(r)
		if err != nil {
			b.T.Fatal(err)
		}
		defer answer.Body.Close()
		raw, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != http.StatusOK {
			b.T.Fatalf("%s %s: %d %s", method, target, answer.StatusCode, raw)
		}
		return raw
	}
	var token struct {
		Text string `json:"access_token"`
	}
	raw := send(http.MethodPost, "/oauth/token", "grant_type=client_credentials", "application/x-www-form-urlencoded",
		func(r *http.Request) { r.SetBasicAuth("talkoot", "key") })
	if err := json.Unmarshal(raw, &token); err != nil {
		b.T.Fatal(err)
	}
	raw = send(method, "/talkoot"+path, body, "application/json", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token.Text) })
	if into != nil {
		if err := json.Unmarshal(raw, into); err != nil {
			b.T.Fatal(err)
		}
	}
}

// Balance is what the campaign's wallet has.
func (b *B) Balance() int64 {
	b.T.Helper()
	var w struct{ Balance struct{ Amount int64 } }
	b.Provide(http.MethodGet, "/wallets/"+b.Wallet.ID+"?ScaContext=USER_NOT_PRESENT", "", &w)
	return w.Balance.Amount
}

// Fails has the next calls at provider B fail.
func (b *B) Fails(kind string, times int, method, path string) {
	b.T.Helper()
	if err := b.At.AddFault(sandbox.FaultRule{Kind: kind, Times: times, Method: method, Path: path}); err != nil {
		b.T.Fatal(err)
	}
}

// RunDue has provider B do what is due by the world's clock, and our worker ask about it.
func (b *B) RunDue() {
	b.T.Helper()
	if _, err := b.At.RunDue(b.T.Context()); err != nil {
		b.T.Fatal(err)
	}
	b.CheckOpen()
}

// Call makes one of provider B's calls; the second value is the error's status, with its code after a slash.
func (b *B) Call(call string, body map[string]any, header map[string]string, into any) (int, string) {
	b.T.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.T.Fatal(err)
	}
	status, answer := b.Send(http.MethodPost, b.API.URL+"/api/pledges/mangopay/"+call, "application/json", strings.NewReader(string(raw)), header)
	return status, b.read(status, answer, into)
}

// MustCall makes a call that is taken.
func (b *B) MustCall(call string, body map[string]any, into any) {
	b.T.Helper()
	if status, code := b.Call(call, body, nil, into); status != http.StatusOK {
		b.T.Fatalf("%s answered %d %s", call, status, code)
	}
}

// Registration is what a browser is told to register a card with.
type Registration struct {
	CardRegistration struct {
		ID                                                            string `json:"Id"`
		CardRegistrationURL, PreregistrationData, AccessKey, CardType string
	}
	AuthorID, CreditedWalletID string
	Payment                    Payment
}

// Registered is what became of it.
type Registered struct{ CardID, Label, ResultCode, ResultMessage string }

// Begin begins the registration of a card.
func (b *B) Begin(pledge string) (r Registration) {
	b.T.Helper()
	b.MustCall("card-registration-data", map[string]any{"pledgeId": pledge}, &r)
	return r
}

// Finish is the browser that has sent a card to the registration's address, and hands in the answer.
func (b *B) Finish(pledge string, r Registration, card sandbox.CardInput, keep bool) (out Registered) {
	b.T.Helper()
	answer, err := b.At.Tokenise(r.CardRegistration.ID, card)
	if err != nil {
		b.T.Fatal(err)
	}
	b.MustCall("finish-card-registration", map[string]any{"pledgeId": pledge, "registrationId": r.CardRegistration.ID, "registrationData": answer, "keep": keep}, &out)
	return out
}

// CardOf is a card that is typed with a number.
func CardOf(number string) sandbox.CardInput {
	return sandbox.CardInput{Number: number, Expiry: "1235", CVX: "123"}
}

// Order is the body of a pay-in by a card that is registered for a pledge.
func (b *B) Order(pledge, number string) map[string]any {
	b.T.Helper()
	r := b.Begin(pledge)
	done := b.Finish(pledge, r, CardOf(number), false)
	if done.CardID == "" {
		b.T.Fatalf("registered %+v", done)
	}
	return OrderBy(pledge, r, done.CardID)
}

// OrderBy is the body of a pay-in by a card.
func OrderBy(pledge string, r Registration, card string) map[string]any {
	return map[string]any{"pledgeId": pledge, "cardId": card, "amount": r.Payment.AmountMinor, "authorId": r.AuthorID, "creditedWalletId": r.CreditedWalletID,
		"browserInfo": json.RawMessage(PayerAt), "secureModeReturnURL": PublicURL + "/fi/payment-return/?pledge=" + pledge}
}

// PayIn is the answer to a pay-in.
type PayIn struct {
	PayIn struct {
		ID                                string `json:"Id"`
		Status, ResultCode, ResultMessage string
		SecureModeNeeded                  bool
		SecureModeRedirectURL             string
	} `json:"payin"`
	Payment Payment
}

// Pay makes a pay-in that is taken.
func (b *B) Pay(order map[string]any) (out PayIn) {
	b.T.Helper()
	b.MustCall("payin", order, &out)
	return out
}

// Raw makes a call and gives its answer as it is.
func (b *B) Raw(call string, body map[string]any) (int, string) {
	b.T.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.T.Fatal(err)
	}
	status, answer := b.Send(http.MethodPost, b.API.URL+"/api/pledges/mangopay/"+call, "application/json", strings.NewReader(string(raw)), nil)
	return status, string(answer)
}

// Downgrade has provider B verify the campaign's creator no more, and the service hear of it.
func (b *B) Downgrade() {
	b.T.Helper()
	b.ok(b.At.SetKYC(b.Wallet.Owner, "LIGHT"))
	b.ok(b.App.Payees.Changed(b.T.Context(), mangopay.Name, b.Wallet.Owner, false))
}
