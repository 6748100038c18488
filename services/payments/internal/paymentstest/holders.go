package paymentstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/payments/internal/contentclient"
)

// Sessions of the stand-in of the content service, as Authorization headers.
const (
	// Anyone is the session of whoever holds the order that a call names, with or without an account.
	Anyone = "Bearer anyone"
	// Ended is a session that is over: signed out, or its person is blocked.
	Ended = "Bearer ended"
)

// SessionOf is the session of a person. A confirmed one has just shown that it is them.
func SessionOf(user int64, isConfirmed bool) string {
	header := "Bearer user " + strconv.FormatInt(user, 10)
	if isConfirmed {
		header += " confirmed"
	}
	return header
}

// AdminSession is the session of an admin, as SessionOf.
func AdminSession(user int64, isConfirmed bool) string {
	return strings.Replace(SessionOf(user, isConfirmed), strconv.FormatInt(user, 10), strconv.FormatInt(user, 10)+" admin", 1)
}

// ofAddress finds the orders that were made with a mail address.
func (c *Content) ofAddress(w http.ResponseWriter, r *http.Request) {
	var q contentclient.AddressQuestion
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	found := []string{}
	for id, order := range c.orders {
		if strings.EqualFold(order.Email, q.Email) {
			found = append(found, id)
		}
	}
	_ = json.NewEncoder(w).Encode(contentclient.AddressOrders{SubjectIds: found})
}

// holder says whose orders are, by the sessions above.
func (c *Content) holder(w http.ResponseWriter, r *http.Request) {
	var q contentclient.OrderHolderQuestion
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&q); err != nil || !q.SubjectKind.Valid() || len(q.SubjectIds) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	answer := contentclient.OrderHolder{Holder: contentclient.Same, HasConfirmed: q.Authorization == Anyone || strings.HasSuffix(q.Authorization, " confirmed")}
	for _, id := range q.SubjectIds {
		order, is := c.orders[id]
		isOwn := order.BackerUserID != nil && strings.TrimSuffix(q.Authorization, " confirmed") == SessionOf(*order.BackerUserID, false)
		var user int64
		if _, err := fmt.Sscanf(q.Authorization, "Bearer user %d", &user); err == nil && order.BackerUserID == nil && user != Unconfirmed {
			isOwn = order.Email == addressOf(user)
		}
		if !is || order.SubjectKind != q.SubjectKind || q.Authorization != Anyone && !isOwn {
			answer = contentclient.OrderHolder{Holder: contentclient.Other}
		}
	}
	if q.Authorization == Ended {
		answer = contentclient.OrderHolder{Holder: contentclient.SessionOver}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// whose knows whose the sessions are. All have confirmed their address but user 99.
func (c *Content) whose(w http.ResponseWriter, r *http.Request) {
	var q contentclient.SessionQuestion
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var answer contentclient.SessionPerson
	var user int64
	if _, err := fmt.Sscanf(q.Authorization, "Bearer user %d", &user); err == nil {
		email, hasEmail, isConfirmed := addressOf(user), user != Unconfirmed, strings.HasSuffix(q.Authorization, " confirmed")
		scope := []contentclient.SessionPersonScope{contentclient.ScopeView}
		if strings.Contains(q.Authorization, " admin") {
			scope = append(scope, contentclient.ScopeEdit, contentclient.ScopeAdmin)
		}
		answer = contentclient.SessionPerson{IsLive: true, UserID: &user, Email: &email, HasConfirmedEmail: &hasEmail, HasConfirmed: &isConfirmed, Scope: &scope}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func addressOf(user int64) string { return fmt.Sprintf("user%d@example.com", user) }

// Unconfirmed is who has not confirmed their address.
const Unconfirmed = 99

func (c *Content) payeeEvent(w http.ResponseWriter, r *http.Request) {
	var e contentclient.PayeeEvent
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil || !e.State.Valid() || !e.Provider.Valid() {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[e.EventID]++; c.seen[e.EventID] == 1 {
		c.payees = append(c.payees, e)
	}
	_ = json.NewEncoder(w).Encode(contentclient.EventOutcome{Outcome: contentclient.EventOutcomeOutcomeApplied})
}

// Payees are the events about creators' accounts, each once, in the order of arrival.
func (c *Content) Payees() []contentclient.PayeeEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.payees)
}

// orderIn is the order that a path names.
var orderIn = regexp.MustCompile(`^/api/(pledge|subscription)s/([0-9A-Za-z]{26})(?:/|$)`) //nolint:gochecknoglobals // a constant that Go cannot have

// orderInBody is the pledge that a body names.
func (w *World) orderInBody(r *http.Request) []string {
	w.T.Helper()
	body, err := r.GetBody()
	if err != nil {
		w.T.Fatal(err)
	}
	var of struct {
		PledgeID string `json:"pledgeId"`
	}
	if json.NewDecoder(body).Decode(&of) != nil || of.PledgeID == "" {
		return nil
	}
	return []string{"", ordertoken.Pledge, of.PledgeID}
}

// OrderToken is that of the browser in which an order was made, now.
func (w *World) OrderToken(kind, id string) string {
	w.T.Helper()
	keys, err := ordertoken.New([]byte(ServiceSecret), w.Now)
	if err != nil {
		w.T.Fatal(err)
	}
	return keys.Make(kind, id, w.Now())
}

// Identify has a call made by whoever holds the order that it names, unless it has said who makes it.
func (w *World) Identify(r *http.Request) {
	w.T.Helper()
	if _, isSaid := r.Header["Authorization"]; isSaid {
		return
	}
	if _, isSaid := r.Header[ordertoken.Header]; isSaid {
		return
	}
	found := orderIn.FindStringSubmatch(r.URL.Path)
	if found == nil && r.GetBody != nil && strings.HasPrefix(r.URL.Path, "/api/pledges/mangopay/") {
		found = w.orderInBody(r)
	}
	if found != nil {
		r.Header.Set(ordertoken.Header, w.OrderToken(found[1], strings.ToLower(found[2])))
		r.Header.Set("Authorization", Anyone)
	}
}
