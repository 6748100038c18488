package sessions_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
)

// party is the platform as a device sees it.
var party = virtualwebauthn.RelyingParty{Name: "Talkoot", ID: "talkoot.test", Origin: origin}

// device is a phone with one passkey.
type device struct {
	virtualwebauthn.Authenticator
	key virtualwebauthn.Credential
}

// coseKeyBytes is the length of a P-256 public key as WebAuthn has it: each coordinate is 32 bytes (RFC 9053, section 7.1.1).
const coseKeyBytes = 77

// newDevice makes its key again while a coordinate begins with a zero byte: virtualwebauthn leaves such bytes out, which
// devices do not, and one key in 128 would be refused.
func newDevice() *device {
	for {
		key := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		if len(key.Key.AttestationData()) == coseKeyBytes {
			return &device{Authenticator: virtualwebauthn.NewAuthenticator(), key: key}
		}
	}
}

// made is what a browser sends when the device has made its passkey.
func (d *device) made(t *testing.T, options []byte, at virtualwebauthn.RelyingParty) string {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAttestationOptions(string(options))
	if err != nil {
		t.Fatalf("%v in %s", err, options)
	}
	d.Options.UserHandle = []byte(parsed.UserID)
	d.AddCredential(d.key)
	return virtualwebauthn.CreateAttestationResponse(at, d.Authenticator, d.key, *parsed)
}

// signed is what a browser sends when the device has signed with its passkey.
func (d *device) signed(t *testing.T, options []byte, at virtualwebauthn.RelyingParty) string {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAssertionOptions(string(options))
	if err != nil {
		t.Fatalf("%v in %s", err, options)
	}
	d.key.Counter++
	return virtualwebauthn.CreateAssertionResponse(at, d.Authenticator, d.key, *parsed)
}

// addPasskey adds the device's passkey to the account of a session that is confirmed.
func (w *world) addPasskey(t *testing.T, d *device, token, name string) answer {
	t.Helper()
	begun := w.call(t, "POST", "/users/me/passkeys/challenge/", "", token)
	if begun.code != http.StatusCreated {
		t.Fatal(begun.code, begun.Status)
	}
	return w.call(t, "POST", "/users/me/passkeys/", fmt.Sprintf(`{"challenge": %q, "name": %q, "passkey": %s}`, begun.Challenge, name, d.made(t, begun.Options, party)), token)
}

// passkeySignIn signs in with a passkey alone.
func (w *world) passkeySignIn(t *testing.T, d *device, at virtualwebauthn.RelyingParty) answer {
	t.Helper()
	begun := w.call(t, "POST", "/users/tokens/passkey/challenge/", "", "")
	return w.call(t, "POST", "/users/tokens/passkey/", fmt.Sprintf(`{"challenge": %q, "passkey": %s}`, begun.Challenge, d.signed(t, begun.Options, at)), "")
}

func TestPasskey_SignsInAloneAndAsASecondStep(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	w.confirm(t, first)
	phone := newDevice()
	added := w.addPasskey(t, phone, first, "Leenan puhelin")
	if added.code != http.StatusCreated || len(added.BackupCodes) != 10 {
		t.Fatalf("%d %s %v", added.code, added.Status, added.Fields)
	}
	in := w.passkeySignIn(t, phone, party)
	if in.code != http.StatusOK || in.User.Email != "Leena@Example.fi" {
		t.Fatalf("alone: %d %s", in.code, in.Status)
	}
	if a := w.call(t, "GET", "/users/me/security/", "", in.Token.String); !a.SessionHasSecondStep || len(a.Passkeys) != 1 || a.Passkeys[0].Name != "Leenan puhelin" {
		t.Errorf("%+v", a)
	}
	asked := w.ask(t)
	if got := strings.Join(asked.SecondStep.Methods, " "); got != "passkey backup_code" {
		t.Errorf("methods %q", got)
	}
	body := fmt.Sprintf(`{"challenge": %q, "passkey": %s}`, asked.SecondStep.Challenge, phone.signed(t, asked.SecondStep.Passkey, party))
	for i, want := range []int{200, 410} {
		if a := w.call(t, "POST", secondStep, body, ""); a.code != want {
			t.Errorf("as a second step, time %d: %d %s, want %d", i+1, a.code, a.Status, want)
		}
	}
	begun := w.call(t, "POST", "/users/me/confirmations/challenge/", "", first)
	body = fmt.Sprintf(`{"challenge": %q, "passkey": %s}`, begun.Challenge, phone.signed(t, begun.Options, party))
	if a := w.call(t, "POST", "/users/me/confirmations/", body, in.Token.String); a.code != http.StatusGone {
		t.Errorf("another session's confirmation: %d %s", a.code, a.Status)
	}
	if a := w.call(t, "POST", "/users/me/confirmations/", body, first); a.code != http.StatusNoContent {
		t.Errorf("to confirm: %d %s %v", a.code, a.Status, a.Fields)
	}
}

func TestPasskey_IsRefused(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	w.confirm(t, first)
	phone := newDevice()
	if a := w.addPasskey(t, phone, first, "Puhelin"); a.code != http.StatusCreated {
		t.Fatal(a.code, a.Fields)
	}
	elsewhere := virtualwebauthn.RelyingParty{Name: "Talkoot", ID: "talkoot.test", Origin: "https://talkoot.evil.example"}
	if a := w.passkeySignIn(t, phone, elsewhere); a.code != 401 || a.Status != "passkey_failed" {
		t.Errorf("signed for another site: %d %s", a.code, a.Status)
	}
	unverified := *phone
	unverified.Options.UserNotVerified = true
	if a := w.passkeySignIn(t, &unverified, party); a.code != 401 {
		t.Errorf("without finger, face or code: %d %s", a.code, a.Status)
	}
	stranger := newDevice()
	stranger.Options.UserHandle = phone.Options.UserHandle
	if a := w.passkeySignIn(t, stranger, party); a.code != 401 {
		t.Errorf("a key that is not the account's: %d %s", a.code, a.Status)
	}
	if a := w.passkeySignIn(t, phone, party); a.code != 200 {
		t.Fatalf("the right one: %d %s", a.code, a.Status)
	}
	phone.key.Counter -= 2
	if a := w.passkeySignIn(t, phone, party); a.code != 401 {
		t.Errorf("a copy, whose counter is behind: %d %s", a.code, a.Status)
	}
	begun := w.call(t, "POST", "/users/tokens/passkey/challenge/", "", "")
	phone.key.Counter += 10
	body := fmt.Sprintf(`{"challenge": %q, "passkey": %s}`, begun.Challenge, phone.signed(t, begun.Options, party))
	for i, want := range []int{200, 410} {
		if a := w.call(t, "POST", "/users/tokens/passkey/", body, ""); a.code != want {
			t.Errorf("the same answer, time %d: %d %s, want %d", i+1, a.code, a.Status, want)
		}
	}
	if a := w.call(t, "POST", "/users/tokens/passkey/", strings.Replace(body, begun.Challenge, w.ask(t).SecondStep.Challenge, 1), ""); a.code != 410 {
		t.Errorf("with the challenge of a second step: %d %s", a.code, a.Status)
	}
	if err := w.db.Exec(`UPDATE users SET blocked_at = now()`).Error; err != nil {
		t.Fatal(err)
	}
	if a := w.passkeySignIn(t, phone, party); a.code != 403 || a.Status != "account_blocked" {
		t.Errorf("a blocked person: %d %s", a.code, a.Status)
	}
}

func TestPasskey_IsAddedOnceAndByItsOwnSession(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	w.confirm(t, first)
	second := w.call(t, "POST", signIn, rightCredentials, "").Token.String
	w.confirm(t, second)
	other := w.call(t, "POST", "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", "other@example.fi"), "").Token.String
	w.confirm(t, other)
	begun := w.call(t, "POST", "/users/me/passkeys/challenge/", "", first)
	phone := newDevice()
	body := fmt.Sprintf(`{"challenge": %q, "name": "P", "passkey": %s}`, begun.Challenge, phone.made(t, begun.Options, party))
	for _, c := range []struct {
		who, token string
		want       int
	}{{"another person", other, 410}, {"another session", second, 410}, {"the session", first, 201}, {"again", first, 410}} {
		if a := w.call(t, "POST", "/users/me/passkeys/", body, c.token); a.code != c.want {
			t.Errorf("%s: %d %s, want %d", c.who, a.code, a.Status, c.want)
		}
	}
	if a := w.addPasskey(t, phone, other, "Sama"); a.code != 422 {
		t.Errorf("the same key for another account: %d %s", a.code, a.Status)
	}
	if a := w.addPasskey(t, newDevice(), first, "  "); a.code != 422 {
		t.Errorf("without a name: %d %s", a.code, a.Status)
	}
	own := w.call(t, "GET", "/users/me/security/", "", first).Passkeys
	at := fmt.Sprintf("/users/me/passkeys/%d/", own[0].PasskeyID)
	for _, method := range []string{"PATCH", "DELETE"} {
		body := map[string]string{"PATCH": `{"name": "Uusi"}`}[method]
		if a := w.call(t, method, at, body, other); a.code != http.StatusNotFound {
			t.Errorf("%s by another person: %d", method, a.code)
		}
		if a := w.call(t, method, at, body, first); a.code != http.StatusNoContent {
			t.Errorf("%s: %d %s", method, a.code, a.Status)
		}
	}
	if a := w.passkeySignIn(t, phone, party); a.code != http.StatusUnauthorized {
		t.Errorf("a removed one: %d %s", a.code, a.Status)
	}
	if a := w.call(t, "POST", signIn, rightCredentials, ""); a.code != http.StatusOK {
		t.Errorf("the password after the last second step went: %d %s", a.code, a.Status)
	}
}

func TestPasskeys_AreTenAtMost(t *testing.T) {
	w := setup(t, plenty)
	first := w.register(t)
	w.confirm(t, first)
	for i := range 10 {
		if a := w.addPasskey(t, newDevice(), first, fmt.Sprint(i)); a.code != http.StatusCreated {
			t.Fatal(i, a.code, a.Status)
		}
	}
	if a := w.call(t, "POST", "/users/me/passkeys/challenge/", "", first); a.code != http.StatusConflict || a.Status != "too_many_passkeys" {
		t.Errorf("the eleventh: %d %s", a.code, a.Status)
	}
}
