package sessions_test

import (
	"fmt"
	"net/http"
	"testing"
)

// Guessing at an address keeps nobody from registering it, however often and with whatever: who has no account of it gets no
// link past the pause.
func TestRegister_IsNotRefusedHoweverStrangersTryTheAddress(t *testing.T) {
	for name, attempt := range map[string]func(w *world, i int){
		"wrong passwords": func(w *world, i int) {
			w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": "guess number %d"}`, leenas, i), "")
		},
		"registering and signing in": func(w *world, i int) {
			guess := fmt.Sprintf("guess number %d", i)
			w.call(t, "POST", "/users/", again(guess), "")
			w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, guess), "")
		},
		"changing a password": func(w *world, i int) {
			token := w.call(t, "POST", "/users/", again("guess number"), "").Token.String
			w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": "guess number", "new_password": "guess number %d"}`, i), token)
		},
		"links for a new password": func(w *world, _ int) { w.call(t, "POST", resets, fmt.Sprintf(`{"email": %q}`, leenas), "") },
	} {
		w := setup(t, plenty)
		for i := range 12 {
			attempt(w, i)
		}
		if a := w.call(t, "POST", "/users/", leena, ""); a.code != http.StatusCreated {
			t.Errorf("%s: the owner registers: %d %s", name, a.code, a.Status)
		}
		if a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": "guess number 99"}`, leenas), ""); name == "wrong passwords" && a.code != http.StatusTooManyRequests {
			t.Errorf("%s: the pause of signing in is over: %d", name, a.code)
		}
	}
}

// How many wrong passwords an address takes before a pause is the same whether it has an account, a new one, one whose password
// has changed, or none.
func TestGuesses_TheCounterTellsNotWhetherAnAddressHasAnAccount(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"no account":    func(*world) {},
		"a new account": func(w *world) { w.call(t, "POST", "/users/", leena, "") },
		"several of them": func(w *world) {
			w.call(t, "POST", "/users/", leena, "")
			w.call(t, "POST", "/users/", again(anotherWord), "")
		},
		"a confirmed one": func(w *world) { w.confirmed(t) },
		"one whose owner has signed in": func(w *world) {
			w.call(t, "POST", "/users/", leena, "")
			w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, rightWord), "")
		},
		"one with a changed password": func(w *world) {
			token := w.call(t, "POST", "/users/", leena, "").Token.String
			w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": %q, "new_password": "seven grey stones"}`, rightWord), token)
		},
	} {
		w := setup(t, plenty)
		prepare(w)
		wrong := 0
		for w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": "guess number %d"}`, leenas, wrong), "").code == http.StatusUnauthorized {
			wrong++
		}
		if wrong != 5 {
			t.Errorf("%s: %d wrong passwords before the pause", name, wrong)
		}
	}
}
