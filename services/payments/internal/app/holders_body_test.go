package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// inBody is what the calls have in common that name their pledge in the body.
const inBody = "/api/pledges/mangopay/"

// Every call that names its pledge in the body, also one that is added later, is for its holder alone, whatever else its body says.
func TestCallsWithThePledgeInTheirBody_AreForItsHolder(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	promised, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	owner, stranger := int64(41), int64(42)
	theirs := b.Content.Pledge(b.Now(), func(o *contentclient.Order) { o.BackerUserID = &owner })
	guests, other := b.Pledge(), b.Pledge()
	calls := 0
	for _, o := range promised.Operations() {
		if !strings.HasPrefix(o.Path, inBody) {
			continue
		}
		calls++
		send := func(body string, header map[string]string) (int, string) {
			t.Helper()
			status, answer := b.Send(o.Method, b.API.URL+o.Path, "application/json", strings.NewReader(body), header)
			return status, string(answer)
		}
		about := func(id string) string { return `{"pledgeId": "` + id + `"}` }
		byToken := func(id string) map[string]string {
			return map[string]string{ordertoken.Header: b.OrderToken(ordertoken.Pledge, id)}
		}
		bySession := func(user int64) map[string]string {
			return map[string]string{"Authorization": paymentstest.SessionOf(user, false)}
		}
		for _, c := range []struct {
			who, body string
			header    map[string]string
			want      []int
		}{
			{"the id alone", about(theirs), map[string]string{"Authorization": ""}, []int{403}},
			{"a stranger's session", about(theirs), bySession(stranger), []int{403}},
			{"a session that is over", about(theirs), map[string]string{"Authorization": paymentstest.Ended}, []int{401}},
			{"the token of another order", about(guests), byToken(other), []int{403}},
			{"the id as a token", about(guests), map[string]string{ordertoken.Header: guests}, []int{403}},
			{"a stranger, of no pledge", about(ids.New()), bySession(stranger), []int{403}},
			{"anybody, of no id", about("x"), byToken(other), []int{404}},
			{"anybody, of nothing", `{}`, byToken(other), []int{404}},
			{"anybody, with no JSON", `pledgeId=` + guests, byToken(other), []int{400}},
			{"the holder of another, named twice", fmt.Sprintf(`{"pledgeId": %q, "pledgeId": %q}`, other, guests), byToken(other), []int{403}},
			{"the holder of another, in other letters", fmt.Sprintf(`{"pledgeId": %q, "PLEDGEID": %q}`, other, guests), byToken(other), []int{403}},
			{"the holder of another, in other letters first", fmt.Sprintf(`{"PLEDGEID": %q, "pledgeId": %q}`, guests, other), byToken(other), []int{400, 422}},
		} {
			if status, answer := send(c.body, c.header); !slices.Contains(c.want, status) {
				t.Errorf("%s by %s: %d %s", o.ID, c.who, status, answer)
			}
		}
		for who, c := range map[string]struct {
			id     string
			header map[string]string
		}{"the browser in which it began": {guests, byToken(guests)}, "its person": {theirs, bySession(owner)}} {
			if status, answer := send(about(c.id), c.header); status == http.StatusForbidden || status == http.StatusUnauthorized {
				t.Errorf("%s by %s: %d %s", o.ID, who, status, answer)
			}
		}
		b.Content.SetDown(true)
		if status, answer := send(about(theirs), bySession(owner)); status != http.StatusServiceUnavailable {
			t.Errorf("%s while the content service is away: %d %s", o.ID, status, answer)
		}
		b.Content.SetDown(false)
	}
	if calls != 7 {
		t.Errorf("%d calls name their pledge in the body", calls)
	}
}

// The calls of one pledge are limited together, whoever makes them, and so are those of one address.
func TestCallsWithThePledgeInTheirBody_AreLimited(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]paymentstest.Option{"pledge": paymentstest.WithCallsPerPledge(3), "address": paymentstest.WithCallsPerAddress(3)} {
		b := paymentstest.NewB(t, limit)
		pledge := b.Pledge()
		for range 3 {
			b.Begin(pledge)
		}
		for _, call := range []string{"card-registration-data", "payin", "get-bank-accounts", "create-bank-account", "create-mandate", "payin-direct-debit",
			"finish-card-registration"} {
			status, code := b.Call(call, map[string]any{"pledgeId": pledge}, nil, nil)
			isMalformed := status == http.StatusUnprocessableEntity || status == http.StatusBadRequest // the contract is asked before the pledge's limit
			if status != http.StatusTooManyRequests && (name == "address" || !isMalformed) {
				t.Errorf("%s of one %s: %d %s", call, name, status, code)
			}
		}
		status, _ := b.Call("get-bank-accounts", map[string]any{"pledgeId": b.Pledge()}, nil, nil)
		if (status == http.StatusTooManyRequests) != (name == "address") {
			t.Errorf("another pledge, by %s: %d", name, status)
		}
	}
}
