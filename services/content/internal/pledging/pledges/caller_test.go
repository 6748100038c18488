package pledges_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/person/profiles"
)

func TestCreatePledge_SessionTiesItToAPerson(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	var backer int64
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		backer, err = profiles.Create(t.Context(), tx, profiles.New{Email: "b@example.fi", FirstName: "B", LastName: "C",
			Language: "fi", Scope: []string{"view"}}, noon)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "anonymous": true}}`, who)
	signed := post(t, h, w.address(), body, "Authorization", "Bearer "+tokenOf(t, backer))
	anonymous := post(t, h, strings.TrimSuffix(w.address(), "/"), body)
	for id, want := range map[string]int64{signed.pledge.ID: backer, anonymous.pledge.ID: 0} {
		if got := w.number(t, `SELECT coalesce(user_id, 0) FROM pledges WHERE id = ?`, id); got != want {
			t.Errorf("pledge of user %d, want %d", got, want)
		}
	}
	for name, header := range map[string]string{"forged": "Bearer e30.e30.e30", "nonsense": "Bearer x"} {
		if a := post(t, h, w.address(), body, "Authorization", header); a.code != 401 || a.status != "token_invalid" {
			t.Errorf("%s token: %d %s", name, a.code, a.status)
		}
	}
	expired := tokenOf(t, backer)
	w.clock.advance(13 * time.Hour)
	if a := post(t, h, w.address(), body, "Authorization", "Bearer "+expired); a.code != 401 ||
		a.status != "token_expired" {
		t.Errorf("expired token: %d %s", a.code, a.status)
	}
	if n := w.number(t, `SELECT count(*) FROM pledges`); n != 2 {
		t.Errorf("%d pledges, want 2", n)
	}
}

func TestCreatePledge_IdempotencyKey(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	body := fmt.Sprintf(`{"amount": 120, "reward_id": %d, "pledge_meta": {%s}}`, w.single, who)
	key := []string{"Idempotency-Key", "a-key-of-the-browser"}
	first := post(t, h, w.address(), body, key...)
	spaced := post(t, h, w.address(), strings.ReplaceAll(body, ": ", ":  "), key...)
	if first.code != 201 || spaced.code != 201 || first.pledge.ID != spaced.pledge.ID || w.reserved(t, w.single) != 1 {
		t.Errorf("%d %s, then %d %s", first.code, first.pledge.ID, spaced.code, spaced.pledge.ID)
	}
	counted := strings.Replace(body, "{"+who, `{"visitor": "0123456789abcdefghijklmnop", "source": "letter", `+who, 1)
	if a := post(t, h, w.address(), counted, key...); a.code != 201 || a.pledge.ID != first.pledge.ID {
		t.Errorf("from another tab, counted otherwise: %d %s %s", a.code, a.status, a.pledge.ID)
	}
	if a := post(t, h, w.address(), strings.Replace(body, "120", "121", 1), key...); a.code != 409 ||
		a.status != "idempotency_mismatch" {
		t.Errorf("another body: %d %s", a.code, a.status)
	}
	if a := post(t, h, w.address(), body, "Idempotency-Key", "another-key"); a.status != "reward_gone" {
		t.Errorf("another key: %d %s", a.code, a.status)
	}
	if a := post(t, h, w.address(), body, "Idempotency-Key", "short"); a.code != 422 {
		t.Errorf("short key: %d %s", a.code, a.status)
	}
	// A refused call leaves its key free.
	refused := []string{"Idempotency-Key", "key-of-a-refused-call"}
	post(t, h, w.address(), fmt.Sprintf(`{"amount": 0.1, "pledge_meta": {%s}}`, who), refused...)
	if a := post(t, h, w.address(), fmt.Sprintf(`{"amount": 10, "pledge_meta": {%s}}`, who), refused...); a.code != 201 {
		t.Errorf("after a refusal: %d %s", a.code, a.status)
	}
}

// from has a request come from an address.
func from(address string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = address
		h.ServeHTTP(w, r)
	})
}

// Who guesses another's key gets nothing of theirs, and takes nothing from them.
func TestCreatePledge_AnIdempotencyKeyIsItsCallersOwn(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	people := make([]int64, 2)
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		for i := range people {
			people[i], err = profiles.Create(t.Context(), tx, profiles.New{Email: fmt.Sprintf("%d@example.fi", i),
				FirstName: "B", LastName: "C", Language: "fi", Scope: []string{"view"}}, noon)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s}}`, who)
	key := []string{"Idempotency-Key", "a-key-that-is-guessed"}
	as := func(person int64) []string {
		return append([]string{"Authorization", "Bearer " + tokenOf(t, person)}, key...)
	}
	made := map[string]string{}
	for _, c := range []struct {
		caller, address string
		headers         []string
	}{
		{"anonymous", "203.0.113.9:1", key},
		{"anonymous", "203.0.113.9:2", key},
		{"anonymous elsewhere", "203.0.113.10:1", key},
		{"anonymous by IPv6", "[2001:db8:1:2::1]:1", key},
		{"anonymous by IPv6", "[2001:db8:1:2::2]:1", key},
		{"anonymous in another network", "[2001:db8:1:3::1]:1", key},
		{"the first person", "203.0.113.9:1", as(people[0])},
		{"the first person", "[2001:db8::7]:1", as(people[0])},
		{"the second person", "203.0.113.9:1", as(people[1])},
	} {
		a := post(t, from(c.address, h), w.address(), body, c.headers...)
		if a.code != 201 {
			t.Fatalf("%s from %s: %d %s", c.caller, c.address, a.code, a.status)
		}
		if before := made[c.caller]; before != "" && before != a.pledge.ID {
			t.Errorf("%s from %s has another pledge", c.caller, c.address)
		}
		for caller, id := range made {
			if caller != c.caller && id == a.pledge.ID {
				t.Errorf("%s got the pledge of %s", c.caller, caller)
			}
		}
		made[c.caller] = a.pledge.ID
	}
	other := strings.Replace(body, "20", "30", 1)
	if a := post(t, from("203.0.113.9:1", h), w.address(), other, key...); a.code != 409 ||
		a.status != "idempotency_mismatch" {
		t.Errorf("the same caller with another body: %d %s", a.code, a.status)
	}
	if a := post(t, from("203.0.113.11:1", h), w.address(), other, key...); a.code != 201 {
		t.Errorf("a stranger whose body is another: %d %s", a.code, a.status)
	}
	if n := w.number(t, `SELECT count(*) FROM idempotency_keys WHERE scope LIKE '%203.0%' OR scope LIKE '%2001:%'`); n != 0 {
		t.Errorf("%d keys are kept with their caller's address", n)
	}
}

func TestCreatePledge_TooManyFromOneAddress(t *testing.T) {
	w := setup(t)
	h := w.serve(t, ratelimit.Per(2, time.Minute))
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s}}`, who)
	for i, want := range []int{201, 201, 429} {
		if a := post(t, h, w.address(), body); a.code != want || (want == 429) != (a.retryAfter != "") {
			t.Errorf("try %d: %d, Retry-After %q", i, a.code, a.retryAfter)
		}
	}
}
