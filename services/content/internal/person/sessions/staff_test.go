package sessions_test

import (
	"context"
	"crypto/ed25519"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/sessions"
)

// Staff have their scope only in a session that was begun with a second step, and are told what is missing.
func TestStaff_HaveNoRightsByAPasswordAlone(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	if err := w.db.Exec(`UPDATE users SET verified = true`).Error; err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.MakeAdmin(t.Context(), w.db, "leena@example.fi", w.now()); err != nil {
		t.Fatal(err)
	}
	in := w.call(t, "POST", signIn, rightCredentials, "")
	if in.code != 200 || strings.Join(in.User.Scope, " ") != "view" || !in.User.SecondStepMissing {
		t.Errorf("%d, %v, %v", in.code, in.User.Scope, in.User.SecondStepMissing)
	}
	if got := w.scope(t, in.Token.String); got != "view" {
		t.Errorf("with a password alone: %s", got)
	}
	if a := w.call(t, "GET", "/users/me/security/", "", in.Token.String); !a.IsRequired || a.SessionHasSecondStep {
		t.Errorf("%+v", a)
	}
	secret, _ := w.enrol(t, first)
	if got := w.scope(t, first); got != "view" {
		t.Errorf("a session from before: %s", got)
	}
	in = w.step(t, w.ask(t).SecondStep.Challenge, "code", w.code(t, secret, 0))
	if strings.Join(in.User.Scope, " ") != "view edit admin" || in.User.SecondStepMissing || w.scope(t, in.Token.String) != "view edit admin" {
		t.Errorf("with a second step: %v", in.User.Scope)
	}
	removed, err := sessions.RemoveSecondSteps(t.Context(), w.db, "leena@example.fi", w.now())
	if err != nil || !removed {
		t.Fatal(removed, err)
	}
	if a := w.call(t, "GET", "/users/me/security/", "", in.Token.String); a.code != http.StatusUnauthorized {
		t.Errorf("a session after the operator removed the second steps: %d", a.code)
	}
	if in = w.call(t, "POST", signIn, rightCredentials, ""); in.code != 200 || strings.Join(in.User.Scope, " ") != "view" {
		t.Errorf("signing in after it: %d, %v", in.code, in.User.Scope)
	}
	if removed, err := sessions.RemoveSecondSteps(t.Context(), w.db, "leena@example.fi", w.now()); err != nil || removed {
		t.Errorf("again: %v, %v", removed, err)
	}
	var audited string
	err = w.db.Raw(`SELECT string_agg(actor || ' ' || action, '; ' ORDER BY id) FROM audit_log WHERE entity = 'user'`).Scan(&audited).Error
	if err != nil || audited != "operator admin_made; user new_device; user totp_added; user new_device; operator second_steps_removed; user new_device" {
		t.Errorf("audited: %s, %v", audited, err)
	}
}

// scope is that of a session's next request.
func (w *world) scope(t *testing.T, token string) string {
	t.Helper()
	signer := session.NewSigner(ed25519.NewKeyFromSeed(make([]byte, 32)), w.now)
	who, err := session.NewVerifier(signer.Keys(), w.now).Verify(token)
	if err != nil {
		t.Fatal(err)
	}
	live, err := w.Live(context.WithoutCancel(t.Context()), who)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(live.Scope, " ")
}
