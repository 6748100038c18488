package sessions_test

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
)

const secondStep = "/users/tokens/second_step/"

// rightCredentials are Leena's.
const rightCredentials = `{"email": "leena@example.fi", "password": "long enough"}`

// register makes Leena's account, and returns her session's token.
func (w *world) register(t *testing.T) string {
	t.Helper()
	made := w.call(t, "POST", "/users/", leena, "")
	if made.code != http.StatusCreated {
		t.Fatal(made.code, made.Status)
	}
	return made.Token.String
}

// confirm shows the password again.
func (w *world) confirm(t *testing.T, token string) {
	t.Helper()
	if a := w.call(t, "POST", "/users/me/confirmations/", `{"password": "long enough"}`, token); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
}

// enrol sets up a code app, and returns its secret and the backup codes. The next code is one of the next time step.
func (w *world) enrol(t *testing.T, token string) (secret string, backupCodes []string) {
	t.Helper()
	w.confirm(t, token)
	return w.addApp(t, token)
}

// addApp sets up a code app for who has just confirmed that it is them.
func (w *world) addApp(t *testing.T, token string) (secret string, backupCodes []string) {
	t.Helper()
	begun := w.call(t, "POST", "/users/me/totp/", "", token)
	if begun.code != http.StatusCreated {
		t.Fatal(begun.code, begun.Status)
	}
	used := w.call(t, "POST", "/users/me/totp/confirmation/", fmt.Sprintf(`{"code": %q}`, w.code(t, begun.Secret, 0)), token)
	if used.code != http.StatusOK {
		t.Fatal(used.code, used.Status, used.Fields)
	}
	w.advance(time.Minute)
	return begun.Secret, used.BackupCodes
}

// code is what an app shows some time from now.
func (w *world) code(t *testing.T, secret string, off time.Duration) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, w.now().Add(off))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// ask signs in with the password, and returns the challenge of the second step.
func (w *world) ask(t *testing.T) answer {
	t.Helper()
	a := w.call(t, "POST", signIn, rightCredentials, "")
	if a.code != http.StatusAccepted || a.SecondStep.Challenge == "" || a.Token.String != "" || a.User.Email != "" {
		t.Fatalf("%+v", a)
	}
	return a
}

func (w *world) step(t *testing.T, challenge, field, value string) answer {
	t.Helper()
	return w.call(t, "POST", secondStep, fmt.Sprintf(`{"challenge": %q, %q: %q}`, challenge, field, value), "")
}

func TestTOTP_ThePasswordAloneBeginsNoSession(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	secret, _ := w.enrol(t, first)
	var before int
	if err := w.db.Raw(`SELECT count(*) FROM sessions`).Scan(&before).Error; err != nil {
		t.Fatal(err)
	}
	asked := w.ask(t)
	var after int
	if err := w.db.Raw(`SELECT count(*) FROM sessions`).Scan(&after).Error; err != nil || after != before {
		t.Errorf("%d sessions, were %d; %v", after, before, err)
	}
	if got := strings.Join(asked.SecondStep.Methods, " "); got != "totp backup_code" {
		t.Errorf("methods %q", got)
	}
	in := w.step(t, asked.SecondStep.Challenge, "code", w.code(t, secret, 0))
	if in.code != http.StatusOK || in.Token.String == "" || in.User.Email != "Leena@Example.fi" {
		t.Fatalf("%d %s", in.code, in.Status)
	}
	if a := w.call(t, "GET", "/users/me/security/", "", in.Token.String); a.code != 200 || !a.SessionHasSecondStep || a.Totp == nil {
		t.Errorf("%+v", a)
	}
	if again := w.step(t, asked.SecondStep.Challenge, "code", w.code(t, secret, 30*time.Second)); again.code != 410 || again.Status != "challenge_expired" {
		t.Errorf("the challenge again: %d %s", again.code, again.Status)
	}
}

// RFC 6238, section 5.2: a code is taken once; a phone's clock may be half a minute off.
func TestTOTP_ACodeIsTakenOnceAndWithinHalfAMinute(t *testing.T) {
	for name, c := range map[string]struct {
		offs []time.Duration
		want []int
	}{
		"now, and the same again":              {[]time.Duration{0, 0}, []int{200, 401}},
		"now, and an earlier one":              {[]time.Duration{0, -30 * time.Second}, []int{200, 401}},
		"now, and the next one":                {[]time.Duration{0, 30 * time.Second}, []int{200, 200}},
		"a clock half a minute behind":         {[]time.Duration{-30 * time.Second}, []int{200}},
		"a clock a minute behind":              {[]time.Duration{-time.Minute}, []int{401}},
		"a clock half a minute ahead":          {[]time.Duration{30 * time.Second}, []int{200}},
		"a clock a minute ahead":               {[]time.Duration{time.Minute}, []int{401}},
		"ahead, and then the one of this time": {[]time.Duration{30 * time.Second, 0}, []int{200, 401}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, plenty)
			secret, _ := w.enrol(t, w.register(t))
			for i, off := range c.offs {
				if a := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, off)); a.code != c.want[i] {
					t.Errorf("code %d: %d %s, want %d", i, a.code, a.Status, c.want[i])
				}
			}
		})
	}
}

func TestTOTP_OfManyWhoSendACodeAtOnceOneGetsIn(t *testing.T) {
	w := setup(t, plenty)
	secret, _ := w.enrol(t, w.register(t))
	code := w.code(t, secret, 0)
	const crowd = 4 // fewer than are stopped for wrong codes
	challenges := make([]string, crowd)
	for i := range challenges {
		challenges[i] = w.ask(t).SecondStep.Challenge
	}
	var in atomic.Int64
	var wait sync.WaitGroup
	for _, challenge := range challenges {
		wait.Go(func() {
			if w.step(t, challenge, "code", code).code == http.StatusOK {
				in.Add(1)
			}
		})
	}
	wait.Wait()
	if in.Load() != 1 {
		t.Errorf("%d got in with one code", in.Load())
	}
}

// Wrong codes are limited as wrong passwords are, in as many sign-ins as one likes; the owner's password and known device are not.
func TestTOTP_GuessesAreStopped(t *testing.T) {
	w := setup(t, plenty)
	secret, _ := w.enrol(t, w.register(t))
	looked := 0
	for range 40 {
		asked := w.call(t, "POST", signIn, rightCredentials, "")
		if asked.code != http.StatusAccepted {
			t.Fatalf("the right password: %d %s", asked.code, asked.Status)
		}
		switch a := w.step(t, asked.SecondStep.Challenge, "code", "000000"); a.code {
		case http.StatusUnauthorized:
			looked++
		case http.StatusTooManyRequests:
			if a.retryAfter == "" {
				t.Error("no Retry-After")
			}
		default:
			t.Fatalf("%d %s", a.code, a.Status)
		}
	}
	if looked < 3 || looked > 8 {
		t.Errorf("%d codes were looked at", looked)
	}
	if a := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, 0)); a.code != http.StatusTooManyRequests {
		t.Errorf("the right code during a pause: %d", a.code)
	}
	w.advance(2 * time.Hour)
	if a := w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, 0)); a.code != http.StatusOK {
		t.Errorf("the right code later: %d %s", a.code, a.Status)
	}
}

func TestChallenge_EndsAfterTenMinutesAndWithANewPassword(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	secret, _ := w.enrol(t, first)
	old := w.ask(t).SecondStep.Challenge
	w.advance(10*time.Minute + time.Second)
	if a := w.step(t, old, "code", w.code(t, secret, 0)); a.code != http.StatusGone {
		t.Errorf("after ten minutes: %d %s", a.code, a.Status)
	}
	under := w.ask(t).SecondStep.Challenge
	if a := w.call(t, "POST", "/users/me/confirmations/", fmt.Sprintf(`{"code": %q}`, w.code(t, secret, 0)), first); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	if a := w.call(t, "POST", "/users/me/password", `{"old_password": "long enough", "new_password": "seven grey stones"}`, first); a.code != http.StatusNoContent {
		t.Fatal(a.code, a.Status)
	}
	if a := w.step(t, under, "code", w.code(t, secret, 0)); a.code != http.StatusGone {
		t.Errorf("begun with the old password: %d %s", a.code, a.Status)
	}
}

func TestBackupCodes_AreTenAndTakenOnceHoweverTheyAreCopied(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	_, codes := w.enrol(t, first)
	if len(codes) != 10 || len(codes[0]) != 19 {
		t.Fatalf("%q", codes)
	}
	copied := strings.ToLower(strings.ReplaceAll(codes[0], "-", " "))
	for i, want := range []int{200, 401} {
		if a := w.step(t, w.ask(t).SecondStep.Challenge, "backup_code", copied); a.code != want {
			t.Errorf("time %d: %d %s, want %d", i+1, a.code, a.Status, want)
		}
	}
	if a := w.call(t, "GET", "/users/me/security/", "", first); a.BackupCodesLeft != 9 {
		t.Errorf("%d left", a.BackupCodesLeft)
	}
	w.confirm(t, first)
	made := w.call(t, "POST", "/users/me/backup_codes/", "", first)
	if made.code != 200 || len(made.BackupCodes) != 10 {
		t.Fatal(made.code, made.Status)
	}
	for code, want := range map[string]int{codes[1]: 401, made.BackupCodes[0]: 200} {
		if a := w.step(t, w.ask(t).SecondStep.Challenge, "backup_code", code); a.code != want {
			t.Errorf("%d, want %d", a.code, want)
		}
	}
	var all string
	if err := w.db.Raw(`SELECT concat((SELECT string_agg(b::text, ' ') FROM backup_codes b), (SELECT string_agg(t::text, ' ') FROM totp_apps t))`).Scan(&all).Error; err != nil {
		t.Fatal(err)
	}
	for _, code := range made.BackupCodes {
		if strings.Contains(all, code) || strings.Contains(all, strings.ReplaceAll(code, "-", "")) {
			t.Error("a code stands in the database")
		}
	}
}

// A secret that is copied out of the database, or to another person's row, opens nothing.
func TestTOTP_TheSecretIsSealedToItsPerson(t *testing.T) {
	w := setup(t, plenty)
	secret, _ := w.enrol(t, w.register(t))
	var stored []byte
	if err := w.db.Raw(`SELECT secret FROM totp_apps`).Row().Scan(&stored); err != nil || strings.Contains(string(stored), secret) {
		t.Fatalf("stored %q, %v", stored, err)
	}
	other := strings.ReplaceAll(leena, "Leena@Example.fi", "other@example.fi")
	if a := w.call(t, "POST", "/users/", other, ""); a.code != http.StatusCreated {
		t.Fatal(a.code)
	}
	err := w.db.Exec(`INSERT INTO totp_apps (user_id, secret, added_at) SELECT max(u.id), t.secret, now() FROM users u, totp_apps t GROUP BY t.secret`).Error
	if err != nil {
		t.Fatal(err)
	}
	asked := w.call(t, "POST", signIn, `{"email": "other@example.fi", "password": "long enough"}`, "")
	if a := w.step(t, asked.SecondStep.Challenge, "code", w.code(t, secret, 0)); a.code != http.StatusInternalServerError {
		t.Errorf("another's secret: %d %s", a.code, a.Status)
	}
}

// The key of code apps is replaced: the one of before still opens, a code that is shown seals the secret anew, and so does one command for all. Then the one of
// before is needed no more.
func TestTOTP_KeysAreReplaced_AndNobodyLosesTheirApp(t *testing.T) {
	w := setup(t, plenty)
	secret, _ := w.enrol(t, w.register(t))
	var user int64
	if err := w.db.Raw(`SELECT user_id FROM totp_apps`).Scan(&user).Error; err != nil {
		t.Fatal(err)
	}
	old := sessions.SealsOf(session.NewSigner(ed25519.NewKeyFromSeed(make([]byte, 32)), w.now))
	fresh, another := []byte(strings.Repeat("n", 32)), []byte(strings.Repeat("a", 32))
	passes := func(keys ...[]byte) error {
		t.Helper()
		steps, err := secondstep.New(secondstep.Options{DB: w.db, Now: w.now, Keys: keys, PublicURL: origin})
		if err != nil {
			t.Fatal(err)
		}
		w.advance(time.Minute)
		asked, err := steps.Ask(t.Context(), w.db, user)
		if err != nil {
			t.Fatal(err)
		}
		return steps.Pass(t.Context(), w.db, asked.Token, secondstep.Proof{Code: w.code(t, secret, 0)})
	}
	if err := passes(fresh); err == nil {
		t.Error("a key that has sealed nothing opens")
	}
	if err := passes(fresh, old[0]); err != nil {
		t.Errorf("with the key of before behind it: %v", err)
	}
	if err := passes(fresh); err != nil {
		t.Errorf("with the new key alone, after a code was shown: %v", err)
	}
	for _, want := range []int{1, 0} {
		if n, err := secondstep.Reseal(t.Context(), w.db, [][]byte{another, fresh}); err != nil || n != want {
			t.Errorf("%d are sealed anew, want %d, %v", n, want, err)
		}
	}
	if err := passes(another); err != nil {
		t.Errorf("after all were sealed anew: %v", err)
	}
	if n, err := secondstep.Reseal(t.Context(), w.db, [][]byte{fresh}); err == nil || n != 0 {
		t.Errorf("%d without the key, and no fault", n)
	}
}
