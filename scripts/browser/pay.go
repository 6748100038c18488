package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Card is a number of the provider's published test cards.
type Card string

// The test cards that the tools here pay with.
const (
	GoodCard         Card = "4242424242424242"
	AvailableCard    Card = "4000000000000077" // its money can be sent on at once
	DeclinedCard     Card = "4000000000000002"
	NoFundsCard      Card = "4000000000009995"
	SecureCard       Card = "4000002760003184" // asks for 3-D Secure every time
	SecureBrokenCard Card = "4000008400001629" // is declined after its 3-D Secure
	BankLaterCard    Card = "4000005100000000" // its bank says days later that the money comes
	DisputedCard     Card = "4000000000000259" // is charged; ten seconds later its bank takes the money back
)

// Intent is what the card form needs.
type Intent struct{ ID, ClientSecret, PublishableKey string }

// Payment is how a payment stands.
type Payment struct {
	ID          string `json:"payment_id"`
	Status      string `json:"status"`
	AmountMinor int64  `json:"amount_minor"`
	FailureCode string `json:"failure_code"`
}

// Setup asks for the payment intent of a pledge.
func (v *Visitor) Setup(ctx context.Context, pledgeID string) (Intent, error) {
	return v.setup(ctx, "/api/pledges/"+pledgeID+"/setup")
}

func (v *Visitor) setup(ctx context.Context, path string) (Intent, error) {
	var answer struct {
		Stripe struct {
			PaymentIntent struct {
				ID           string
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
			PublishableKey string `json:"publishable_key"`
		}
	}
	err := v.json(ctx, http.MethodPost, v.Payments+path, "", nil, &answer)
	made := answer.Stripe
	return Intent{made.PaymentIntent.ID, made.PaymentIntent.ClientSecret, made.PublishableKey}, err
}

// ReadPayment asks how the payment of a pledge stands, which makes the payment service ask the provider.
func (v *Visitor) ReadPayment(ctx context.Context, pledgeID string) (Payment, error) {
	var answer struct{ Payment Payment }
	err := v.json(ctx, http.MethodGet, v.Payments+"/api/pledges/"+pledgeID+"/payment", "", nil, &answer)
	return answer.Payment, err
}

// Ending is the outcome of the payment of a pledge that was released.
type Ending string

// The endings, as the app tells them apart.
const (
	Closed Ending = "closed" // nobody can pay it any more
	Paid   Ending = "paid"   // it was paid, or the bank is processing it
	Open   Ending = "open"   // somebody might still pay it
)

// AwaitEnding polls the payment of a released pledge, as the app does, until it is over, for at most limit. An error
// comes with Open: that of the last poll, or the status that it saw.
func (v *Visitor) AwaitEnding(ctx context.Context, pledgeID string, limit time.Duration) (Ending, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for pause := 250 * time.Millisecond; ; pause = min(pause+250*time.Millisecond, 2*time.Second) {
		p, err := v.ReadPayment(ctx, pledgeID)
		switch unknown := new(Problem); {
		case errors.As(err, &unknown) && unknown.HTTPStatus == http.StatusNotFound: // it never began, and will not
			return Closed, nil
		case err == nil && (p.Status == "canceled" || p.Status == "failed"):
			return Closed, nil
		case err == nil && p.Status != "created" && p.Status != "requires_action":
			return Paid, nil
		case err == nil:
			err = fmt.Errorf("the payment of pledge %s is %q", pledgeID, p.Status)
		}
		select {
		case <-ctx.Done():
			return Open, fmt.Errorf("after %s: %w", limit, err)
		case <-time.After(pause):
		}
	}
}

// Confirmation is the provider's response to a card.
type Confirmation struct {
	Status    string // succeeded, processing, requires_action
	Challenge string // the page of a 3-D Secure challenge, when there is one
}

// Confirm pays an intent with a card, as the provider's form does. A declined card is a *Problem with a DeclineCode. An
// intent that is paid already is a success.
func (v *Visitor) Confirm(ctx context.Context, in Intent, card Card) (Confirmation, error) {
	fields := url.Values{
		"client_secret": {in.ClientSecret}, "use_stripe_sdk": {"true"}, "payment_method_data[type]": {"card"},
		"payment_method_data[card][number]": {string(card)}, "payment_method_data[card][exp_month]": {"9"},
		"payment_method_data[card][exp_year]": {strconv.Itoa(time.Now().Year() + 3)},
		"payment_method_data[card][cvc]":      {"314"},
	}
	var answer struct {
		Status     string
		NextAction struct {
			UseStripeSDK struct {
				StripeJS string `json:"stripe_js"`
			} `json:"use_stripe_sdk"`
		} `json:"next_action"`
	}
	err := v.form(ctx, v.Sandbox+"/v1/payment_intents/"+in.ID+"/confirm", in.PublishableKey, fields, &answer)
	if p := new(Problem); errors.As(err, &p) && p.Code == "payment_intent_unexpected_state" {
		return v.retrieve(ctx, in, err)
	}
	return Confirmation{answer.Status, answer.NextAction.UseStripeSDK.StripeJS}, err
}

// retrieve reads an intent with its client secret. If it is not paid, the error is cause.
func (v *Visitor) retrieve(ctx context.Context, in Intent, cause error) (Confirmation, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		v.Sandbox+"/v1/payment_intents/"+in.ID+"?client_secret="+url.QueryEscape(in.ClientSecret), http.NoBody)
	if err != nil {
		return Confirmation{}, fmt.Errorf("read intent: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+in.PublishableKey)
	var answer struct{ Status string }
	if err := v.send(r, &answer); err != nil {
		return Confirmation{}, err
	}
	if answer.Status != "succeeded" && answer.Status != "processing" {
		return Confirmation{Status: answer.Status}, cause
	}
	return Confirmation{Status: answer.Status}, nil
}

// AnswerChallenge passes or fails a 3-D Secure challenge.
func (v *Visitor) AnswerChallenge(ctx context.Context, page string, pass bool) error {
	outcome := "fail"
	if pass {
		outcome = "pass"
	}
	return v.page(ctx, page, url.Values{"outcome": {outcome}})
}

// PaymentPage asks for the hosted page of a pledge until it is made, for at most limit.
func (v *Visitor) PaymentPage(ctx context.Context, pledgeID string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		var answer struct {
			PaymentPage struct{ URL string } `json:"payment_page"`
		}
		err := v.json(ctx, http.MethodPost, v.Payments+"/api/pledges/"+pledgeID+"/payment-page/card", "", nil, &answer)
		if err != nil || answer.PaymentPage.URL != "" {
			return answer.PaymentPage.URL, err
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("the payment page of pledge %s is not there after %s", pledgeID, limit)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// PayPage fills in the hosted page's card form and sends it.
func (v *Visitor) PayPage(ctx context.Context, page, email string, card Card) error {
	return v.page(ctx, page, url.Values{
		"email": {email}, "name": {"Testi Kortti"}, "number": {string(card)}, "cvc": {"314"},
		"expiry": {"09" + strconv.Itoa((time.Now().Year()+3)%100)},
	})
}

// page posts a form of the provider's pages, whose answers are pages too.
func (v *Visitor) page(ctx context.Context, address string, fields url.Values) error {
	return v.form(ctx, address, "", fields, nil)
}
