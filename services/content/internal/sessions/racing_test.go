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
			w := setup(t, plenty)
			address, body := signIn, rightCredentials
			token := w.register(t)
			if c.twoSteps {
				secret, _ := w.enrol(t, token)
				address, body = secondStep, fmt.Sprintf(`{"challenge": %q, "code": %q}`, w.ask(t).SecondStep.Challenge, w.code(t, secret, 0))
			}
			answered := make(chan answer, 1)
			err := w.db.Transaction(func(tx *gorm.DB) error {
				for _, statement := range []string{c.update, `DELETE FROM sessions`, `DELETE FROM second_step_challenges`} {
					if err := tx.Exec(statement).Error; err != nil {
						return err
					}
				}
				go func() { answered <- w.call(t, "POST", address, body, "") }()
				for len(answered) == 0 && w.count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
					time.Sleep(time.Millisecond)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if a := <-answered; a.code != c.want {
				t.Errorf("answered %d %s, want %d", a.code, a.Status, c.want)
			}
			if n := w.count(t, `SELECT count(*) FROM sessions`); n != 0 {
				t.Errorf("%d sessions are left", n)
			}
		})
	}
}
