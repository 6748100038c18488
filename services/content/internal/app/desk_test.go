package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/api/internalapi"
)

// What the operators' desk of the payment service asks: an admin is one only in a session that began with a second step, and the orders of an
// address are those of its accounts and those that guests made with it.
func TestInternal_WhatTheDeskAsks(t *testing.T) {
	p := setupDemo(t)
	spec, err := internalapi.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	h, token := contracttest.NewRecorder(t, spec).Handler(p.handler), p.serviceToken(t)
	admin := p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`)
	member := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	for session, want := range map[string]bool{p.session(t, admin, true): true, p.session(t, admin, false): false, p.session(t, member, true): false} {
		var who struct {
			IsLive bool `json:"is_live"`
			Scope  []string
		}
		decode(t, call(t.Context(), h, "POST", "/internal/sessions/whose", fmt.Sprintf(`{"authorization": "Bearer %s"}`, session), bearer(token)...).Body.Bytes(), &who)
		if !who.IsLive || slices.Contains(who.Scope, "admin") != want {
			t.Errorf("%+v, an admin: %t", who, want)
		}
	}

	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	own, guests := p.paidBy(t, campaign, member, "another@example.fi"), p.paidBy(t, campaign, 0, "Guest@example.fi")
	of := func(email string) (found []string) {
		var answer struct {
			SubjectIDs []string `json:"subject_ids"`
		}
		a := call(t.Context(), h, "POST", "/internal/orders/of-address", fmt.Sprintf(`{"email": %q}`, email), bearer(token)...)
		if a.Code != http.StatusOK {
			t.Fatal(a.Code, a.Body)
		}
		decode(t, a.Body.Bytes(), &answer)
		return answer.SubjectIDs
	}
	for _, kind := range []string{ordertoken.Pledge, ordertoken.Subscription} {
		if !slices.Contains(of("BACKER@talkoot.example"), own[kind]) || !slices.Contains(of("guest@EXAMPLE.fi"), guests[kind]) {
			t.Errorf("a %s is not found by its address", kind)
		}
	}
	if found := of("nobody@example.fi"); len(found) != 0 {
		t.Errorf("nobody has %v", found)
	}
	if a := call(t.Context(), h, "POST", "/internal/orders/of-address", `{"email": "guest@example.fi"}`, bearer(p.token(t, admin))...); a.Code != http.StatusUnauthorized {
		t.Errorf("an admin's session asks: %d", a.Code)
	}
}
