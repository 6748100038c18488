package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"
)

// orderCalls are all calls of the public contract with the id of an order in their path, by kind; a body where one is wanted.
func orderCalls(t *testing.T) map[string][][3]string {
	t.Helper()
	found := map[string][][3]string{}
	for _, o := range operations(t) {
		body := map[string]string{"changeSubscription": `{"first_name": "Liisa"}`, "changePledge": `{"name_shown": "anonymous"}`,
			"changeChoice":  `{"key": "k", "number": 0, "reward_id": null, "quantity": 1, "amount": 1}`,
			"actOnOwnClaim": `{"act": "make", "key": "k-12345678", "kind": "other", "text": "Ei tullut"}`}[o.ID]
		o.Path = strings.ReplaceAll(o.Path, "{x}", "card")
		if strings.Contains(o.Path, "{raise_id}") {
			found[ofRaise] = append(found[ofRaise], [3]string{o.Method, strings.ReplaceAll(o.Path, "{raise_id}", "%s"), body})
		}
		if strings.Contains(o.Path, "{pledge_id}") {
			found[ordertoken.Pledge] = append(found[ordertoken.Pledge], [3]string{o.Method, strings.ReplaceAll(o.Path, "{pledge_id}", "%s"), body})
		}
		if strings.Contains(o.Path, "{subscription_id}") {
			found[ordertoken.Subscription] = append(found[ordertoken.Subscription], [3]string{o.Method, strings.ReplaceAll(o.Path, "{subscription_id}", "%s"), body})
		}
	}
	return found
}

// ofRaise are the calls about a further charge of a pledge, which is whose the pledge is, and paid as one.
const ofRaise = "raise"

// paidBy makes a pledge and a subscription that are paid, of a person or, with 0, of nobody's account.
func (p *platform) paidBy(t *testing.T, campaign, user int64, email string) map[string]string {
	t.Helper()
	of := map[string]string{ordertoken.Pledge: p.pledge(t, campaign), ordertoken.Subscription: p.subscription(t, campaign)}
	for _, statement := range []string{
		`UPDATE pledges SET status = 'paid', stock_held = false, receipt_number = 'TK-' || left(id, 8), paid_at = now(), user_id = nullif(@user, 0), email = @email WHERE id = @pledge`,
		`UPDATE campaign_totals SET funding_reached_minor = funding_reached_minor + p.amount_minor, backers = backers + 1 FROM pledges p
			WHERE p.id = @pledge AND campaign_totals.campaign_id = p.campaign_id`,
		`UPDATE subscriptions SET status = 'active', begun_on = now(), user_id = nullif(@user, 0), email = @email WHERE id = @subscription`,
	} {
		err := p.db.Exec(statement, map[string]any{"user": user, "email": email, "pledge": of[ordertoken.Pledge], "subscription": of[ordertoken.Subscription]}).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	of[ofRaise] = ids.New()
	err := p.db.Exec(`INSERT INTO pledge_raises (id, pledge_id, status, amount_minor, from_minor, number, cause, quantity, lines, vat_minor, details, reserved_until,
			request_key, request_hash, created_at, updated_at)
		VALUES (?, ?, 'created', 500, 2000, 0, 'account', 1, '[]', 0, '{}', now() + interval '1 hour', 'k', '', now(), now())`, of[ofRaise], of[ordertoken.Pledge]).Error
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// Every call about a pledge or a subscription, also one that is added later, is for its holder alone; its id opens nothing.
func TestOrders_AreTheirHoldersAlone(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	owner := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	stranger := p.number(t, `SELECT id FROM users WHERE email = 'creator@talkoot.example'`)
	keys, err := ordertoken.New([]byte(serviceSecret), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ended := p.token(t, owner)
	if a := call(t.Context(), h, "DELETE", "/users/tokens/", "", bearer(ended)...); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	unconfirmed := p.number(t, `INSERT INTO users (email, password_hash, first_name, last_name, created_at) VALUES ('guest@example.fi', '', 'V', 'V', now()) RETURNING id`)
	confirmed := p.number(t, `INSERT INTO users (email, password_hash, first_name, last_name, created_at, verified) VALUES ('Guest@example.fi', '', 'G', 'G', now(), true) RETURNING id`)
	ofOwner, ofGuest := p.paidBy(t, campaign, owner, "backer@talkoot.example"), p.paidBy(t, campaign, 0, "guest@example.fi")
	for kind, calls := range orderCalls(t) {
		tokens := strings.ReplaceAll(kind, ofRaise, ordertoken.Pledge)
		for _, c := range calls {
			for _, of := range []struct {
				whose, id string
				holder    int64
			}{{"an account's", ofOwner[kind], owner}, {"a guest's", ofGuest[kind], confirmed}} {
				address := fmt.Sprintf(c[1], of.id)
				for _, who := range []struct {
					name    string
					headers []string
					want    []int
				}{
					{"the id alone", nil, []int{403, 401}},
					{"a stranger", bearer(p.token(t, stranger)), []int{403}},
					{"an admin", bearer(p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`))), []int{403}},
					{"an account that has not confirmed the address", bearer(p.token(t, unconfirmed)), []int{403}},
					{"a session that is over", bearer(ended), []int{401}},
					{"another kind's token", []string{ordertoken.Header, keys.Make("x"+tokens, of.id, time.Now())}, []int{403, 401}},
					{"an old token", []string{ordertoken.Header, keys.Make(tokens, of.id, time.Now().Add(-ordertoken.Lifetime))}, []int{403, 401}},
					{"its holder", bearer(p.token(t, of.holder)), []int{200, 204, 409}}, // a paid pledge is not released
				} {
					a := call(t.Context(), h, c[0], address, c[2], who.headers...)
					if !slices.Contains(who.want, a.Code) {
						t.Errorf("%s %s, %s, by %s: %d %s", c[0], c[1], of.whose, who.name, a.Code, a.Body)
					}
				}
			}
		}
	}
	for kind, address := range map[string]string{ordertoken.Pledge: "/pledges/%s/", ordertoken.Subscription: "/v2/subscriptions/%s/"} {
		token := []string{ordertoken.Header, keys.Make(kind, ofGuest[kind], time.Now())}
		if a := call(t.Context(), h, "GET", fmt.Sprintf(address, ofGuest[kind]), "", token...); a.Code != http.StatusOK {
			t.Errorf("a guest reads their %s: %d", kind, a.Code)
		}
	}
	if a := call(t.Context(), h, "POST", "/v2/subscriptions/"+ofGuest[ordertoken.Subscription]+"/", `{"first_name": "X"}`, ordertoken.Header,
		keys.Make(ordertoken.Subscription, ofGuest[ordertoken.Subscription], time.Now())); a.Code != http.StatusNotFound {
		t.Errorf("a guest's token renames who has paid: %d", a.Code)
	}
}

// Only who makes an order without a session is given its token; an account's is opened by its session.
func TestOrderToken_IsGivenToGuests(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	owner := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	for name, c := range map[string]struct {
		headers []string
		wants   bool
	}{"a guest": {nil, true}, "somebody signed in": {bearer(p.token(t, owner)), false}} {
		made := call(t.Context(), h, "POST", fmt.Sprintf("/campaigns/%d/pledges/", campaign),
			`{"amount": 20, "pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": "B"}}`, append(c.headers, "Idempotency-Key", "one-of-"+name)...)
		var answer struct {
			Token  string `json:"order_token"`
			Pledge struct {
				ID string `json:"pledge_id"`
			}
		}
		decode(t, made.Body.Bytes(), &answer)
		if made.Code != http.StatusCreated || (answer.Token != "") != c.wants {
			t.Errorf("%s: %d %s", name, made.Code, made.Body)
		}
		headers := c.headers
		if c.wants {
			headers = []string{ordertoken.Header, answer.Token}
		}
		read := call(t.Context(), h, "GET", "/pledges/"+answer.Pledge.ID+"/", "", headers...)
		if read.Code != http.StatusOK || strings.Contains(read.Body.String(), "order_token") {
			t.Errorf("%s reads it: %d %s", name, read.Code, read.Body)
		}
	}
}

var anyID = regexp.MustCompile(`\b[0-9a-hjkmnp-tv-z]{26}\b`)

// What somebody has downloaded of themself, and may keep anywhere, opens nothing.
func TestOwnData_OpenNothing(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	owner := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	of := p.paidBy(t, campaign, owner, "backer@talkoot.example")
	data := call(t.Context(), h, "GET", "/users/me/data/", "", bearer(p.token(t, owner))...)
	found := anyID.FindAllString(data.Body.String(), -1)
	if !strings.Contains(fmt.Sprint(found), of[ordertoken.Pledge]) || !strings.Contains(fmt.Sprint(found), of[ordertoken.Subscription]) {
		t.Fatalf("the file names neither: %s", data.Body)
	}
	for _, id := range found {
		for _, calls := range orderCalls(t) {
			for _, c := range calls {
				for _, headers := range [][]string{nil, {ordertoken.Header, id}} {
					if a := call(t.Context(), h, c[0], fmt.Sprintf(c[1], id), c[2], headers...); a.Code != 403 && a.Code != 401 {
						t.Errorf("%s %s: %d %s", c[0], c[1], a.Code, a.Body)
					}
				}
			}
		}
		body, err := json.Marshal(map[string]string{"token": id})
		if err != nil {
			t.Fatal(err)
		}
		if a := call(t.Context(), h, "POST", "/subscription-links/receipt/", string(body)); a.Code != http.StatusGone {
			t.Errorf("as a link's token: %d %s", a.Code, a.Body)
		}
	}
}

// The payment service is told whose a session is, as it is now.
func TestOrderHolder_IsAsTheSessionIsNow(t *testing.T) {
	p := setupDemo(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	owner := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	stranger := p.number(t, `SELECT id FROM users WHERE email = 'creator@talkoot.example'`)
	of, others := p.paidBy(t, campaign, owner, "backer@talkoot.example"), p.paidBy(t, campaign, stranger, "creator@talkoot.example")
	ask := func(session, kind string, ids ...string) string {
		t.Helper()
		body, err := json.Marshal(map[string]any{"subject_kind": kind, "subject_ids": ids, "authorization": session})
		if err != nil {
			t.Fatal(err)
		}
		a := call(t.Context(), p.handler, "POST", "/internal/order-holders", string(body), bearer(p.serviceToken(t))...)
		var answer struct {
			Holder       string
			HasConfirmed bool `json:"has_confirmed"`
		}
		decode(t, a.Body.Bytes(), &answer)
		return fmt.Sprint(answer.Holder, " ", answer.HasConfirmed)
	}
	token := p.token(t, owner)
	session := "Bearer " + token
	mine, theirs := of[ordertoken.Subscription], others[ordertoken.Subscription]
	for _, c := range []struct{ what, got, want string }{
		{"one's own", ask(session, "subscription", mine), "same true"},
		{"twice the same", ask(session, "subscription", mine, mine), "same true"},
		{"one's own pledge", ask(session, "pledge", of[ordertoken.Pledge]), "same true"},
		{"another's", ask(session, "subscription", theirs), "other false"},
		{"one's own and another's", ask(session, "subscription", mine, theirs), "other false"},
		{"another kind", ask(session, "pledge", mine), "other false"},
		{"no session", ask("Bearer x", "subscription", mine), "session_over false"},
		{"no bearer", ask("Basic dTpw", "subscription", mine), "session_over false"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if err := p.db.Exec(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = ?`, owner).Error; err != nil {
		t.Fatal(err)
	}
	if got := ask(session, "subscription", mine); got != "same false" {
		t.Errorf("ten minutes later: %s", got)
	}
	other := p.token(t, owner)
	if a := call(t.Context(), p.handler, "DELETE", "/users/me/sessions/", "", bearer(other)...); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	if got := ask(session, "subscription", mine); got != "session_over false" {
		t.Errorf("signed out everywhere: %s", got)
	}
	if err := p.db.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, owner).Error; err != nil {
		t.Fatal(err)
	}
	if got := ask("Bearer "+other, "subscription", mine); got != "session_over false" {
		t.Errorf("blocked: %s", got)
	}
}
