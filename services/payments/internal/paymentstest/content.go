package paymentstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/contentclient"
)

// campaign is that of all orders, and creator who is paid for it.
const (
	campaign = 7
	creator  = 3
)

// Content speaks the internal calls of the content service, for orders that tests make up.
type Content struct {
	server   *httptest.Server
	verifier *servicetoken.Verifier

	mu        sync.Mutex
	orders    map[string]contentclient.Order
	outcomes  map[string]contentclient.EventOutcomeOutcome // per pledge, for payment.succeeded
	events    map[string][]contentclient.PaymentEvent      // per subject, each event once, in the order of arrival
	told      map[string][]contentclient.SubscriptionEvent // per subscription, likewise
	payees    []contentclient.PayeeEvent                   // each event once, in the order of arrival
	seen      map[string]int                               // arrivals per event id
	links     map[string]contentclient.SubscriptionLink    // per token
	asked     int
	sinceRead func()
	down      bool
	noLevels  bool
	forget    int
}

func newContent(t testing.TB, now func() time.Time) *Content {
	t.Helper()
	verifier, err := servicetoken.NewVerifier([]byte(ServiceSecret), servicetoken.Payments, servicetoken.Content, now)
	if err != nil {
		t.Fatal(err)
	}
	c := &Content{
		verifier: verifier, orders: map[string]contentclient.Order{},
		outcomes: map[string]contentclient.EventOutcomeOutcome{},
		events:   map[string][]contentclient.PaymentEvent{}, seen: map[string]int{},
		told: map[string][]contentclient.SubscriptionEvent{}, links: map[string]contentclient.SubscriptionLink{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /internal/orders/{kind}/{id}", c.order)
	mux.HandleFunc("POST /internal/payment-events", c.event)
	mux.HandleFunc("POST /internal/subscription-events", c.subscriptionEvent)
	mux.HandleFunc("POST /internal/subscriptions/{id}/level", c.level)
	mux.HandleFunc("POST /internal/subscription-links", c.link)
	mux.HandleFunc("POST /internal/order-holders", c.holder)
	mux.HandleFunc("GET /internal/pledges/{id}/bought", c.bought)
	mux.HandleFunc("POST /internal/sessions/whose", c.whose)
	mux.HandleFunc("POST /internal/orders/of-address", c.ofAddress)
	mux.HandleFunc("POST /internal/payee-events", c.payeeEvent)
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := r.Header.Get("Authorization")
		if len(token) < 7 || c.verifier.Verify(token[7:]) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		c.mu.Lock()
		down := c.down
		c.mu.Unlock()
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(c.server.Close)
	return c
}

func (c *Content) order(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.asked++
	order, ok := c.orders[r.PathValue("id")]
	since := c.sinceRead
	c.mu.Unlock()
	if since != nil {
		since()
	}
	if !ok || string(order.SubjectKind) != r.PathValue("kind") {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(order)
}

// bought is a jar of jam that was sent on the day after it was pledged.
func (c *Content) bought(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	_, ok := c.orders[r.PathValue("id")]
	c.mu.Unlock()
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	made := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	_ = json.NewEncoder(w).Encode(contentclient.BoughtPledge{MadeAt: made, Lines: []string{"A jar of jam: 40.00 EUR", "Given besides: 10.00 EUR"},
		ShippingAddress: new("Hämeentie 1, 00530 Helsinki, FI"), SentOn: &types.Date{Time: made.AddDate(0, 0, 1)}})
}

func (c *Content) event(w http.ResponseWriter, r *http.Request) {
	var e contentclient.PaymentEvent
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || !e.Type.Valid() || !e.SubjectKind.Valid() ||
		e.RefundReason != nil && !e.RefundReason.Valid() {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[e.EventID]++; c.seen[e.EventID] == 1 {
		c.events[e.SubjectID] = append(c.events[e.SubjectID], e)
	}
	if c.forget > 0 {
		c.forget--
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	outcome := contentclient.EventOutcomeOutcomeApplied
	if o, ok := c.outcomes[e.SubjectID]; ok && e.Type == contentclient.PaymentSucceeded {
		outcome = o
	}
	_ = json.NewEncoder(w).Encode(contentclient.EventOutcome{Outcome: outcome})
}

// Pledge makes up a payable order of 50 euros and gives its id; change may alter it.
func (c *Content) Pledge(now time.Time, change func(*contentclient.Order)) string {
	payee := int64(creator)
	o := contentclient.Order{
		SubjectKind: contentclient.Pledge, SubjectID: ids.New(), State: contentclient.Payable, AmountMinor: 5000,
		Currency:    "EUR",
		Description: "Ahven-villapaita, koko M", Language: "fi", Email: "aino@example.com", Name: "Aino", CampaignID: campaign,
		CampaignTitle: "Ahven-villapaita", PayeeUserID: &payee,
		PayableUntil: now.Add(30 * time.Minute).UTC().Truncate(time.Microsecond),
	}
	if change != nil {
		change(&o)
	}
	if o.ReturnPath == "" {
		o.ReturnPath = "/" + o.Language + "/payment-return/?pledge=" + o.SubjectID
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.orders[o.SubjectID] = o
	return o.SubjectID
}

// End is what happens to a pledge that can no longer be paid.
func (c *Content) End(pledge string, state contentclient.OrderState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.orders[pledge]
	o.State = state
	c.orders[pledge] = o
}

// Remove takes a pledge out, as if it had never been.
func (c *Content) Remove(pledge string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.orders, pledge)
}

// SinceRead has fn run between the reading of an order and its answer; nil ends that.
func (c *Content) SinceRead(fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sinceRead = fn
}

// SetDown has every call refused, or taken again.
func (c *Content) SetDown(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

// SetNoLevels has every question about a level refused, or taken again.
func (c *Content) SetNoLevels(no bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noLevels = no
}

// Forget swallows the next n answers to events, after taking the event.
func (c *Content) Forget(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget = n
}

// Answer is what the success of a pledge's payment is answered with.
func (c *Content) Answer(pledge string, outcome contentclient.EventOutcomeOutcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes[pledge] = outcome
}

// Asked is how many orders were asked for.
func (c *Content) Asked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// Heard is the events of a pledge, in their order.
func (c *Content) Heard(pledge string) []contentclient.PaymentEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]contentclient.PaymentEvent(nil), c.events[pledge]...)
}

// Tell makes an internal call as the content service does, with a token for the payment service or with whatever else.
func (w *World) Tell(path, body, audience string) (int, []byte) {
	w.T.Helper()
	return w.TellBy(http.MethodPost, path, body, audience)
}

// TellBy is Tell with another method.
func (w *World) TellBy(method, path, body, audience string) (int, []byte) {
	w.T.Helper()
	signer, err := servicetoken.NewSigner([]byte(ServiceSecret), servicetoken.Content, w.Now)
	if err != nil {
		w.T.Fatal(err)
	}
	header := map[string]string{}
	if audience != "" {
		token, err := signer.Sign(audience)
		if err != nil {
			w.T.Fatal(err)
		}
		header["Authorization"] = "Bearer " + token
	}
	return w.Send(method, w.API.URL+path, "application/json", strings.NewReader(body), header)
}

// ClosePayment is the content service's word that nobody wants a pledge paid any more; it gives what was answered.
func (w *World) ClosePayment(pledge string) string { return w.CloseFor(pledge, "released") }

// CloseFor is ClosePayment for any reason.
func (w *World) CloseFor(pledge, reason string) string {
	w.T.Helper()
	status, body := w.Tell("/internal/payments/close", `{"subject_kind":"pledge","subject_id":"`+pledge+`","reason":"`+reason+`"}`, servicetoken.Payments)
	var a struct{ Status string }
	if err := json.Unmarshal(body, &a); err != nil || status != http.StatusOK {
		w.T.Errorf("closing %s answered %d %s", pledge, status, body)
	}
	return a.Status
}

// HoldCampaign is the content service's word that the campaign of all orders is on hold, or not any more.
func (w *World) HoldCampaign(number int, isOnHold bool) { w.tellHold(number, isOnHold, false) }

// PayOutStopped is the content service's word that the campaign stays on hold, and its creator is paid.
func (w *World) PayOutStopped(number int) { w.tellHold(number, true, true) }

func (w *World) tellHold(number int, isOnHold, paysOut bool) {
	w.T.Helper()
	status, body := w.TellBy(http.MethodPut, fmt.Sprintf("/internal/campaigns/%d/hold", campaign),
		fmt.Sprintf(`{"number":%d,"is_on_hold":%t,"pays_out":%t}`, number, isOnHold, paysOut), servicetoken.Payments)
	if status != http.StatusNoContent {
		w.T.Errorf("a hold answered %d %s", status, body)
	}
}

// EndCampaign is the content service's word that the campaign of all orders has ended, and whose its money is.
func (w *World) EndCampaign(outcome, goesTo string) {
	w.T.Helper()
	if goesTo == "backers" { // the fees of its charges are not given back
		if _, err := w.Sandbox.TopUp(10_000_00); err != nil {
			w.T.Fatal(err)
		}
	}
	w.EndUncovered(outcome, goesTo)
}

// EndUncovered is EndCampaign without anybody's topping up.
func (w *World) EndUncovered(outcome, goesTo string) {
	w.T.Helper()
	body := fmt.Sprintf(`{"outcome":%q,"goes_to":%q,"ended_at":%q,"accepted":1,"accepted_minor":5000,"currency":"EUR"}`, outcome, goesTo,
		w.Now().Format(time.RFC3339))
	status, answer := w.TellBy(http.MethodPut, fmt.Sprintf("/internal/campaigns/%d/ending", campaign), body, servicetoken.Payments)
	if status != http.StatusNoContent {
		w.T.Errorf("an ending answered %d %s", status, answer)
	}
}

// CampaignStanding is how the campaign of all orders stands: open, processing and untold, as far as each is so.
func (w *World) CampaignStanding() string {
	w.T.Helper()
	status, body := w.TellBy(http.MethodGet, fmt.Sprintf("/internal/campaigns/%d/standing", campaign), "", servicetoken.Payments)
	var is map[string]bool
	if err := json.Unmarshal(body, &is); err != nil || status != http.StatusOK {
		w.T.Fatalf("the standing answered %d %s", status, body)
	}
	var said []string
	for _, what := range []string{"open", "processing", "untold"} {
		if is["is_"+what] {
			said = append(said, what)
		}
	}
	return strings.Join(said, " ")
}
