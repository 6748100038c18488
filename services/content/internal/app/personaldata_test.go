package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// leaver registers somebody, whose password is in leave, and returns a session's token.
func (p *platform) leaver(t *testing.T) (token string, id int64) {
	t.Helper()
	made := call(t.Context(), p.checked(t), "POST", "/users/", `{"email": "leaver@example.fi", "password": "seven grey stones",
		"first_name": "Leena", "last_name": "Lähtijä"}`)
	if made.Code != http.StatusCreated {
		t.Fatal(made.Code, made.Body)
	}
	id = p.number(t, `SELECT id FROM users WHERE email = 'leaver@example.fi'`)
	_, rest, _ := strings.Cut(made.Body.String(), `"string":"`)
	token, _, _ = strings.Cut(rest, `"`)
	return token, id
}

const leave = `{"email": "Leaver@example.fi ", "password": "seven grey stones"}`

func TestOwnData_IsForWhoHasJustConfirmedAndKeptByNobody(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	token, _ := p.leaver(t)
	if a := call(t.Context(), h, "GET", "/users/me/data/", "", bearer(token)...); a.Code != http.StatusForbidden || !strings.Contains(a.Body.String(), "confirmation_required") {
		t.Fatal(a.Code, a.Body)
	}
	if a := call(t.Context(), h, "POST", "/users/me/confirmations/", `{"password": "seven grey stones"}`, bearer(token)...); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	for range 9 { // the refused one counts
		a := call(t.Context(), h, "GET", "/users/me/data/", "", bearer(token)...)
		if a.Code != http.StatusOK || a.Header().Get("Cache-Control") != "no-store" || !strings.Contains(a.Body.String(), "leaver@example.fi") ||
			!strings.HasPrefix(a.Header().Get("Content-Disposition"), "attachment") {
			t.Fatal(a.Code, a.Header(), a.Body)
		}
	}
	if a := call(t.Context(), h, "GET", "/users/me/data/", "", bearer(token)...); a.Code != http.StatusTooManyRequests {
		t.Error("more within the hour:", a.Code)
	}
}

func TestEraseAccount_NeedsTheAddressThePasswordAndTheSecondStep(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	token, id := p.leaver(t)
	for body, want := range map[string]string{
		`{"email": "somebody@example.fi", "password": "seven grey stones"}`: `"own_email"`,
		`{"email": "leaver@example.fi", "password": "seven grey stoneS"}`:   `"password_wrong"`,
		`{"email": "leaver@example.fi"}`:                                    `"required"`,
	} {
		if a := call(t.Context(), h, "POST", "/users/me/erasure/", body, bearer(token)...); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.Body.String(), want) {
			t.Errorf("%s: %d %s", body, a.Code, a.Body)
		}
	}
	if err := p.db.Exec(`INSERT INTO passkeys (user_id, credential_id, credential, name, added_at) VALUES (?, 'x', '{}', 'x', now())`, id).Error; err != nil {
		t.Fatal(err)
	}
	if a := call(t.Context(), h, "POST", "/users/me/erasure/", leave, bearer(token)...); a.Code != http.StatusForbidden || !strings.Contains(a.Body.String(), "confirmation_required") {
		t.Error("with the password alone:", a.Code, a.Body)
	}
	if err := p.db.Exec(`UPDATE sessions SET step_confirmed_at = now() WHERE user_id = ?`, id).Error; err != nil {
		t.Fatal(err)
	}
	if a := call(t.Context(), h, "POST", "/users/me/erasure/", leave, bearer(token)...); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	if a := call(t.Context(), h, "POST", "/users/me/erasure/", leave, bearer(token)...); a.Code != http.StatusUnauthorized {
		t.Error("a second time:", a.Code, a.Body)
	}
	if a := call(t.Context(), h, "POST", "/users/tokens/", `{"email": "leaver@example.fi", "password": "seven grey stones"}`); a.Code != http.StatusUnauthorized {
		t.Error("signing in:", a.Code, a.Body)
	}
	again, other := p.leaver(t)
	if again == "" || other == id {
		t.Error("the address cannot be registered anew")
	}
}

func TestEraseAccount_IsRefusedWithItsReasonWhileACampaignCollects(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	token, id := p.leaver(t)
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	if err := p.db.Exec(`UPDATE campaign_team SET user_id = ? WHERE campaign_id = ? AND position = 0`, id, campaign).Error; err != nil {
		t.Fatal(err)
	}
	if a := call(t.Context(), h, "GET", "/users/me/erasure/?language=en", "", bearer(token)...); a.Code != http.StatusOK || !strings.Contains(a.Body.String(), `"reason":"campaign"`) {
		t.Error(a.Code, a.Body)
	}
	if a := call(t.Context(), h, "POST", "/users/me/erasure/", leave, bearer(token)...); a.Code != http.StatusConflict || !strings.Contains(a.Body.String(), "erasure_blocked") {
		t.Error(a.Code, a.Body)
	}
	if a := call(t.Context(), h, "GET", "/users/me/profile", "", bearer(token)...); a.Code != http.StatusOK {
		t.Error("the session has ended:", a.Code)
	}
}

func TestEraseAccount_OtherSessionsEndToo(t *testing.T) {
	p := setupDemo(t)
	h := p.checked(t)
	token, id := p.leaver(t)
	elsewhere := p.session(t, id, false)
	if a := call(t.Context(), h, "POST", "/users/me/erasure/", leave, bearer(token)...); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	if a := call(t.Context(), h, "GET", "/users/me/profile", "", bearer(elsewhere)...); a.Code != http.StatusUnauthorized {
		t.Error(a.Code, a.Body)
	}
}
