package stripe

import (
	"net/url"
	"path"
	"strings"

	"talkoot.fi/sandbox/standin"
)

type challengeState string

const (
	challengeOpen   challengeState = "open"
	challengePassed challengeState = "passed"
	challengeFailed challengeState = "failed"
)

// secureChallenge is one 3-D Secure challenge of one attempt. Its id is the capability to answer it.
type secureChallenge struct {
	ID        string         `json:"id"`
	Intent    string         `json:"intent"` // a payment intent or a setup intent
	Method    string         `json:"method"`
	ReturnURL string         `json:"return_url"` // empty when shown in a dialog over the shop's page
	State     challengeState `json:"state"`
}

// challenged is what a challenge is of: a payment intent or a setup intent.
type challenged interface {
	// action is what the intent waits for; nil when it waits for nothing.
	action() *nextAction
	// sum is what is paid, for a reader of the language; empty for a setup intent.
	sum(lang string) string
	// result is what a browser that comes back tells the shop: the parameter's name, the intent's id and secret, and
	// whether the attempt has succeeded.
	result() (name, id, secret string, succeeded bool)
}

func (pi *paymentIntent) action() *nextAction { return pi.NextAction }

func (pi *paymentIntent) sum(lang string) string {
	return standin.FormatAmount(pi.Amount, pi.Currency, lang)
}

func (pi *paymentIntent) result() (name, id, secret string, succeeded bool) {
	succeeded = pi.Status == statusSucceeded || pi.Status == statusRequiresCapture || pi.Status == statusProcessing
	return "payment_intent", pi.ID, pi.ClientSecret, succeeded
}

func (si *setupIntent) action() *nextAction { return si.NextAction }

func (*setupIntent) sum(string) string { return "" }

func (si *setupIntent) result() (name, id, secret string, succeeded bool) {
	return "setup_intent", si.ID, si.ClientSecret, si.Status == statusSucceeded
}

// startChallenge opens a challenge of an intent's method and gives the action that the intent then waits for.
func (c *call) startChallenge(intent string, pm *paymentMethod, k confirmation) (*nextAction, error) {
	ch := secureChallenge{ID: c.newID("src_"), Intent: intent, Method: pm.ID, State: challengeOpen}
	page := c.s.opts.PublicURL + "/3ds/" + ch.ID
	action := &nextAction{Type: "use_stripe_sdk", UseStripeSDK: &sdkAction{Type: "three_d_secure_redirect", StripeJS: page, Source: ch.ID}}
	if k.returnURL != "" && !k.useSDK {
		ch.ReturnURL = k.returnURL
		action = &nextAction{Type: "redirect_to_url", RedirectToURL: &redirectToURL{URL: page, ReturnURL: &k.returnURL}}
	}
	return action, standin.PutJSON(c.tx, bucketChallenges, ch.ID, ch)
}

// challenge returns a challenge and its intent; the challenge is no longer open when the intent
// has moved on without it.
func (c *call) challenge(id string) (*secureChallenge, challenged, error) {
	var ch secureChallenge
	found, err := standin.GetJSON(c.tx, bucketChallenges, id, &ch)
	if err != nil {
		return nil, nil, err
	}
	if !found {
		return nil, nil, missingResource("challenge", id, "id")
	}
	var of challenged
	if strings.HasPrefix(ch.Intent, "seti_") {
		of, err = setups.get(c.tx, ch.Intent, "intent")
	} else {
		of, err = intents.get(c.tx, ch.Intent, "intent")
	}
	if err != nil {
		return nil, nil, err
	}
	if ch.State == challengeOpen && challengeIn(of.action()) != ch.ID {
		ch.State = challengeFailed
	}
	return &ch, of, nil
}

// challengeIn is the id of the challenge that an action is about, empty when it is about none.
func challengeIn(a *nextAction) string {
	switch {
	case a == nil:
		return ""
	case a.UseStripeSDK != nil:
		return a.UseStripeSDK.Source
	}
	u, err := url.Parse(a.RedirectToURL.URL)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// answerChallenge continues the attempt (pass) or ends it (fail). A challenge that was answered
// before, or that the intent no longer waits for, changes nothing.
func (c *call) answerChallenge(id string, pass bool) (*secureChallenge, challenged, error) {
	ch, of, err := c.challenge(id)
	if err != nil || ch.State != challengeOpen {
		return ch, of, err
	}
	ch.State = challengeFailed
	if pass {
		ch.State = challengePassed
	}
	if err := standin.PutJSON(c.tx, bucketChallenges, ch.ID, ch); err != nil {
		return nil, nil, err
	}
	pm, err := methods.get(c.tx, ch.Method, "payment_method")
	if err != nil {
		return nil, nil, err
	}
	switch intent := of.(type) {
	case *setupIntent:
		if pass {
			return ch, of, c.finishSetup(intent, pm, true)
		}
		intent.LastSetupError = setupFailure(pm)
		return ch, of, c.moveSetup(intent, setupFail)
	case *paymentIntent:
		if pass {
			return ch, of, c.charge(intent, pm, true)
		}
		intent.LastPaymentError = paymentFailure(pm)
		return ch, of, c.moveIntent(intent, moveFail)
	}
	return ch, of, nil
}

// paymentFailure is last_payment_error after a challenge that was not passed.
func paymentFailure(pm *paymentMethod) *errorBody {
	return &errorBody{
		Type: typeInvalidRequest, Code: "payment_intent_authentication_failure",
		Message:       "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.",
		DocURL:        "https://stripe.com/docs/error-codes/payment-intent-authentication-failure",
		PaymentMethod: pm,
	}
}

// returnAddress is where a redirected browser goes back to, with the outcome in the query.
func (ch *secureChallenge) returnAddress(of challenged) string {
	u, err := url.Parse(ch.ReturnURL)
	if err != nil {
		return ch.ReturnURL
	}
	name, id, secret, succeeded := of.result()
	q := u.Query()
	q.Set(name, id)
	q.Set(name+"_client_secret", secret)
	status := "failed"
	if succeeded {
		status = "succeeded"
	}
	q.Set("redirect_status", status)
	u.RawQuery = q.Encode()
	return u.String()
}
