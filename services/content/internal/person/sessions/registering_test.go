package sessions_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/person/sessions"
)

const anotherWord = "seven grey stones"

// again is a registration with Leena's address and another password.
func again(password string) string { return strings.ReplaceAll(leena, rightWord, password) }

// confirmed is Leena's account, whose address is confirmed.
func (w *world) confirmed(t *testing.T) (token string) {
	t.Helper()
	token = w.register(t)
	if err := w.db.Exec(`UPDATE users SET verified = true`).Error; err != nil {
		t.Fatal(err)
	}
	return token
}

// Registering with an address that has an account makes another one, which can do what any new one can: whoever does not
// read the mail learns nothing by signing in and out of it.
func TestRegister_WithATakenAddressIsLikeWithAFreeOne(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	look := func(email string) (seen []string) {
		stranger := &visitor{from: "198.51.100.7"}
		body := strings.NewReplacer("Leena@Example.fi", email, rightWord, anotherWord).Replace(leena)
		for _, c := range []struct{ path, body string }{
			{"/users/", body}, {signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, email, anotherWord)},
			{signIn, fmt.Sprintf(`{"email": %q, "password": "no such word"}`, email)}, {"/users/", body},
		} {
			a := w.call(t, "POST", c.path, c.body, "")
			seen = append(seen, fmt.Sprintf("%s %d %s %v %v", c.path, a.code, a.Status, a.Token.String != "", a.User.Scope))
		}
		if code, _ := w.send(t.Context(), stranger, signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, email, anotherWord)); code != http.StatusOK {
			seen = append(seen, fmt.Sprint(code))
		}
		return append(seen, "device "+stranger.device)
	}
	free, taken := look("nobody@example.fi"), look("leena@example.fi")
	if got, want := strings.Join(taken, "\n"), strings.Join(free, "\n"); got != want {
		t.Errorf("taken:\n%s\nfree:\n%s", got, want)
	}
}

// Guessing goes on in the pause that it has begun, whether the address has an account or not.
func TestRegister_GuessesAfterItArePausedAlike(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	w.advance(25 * time.Hour)
	for _, email := range []string{"nobody@example.fi", "leena@example.fi"} {
		w.call(t, "POST", "/users/", strings.NewReplacer("Leena@Example.fi", email, rightWord, anotherWord).Replace(leena), "")
		for i, want := range []int{401, 401, 401, 200, 401, 401, 429} {
			word := wrongWord
			if want == 200 {
				word = anotherWord
			}
			if code, _ := w.try(t.Context(), &visitor{from: "203.0.113.9"}, email, word); code != want {
				t.Errorf("%s, attempt %d: %d, want %d", email, i, code, want)
			}
		}
	}
}

// Each of several accounts has its own password; of two with the same one, sign-in means the one that has confirmed the address, else
// the latest. It hashes once.
func TestSignIn_AmongAccountsOfAnAddress(t *testing.T) {
	w := setupHashing(t, plenty)
	made := map[string]int64{}
	register := func(name, password string) {
		t.Helper()
		a := w.call(t, "POST", "/users/", again(password), "")
		if a.code != http.StatusCreated {
			t.Fatal(name, a.code, a.Status)
		}
		made[name] = a.User.UserID
	}
	means := func(password, name string) {
		t.Helper()
		before := w.Hashes()
		a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, password), "")
		if a.code != http.StatusOK || a.User.UserID != made[name] {
			t.Errorf("%q signs in to %d (%d), want %s, %d", password, a.User.UserID, a.code, name, made[name])
		}
		if n := w.Hashes() - before; n != 1 {
			t.Errorf("a sign-in hashes %d times", n)
		}
	}
	register("first", rightWord)
	register("second", anotherWord)
	register("third", anotherWord)
	means(rightWord, "first")
	means(anotherWord, "third")
	if err := w.db.Exec(`UPDATE users SET verified = true WHERE id = ?`, made["second"]).Error; err != nil {
		t.Fatal(err)
	}
	means(anotherWord, "second")
	means(rightWord, "first")
}

// Two who register an address at once share the salt: else one of the passwords would never fit again.
func TestRegister_AtOnceWithOneAddress(t *testing.T) {
	w := setupHashing(t, plenty)
	var all sync.WaitGroup
	words := []string{"seven grey stones", "eight grey stones", "nine grey stones", "ten grey stones"}
	for _, word := range words {
		all.Go(func() {
			if a := w.call(t, "POST", "/users/", again(word), ""); a.code != http.StatusCreated {
				t.Errorf("%s: %d %s", word, a.code, a.Status)
			}
		})
	}
	all.Wait()
	for _, word := range words {
		if a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, word), ""); a.code != http.StatusOK {
			t.Errorf("%s signs in: %d %s", word, a.code, a.Status)
		}
	}
}

// A password that somebody sets later has the salt of the address, too.
func TestPassword_ChangedAmongSeveralAccountsStillSignsIn(t *testing.T) {
	w := setup(t, plenty)
	token := w.confirmed(t)
	w.call(t, "POST", "/users/", again(anotherWord), "")
	changed := w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": %q, "new_password": "eight grey stones"}`, rightWord), token)
	if changed.code != http.StatusNoContent {
		t.Fatal(changed.code, changed.Status)
	}
	for word, want := range map[string]int{"eight grey stones": 200, anotherWord: 200, rightWord: 401} {
		if a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, word), ""); a.code != want {
			t.Errorf("%s: %d, want %d", word, a.code, want)
		}
	}
}

// Whoever registers the owner's address may sign in with their own password as often as they like: it gives them no more
// guesses at the owner's.
func TestGuesses_FromAnotherAccountOfTheAddressAreNotCountedApart(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	stranger := &visitor{from: "198.51.100.7"}
	w.send(t.Context(), stranger, "/users/", again(anotherWord))
	looked := 0
	for range 12 {
		if code, _ := w.try(t.Context(), stranger, leenas, wrongWord); code == http.StatusUnauthorized {
			looked++
		}
		w.try(t.Context(), stranger, leenas, anotherWord)
	}
	if looked > 6 || stranger.device != "" {
		t.Errorf("%d guesses were looked at; device %q", looked, stranger.device)
	}
}

// Wrong codes in one account leave the second step of another one with its address alone.
func TestSecondStep_GuessesAreCountedForEachAccountOfAnAddress(t *testing.T) {
	w := setup(t, plenty)
	secret, _ := w.enrol(t, w.confirmed(t))
	other := w.call(t, "POST", "/users/", again(anotherWord), "").Token.String
	if a := w.call(t, "POST", "/users/me/confirmations", fmt.Sprintf(`{"password": %q}`, anotherWord), other); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	w.addApp(t, other)
	ask := func(password string) string {
		return w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, password), "").SecondStep.Challenge
	}
	for range 8 {
		w.step(t, ask(anotherWord), "code", "000000")
	}
	if a := w.step(t, ask(rightWord), "code", w.code(t, secret, 0)); a.code != http.StatusOK {
		t.Errorf("the owner's second step: %d %s", a.code, a.Status)
	}
}

// A link for a new password is the confirmed account's; among unconfirmed ones each has its own, the earliest first. It
// confirms nobody once another account has confirmed the address.
func TestReset_AmongAccountsOfAnAddress(t *testing.T) {
	w := setup(t, plenty)
	first := w.call(t, "POST", "/users/", leena, "").User.UserID
	second := w.call(t, "POST", "/users/", again(anotherWord), "").User.UserID
	link := w.link(t, leenas)
	if err := w.db.Exec(`UPDATE users SET verified = true WHERE id = ?`, second).Error; err != nil {
		t.Fatal(err)
	}
	if a := w.reset(t, leenas, link, "eight grey stones"); a.code != http.StatusGone {
		t.Errorf("a link of %d after %d has confirmed the address: %d %s", first, second, a.code, a.Status)
	}
	if a := w.reset(t, leenas, w.link(t, leenas), "nine grey stones"); a.code != http.StatusNoContent {
		t.Errorf("the confirmed one's link: %d %s", a.code, a.Status)
	}
	for word, want := range map[string]int64{"nine grey stones": second, rightWord: first} {
		if a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, word), ""); a.User.UserID != want {
			t.Errorf("%s signs in to %d, want %d", word, a.User.UserID, want)
		}
	}
	if n := w.count(t, `SELECT count(*) FROM users WHERE verified`); n != 1 {
		t.Errorf("%d accounts have confirmed the address", n)
	}
}

// A school registers: many new people at one address are no failures.
func TestGuesses_RegisteringIsNoFailureOfTheNetwork(t *testing.T) {
	w := setup(t, plenty)
	for i := range 30 {
		body := strings.ReplaceAll(leena, "Leena@Example.fi", fmt.Sprintf("b%d@example.fi", i))
		if code, _ := w.send(t.Context(), &visitor{from: "198.51.100.7"}, "/users/", body); code != http.StatusCreated {
			t.Fatalf("registration %d: %d", i, code)
		}
	}
}

// Whoever registers the owner's address with a guess and signs in with it has guessed at the owner's password, too: a
// sign-in means the confirmed account before their own. The guess never fails, so nothing counts it.
func TestGuesses_ByRegisteringTheGuessArePausedToo(t *testing.T) {
	w := setup(t, plenty)
	owner := w.call(t, "POST", "/users/", leena, "").User.UserID
	if err := w.db.Exec(`UPDATE users SET verified = true`).Error; err != nil {
		t.Fatal(err)
	}
	for i := range 25 {
		guess := fmt.Sprintf("guess number %d", i)
		if i == 24 {
			guess = rightWord
		}
		made := w.call(t, "POST", "/users/", again(guess), "")
		a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, guess), "")
		w.advance(time.Second)
		if made.code == http.StatusTooManyRequests || a.code == http.StatusTooManyRequests {
			return
		}
		if a.User.UserID == owner {
			t.Errorf("guess %d of a stranger is looked at, and signs in to the owner's account; no pause", i)
		}
	}
}

// The same with one account of the stranger's, whose password they change to the guess: counting registrations is not enough.
func TestGuesses_ByChangingAStrangersPasswordToTheGuessArePausedToo(t *testing.T) {
	w := setup(t, plenty)
	owner := w.call(t, "POST", "/users/", leena, "").User.UserID
	if err := w.db.Exec(`UPDATE users SET verified = true`).Error; err != nil {
		t.Fatal(err)
	}
	token, word := w.call(t, "POST", "/users/", again("guess number 0"), "").Token.String, "guess number 0"
	for i := 1; i < 16; i++ {
		guess := fmt.Sprintf("guess number %d", i)
		if i == 15 {
			guess = rightWord
		}
		made := w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": %q, "new_password": %q}`, word, guess), token)
		a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, guess), "")
		w.advance(time.Second)
		if made.code == http.StatusTooManyRequests || a.code == http.StatusTooManyRequests {
			return
		}
		if a.User.UserID == owner {
			t.Errorf("guess %d of a stranger is looked at, and signs in to the owner's account; no pause", i)
		}
		word = guess
	}
}

// A link for a new password is for an account that can use it.
func TestReset_OfTheOwnerThoughAnEarlierStrangersAccountIsBlocked(t *testing.T) {
	w := setup(t, plenty)
	stranger := w.call(t, "POST", "/users/", again(anotherWord), "").User.UserID
	w.call(t, "POST", "/users/", leena, "")
	if err := w.db.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, stranger).Error; err != nil {
		t.Fatal(err)
	}
	if links, err := sessions.IssueReset(t.Context(), w.db, leenas, w.now(), w.now()); err != nil || len(links) != 1 || links[0].ID == stranger {
		t.Errorf("the owner gets no link for a new password: %+v %v", links, err)
	}
}

// However many accounts strangers register of an address, each is in some mail: every next one has those that the mails before had not.
func TestReset_NobodysAccountIsPushedOutOfTheMails(t *testing.T) {
	w := setup(t, plenty)
	for i := range 43 {
		w.call(t, "POST", "/users/", again(fmt.Sprintf("strangers word %d", i)), "")
	}
	owner := w.call(t, "POST", "/users/", leena, "").User.UserID
	if err := w.db.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) SELECT c.id, u.id, 9 FROM users u CROSS JOIN campaigns c WHERE u.id <> ?`,
		owner).Error; err != nil { // what strangers do in theirs changes nothing
		t.Fatal(err)
	}
	offered, mails := map[int64]bool{}, 0
	for !offered[owner] && mails < 5 {
		mails++
		w.advance(time.Second)
		asked := w.now()
		for range 2 { // a mail that has to be sent again offers the same
			w.advance(time.Second)
			links, err := sessions.IssueReset(t.Context(), w.db, leenas, asked, w.now())
			if err != nil || len(links) == 0 || len(links) > 20 || links[0].Accounts != 44 {
				t.Fatal(links, err)
			}
			for _, l := range links {
				offered[l.ID] = true
			}
		}
		if want := min(44, 20*mails); len(offered) != want {
			t.Errorf("%d accounts after %d mails, want %d", len(offered), mails, want)
		}
	}
	if mails != 3 {
		t.Errorf("the owner's is offered in %d mails: %v", mails, offered[owner])
	}
}

// Two registrations at once do the same work whether the address has an account or not.
func TestRegister_TwoAtOnceHashAsOftenForAFreeAddressAsForATakenOne(t *testing.T) {
	w := setupHashing(t, plenty)
	w.confirmed(t)
	work := func(email string) int64 {
		before := w.Hashes()
		var both sync.WaitGroup
		for i := range 2 {
			body := strings.NewReplacer("Leena@Example.fi", email, rightWord, fmt.Sprintf("seven grey stones %d", i)).Replace(leena)
			both.Go(func() {
				if a := w.call(t, "POST", "/users/", body, ""); a.code != http.StatusCreated {
					t.Errorf("%d %s", a.code, a.Status)
				}
			})
		}
		both.Wait()
		w.advance(25 * time.Hour) // no pause
		return w.Hashes() - before
	}
	free, taken := int64(0), int64(0)
	for i := range 5 {
		free += work(fmt.Sprintf("nobody%d@example.fi", i))
		taken += work(leenas)
	}
	if free != taken {
		t.Errorf("five pairs: %d hashes for free addresses, %d for a taken one", free, taken)
	}
}

// An operator who blocks a spammer by address blocks the spammer, not the owner of the address.
func TestOperator_BlockOfAnAddressWithSeveralAccountsIsNotTheOwners(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	w.call(t, "POST", "/users/", again(anotherWord), "")
	changed, err := sessions.SetBlocked(t.Context(), w.db, leenas, true, w.now())
	if n := w.count(t, `SELECT count(*) FROM users WHERE verified AND blocked_at IS NOT NULL`); n > 0 {
		t.Errorf("the owner is blocked, and nobody is told that there are two (%v, %v)", changed, err)
	}
}
