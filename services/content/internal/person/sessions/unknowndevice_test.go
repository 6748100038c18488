package sessions_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func (w *world) toldOfDevices(t *testing.T) int {
	t.Helper()
	return w.count(t, `SELECT count(*) FROM outbox WHERE kind = 'mail.security' AND payload ->> 'event' = 'new_device'`)
}

// Somebody whose password is known to others learns of it by mail: each sign-in on a device that has no mark of the account is told,
// and the mark is the device's own cookie, so that nothing more is kept here.
func TestSignIn_OnADeviceThatIsNotKnownIsMailed(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	mine, other := &visitor{from: "198.51.100.7"}, &visitor{from: "198.51.100.7"}
	for i, c := range []struct {
		who        *visitor
		word       string
		code, told int
	}{
		{mine, rightWord, http.StatusOK, 1}, {mine, rightWord, http.StatusOK, 1}, {other, wrongWord, http.StatusUnauthorized, 1},
		{other, rightWord, http.StatusOK, 2}, {other, rightWord, http.StatusOK, 2},
	} {
		code, _ := w.try(t.Context(), c.who, leenas, c.word)
		if told := w.toldOfDevices(t); code != c.code || told != c.told {
			t.Errorf("sign-in %d: %d, %d mails; want %d, %d", i, code, told, c.code, c.told)
		}
	}
	for range 20 { // whoever has the password does not fill the mailbox
		w.try(t.Context(), &visitor{from: "198.51.100.8"}, leenas, rightWord)
	}
	if told := w.toldOfDevices(t); told > 6 {
		t.Errorf("%d mails", told)
	}
}

// An address that is not confirmed may be a stranger's, who is not mailed about somebody else's account; with two steps the password
// alone is no sign-in; and where a mailed link has just set the password, its owner is there.
func TestSignIn_IsMailedOnlyWhereSomebodyHasComeIn(t *testing.T) {
	w := setup(t, plenty)
	w.register(t)
	w.try(t.Context(), &visitor{from: "198.51.100.7"}, leenas, rightWord)
	if told := w.toldOfDevices(t); told != 0 {
		t.Errorf("%d mails to an address that is not confirmed", told)
	}
	if err := w.db.Exec(`UPDATE users SET verified = true`).Error; err != nil {
		t.Fatal(err)
	}
	resetter := &visitor{from: "198.51.100.9"}
	w.send(t.Context(), resetter, changed, fmt.Sprintf(`{"email": %q, "token": %q, "new_password": %q}`, leenas, w.link(t, leenas), rightWord))
	if code, _ := w.try(t.Context(), resetter, leenas, rightWord); code != http.StatusOK || w.toldOfDevices(t) != 0 {
		t.Errorf("on the device of a mailed link: %d, %d mails", code, w.toldOfDevices(t))
	}
	secret, _ := w.enrol(t, w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, rightWord), "").Token.String)
	before := w.toldOfDevices(t)
	asked := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, rightWord), "").SecondStep.Challenge
	if told := w.toldOfDevices(t); told != before {
		t.Errorf("%d mails for a password alone", told-before)
	}
	if a := w.step(t, asked, "code", w.code(t, secret, 0)); a.code != http.StatusOK || w.toldOfDevices(t) != before+1 {
		t.Errorf("after the second step: %d, %d mails", a.code, w.toldOfDevices(t)-before)
	}
}

// A session that nobody is told of is none: whatever stops the mail, also a crash, stops the sign-in.
func TestSignIn_OnADeviceThatIsNotKnown_OpensNoSessionUnheard(t *testing.T) {
	w := setup(t, plenty)
	w.confirmed(t)
	secret := ""
	ways := map[string]func() int{
		"password": func() int {
			code, _ := w.try(t.Context(), &visitor{from: "198.51.100.7"}, leenas, rightWord)
			return code
		},
		"second step": func() int {
			return w.step(t, w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, rightWord), "").SecondStep.Challenge,
				"code", w.code(t, secret, 0)).code
		},
	}
	for _, name := range []string{"password", "second step"} {
		if name == "second step" {
			secret, _ = w.enrol(t, w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": %q}`, leenas, rightWord), "").Token.String)
			w.advance(time.Minute)
		}
		for _, statement := range []string{
			`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`,
			`CREATE TRIGGER refuse BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'mail.security') EXECUTE FUNCTION refuse()`,
		} {
			if err := w.db.Exec(statement).Error; err != nil {
				t.Fatal(err)
			}
		}
		before, told := w.count(t, `SELECT count(*) FROM sessions`), w.toldOfDevices(t)
		if code := ways[name](); code != http.StatusInternalServerError || w.count(t, `SELECT count(*) FROM sessions`) != before {
			t.Errorf("%s: %d, %d sessions were opened unheard", name, code, w.count(t, `SELECT count(*) FROM sessions`)-before)
		}
		if err := w.db.Exec(`DROP FUNCTION refuse CASCADE`).Error; err != nil {
			t.Fatal(err)
		}
		if code := ways[name](); code != http.StatusOK || w.toldOfDevices(t) != told+1 {
			t.Errorf("%s again: %d, %d mails", name, code, w.toldOfDevices(t)-told)
		}
	}
}
