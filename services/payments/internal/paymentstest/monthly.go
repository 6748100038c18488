package paymentstest

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	sandbox "talkoot.fi/sandbox/stripe"
)

// Cards of the provider's stand-in, for monthly support.
const (
	Visa       = "pm_card_visa"
	Mastercard = "pm_card_mastercard"
	// FailsLater is kept without a fault and refused when it is charged.
	FailsLater = "pm_card_chargeCustomerFail"
	// AsksEachTime wants the backer's confirmation of every charge.
	AsksEachTime = "pm_card_authenticationRequired"
)

// Subscription makes up the order of a monthly support of 10 euros, which its backer has not paid yet; change may
// alter it.
func (w *World) Subscription(change ...func(*contentclient.Order)) string {
	reward := int64(5)
	return w.Content.Pledge(w.Now(), func(o *contentclient.Order) {
		o.SubjectKind, o.AmountMinor, o.ReturnPath = contentclient.Subscription, 1000, "/fi/"
		o.PayableUntil = w.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
		o.Level = &contentclient.Level{AmountMinor: 1000, Currency: "EUR", RewardID: &reward,
			Title: map[string]string{"fi": "Ystävä"}, Description: map[string]string{"fi": "Kirje kuussa"}}
		for _, fn := range change {
			fn(o)
		}
	})
}

// OfUser is the order of somebody with an account.
func OfUser(user int64) func(*contentclient.Order) {
	return func(o *contentclient.Order) { o.BackerUserID = &user }
}

func (c *Content) subscriptionEvent(w http.ResponseWriter, r *http.Request) {
	var e contentclient.SubscriptionEvent
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || !e.Cause.Valid() || !e.Status.Valid() || e.AmountMinor < 1 ||
		e.EndedBecause != nil && !e.EndedBecause.Valid() {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[e.EventID]++; c.seen[e.EventID] == 1 {
		c.told[e.SubscriptionID] = append(c.told[e.SubscriptionID], e)
	}
	_ = json.NewEncoder(w).Encode(contentclient.EventOutcome{Outcome: contentclient.EventOutcomeOutcomeApplied})
}

// level takes any amount from 5 euros, with reward 5 or 6 or none.
func (c *Content) level(w http.ResponseWriter, r *http.Request) {
	var q contentclient.LevelQuestion
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	no := c.noLevels
	c.mu.Unlock()
	if no {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if q.AmountMinor < 500 {
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"status":"invalid_fields","message":"Jokin kohta kaipaa korjausta.","request_id":"r",` +
			`"fields":[{"path":"amount","rule":"amount_too_small","message":"Summan on oltava vähintään 5 €."}]}`))
		return
	}
	level := contentclient.Level{AmountMinor: q.AmountMinor, Currency: "EUR", RewardID: q.RewardID, Title: map[string]string{},
		Description: map[string]string{}}
	if q.RewardID != nil {
		level.Title["fi"] = "Toinen taso"
	}
	_ = json.NewEncoder(w).Encode(level)
}

// Link mails a link that allows an act of a month, with the last that was told of the subscription, and gives its token.
func (w *World) Link(id string, act contentclient.SubscriptionLinkAct, period int) string {
	var sequence int64
	w.Scan(&sequence, `SELECT event_sequence FROM subscriptions WHERE id = ?`, id)
	w.Content.mu.Lock()
	defer w.Content.mu.Unlock()
	token := rand.Text()
	w.Content.links[token] = contentclient.SubscriptionLink{SubscriptionID: id, Act: act, Period: period, Sequence: sequence}
	return token
}

func (c *Content) link(w http.ResponseWriter, r *http.Request) {
	var q contentclient.LinkQuestion
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	link, is := c.links[q.Token]
	if !is {
		w.WriteHeader(http.StatusGone)
		return
	}
	_ = json.NewEncoder(w).Encode(link)
}

// Linked makes a call about the link of a token (look, setup or act) with more of a body, and gives the answer's status and error.
func (w *World) Linked(call, token, more string, into any) (int, string) {
	w.T.Helper()
	status, body := w.Send(http.MethodPost, w.API.URL+"/api/subscription-links/"+call, "application/json",
		strings.NewReader(`{"token":"`+token+`"`+more+`}`), nil)
	return status, w.read(status, body, into)
}

// MustLink is Linked for look and act, which answer with the link.
func (w *World) MustLink(call, token, more string) api.SubscriptionLink {
	w.T.Helper()
	var a api.SubscriptionLinkAnswer
	if status, code := w.Linked(call, token, more, &a); status != http.StatusOK {
		w.T.Fatalf("%s of a link answered %d %s", call, status, code)
	}
	return a.Link
}

// Told is the events of a subscription, in their order.
func (w *World) Told(id string) []contentclient.SubscriptionEvent {
	w.Content.mu.Lock()
	defer w.Content.mu.Unlock()
	return slices.Clone(w.Content.told[id])
}

// WantTold wants the content service told just these causes, in order and numbered.
func (w *World) WantTold(id string, want ...string) {
	w.T.Helper()
	var got []string
	for i, e := range w.Told(id) {
		got = append(got, string(e.Cause))
		if e.Sequence != int64(i+1) {
			w.T.Errorf("event %d has the sequence %d", i, e.Sequence)
		}
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("content was told %v, want %v", got, want)
	}
}

// SetupMonth asks for the form of the month that is to be paid.
func (w *World) SetupMonth(id string) SetupAnswer {
	w.T.Helper()
	var a SetupAnswer
	a.Status, a.Code = w.Post("/api/subscriptions/"+id+"/setup", nil, &a)
	return a
}

// PayMonth pays the month that is to be paid with a ready-made card, by the form.
func (w *World) PayMonth(id, card string) {
	w.T.Helper()
	a := w.SetupMonth(id)
	if a.Status != http.StatusOK {
		w.T.Fatalf("setup of %s answered %+v", id, a)
	}
	if got := w.Confirm(a, card); got.Status == "requires_action" {
		w.AnswerChallenge(got, "pass")
	} else if got.Status != "succeeded" {
		w.T.Fatalf("paying with %s gave %+v", card, got)
	}
	w.Settle()
}

// Subscribed is a subscription whose first month was paid just now with a card.
func (w *World) Subscribed(card string, change ...func(*contentclient.Order)) string {
	w.T.Helper()
	id := w.Subscription(change...)
	w.PayMonth(id, card)
	return id
}

// Act makes a call that changes a subscription and gives the answer's status and error code.
func (w *World) Act(method, id, call, body string) (int, string, api.Subscription) {
	w.T.Helper()
	var a struct{ Subscription api.Subscription }
	status, answer := w.Send(method, w.API.URL+"/api/subscriptions/"+id+call, "application/json", strings.NewReader(body), nil)
	return status, w.read(status, answer, &a), a.Subscription
}

// MustAct makes a call that changes a subscription.
func (w *World) MustAct(id, call, body string) api.Subscription {
	w.T.Helper()
	status, code, sub := w.Act(http.MethodPost, id, "/"+call, body)
	if status != http.StatusOK {
		w.T.Fatalf("%s %s answered %d %s", call, body, status, code)
	}
	return sub
}

// Show is a subscription as its backer sees it.
func (w *World) Show(id string) api.Subscription {
	w.T.Helper()
	status, code, sub := w.Act(http.MethodGet, id, "", "")
	if status != http.StatusOK {
		w.T.Fatalf("subscription %s answered %d %s", id, status, code)
	}
	return sub
}

// SetupCardOf has another card kept and gives the setup intent.
func (w *World) SetupCardOf(id, card string) string {
	w.T.Helper()
	var a api.CardSetupAnswer
	if status, code := w.Post("/api/subscriptions/"+id+"/card", nil, &a); status != http.StatusOK {
		w.T.Fatalf("card of %s answered %d %s", id, status, code)
	}
	w.KeepCard(a.Stripe.SetupIntent.ID, a.Stripe.SetupIntent.ClientSecret, card)
	return a.Stripe.SetupIntent.ID
}

// KeepCard is what the form does with a setup intent and a ready-made card.
func (w *World) KeepCard(setup, secret, card string) {
	w.T.Helper()
	form := url.Values{"payment_method": {card}, "client_secret": {secret}, "use_stripe_sdk": {"true"}}
	status, body := w.Send(http.MethodPost, w.Provider.URL+"/v1/setup_intents/"+setup+"/confirm",
		"application/x-www-form-urlencoded", strings.NewReader(form.Encode()), map[string]string{"Authorization": "Bearer " + PublishableKey})
	if status != http.StatusOK {
		w.T.Fatalf("keeping %s gave %d %s", card, status, body)
	}
}

// GoTo moves the clock to a moment; it never goes back.
func (w *World) GoTo(at time.Time) {
	w.T.Helper()
	d := at.Sub(w.Now())
	if d < 0 {
		w.T.Fatalf("%s is over", at)
	}
	w.Pass(d)
}

// GoToNextStep moves the clock to what is due next of a subscription, and lets it happen.
func (w *World) GoToNextStep(id string) {
	w.T.Helper()
	var at *time.Time
	w.Scan(&at, `SELECT step_at FROM subscriptions WHERE id = ?`, id)
	if at == nil {
		w.T.Fatalf("nothing is due of %s", id)
	}
	w.GoTo(at.Add(time.Second))
	w.Settle()
}

// CloseSubscription is the content service's word that a subscription ends; it gives what was answered.
func (w *World) CloseSubscription(id, reason string) string {
	w.T.Helper()
	status, body := w.Tell("/internal/payments/close",
		`{"subject_kind":"subscription","subject_id":"`+id+`","reason":"`+reason+`"}`, servicetoken.Payments)
	var a struct{ Status string }
	if err := json.Unmarshal(body, &a); err != nil || status != http.StatusOK {
		w.T.Errorf("closing %s answered %d %s", id, status, body)
	}
	return a.Status
}

// Test numbers that a kept card may have from some day on.
const (
	WorksAgain   = "4242424242424242"
	Insufficient = "4000000000000341" // refused when it is charged, another day may help
	Lost         = "4000000000009987"
	MustConfirm  = "4000002760003184" // its bank wants the backer to confirm each charge
)

// BankSays has the kept card of a subscription behave as a test number from now on.
func (w *World) BankSays(id, number string) {
	w.T.Helper()
	if _, err := w.Sandbox.ChangeCard(sandbox.CardChange{Method: w.CardOf(id), Card: number}); err != nil {
		w.T.Fatal(err)
	}
}

// CardOf is the provider's id of a subscription's kept card.
func (w *World) CardOf(id string) string {
	w.T.Helper()
	var ref string
	w.Scan(&ref, `SELECT card_ref FROM subscriptions WHERE id = ?`, id)
	return ref
}

// RenewCard has the network tell of a new last month of a subscription's kept card.
func (w *World) RenewCard(id string, year, month int64) error {
	w.T.Helper()
	_, err := w.Sandbox.ChangeCard(sandbox.CardChange{Method: w.CardOf(id), ExpYear: year, ExpMonth: month, Announced: true})
	return err
}

// CustomerOf is the provider's id of a subscription's payer.
func (w *World) CustomerOf(id string) string {
	w.T.Helper()
	var ref string
	w.Scan(&ref, `SELECT customer_ref FROM subscriptions WHERE id = ?`, id)
	return ref
}

// DeleteCustomer is what somebody does with a payer in the provider's own pages.
func (w *World) DeleteCustomer(ref string) {
	w.T.Helper()
	status, body := w.Send(http.MethodDelete, w.Provider.URL+"/v1/customers/"+ref, "", nil, map[string]string{"Authorization": "Bearer " + SecretKey})
	if status != http.StatusOK {
		w.T.Fatalf("deleting %s gave %d %s", ref, status, body)
	}
}
