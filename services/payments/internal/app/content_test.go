package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/contentclient"
)

// contentStandIn speaks the two internal calls of the content service, for orders that tests make up.
type contentStandIn struct {
	server   *httptest.Server
	verifier *servicetoken.Verifier

	mu       sync.Mutex
	orders   map[string]contentclient.Order
	outcomes map[string]contentclient.EventOutcomeOutcome // per pledge, for payment.succeeded
	events   map[string][]contentclient.PaymentEvent      // per pledge, each event once, in the order of arrival
	seen     map[string]int                               // arrivals per event id
	asked    int                                          // orders asked for
	down     bool
	forget   int // answers to swallow after taking the event
}

func newContentStandIn(t *testing.T, now func() time.Time) *contentStandIn {
	t.Helper()
	verifier, err := servicetoken.NewVerifier([]byte(serviceSecret), servicetoken.Payments, servicetoken.Content, now)
	if err != nil {
		t.Fatal(err)
	}
	c := &contentStandIn{
		verifier: verifier, orders: map[string]contentclient.Order{}, outcomes: map[string]contentclient.EventOutcomeOutcome{},
		events: map[string][]contentclient.PaymentEvent{}, seen: map[string]int{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /internal/pledges/{id}/order", c.order)
	mux.HandleFunc("POST /internal/payment-events", c.event)
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

func (c *contentStandIn) order(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	order, ok := c.orders[r.PathValue("id")]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(order)
}

func (c *contentStandIn) event(w http.ResponseWriter, r *http.Request) {
	var e contentclient.PaymentEvent
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || !e.Type.Valid() || !e.Provider.Valid() || e.RefundReason != nil && !e.RefundReason.Valid() {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[e.EventID]++; c.seen[e.EventID] == 1 {
		c.events[e.PledgeID] = append(c.events[e.PledgeID], e)
	}
	if c.forget > 0 {
		c.forget--
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	outcome := contentclient.EventOutcomeOutcomeApplied
	if o, ok := c.outcomes[e.PledgeID]; ok && e.Type == contentclient.PaymentSucceeded {
		outcome = o
	}
	_ = json.NewEncoder(w).Encode(contentclient.EventOutcome{Outcome: outcome})
}

// pledge makes up a payable order of 50 euros and gives its id; change may alter it.
func (c *contentStandIn) pledge(now time.Time, change func(*contentclient.Order)) string {
	reward := int64(11)
	o := contentclient.Order{
		PledgeID: ids.New(), Status: "created", Payable: true, AmountMinor: 5000, Currency: "EUR", Description: "Ahven-villapaita, koko M",
		Language: "fi", Email: "aino@example.com", Name: "Aino", CampaignID: 7, CampaignSlug: "ahven", CampaignTitle: "Ahven-villapaita",
		RewardID: &reward, ReservedUntil: now.Add(30 * time.Minute).UTC().Truncate(time.Microsecond),
	}
	if change != nil {
		change(&o)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.orders[o.PledgeID] = o
	return o.PledgeID
}

// end is what happens to a pledge that can no longer be paid.
func (c *contentStandIn) end(pledge, status string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.orders[pledge]
	o.Status, o.Payable = status, false
	c.orders[pledge] = o
}

func (c *contentStandIn) setDown(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

func (c *contentStandIn) answer(pledge string, outcome contentclient.EventOutcomeOutcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes[pledge] = outcome
}

// heard is the types of the events of a pledge, in their order.
func (c *contentStandIn) heard(pledge string) []contentclient.PaymentEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]contentclient.PaymentEvent(nil), c.events[pledge]...)
}
