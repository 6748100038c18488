package app_test

import (
	"fmt"
	"net/http"
	"testing"
)

// Capital İ (U+0130) is i in lower case, and yet another letter: at gmaİl.example is not at gmail.example, and anybody may have it.
func TestAddress_WithALetterThatIsAnotherInLowerCase_IsAnothersMailbox(t *testing.T) {
	const owner, stranger, spelled = "irina@gmail.example", "irina@gmaİl.example", "irina@gmai̇l.example"
	p := withMails(t)
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 6`)
	p.do(t, `INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until,
			begun_on, next_charge_on, created_at, updated_at)
		VALUES ('01arz3ndektsv4rrffq69g5fav', ?, 'active', 700, 'EUR', ?, 'Irina', 'B', 'fi', now(), CAST(now() AS date), CAST(now() AS date) + 30, now(), now())`,
		campaign, owner)
	for _, typed := range []string{stranger, spelled} {
		if _, texts := p.askLinks(t, typed); len(texts) != 0 {
			t.Errorf("the links of %s are mailed to %s: %v", owner, typed, texts)
		}
	}
	theirs := p.person(t, stranger, "fi")
	tokens := p.deliver(t, spelled)
	if len(tokens) != 1 || p.confirm(t, theirs, tokens[0]) != http.StatusOK {
		t.Fatalf("the stranger cannot confirm their own address: %v", tokens)
	}
	var list struct{ Total int }
	decode(t, call(t.Context(), p.checked(t), "GET", "/users/me/subscriptions/fi/", "", bearer(theirs)...).Body.Bytes(), &list)
	if list.Total != 0 {
		t.Errorf("the stranger has the owner's support")
	}
	if a := call(t.Context(), p.checked(t), "GET", "/v2/subscriptions/01arz3ndektsv4rrffq69g5fav/", "", bearer(theirs)...); a.Code != http.StatusForbidden {
		t.Errorf("the stranger reads the owner's support: %d", a.Code)
	}
	own := p.person(t, owner, "fi")
	call(t.Context(), p.checked(t), "POST", "/users/password_resets/", fmt.Sprintf(`{"email": %q}`, owner))
	if p.linkIn(t, owner) == "" || p.linkIn(t, spelled) != "" {
		t.Error("the link for the owner's password is mailed to the stranger")
	}
	tokens = p.deliver(t, owner)
	if len(tokens) != 1 || p.confirm(t, own, tokens[0]) != http.StatusOK {
		t.Errorf("the owner cannot confirm their address: %v", tokens)
	}
}
