package stripe_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/payments/internal/providertest"
	sandbox "talkoot.fi/sandbox/stripe"
)

// numbers of the test cards that do as told.
var numbers = map[provider.Remedy]string{
	provider.RemedyNone: "4242424242424242", provider.RemedyLater: "4000000000009995",
	provider.RemedyCard: "4000000000009987", provider.RemedyPayer: "4000002760003184",
}

// bank is the stand-in with a client that tries each call once.
type bank struct {
	t       *testing.T
	client  *stripe.Client
	sandbox *sandbox.Sandbox
	mu      sync.Mutex
	hooks   []provider.Delivery
}

const secret = "whsec_cards"

func startBank(t *testing.T) *bank {
	t.Helper()
	b := &bank{t: t}
	var err error
	b.sandbox, err = sandbox.New(sandbox.Options{InMemory: true, ManualDelivery: true, Now: time.Now, WebhookURL: "http://us.test/hook",
		WebhookSecret: secret, WebhookTransport: b})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
	b.client = stripe.New(stripe.Config{Key: "sk_test_cards12345678", URL: "http://stripe.test", Tries: 1,
		WebhookSecrets: []string{secret}, Transport: b.sandbox.Transport(), Log: slog.New(slog.DiscardHandler)})
	return b
}

// RoundTrip is our webhook address.
func (b *bank) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hooks = append(b.hooks, provider.Delivery{Header: r.Header, Body: body, At: time.Now()})
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(&bytes.Buffer{}), Request: r}, nil
}

// may lets through that the API refused what a payer did.
func (b *bank) may(err error) {
	b.t.Helper()
	if refused := (*sandbox.Refusal)(nil); err != nil && !errors.As(err, &refused) {
		b.t.Error(err)
	}
}

func (b *bank) pay(ref provider.Ref, card provider.Remedy) bool {
	b.t.Helper()
	return b.confirm(ref, numbers[card])
}

// confirm is Stripe.js with a card's number or a kept card's id.
func (b *bank) confirm(ref provider.Ref, card string) bool {
	b.t.Helper()
	in, err := b.sandbox.ConfirmIntent(ref.Object, card)
	if err == nil && in.Status == "requires_action" {
		in, err = b.sandbox.AnswerChallenge(ref.Object, true)
	}
	b.may(err)
	return in.ID != "" // of a refusal for its state there is none
}

func (b *bank) paySetup(ref string, card provider.Remedy) {
	b.t.Helper()
	setup, err := b.sandbox.ConfirmSetup(ref, numbers[card])
	if err == nil && setup.Status == "requires_action" {
		_, err = b.sandbox.AnswerSetupChallenge(ref, true)
	}
	b.may(err)
}

func (b *bank) change(c sandbox.CardChange) {
	b.t.Helper()
	if _, err := b.sandbox.ChangeCard(c); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bank) told() []provider.Delivery {
	b.t.Helper()
	for _, d := range b.sandbox.Deliveries() {
		if err := b.sandbox.Deliver(b.t.Context(), d.ID); err != nil {
			b.t.Fatal(err)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.hooks
	b.hooks = nil
	return out
}

func TestCards_KeepTheRulesOfRepeatedPayments(t *testing.T) {
	t.Parallel()
	providertest.TestCards(t, func(t *testing.T) providertest.Cards {
		b := startBank(t)
		return providertest.Cards{
			Provider: b.client, Now: time.Now, Pay: b.pay, PaySetup: b.paySetup, Hooks: b.told,
			Confirm: func(ref provider.Ref, card string) { b.confirm(ref, card) },
			Change:  func(card string, to provider.Remedy) { b.change(sandbox.CardChange{Method: card, Card: numbers[to]}) },
			Renew: func(card string, year, month int) {
				b.change(sandbox.CardChange{Method: card, ExpYear: int64(year), ExpMonth: int64(month), Announced: true})
			},
			LoseAnswer: func() {
				if err := b.sandbox.AddFault(sandbox.FaultRule{Kind: "cut_after", Method: http.MethodPost, Path: "/v1/"}); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

func TestPage_OfACustomer_KeepsItsCard(t *testing.T) {
	t.Parallel()
	b := startBank(t)
	customer, err := b.client.NewPayer(t.Context(), provider.PayerOrder{Key: "customer", ID: ids.New()})
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.client.Begin(t.Context(), provider.Order{Key: "page", Method: provider.MethodPage, Payer: customer,
		Amount: money.New(5000, money.EUR), Title: "Ahven", Language: "fi", Email: "aino@example.test",
		ReturnURL: "https://us.test/", CancelURL: "https://us.test/", ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.sandbox.PayCheckout(page.Ref.Object, numbers[provider.RemedyNone]); err != nil {
		t.Fatal(err)
	}
	paid, err := b.client.Look(t.Context(), page.Ref)
	if err != nil || paid.State != provider.Succeeded || paid.Charge.Instrument == nil || paid.Charge.Instrument.Payer != customer {
		t.Errorf("%+v, %v", paid, err)
	}
}

// The customer has nothing of the person but our id.
func TestNewCustomer_IsKnownByOurIDAlone(t *testing.T) {
	t.Parallel()
	var sent string
	c, p := start(t, nil, func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		sent = r.PostForm.Encode()
		says(http.StatusOK, `{"id":"cus_1","object":"customer"}`)(w, r)
	})
	if id, err := c.NewPayer(t.Context(), provider.PayerOrder{Key: "customer:1", ID: "abc"}); err != nil || id != "cus_1" {
		t.Fatalf("%s, %v", id, err)
	}
	if sent != "metadata%5Bcustomer_id%5D=abc" || p.keys[0] != "customer:1" {
		t.Errorf("sent %s with key %s", sent, p.keys[0])
	}
}

// A pledge is looked at by one call, and what another system has on the account is only looked at.
func TestLook_OfOtherPayments_IsOneCallAndWritesNothing(t *testing.T) {
	t.Parallel()
	foreign := strings.Replace(intentBody, `"metadata":{}`, `"metadata":{"payment_id":"order 7"},"customer":"cus_theirs"`, 1)
	for _, body := range []string{intentBody, foreign} {
		c, p := start(t, nil, says(http.StatusOK, body))
		if _, err := c.Look(t.Context(), provider.Ref{Method: provider.MethodCard, Object: "pi_1", Money: "pi_1"}); err != nil {
			t.Error(err)
		}
		if p.calls() != 1 {
			t.Errorf("%d calls", p.calls())
		}
	}
}

// The provider answers a repeat with its first refusal for a day: the caller looks, and tries by another key.
func TestChargeCard_KeyKeepsAFailure_IsBurned(t *testing.T) {
	t.Parallel()
	c, _ := start(t, nil, says(http.StatusInternalServerError, `{"error":{"type":"api_error"}}`, "Idempotent-Replayed", "true"))
	if _, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"}); !errors.Is(err, provider.ErrBurned) {
		t.Errorf("%v", err)
	}
}

// The payer pays in the form just after the kept card was declined: the answer is what is true then.
func TestChargeCard_PaidRightAfterTheDecline_IsAnsweredAsPaid(t *testing.T) {
	t.Parallel()
	ours := `"metadata":{"payment_id":"` + ids.New() + `"},"customer":"cus_1"`
	declined := strings.Replace(declinedBody, `"object":"payment_intent"`, `"object":"payment_intent",`+ours, 1)
	paid := strings.NewReplacer("requires_payment_method", "succeeded", `"metadata":{}`, ours+`,"latest_charge":{"id":"ch_2","object":"charge"}`).
		Replace(intentBody)
	c, p := start(t, nil, says(http.StatusPaymentRequired, declined),
		says(http.StatusBadRequest, `{"error":{"type":"invalid_request_error","code":"payment_intent_unexpected_state"}}`), says(http.StatusOK, paid))
	snap, err := c.ChargeInstrument(t.Context(), provider.ChargeOrder{Key: "try", Ref: provider.Ref{Object: "pi_1"}, Instrument: "pm_1"})
	if err != nil || snap.State != provider.Succeeded || p.calls() != 3 {
		t.Errorf("%+v, %v after %d calls", snap, err, p.calls())
	}
}
