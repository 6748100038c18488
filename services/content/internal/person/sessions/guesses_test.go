package sessions_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// visitor is a client with an address and, after a sign-in, a device cookie.
type visitor struct {
	from   string
	device string
}

const rightWord, wrongWord = "long enough", "no such word"

// try signs in.
func (w *world) try(ctx context.Context, v *visitor, email, password string) (code, wait int) {
	return w.send(ctx, v, signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, email, password))
}

// send makes a call as a visitor, and keeps the answer's cookie. It returns the status and the Retry-After in seconds.
func (w *world) send(ctx context.Context, v *visitor, address, body string) (code, wait int) {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = v.from + ":4321"
	if strings.Contains(v.from, ":") {
		r.RemoteAddr = "[" + v.from + "]:4321"
	}
	if v.device != "" {
		r.AddCookie(&http.Cookie{Name: "talkoot_device", Value: v.device})
	}
	got := httptest.NewRecorder()
	w.handler.ServeHTTP(got, r)
	for _, c := range got.Result().Cookies() {
		v.device = c.Value
	}
	wait, _ = strconv.Atoi(got.Header().Get("Retry-After"))
	return got.Code, wait
}

// guess tries wrong passwords for a time, waiting as long as Retry-After says. It returns how many were checked.
func (w *world) guess(t *testing.T, during time.Duration, next func(i int) (*visitor, string)) (looked int) {
	t.Helper()
	for i, end := 0, w.now().Add(during); w.now().Before(end); i++ {
		v, email := next(i)
		switch code, wait := w.try(t.Context(), v, email, wrongWord); code {
		case http.StatusUnauthorized:
			looked++
		case http.StatusTooManyRequests:
			if wait < 1 {
				t.Fatalf("no time to wait")
			}
			w.advance(time.Duration(wait) * time.Second)
		default:
			t.Fatalf("guess %d: %d", i, code)
		}
	}
	return looked
}

func ipv4(i int) string { return fmt.Sprintf("203.0.%d.%d", 100+i/250, 1+i%250) }

const leenas, nobodys = "leena@example.fi", "nobody@example.fi"

// Each row is an attack of five hours, with a bound on the passwords that are checked.
func TestGuesses_AreSlowedDownMoreAndMore(t *testing.T) {
	same := &visitor{from: "198.51.100.7"}
	for name, c := range map[string]struct {
		next        func(i int) (*visitor, string)
		least, most int
	}{
		"one address, one account":          {func(int) (*visitor, string) { return same, leenas }, 8, 16},
		"one address, an account of nobody": {func(int) (*visitor, string) { return same, nobodys }, 8, 16},
		"many addresses, one account":       {func(i int) (*visitor, string) { return &visitor{from: ipv4(i)}, leenas }, 8, 16},
		"many addresses, nobody's account":  {func(i int) (*visitor, string) { return &visitor{from: ipv4(i)}, nobodys }, 8, 16},
		"an account spelt in many ways": {func(i int) (*visitor, string) {
			return &visitor{from: ipv4(i)}, []string{leenas, "LEENA@example.fi", " Leena@Example.FI"}[i%3]
		}, 8, 16},
		"one address, a new account each": {func(i int) (*visitor, string) { return same, fmt.Sprintf("a%d@example.fi", i) }, 20, 32},
		"one IPv6 network, a new account each": {func(i int) (*visitor, string) {
			return &visitor{from: fmt.Sprintf("2001:db8:1:2::%x", i+1)}, fmt.Sprintf("a%d@example.fi", i)
		}, 20, 32},
		"with cookies that nobody of ours made": {func(i int) (*visitor, string) {
			return &visitor{from: ipv4(i), device: fmt.Sprintf("%026d.AAAAAAAAAAAAAAAAAAAAAAAA", i)}, leenas
		}, 8, 16},
	} {
		t.Run(name, func(t *testing.T) {
			w := setup(t, plenty)
			if made := w.call(t, "POST", "/users/", leena, ""); made.code != http.StatusCreated {
				t.Fatal(made)
			}
			if looked := w.guess(t, 5*time.Hour, c.next); looked < c.least || looked > c.most {
				t.Errorf("%d guesses were looked at, want %d to %d", looked, c.least, c.most)
			}
		})
	}
}

func TestGuesses_AtOnceCountOneByOne(t *testing.T) {
	w := setup(t, plenty)
	if made := w.call(t, "POST", "/users/", leena, ""); made.code != http.StatusCreated {
		t.Fatal(made)
	}
	var looked atomic.Int64
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if code, _ := w.try(t.Context(), &visitor{from: ipv4(i)}, leenas, wrongWord); code == http.StatusUnauthorized {
				looked.Add(1)
			}
		})
	}
	all.Wait()
	if looked.Load() != 5 {
		t.Errorf("%d of 40 guesses at once were looked at, want 5", looked.Load())
	}
}

// During an attack unknown devices are refused, also with the right password; the owner signs in from a known device.
func TestGuesses_OfStrangersDoNotLockTheOwnerOut(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	owner := &visitor{from: "192.0.2.9"}
	if code, _ := w.try(t.Context(), owner, leenas, rightWord); code != http.StatusOK || owner.device == "" {
		t.Fatalf("%d, device %q", code, owner.device)
	}
	stranger := &visitor{from: "198.51.100.7"}
	if code, _ := w.try(t.Context(), stranger, "other@example.fi", wrongWord); code != http.StatusUnauthorized || stranger.device != "" {
		t.Fatalf("a failure: %d, device %q", code, stranger.device)
	}
	for range 3 { // the attack goes on; the owner comes and goes, from wherever they are
		for range 8 {
			w.try(t.Context(), stranger, leenas, wrongWord)
		}
		for _, from := range []string{"192.0.2.9", "198.51.100.7", "2001:db8::1"} {
			owner.from = from
			if code, _ := w.try(t.Context(), owner, strings.ToUpper(leenas), rightWord); code != http.StatusOK {
				t.Errorf("the owner, from %s: %d", from, code)
			}
		}
		if code, wait := w.try(t.Context(), &visitor{from: "203.0.113.50"}, leenas, rightWord); code != http.StatusTooManyRequests || wait < 1 {
			t.Errorf("the right password from nowhere known: %d, wait %d", code, wait)
		}
	}
	other := &visitor{from: "203.0.113.51", device: owner.device}
	if code, _ := w.try(t.Context(), other, nobodys, wrongWord); code != http.StatusUnauthorized {
		t.Errorf("a device is known for its own account alone: %d", code)
	}
	stolen := *owner
	if looked := w.guess(t, 5*time.Hour, func(int) (*visitor, string) { return &stolen, leenas }); looked > 25 {
		t.Errorf("with a device's cookie %d guesses were looked at", looked)
	}
}

// Whoever is kept out by an attack gets in with a new password by mail, while the attack goes on. Their codes they may
// not guess more often for it than anybody else.
func TestGuesses_OfStrangersDoNotLockOutWhoSetsANewPasswordByMail(t *testing.T) {
	w := setup(t, plenty)
	w.register(t)
	owner, stranger := &visitor{from: "192.0.2.9"}, &visitor{from: "198.51.100.7"}
	attack := func() {
		for range 8 {
			w.try(t.Context(), stranger, leenas, wrongWord)
		}
	}
	attack()
	if code, _ := w.try(t.Context(), owner, leenas, rightWord); code != http.StatusTooManyRequests {
		t.Fatalf("during the attack: %d", code)
	}
	failed := fmt.Sprintf(`{"email": %q, "token": "nobodys", "new_password": "seven grey stones"}`, leenas)
	if code, _ := w.send(t.Context(), stranger, changed, failed); code != http.StatusGone || stranger.device != "" {
		t.Errorf("a link that is none: %d, device %q", code, stranger.device)
	}
	reset := fmt.Sprintf(`{"email": "LEENA@example.fi", "token": %q, "new_password": "seven grey stones"}`, w.link(t, leenas))
	if code, _ := w.send(t.Context(), owner, changed, reset); code != http.StatusNoContent || owner.device == "" {
		t.Fatalf("a new password: %d, device %q", code, owner.device)
	}
	attack()
	if code, _ := w.try(t.Context(), &visitor{from: "203.0.113.50"}, leenas, "seven grey stones"); code != http.StatusTooManyRequests {
		t.Errorf("from another device: %d", code)
	}
	byMail := *owner
	if code, _ := w.try(t.Context(), owner, leenas, "seven grey stones"); code != http.StatusOK {
		t.Fatalf("from the device that the new password was set on: %d", code)
	}

	w.advance(25 * time.Hour)
	token := w.call(t, "POST", signIn, `{"email": "leena@example.fi", "password": "seven grey stones"}`, "").Token.String
	if a := w.call(t, "POST", "/users/me/confirmations/", `{"password": "seven grey stones"}`, token); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	w.addApp(t, token)
	for range 8 {
		challenge := w.call(t, "POST", signIn, `{"email": "leena@example.fi", "password": "seven grey stones"}`, "").SecondStep.Challenge
		w.send(t.Context(), &byMail, secondStep, fmt.Sprintf(`{"challenge": %q, "code": "000000"}`, challenge))
	}
	challenge := w.call(t, "POST", signIn, `{"email": "leena@example.fi", "password": "seven grey stones"}`, "").SecondStep.Challenge
	if code, _ := w.send(t.Context(), &byMail, secondStep, fmt.Sprintf(`{"challenge": %q, "code": "000000"}`, challenge)); code != http.StatusTooManyRequests {
		t.Errorf("the ninth code, from a device that knows the mailbox alone: %d", code)
	}
}

func TestGuesses_ASuccessIsNotCounted_FailuresAreForgottenInADay(t *testing.T) {
	w := setup(t, plenty)
	if made := w.call(t, "POST", "/users/", leena, ""); made.code != http.StatusCreated {
		t.Fatal(made)
	}
	for i := range 30 { // a school: many people at one address, with new devices
		if code, _ := w.try(t.Context(), &visitor{from: "198.51.100.7"}, leenas, rightWord); code != http.StatusOK {
			t.Fatalf("sign-in %d: %d", i, code)
		}
	}
	for range 6 {
		w.try(t.Context(), &visitor{from: "198.51.100.8"}, leenas, wrongWord)
	}
	if code, _ := w.try(t.Context(), &visitor{from: "198.51.100.9"}, leenas, rightWord); code != http.StatusTooManyRequests {
		t.Errorf("after six failures: %d", code)
	}
	w.advance(25 * time.Hour)
	for i := range 4 {
		if code, _ := w.try(t.Context(), &visitor{from: "198.51.100.8"}, leenas, wrongWord); code != http.StatusUnauthorized {
			t.Errorf("failure %d of the next day: %d", i, code)
		}
	}
	if code, _ := w.try(t.Context(), &visitor{from: "198.51.100.9"}, leenas, rightWord); code != http.StatusOK {
		t.Errorf("the right one after four: %d", code)
	}
}

func TestGuesses_TheTableIdentifiesNobody(t *testing.T) {
	w := setup(t, plenty)
	w.try(t.Context(), &visitor{from: "198.51.100.7"}, leenas, wrongWord)
	var all string
	if err := w.db.Raw(`SELECT string_agg(f::text, ' ') FROM password_failures f`).Scan(&all).Error; err != nil || all == "" ||
		strings.Contains(all, "leena") || strings.Contains(all, "198.51") {
		t.Errorf("%v, kept: %s", err, all)
	}
}
