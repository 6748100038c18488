package sessions_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Registering with the address of an account is an attempt on its password.
func TestGuesses_ByRegisteringCountToo(t *testing.T) {
	w := setup(t, plenty)
	if made := w.call(t, "POST", "/users/", leena, ""); made.code != http.StatusCreated {
		t.Fatal(made)
	}
	for i, want := range []int{409, 409, 409, 409, 409, 429} {
		if a := w.call(t, "POST", "/users/", strings.ReplaceAll(leena, rightWord, "wrong word "+strconv.Itoa(i)), ""); a.code != want {
			t.Errorf("registering %d: %d, want %d", i, a.code, want)
		}
	}
	if code, _ := w.try(t.Context(), &visitor{from: "203.0.113.9"}, leenas, rightWord); code != http.StatusTooManyRequests {
		t.Errorf("signing in after it: %d", code)
	}
}

// Registering tells whether an address has an account. Whoever asks for many is stopped as one who guesses passwords is:
// in a pause, an address without an account is answered as one with.
func TestGuesses_ByRegisteringFindFewAccounts(t *testing.T) {
	w := setup(t, plenty)
	w.register(t)
	err := w.db.Exec(`INSERT INTO users (email, password_hash, first_name, last_name, created_at)
		SELECT 'b' || i || '@example.fi', password_hash, 'B', 'B', created_at FROM users, generate_series(0, 199) AS i`).Error
	if err != nil {
		t.Fatal(err)
	}
	nosy := &visitor{from: "198.51.100.7"}
	ask := func(email string) (code, wait int) {
		return w.send(t.Context(), nosy, "/users/", strings.NewReplacer("Leena@Example.fi", email, rightWord, "seven grey stones").Replace(leena))
	}
	found, end := 0, w.now().Add(5*time.Hour)
	for i := 0; w.now().Before(end); i++ {
		code, wait := ask(fmt.Sprintf("b%d@example.fi", i))
		switch code {
		case http.StatusConflict:
			found++
		case http.StatusTooManyRequests:
			if free, _ := ask(fmt.Sprintf("free%d@example.fi", i)); free != http.StatusTooManyRequests {
				t.Fatalf("in a pause, after %d were found, a free address is answered %d", found, free)
			}
			w.advance(time.Duration(wait) * time.Second)
		default:
			t.Fatalf("address %d: %d", i, code)
		}
	}
	if found < 20 || found > 32 {
		t.Errorf("%d accounts are found in five hours", found)
	}
	if code, _ := w.send(t.Context(), &visitor{from: "203.0.113.9"}, "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", "new@example.fi")); code != http.StatusCreated {
		t.Errorf("registering from elsewhere: %d", code)
	}
}

// A school registers: many new people at one address are no failures.
func TestGuesses_RegisteringNewAddressesIsNotCounted(t *testing.T) {
	w := setup(t, plenty)
	for i := range 30 {
		body := strings.ReplaceAll(leena, "Leena@Example.fi", fmt.Sprintf("b%d@example.fi", i))
		if code, _ := w.send(t.Context(), &visitor{from: "198.51.100.7"}, "/users/", body); code != http.StatusCreated {
			t.Fatalf("registration %d: %d", i, code)
		}
	}
	if n := w.count(t, `SELECT coalesce(sum(failures), 0) FROM password_failures`); n != 0 {
		t.Errorf("%d failures are counted", n)
	}
}
