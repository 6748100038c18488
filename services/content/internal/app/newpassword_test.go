package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"
)

// linkIn is the token of the latest mail with a link for a new password to an address.
func (p *mailedPlatform) linkIn(t *testing.T, to string) (token string) {
	t.Helper()
	p.deliver(t, to)
	for _, m := range p.sent {
		if _, after, found := strings.Cut(m.Text, "/password-reset/#token="); m.To == to && found {
			token, _, _ = strings.Cut(after, "&email="+strings.ReplaceAll(to, "@", "%40"))
		}
	}
	return token
}

// From the form to the new password by way of the mail; nobody's address gets no mail.
func TestPasswordReset_ByTheMailedLink(t *testing.T) {
	p := withMails(t)
	session := p.person(t, "aino@example.fi", "fi")
	for _, address := range []string{"aino@example.fi", "nobody@example.fi"} {
		answer := call(t.Context(), p.checked(t), "POST", "/users/password_resets/", fmt.Sprintf(`{"email": %q}`, address))
		if answer.Code != http.StatusAccepted || answer.Body.Len() != 0 {
			t.Errorf("%s: %d %s", address, answer.Code, answer.Body)
		}
	}
	token := p.linkIn(t, "aino@example.fi")
	if token == "" || p.linkIn(t, "nobody@example.fi") != "" {
		t.Fatalf("mailed: %v", p.sent)
	}
	body := fmt.Sprintf(`{"email": "aino@example.fi", "token": %q, "new_password": "seven grey stones"}`, token)
	for i, want := range []int{204, 410} {
		if answer := call(t.Context(), p.checked(t), "POST", "/users/password_changes/", body); answer.Code != want {
			t.Errorf("time %d: %d %s, want %d", i+1, answer.Code, answer.Body, want)
		}
	}
	if answer := call(t.Context(), p.checked(t), "GET", "/users/me/profile", "", bearer(session)...); answer.Code != http.StatusUnauthorized {
		t.Errorf("a session from before: %d", answer.Code)
	}
	p.deliver(t, "aino@example.fi")
	if last := p.sent[len(p.sent)-1]; last.To != "aino@example.fi" || last.Subject != "Salasanasi vaihdettiin" {
		t.Errorf("the last mail is %q to %s", last.Subject, last.To)
	}
}

// The demo's admin signs in with the code that the sandbox shows.
func TestDemo_TheAdminSignsInWithACode(t *testing.T) {
	p := setupDemo(t)
	answer := call(t.Context(), p.checked(t), "POST", "/users/tokens/", `{"email": "admin@talkoot.example", "password": "talkoot-demo"}`)
	var asked struct {
		SecondStep struct{ Challenge string } `json:"second_step"`
	}
	decode(t, answer.Body.Bytes(), &asked)
	code, err := totp.GenerateCode("TALKOOTDEMOADMINTALKOOTDEMOADMIN", p.options.Now())
	if err != nil || answer.Code != http.StatusAccepted {
		t.Fatal(answer.Code, err)
	}
	answer = call(t.Context(), p.checked(t), "POST", "/users/tokens/second_step/", fmt.Sprintf(`{"challenge": %q, "code": %q}`, asked.SecondStep.Challenge, code))
	if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `"admin"`) {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}
