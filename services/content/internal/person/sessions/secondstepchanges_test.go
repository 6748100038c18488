package sessions_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// Second steps are changed only by who has just shown that it is them.
func TestSecondSteps_ChangeOnlyAfterAConfirmation(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	calls := []struct{ method, path, body string }{
		{"POST", "/users/me/totp/", ""}, {"POST", "/users/me/totp/confirmation/", `{"code": "123456"}`}, {"DELETE", "/users/me/totp/", ""},
		{"POST", "/users/me/backup_codes/", ""}, {"POST", "/users/me/passkeys/challenge/", ""}, {"DELETE", "/users/me/passkeys/1/", ""},
		{"POST", "/users/me/passkeys/", `{"challenge": "x", "name": "x", "passkey": {"id": "AA", "rawId": "AA", "type": "public-key",
			"response": {"clientDataJSON": "AA", "attestationObject": "AA"}}}`},
	}
	refused := func(when string) {
		t.Helper()
		for _, c := range calls {
			if a := w.call(t, c.method, c.path, c.body, first); a.code != http.StatusForbidden || a.Status != "confirmation_required" {
				t.Errorf("%s: %s %s: %d %s", when, c.method, c.path, a.code, a.Status)
			}
		}
	}
	refused("signed in with a password")
	if a := w.call(t, "POST", "/users/me/confirmations/", `{"password": "long enougH"}`, first); a.code != 422 || len(a.Fields) != 1 || a.Fields[0].Rule != "password_wrong" {
		t.Errorf("a wrong password: %d %v", a.code, a.Fields)
	}
	refused("after a wrong password")
	w.confirm(t, first)
	w.advance(10*time.Minute + time.Second)
	refused("ten minutes later")
	secret, _ := w.enrol(t, first)
	in := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, 0)).Token.String
	if a := w.call(t, "POST", "/users/me/totp/", "", in); a.code != http.StatusCreated {
		t.Errorf("after a second step at sign-in: %d %s", a.code, a.Status)
	}
	w.advance(11 * time.Minute)
	for body, want := range map[string]int{fmt.Sprintf(`{"code": %q}`, w.code(t, secret, 0)): 204, `{"code": "000000"}`: 422, `{}`: 422,
		`{"password": "long enough", "code": "000000"}`: 422} {
		if a := w.call(t, "POST", "/users/me/confirmations/", body, in); a.code != want {
			t.Errorf("confirmed by %s: %d %s, want %d", body, a.code, a.Status, want)
		}
	}
}

// The password alone takes no second step away, nor puts another in its place: whoever has learnt it would be in for good. A backup code
// stands in for a device that is lost.
func TestSecondSteps_OfAnAccountThatHasOneAreChangedByASecondStepAlone(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	secret, codes := w.enrol(t, first)
	calls := []struct{ method, path string }{{"POST", "/users/me/totp/"}, {"DELETE", "/users/me/totp/"}, {"POST", "/users/me/backup_codes/"},
		{"POST", "/users/me/passkeys/challenge/"}, {"DELETE", "/users/me/passkeys/1/"}}
	if a := w.call(t, "POST", "/users/me/passkeys/challenge/", "", first); a.code != http.StatusCreated {
		t.Errorf("who has just taken a second step into use is asked for it again: %d %s", a.code, a.Status)
	}
	w.advance(11 * time.Minute)
	w.confirm(t, first)
	for _, c := range calls {
		if a := w.call(t, c.method, c.path, "", first); a.code != http.StatusForbidden || a.Status != "confirmation_required" {
			t.Errorf("%s %s by the password: %d %s", c.method, c.path, a.code, a.Status)
		}
	}
	if a := w.call(t, "GET", "/users/me/security/", "", first); a.Totp == nil || a.BackupCodesLeft != 10 {
		t.Errorf("a second step is gone: %+v", a)
	}
	for _, body := range []string{fmt.Sprintf(`{"code": %q}`, w.code(t, secret, 0)), fmt.Sprintf(`{"backup_code": %q}`, codes[0])} {
		if a := w.call(t, "POST", "/users/me/confirmations/", body, first); a.code != http.StatusNoContent {
			t.Fatal(a.code, a.Status)
		}
		if a := w.call(t, "POST", "/users/me/passkeys/challenge/", "", first); a.code != http.StatusCreated {
			t.Errorf("after %s: %d %s", body, a.code, a.Status)
		}
		w.advance(11 * time.Minute)
	}
}

// Whoever has learnt the password and taken over a session does not change it either: the owner would be out, and their second steps with
// them. Without second steps the old password is what shows who it is.
func TestChangePassword_OfAnAccountWithASecondStepWantsItShownLately(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	change := func(old, wanted string) answer {
		t.Helper()
		return w.call(t, "POST", "/users/me/password", fmt.Sprintf(`{"old_password": %q, "new_password": %q}`, old, wanted), first)
	}
	if a := change("long enough", "seven grey stones"); a.code != http.StatusNoContent {
		t.Fatalf("without second steps: %d %s", a.code, a.Status)
	}
	if a := w.call(t, "POST", "/users/me/confirmations/", `{"password": "seven grey stones"}`, first); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	secret, _ := w.addApp(t, first)
	w.advance(11 * time.Minute)
	if a := w.call(t, "POST", "/users/me/confirmations/", `{"password": "seven grey stones"}`, first); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	before := w.passwordHash(t)
	for _, old := range []string{"seven grey stones", "not this one"} { // the answer does not tell which is right
		if a := change(old, "eight grey stones"); a.code != http.StatusForbidden || a.Status != "confirmation_required" {
			t.Errorf("by the password %q alone: %d %s", old, a.code, a.Status)
		}
	}
	if w.passwordHash(t) != before {
		t.Error("it was changed")
	}
	if a := w.call(t, "POST", "/users/me/confirmations/", fmt.Sprintf(`{"code": %q}`, w.code(t, secret, 0)), first); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	if a := change("not this one", "eight grey stones"); a.code != 422 {
		t.Errorf("with the second step and a wrong password: %d %s", a.code, a.Status)
	}
	if a := change("seven grey stones", "eight grey stones"); a.code != http.StatusNoContent {
		t.Errorf("with both: %d %s", a.code, a.Status)
	}
}

func TestSecondSteps_TheLastOneTakesTheBackupCodesAlong(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	_, _ = w.enrol(t, first)
	w.confirm(t, first)
	for range 2 {
		if a := w.call(t, "DELETE", "/users/me/totp/", "", first); a.code != http.StatusNoContent {
			t.Fatal(a.code, a.Status)
		}
	}
	if a := w.call(t, "GET", "/users/me/security/", "", first); a.Totp != nil || a.BackupCodesLeft != 0 {
		t.Errorf("%+v", a)
	}
	if a := w.call(t, "POST", signIn, rightCredentials, ""); a.code != http.StatusOK {
		t.Errorf("signing in: %d %s", a.code, a.Status)
	}
	if a := w.call(t, "POST", "/users/me/backup_codes/", "", first); a.code != http.StatusConflict {
		t.Errorf("backup codes of an account with one step: %d %s", a.code, a.Status)
	}
}

// An app that is set up anew replaces the old one only with its first code, within an hour.
func TestTOTP_ANewAppReplacesTheOldOneWithItsFirstCode(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	old, _ := w.enrol(t, first)
	begun := w.call(t, "POST", "/users/me/totp/", "", first)
	if a := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, begun.Secret, 0)); a.code != http.StatusUnauthorized {
		t.Errorf("the new one before its confirmation: %d", a.code)
	}
	if a := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, old, 0)); a.code != http.StatusOK {
		t.Errorf("the old one: %d", a.code)
	}
	w.advance(time.Hour)
	if a := w.call(t, "POST", "/users/me/confirmations/", fmt.Sprintf(`{"code": %q}`, w.code(t, old, 0)), first); a.code != 204 {
		t.Fatal(a.code, a.Status)
	}
	if a := w.call(t, "POST", "/users/me/totp/confirmation/", fmt.Sprintf(`{"code": %q}`, w.code(t, begun.Secret, 0)), first); a.code != http.StatusConflict || a.Status != "totp_not_begun" {
		t.Errorf("an hour later: %d %s", a.code, a.Status)
	}
	begun = w.call(t, "POST", "/users/me/totp/", "", first)
	if a := w.call(t, "POST", "/users/me/totp/confirmation/", fmt.Sprintf(`{"code": %q}`, w.code(t, begun.Secret, 0)), first); a.code != 200 || a.BackupCodes != nil {
		t.Errorf("%d %s, %d backup codes though there are some", a.code, a.Status, len(a.BackupCodes))
	}
	w.advance(time.Minute)
	for secret, want := range map[string]int{old: 401, begun.Secret: 200} {
		if a := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, 0)); a.code != want {
			t.Errorf("%d, want %d", a.code, want)
		}
	}
}

// An interrupted sign-in uses up neither the challenge nor the backup code.
func TestSecondStep_ThatIsInterruptedUsesUpNothing(t *testing.T) {
	w := setup(t, plenty)
	_, codes := w.enrol(t, w.register(t))
	asked := w.ask(t).SecondStep.Challenge
	for _, statement := range []string{
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`,
		`CREATE TRIGGER refuse BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse()`,
	} {
		if err := w.db.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	if a := w.step(t, asked, "backup_code", codes[0]); a.code != http.StatusInternalServerError {
		t.Fatalf("%d %s", a.code, a.Status)
	}
	if err := w.db.Exec(`DROP TRIGGER refuse ON sessions`).Error; err != nil {
		t.Fatal(err)
	}
	if a := w.step(t, asked, "backup_code", codes[0]); a.code != http.StatusOK {
		t.Errorf("again: %d %s", a.code, a.Status)
	}
}

// A stranger who had the password before is not left in by the second step that is to keep them out.
func TestSecondSteps_AddingOneEndsTheSessionsThatBeganWithThePasswordAlone(t *testing.T) {
	w := setup(t, plenty)
	own := w.register(t)
	others := w.call(t, "POST", signIn, `{"email": "leena@example.fi", "password": "long enough"}`, "").Token.String
	live := func(token string) int { return w.call(t, "GET", "/users/me/sessions/", "", token).code }
	if live(others) != http.StatusOK {
		t.Fatal("nobody else is signed in")
	}
	secret, _ := w.enrol(t, own)
	if got := []int{live(own), live(others)}; got[0] != 200 || got[1] != 401 {
		t.Errorf("after adding a second step the session that did it and the other one answer %v", got)
	}
	in := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, 0)).Token.String
	w.advance(time.Minute)
	w.enrol(t, own)
	if live(in) != http.StatusOK {
		t.Error("a session with a second step has ended")
	}
}
