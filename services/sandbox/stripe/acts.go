package stripe

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Refusal is the error with which Stripe's API would have answered. One with status 402 keeps the effects of the
// decline: a failed charge, an intent that waits for another card, their events.
type Refusal struct {
	HTTPStatus              int
	Type, Code, DeclineCode string // as in the API's error object; the last two may be empty
	Message                 string
}

// ControlStatus is what a control call answers then.
func (e *Refusal) ControlStatus() int { return e.HTTPStatus }

func (e *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s", e.HTTPStatus, strings.TrimSpace(e.Type+" "+e.Code+" "+e.DeclineCode), e.Message)
}

// act runs fn in a write transaction for a caller in process. Its error is a *Refusal where the API would have
// answered with an error; fn's result is returned unless the transaction was rolled back.
func act[T any](s *Sandbox, fn func(*call) (T, error)) (found T, err error) {
	err = s.write(&call{}, func(c *call) (err error) {
		found, err = fn(c)
		return err
	})
	if err == nil {
		return found, nil
	}
	if !isCommitting(err) {
		found = *new(T)
	}
	var e *apiError
	if errors.As(err, &e) {
		err = &Refusal{HTTPStatus: e.status, Type: e.body.Type, Code: e.body.Code, DeclineCode: e.body.DeclineCode, Message: e.body.Message}
	}
	return found, err
}

// shown reads the fields of an object that U names, as they are in c's transaction. failed is the error of the call
// before it; unless that is a decline that is kept, it is returned alone.
func shown[U, T any](c *call, k kind[T], id string, failed error) (U, error) {
	if failed != nil && !isCommitting(failed) {
		return *new(U), failed
	}
	u, err := partOf[U](k.Raw(c.tx, []byte(id)))
	if err != nil {
		return u, err
	}
	return u, failed
}

// form is a request's parameters by their written names, like payment_method_data[card][number].
type form map[string]string

// make executes an API call's handler within c, with parameters that pass the call's rules.
func (c *call) make(pattern, id string, in form) (any, error) {
	ep := c.s.calls[pattern]
	n := &node{}
	for name, v := range in {
		at, _ := keyPath(name)
		n.set(at, v)
	}
	p, refused := checkParams(n, ep.rules)
	if refused != nil {
		return nil, refused
	}
	c.id, c.p, c.requestID = id, p, c.newID("req_")
	return ep.do(c)
}

// payWith adds a card to an intent's parameters: one of the test numbers, or a ready-made method's id like pm_card_visa.
func (in form) payWith(c *call, card string) form {
	if !allDigits(digitsOnly(card)) {
		in["payment_method"] = card
		return in
	}
	in["payment_method_data[type]"] = "card"
	in["payment_method_data[card][number]"] = card
	in["payment_method_data[card][exp_month]"] = "12"
	in["payment_method_data[card][exp_year]"] = strconv.Itoa(c.expiryYear())
	in["payment_method_data[card][cvc]"] = "123"
	return in
}

// expiryYear is a year in which a card with it has not expired.
func (c *call) expiryYear() int { return time.Unix(c.now, 0).UTC().Year() + 3 }

// ConfirmIntent is a backer paying with Stripe.js: card is a test number or a ready-made method's id. The intent
// then succeeded, is held, or requires_action (see AnswerChallenge). Errors: *Refusal, 402 when the card is declined,
// which comes with the intent as it then waits.
func (s *Sandbox) ConfirmIntent(id, card string) (Intent, error) {
	return act(s, func(c *call) (Intent, error) {
		pi, err := intents.get(c.tx, id, "intent")
		if err != nil {
			return Intent{}, err
		}
		c.clientKey = true
		in := form{"client_secret": pi.ClientSecret, "use_stripe_sdk": "true"}
		_, err = c.make("POST /v1/payment_intents/{id}/confirm", id, in.payWith(c, card))
		return shown[Intent](c, intents, id, err)
	})
}

// ConfirmSetup is a backer saving a card for later with Stripe.js; card is a test number or a ready-made method's id. The
// setup intent then succeeded or requires_action (see AnswerSetupChallenge). Errors: *Refusal, 402 when the card is
// declined.
func (s *Sandbox) ConfirmSetup(id, card string) (Setup, error) {
	return act(s, func(c *call) (Setup, error) {
		si, err := setups.get(c.tx, id, "intent")
		if err != nil {
			return Setup{}, err
		}
		c.clientKey = true
		in := form{"client_secret": si.ClientSecret, "use_stripe_sdk": "true"}
		_, err = c.make("POST /v1/setup_intents/{id}/confirm", id, in.payWith(c, card))
		return shown[Setup](c, setups, id, err)
	})
}

// AnswerSetupChallenge is AnswerChallenge for a setup intent.
func (s *Sandbox) AnswerSetupChallenge(setupID string, pass bool) (Setup, error) {
	return act(s, func(c *call) (Setup, error) {
		si, err := setups.get(c.tx, setupID, "intent")
		if err != nil {
			return Setup{}, err
		}
		id := challengeIn(si.NextAction)
		if id == "" {
			return Setup{}, si.unexpected("This SetupIntent waits for no authentication.")
		}
		_, _, err = c.answerChallenge(id, pass)
		return shown[Setup](c, setups, setupID, err)
	})
}

// AnswerChallenge is a backer answering the 3-D Secure page that the intent waits for. Passed, the payment goes on;
// failed, the intent waits for another card, which is no error. Errors: *Refusal, 402 when the card is declined after
// all, 400 when the intent waits for no answer.
func (s *Sandbox) AnswerChallenge(intentID string, pass bool) (Intent, error) {
	return act(s, func(c *call) (Intent, error) {
		pi, err := intents.get(c.tx, intentID, "intent")
		if err != nil {
			return Intent{}, err
		}
		id := challengeIn(pi.NextAction)
		if id == "" {
			return Intent{}, pi.unexpected("This PaymentIntent waits for no authentication.")
		}
		_, _, err = c.answerChallenge(id, pass)
		return shown[Intent](c, intents, intentID, err)
	})
}

// PayCheckout is a backer paying on a hosted page; card is a test number or a ready-made method's id. The page asks
// for no email that the session knows. Returned is the page's intent, as of ConfirmIntent. Errors: *Refusal, 402 when
// the card is declined, 400 when the page is no longer open.
func (s *Sandbox) PayCheckout(sessionID, card string) (Intent, error) {
	return act(s, func(c *call) (Intent, error) {
		if known, readyMade := s.deck.byMethod[card]; readyMade {
			card = known.number
		}
		_, pi, err := c.submitPayment(sessionID, payment{
			name: "Test Backer", email: "backer@example.com", number: card, cvc: "123",
			month: "12", year: strconv.Itoa(c.expiryYear()),
		})
		if pi == nil { // refused before there was an intent
			return Intent{}, err
		}
		return shown[Intent](c, intents, pi.ID, err)
	})
}

// CancelCheckout is a backer leaving a hosted page by its link back. As at Stripe nothing changes: the session stays
// open until it is paid or expires. It returns where the link leads. Errors: *Refusal.
func (s *Sandbox) CancelCheckout(sessionID string) (cancelURL string, err error) {
	return act(s, func(c *call) (string, error) {
		o, err := sessions.get(c.tx, sessionID, "session")
		if err != nil {
			return "", err
		}
		return value(o.CancelURL), nil
	})
}

// OutsidePayment is a payment that our own program did not ask for.
type OutsidePayment struct {
	Amount      int64             // minor units
	Currency    string            // empty: eur
	Card        string            // a test number or a ready-made method's id; empty: pm_card_visa
	Description string            // what a person would read in the dashboard
	Metadata    map[string]string // none: another system's; our tags: looks like ours
}

// MakePayment is another user of the account, a second system or a person in the dashboard, making and confirming a
// payment intent. Its charge has the metadata, too. Errors: *Refusal, 402 when the card is declined.
func (s *Sandbox) MakePayment(in OutsidePayment) (Intent, error) {
	return act(s, func(c *call) (Intent, error) {
		params := form{
			"amount": strconv.FormatInt(in.Amount, 10), "currency": cmp.Or(in.Currency, "eur"), "confirm": "true",
			"payment_method_types[0]": "card", "description": in.Description,
		}
		for name, v := range in.Metadata {
			params["metadata["+name+"]"] = v
		}
		made, err := c.make("POST /v1/payment_intents", "", params.payWith(c, cmp.Or(in.Card, "pm_card_visa")))
		pi, isMade := made.(*paymentIntent)
		if !isMade {
			return Intent{}, err
		}
		return shown[Intent](c, intents, pi.ID, err)
	})
}

// ChangeAmount is a person changing the amount of an unpaid intent. Errors: *Refusal, 400 when it is paid or canceled.
func (s *Sandbox) ChangeAmount(intentID string, amountMinor int64) (Intent, error) {
	return act(s, func(c *call) (Intent, error) {
		_, err := c.make("POST /v1/payment_intents/{id}", intentID, form{"amount": strconv.FormatInt(amountMinor, 10)})
		return shown[Intent](c, intents, intentID, err)
	})
}

// RefundByHand is a person refunding a charge in the dashboard: without our metadata, and without asking us. Amount
// 0 is all that is left. Errors: *Refusal.
func (s *Sandbox) RefundByHand(chargeID string, amountMinor int64) (Refund, error) {
	return act(s, func(c *call) (Refund, error) {
		in := form{"charge": chargeID, "reason": "requested_by_customer"}
		if amountMinor != 0 {
			in["amount"] = strconv.FormatInt(amountMinor, 10)
		}
		made, err := c.make("POST /v1/refunds", "", in)
		if err != nil {
			return Refund{}, err
		}
		return shown[Refund](c, refunds, made.(*refund).ID, nil)
	})
}
