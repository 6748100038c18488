package stripe

import (
	"net/url"
	"path"
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
	Intent    string         `json:"intent"`
	Method    string         `json:"method"`
	ReturnURL string         `json:"return_url"` // empty when shown in a dialog over the shop's page
	State     challengeState `json:"state"`
}

// openChallenge stops the intent until its holder has answered the challenge page.
func (c *call) openChallenge(pi *paymentIntent, pm *paymentMethod, k confirmation) error {
	ch := secureChallenge{ID: c.newID("src_"), Intent: pi.ID, Method: pm.ID, State: challengeOpen}
	page := c.s.opts.PublicURL + "/3ds/" + ch.ID
	if k.returnURL != "" && !k.useSDK {
		ch.ReturnURL = k.returnURL
		pi.NextAction = &nextAction{Type: "redirect_to_url", RedirectToURL: &redirectToURL{URL: page, ReturnURL: &k.returnURL}}
	} else {
		pi.NextAction = &nextAction{Type: "use_stripe_sdk", UseStripeSDK: &sdkAction{Type: "three_d_secure_redirect", StripeJS: page, Source: ch.ID}}
	}
	if err := putJSON(c.tx, bucketChallenges, ch.ID, ch); err != nil {
		return err
	}
	return c.moveIntent(pi, moveChallenge)
}

// challenge returns a challenge and its intent; the challenge is no longer open when the intent
// has moved on without it.
func (c *call) challenge(id string) (*secureChallenge, *paymentIntent, error) {
	var ch secureChallenge
	found, err := getJSON(c.tx, bucketChallenges, id, &ch)
	if err != nil {
		return nil, nil, err
	}
	if !found {
		return nil, nil, missingResource("challenge", id, "id")
	}
	pi, err := intents.get(c.tx, ch.Intent, "intent")
	if err != nil {
		return nil, nil, err
	}
	if ch.State == challengeOpen && (pi.Status != statusRequiresAction || !pi.waitsFor(ch.ID)) {
		ch.State = challengeFailed
	}
	return &ch, pi, nil
}

func (pi *paymentIntent) waitsFor(challengeID string) bool { return pi.challengeID() == challengeID }

// challengeID is the challenge that the intent waits for, empty when it waits for none.
func (pi *paymentIntent) challengeID() string {
	a := pi.NextAction
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
func (c *call) answerChallenge(id string, pass bool) (*secureChallenge, *paymentIntent, error) {
	ch, pi, err := c.challenge(id)
	if err != nil || ch.State != challengeOpen {
		return ch, pi, err
	}
	ch.State = challengeFailed
	if pass {
		ch.State = challengePassed
	}
	if err := putJSON(c.tx, bucketChallenges, ch.ID, ch); err != nil {
		return nil, nil, err
	}
	pm, err := methods.get(c.tx, ch.Method, "payment_method")
	if err != nil {
		return nil, nil, err
	}
	if pass {
		err := c.charge(pi, pm, true)
		return ch, pi, err
	}
	pi.LastPaymentError = &errorBody{
		Type: typeInvalidRequest, Code: "payment_intent_authentication_failure",
		Message:       "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.",
		DocURL:        "https://stripe.com/docs/error-codes/payment-intent-authentication-failure",
		PaymentMethod: pm,
	}
	return ch, pi, c.moveIntent(pi, moveFail)
}

// returnAddress is where a redirected browser goes back to, with the outcome in the query.
func (ch *secureChallenge) returnAddress(pi *paymentIntent) string {
	u, err := url.Parse(ch.ReturnURL)
	if err != nil {
		return ch.ReturnURL
	}
	q := u.Query()
	q.Set("payment_intent", pi.ID)
	q.Set("payment_intent_client_secret", pi.ClientSecret)
	status := "failed"
	if pi.Status == statusSucceeded || pi.Status == statusRequiresCapture || pi.Status == statusProcessing {
		status = "succeeded"
	}
	q.Set("redirect_status", status)
	u.RawQuery = q.Encode()
	return u.String()
}
