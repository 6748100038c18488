package pledges_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/pledges"
)

// ownAddress is the address that the call returns to a person; nil when it returns none.
func ownAddress(t *testing.T, h http.Handler, user int64) map[string]string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/users/me/address/", nil)
	r.Header.Set("Authorization", "Bearer "+tokenOf(t, user))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var answer struct{ Address map[string]string }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return answer.Address
}

// sent is a pledge for the reward that asks for an address, made by a person or, with 0, by nobody known.
func (w *world) sent(t *testing.T, user int64, street string) pledges.View {
	t.Helper()
	in := w.input(w.posted, "51.5")
	byPost := 1
	in.Meta.AddedCost, in.Meta.Street, in.Meta.Postcode, in.Meta.City, in.Meta.Phone = &byPost, street, "FI-70 100\u200b", "Kuopio", "\u202a+358401\u202c"
	if user != 0 {
		in.UserID = &user
	}
	return w.mustCreate(t, in)
}

func TestOwnAddress_IsThatOfOnesOwnLastPaidPledge(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	var stranger int64
	if err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		stranger, err = profiles.Create(context.Background(), tx, profiles.New{Email: "leena@example.fi", FirstName: "Leena", LastName: "H",
			Language: "fi", Scope: []string{"view"}}, noon)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	wants := func(when, street string) {
		t.Helper()
		if got := ownAddress(t, h, w.creator); got["address_street"] != street {
			t.Errorf("%s: %v, want %q", when, got, street)
		}
	}
	pay := func(p pledges.View) {
		t.Helper()
		w.clock.advance(time.Minute)
		w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	}

	wants("before any", "")
	first, second := w.sent(t, w.creator, "Savutie 3"), w.sent(t, w.creator, "Rantatie 8")
	wants("unpaid", "")
	pay(second)
	wants("one paid", "Rantatie 8")
	pay(first)
	wants("the other paid later", "Savutie 3")
	pay(w.sent(t, 0, "Muualla 1"))
	wants("somebody without a session, with the same e-mail address", "Savutie 3")
	support := w.input(0, "5")
	support.UserID = &w.creator
	pay(w.mustCreate(t, support))
	wants("support that goes nowhere", "Savutie 3")

	want := map[string]string{"address_street": "Savutie 3", "address_postcode": "70100", "address_city": "Kuopio", "address_country": "FI", "address_phone": "+358401"}
	got := ownAddress(t, h, w.creator)
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
	if got := ownAddress(t, h, stranger); got != nil {
		t.Errorf("a stranger, who has the pledges' e-mail address, is told %v", got)
	}
}
