package sessions_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"gorm.io/gorm"
)

// Whoever changes a password or is blocked ends their sessions. A sign-in that has compared the old password, or passed
// its second step, but has not begun its session yet, must not come in afterwards.
func TestSignIn_ThatRunsWhileSessionsEndComesToNothing(t *testing.T) {
	const password, blocked = `UPDATE users SET password_hash = 'another'`, `UPDATE users SET blocked_at = now(), block_reason = 'spam'`
	for name, c := range map[string]struct {
		update   string
		twoSteps bool
		want     int
	}{
		"the password changes":                   {update: password, want: http.StatusUnauthorized},
		"the person is blocked":                  {update: blocked, want: http.StatusForbidden},
		"the password changes, second step":      {update: password, twoSteps: true, want: http.StatusGone},
		"the person is blocked, the second step": {update: blocked, twoSteps: true, want: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			w := setupHashing(t, plenty)
			address, body := signIn, rightCredentials
			token := w.register(t)
			if c.twoSteps {
				secret, _ := w.enrol(t, token)
				address, body = secondStep, fmt.Sprintf(`{"challenge": %q, "code": %q}`, w.ask(t).SecondStep.Challenge, w.code(t, secret, 0))
			}
			a := w.whileItWaits(t, []string{c.update, `DELETE FROM sessions`, `DELETE FROM second_step_challenges`},
				func() answer { return w.call(t, "POST", address, body, "") })
			if a.code != c.want {
				t.Errorf("answered %d %s, want %d", a.code, a.Status, c.want)
			}
			if n := w.count(t, `SELECT count(*) FROM sessions`); n != 0 {
				t.Errorf("%d sessions are left", n)
			}
		})
	}
}

// whileItWaits runs statements in a transaction, makes a call, and commits once the call waits for it or has answered.
func (w *world) whileItWaits(t *testing.T, statements []string, call func() answer) answer {
	t.Helper()
	answered := make(chan answer, 1)
	err := w.db.Transaction(func(tx *gorm.DB) error {
		for _, statement := range statements {
			if err := tx.Exec(statement).Error; err != nil {
				return err
			}
		}
		go func() { answered <- call() }()
		for len(answered) == 0 && w.count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return <-answered
}

// Whoever has taken over a session and is changing the password when its owner sets a new one by mail comes too late,
// however long their new one has been hashed.
func TestChangePassword_ThatRunsWhileAnotherIsSetComesToNothing(t *testing.T) {
	const password, ended = `UPDATE users SET password_hash = 'another'`, `DELETE FROM sessions`
	for name, c := range map[string]struct {
		meanwhile []string
		want      string
	}{
		"a new one by mail, which ends all sessions": {[]string{password, ended}, "401 token_expired"},
		"the session is ended from another device":   {[]string{ended}, "401 token_expired"},
		"another change by the same session":         {[]string{password}, "422 invalid_fields"},
	} {
		t.Run(name, func(t *testing.T) {
			w := setupHashing(t, plenty)
			token := w.register(t)
			before := w.passwordHash(t)
			a := w.whileItWaits(t, c.meanwhile, func() answer {
				return w.call(t, "POST", "/users/me/password", `{"old_password": "long enough", "new_password": "seven grey stones"}`, token)
			})
			if got := fmt.Sprint(a.code, " ", a.Status); got != c.want {
				t.Errorf("answered %s, want %s", got, c.want)
			}
			want := before
			if c.meanwhile[0] == password {
				want = "another"
			}
			if got := w.passwordHash(t); got != want {
				t.Errorf("the change has overwritten it: %s", got)
			}
		})
	}
}

func (w *world) passwordHash(t *testing.T) (hash string) {
	t.Helper()
	if err := w.db.Raw(`SELECT password_hash FROM users`).Scan(&hash).Error; err != nil {
		t.Fatal(err)
	}
	return hash
}
