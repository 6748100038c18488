package main

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// real is the environment of a platform without sandbox.
func real(t *testing.T, databaseURL string) []string {
	t.Helper()
	return environ(t, databaseURL, "SANDBOX=", "STRIPE_PUBLISHABLE_KEY=pk_live_x", "ADDR="+freeAddr(t))
}

func TestServe_RefusesDemoContentWhereRealMoneyMoves(t *testing.T) {
	db := dbtest.New(t, migrations.FS)
	log := slog.New(slog.DiscardHandler)
	if err := run(t.Context(), []string{"seed"}, environ(t, db.URL), log); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"serve": {"serve"}, "an admin beside the demo's": {"admin", "--email", "a@b.fi", "--first-name", "A", "--last-name", "B"},
	} {
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second) // one that starts would serve for ever
		err := run(ctx, args, real(t, db.URL), log)
		stop()
		if err == nil || !strings.Contains(err.Error(), "content admin") || !strings.Contains(err.Error(), "empty database") {
			t.Errorf("%s: %v, want what to do", name, err)
		}
	}
}

func TestSeed_RefusesRealKeys(t *testing.T) {
	db := dbtest.New(t, migrations.FS)
	for name, env := range map[string][]string{
		"without SANDBOX": real(t, db.URL), "with SANDBOX": append(real(t, db.URL), "SANDBOX=1"),
	} {
		if err := run(t.Context(), []string{"seed"}, env, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "SANDBOX") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var n int
	if err := db.Gorm.Raw(`SELECT count(*) FROM users`).Scan(&n).Error; err != nil || n != 0 {
		t.Errorf("%d people, %v", n, err)
	}
}

func TestServe_RefusesRealKeysInASandbox(t *testing.T) {
	db := dbtest.New(t, migrations.FS)
	env := append(real(t, db.URL), "SANDBOX=1")
	if err := run(t.Context(), []string{"serve"}, env, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "real money") {
		t.Errorf("got %v", err)
	}
}

// operator runs a command at a console.
type operator struct {
	t   *testing.T
	db  *dbtest.DB
	out bytes.Buffer
}

func (o *operator) run(stdin string, isTerminal bool, args ...string) error {
	o.t.Helper()
	o.out.Reset()
	return people(o.t.Context(), args, real(o.t, o.db.URL), slog.New(slog.DiscardHandler),
		console{in: strings.NewReader(stdin), out: &o.out, inIsTTY: stdin == "", outIsTTY: isTerminal})
}

func (o *operator) text(query string) (answer string) {
	o.t.Helper()
	if err := o.db.Gorm.Raw(query).Scan(&answer).Error; err != nil {
		o.t.Fatal(err)
	}
	return answer
}

const admins = `SELECT coalesce(string_agg(email || ' ' || array_to_string(scope, ',') || ' ' || verified, '; ' ORDER BY id), '') FROM users`

func TestAdmin_IsMadeOnce_WithAPasswordThatIsShownOnce(t *testing.T) {
	o := &operator{t: t, db: dbtest.New(t, migrations.FS)}
	first := []string{"admin", "--email", " Eeva@Example.fi ", "--first-name", "Eeva", "--last-name", "Halonen"}
	if err := o.run("", true, first...); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`shown only now: [A-Z2-7]{26}\n`).MatchString(o.out.String()) {
		t.Errorf("printed %q", &o.out)
	}
	hash := o.text(`SELECT password_hash FROM users`)
	for range 2 {
		if err := o.run("", true, first...); err != nil || strings.Contains(o.out.String(), "password") {
			t.Errorf("again: %v, %q", err, &o.out)
		}
	}
	if got := o.text(admins); got != "Eeva@Example.fi view,edit,admin true" {
		t.Errorf("there are %q", got)
	}
	if again := o.text(`SELECT password_hash FROM users`); again != hash || !strings.HasPrefix(hash, "$argon2id$") {
		t.Errorf("the hash was %s and is %s", hash, again)
	}
	if got := o.text(`SELECT string_agg(actor || ' ' || action || ' ' || entity || ' ' || (after ->> 'scope'), ';') FROM audit_log`); got != `operator admin_made user ["view", "edit", "admin"]` {
		t.Errorf("audited: %q", got)
	}
}

func TestAdmin_IsNotMadeWhereThatIsUnsafe(t *testing.T) {
	o := &operator{t: t, db: dbtest.New(t, migrations.FS)}
	err := o.db.Gorm.Exec(`INSERT INTO users (email, password_hash, first_name, last_name, created_at) VALUES ('stranger@example.fi', 'x', 'A', 'B', now())`).Error
	if err != nil {
		t.Fatal(err)
	}
	named := []string{"--first-name", "Eeva", "--last-name", "Halonen"}
	for name, c := range map[string]struct {
		stdin      string
		isTerminal bool
		args       []string
		want       string
	}{
		"the password would be printed into a log": {"", false, []string{"admin", "--email", "a@b.fi"}, "--password-stdin"},
		"the password would be typed in sight":     {"", true, []string{"admin", "--email", "a@b.fi", "--password-stdin"}, "screen"},
		"nobody has shown that the address is his": {"", true, []string{"admin", "--email", "Stranger@example.fi"}, "not confirmed"},
		"no name":                    {"", true, []string{"admin", "--email", "a@b.fi"}, "--first-name"},
		"no address":                 {"", true, []string{"admin"}, "usage"},
		"an address that is none":    {"", true, append([]string{"admin", "--email", "a"}, named...), "email"},
		"an empty address":           {"", true, []string{"block", "--email", ""}, "--email is empty"},
		"an empty name":              {"", true, []string{"admin", "--email", "a@b.fi", "--first-name", " ", "--last-name", "B"}, "--first-name is empty"},
		"a receipt without a number": {"", true, []string{"receipt", "--number", ""}, "usage"},
		"a word too many":            {"", true, []string{"admin", "--email", "a@b.fi", "secret"}, "usage"},
		"no such option":             {"", true, []string{"block", "--email", "a@b.fi", "--remove"}, "usage"},
		"blocking whom there is not": {"", true, []string{"block", "--email", "a@b.fi"}, "nobody"},
		"removing whom there is not": {"", true, []string{"admin", "--email", "a@b.fi", "--remove"}, "nobody"},
	} {
		if err := o.run(c.stdin, c.isTerminal, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if got := o.text(admins); got != "stranger@example.fi view false" {
		t.Errorf("there are %q", got)
	}
}

func TestAdmin_WithAPasswordFromStdin_WhichIsNotPrinted(t *testing.T) {
	o := &operator{t: t, db: dbtest.New(t, migrations.FS)}
	err := o.run("eleven blue boats\n", false, "admin", "--email", "a@b.fi", "--first-name", "Eeva", "--last-name", "Halonen", "--password-stdin")
	if err != nil || strings.Contains(o.out.String(), "boats") {
		t.Errorf("%v, %q", err, &o.out)
	}
	if got := o.text(admins); got != "a@b.fi view,edit,admin true" {
		t.Errorf("there are %q", got)
	}
	for _, weak := range []string{"password1", "halonen1", "short"} {
		err := o.run(weak+"\n", false, "admin", "--email", "b@b.fi", "--first-name", "Eeva", "--last-name", "Halonen", "--password-stdin")
		if err == nil || !strings.Contains(err.Error(), "password: ") || strings.Contains(err.Error(), weak) {
			t.Errorf("%s: %v", weak, err)
		}
	}
}

func TestAdmin_OfAConfirmedAccountKeepsItsPassword_AndIsTakenBack_AndBlocked(t *testing.T) {
	o := &operator{t: t, db: dbtest.New(t, migrations.FS)}
	err := o.db.Gorm.Exec(`INSERT INTO users (email, password_hash, first_name, last_name, created_at, verified) VALUES ('a@b.fi', 'x', 'A', 'B', now(), true)`).Error
	if err != nil {
		t.Fatal(err)
	}
	state := `SELECT array_to_string(scope, ',') || ' ' || (blocked_at IS NOT NULL) || ' ' || password_hash || ' ' || (SELECT count(*) FROM audit_log) FROM users`
	for _, step := range []struct{ command, want string }{
		{"admin --email a@b.fi", "view,edit,admin false x 1"},
		{"admin --email a@b.fi", "view,edit,admin false x 1"},
		{"admin --email A@b.fi --remove", "view false x 2"},
		{"admin --email A@b.fi --remove", "view false x 2"},
		{"block --email a@b.fi", "view true x 3"},
		{"block --email a@b.fi", "view true x 3"},
		{"unblock --email a@b.fi", "view false x 4"},
	} {
		if err := o.run("", true, strings.Fields(step.command)...); err != nil {
			t.Errorf("%s: %v", step.command, err)
		}
		if got := o.text(state); got != step.want {
			t.Errorf("%s: %s, want %s", step.command, got, step.want)
		}
	}
}

func TestResetSecondStep_LetsSomebodyInWhoHasLostTheirs(t *testing.T) {
	o := &operator{t: t, db: dbtest.New(t, migrations.FS)}
	err := o.db.Gorm.Exec(`
		INSERT INTO users (email, password_hash, first_name, last_name, created_at, verified) VALUES ('a@b.fi', 'x', 'A', 'B', now(), true);
		INSERT INTO totp_apps (user_id, secret, added_at) VALUES (1, 'x', now());
		INSERT INTO passkeys (user_id, credential_id, credential, name, added_at) VALUES (1, 'x', '{}', 'P', now());
		INSERT INTO backup_codes (user_id, code_hash) VALUES (1, 'x');
		INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ('s', 1, now(), now() + interval '1 hour')`).Error
	if err != nil {
		t.Fatal(err)
	}
	state := `SELECT concat_ws(' ', (SELECT count(*) FROM totp_apps), (SELECT count(*) FROM passkeys), (SELECT count(*) FROM backup_codes),
		(SELECT count(*) FROM sessions), (SELECT password_hash FROM users), (SELECT string_agg(actor || ' ' || action, ';') FROM audit_log),
		(SELECT string_agg(payload ->> 'event', ';') FROM outbox WHERE kind = 'mail.security'))`
	for i, printed := range []string{"Done.\n", "It is so already; nothing has changed.\n"} {
		if err := o.run("", true, "reset-second-step", "--email", "A@b.fi"); err != nil || o.out.String() != printed {
			t.Errorf("time %d: %v, printed %q", i+1, err, &o.out)
		}
		if got := o.text(state); got != "0 0 0 0 x operator second_steps_removed second_steps_removed" {
			t.Errorf("time %d: %s", i+1, got)
		}
	}
	if err := o.run("", true, "reset-second-step", "--email", "nobody@b.fi"); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("nobody's: %v", err)
	}
}
