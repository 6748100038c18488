package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/content/internal/mail/mails"
)

const aino = "aino@example.fi"

// registered is an account of Aino's address with a password of its own.
func (p *mailedPlatform) registered(t *testing.T, email, password string) (session string, id int64) {
	t.Helper()
	body := fmt.Sprintf(`{"email": %q, "password": %q, "first_name": "Aino", "last_name": "V", "language": "en"}`, email, password)
	answer := call(t.Context(), p.checked(t), "POST", "/users/", body)
	if answer.Code != http.StatusCreated {
		t.Fatalf("register %s: %d %s", email, answer.Code, answer.Body)
	}
	var made struct {
		Token struct{ String string }
		User  struct {
			UserID int64 `json:"user_id"`
		}
	}
	decode(t, answer.Body.Bytes(), &made)
	return made.Token.String, made.User.UserID
}

func (p *mailedPlatform) verified(t *testing.T) (ids []int64) {
	t.Helper()
	if err := p.db.Raw(`SELECT id FROM users WHERE lower(email) = ? AND verified`, aino).Scan(&ids).Error; err != nil {
		t.Fatal(err)
	}
	return ids
}

// Any link of the mailbox confirms the account that one is signed in to, and only that one: a stranger who registers the
// address has it confirmed by nobody.
func TestAddress_IsConfirmedForWhoIsSignedIn(t *testing.T) {
	p := withMails(t)
	_, _ = p.registered(t, aino, "a stranger's word")
	strangers := p.deliver(t, aino)[0]
	own, id := p.registered(t, aino, "the owner's word")
	elsewhere, _ := p.registered(t, "other@example.fi", "the owner's word")
	for name, c := range map[string]struct {
		session string
		want    int
	}{"nobody": {"", 401}, "another address": {elsewhere, 409}} {
		if got := p.confirm(t, c.session, strangers); got != c.want || len(p.verified(t)) != 0 {
			t.Errorf("%s: %d, want %d; confirmed %v", name, got, c.want, p.verified(t))
		}
	}
	if got := p.confirm(t, own, strangers); got != http.StatusOK || !slices.Equal(p.verified(t), []int64{id}) {
		t.Errorf("%d, confirmed %v, want %d", got, p.verified(t), id)
	}
}

// Only one account of an address is confirmed, whoever is faster.
func TestAddress_IsConfirmedForOne(t *testing.T) {
	p := withMails(t)
	const pairs = 6
	for i := range pairs {
		email := fmt.Sprintf("aino%d@example.fi", i)
		a, _ := p.registered(t, email, "one word of mine")
		p.deliver(t, email)
		b, _ := p.registered(t, email, "two words of mine")
		links := p.deliver(t, email) // the first account's first
		codes := make(chan int, 2)
		for n, session := range []string{a, b} {
			go func() { codes <- p.confirm(t, session, links[n]) }()
		}
		got := []int{<-codes, <-codes}
		slices.Sort(got)
		if !slices.Equal(got, []int{200, 409}) {
			t.Errorf("%v", got)
		}
	}
	if n := p.number(t, `SELECT count(*) FROM users WHERE email LIKE 'aino%' AND verified`); n != pairs {
		t.Errorf("%d are confirmed", n)
	}
}

// Who has an account and registers again gets a mail that says so. Its link brings what they did since then to the first
// account, from where they are signed in to the second, and only when they say so.
func TestAddress_RegisteredAgainIsBroughtOver(t *testing.T) {
	p := withMails(t)
	first, firstID := p.registered(t, aino, "the first word")
	if got := p.confirm(t, first, p.deliver(t, aino)[0]); got != http.StatusOK {
		t.Fatal(got)
	}
	second, secondID := p.registered(t, aino, "the second word")
	link := p.deliver(t, aino)[1]
	if mail := p.sent[len(p.sent)-1]; mail.Kind != mails.KindRegisteredAgain || !strings.Contains(mail.Text, "password-reset/") {
		t.Errorf("%s\n%s", mail.Kind, mail.Text)
	}
	if made := call(t.Context(), p.checked(t), "POST", "/campaigns/", "", bearer(second)...); made.Code/100 != 2 {
		t.Fatalf("a draft: %d %s", made.Code, made.Body)
	}
	open := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	pledged := call(t.Context(), p.handler, "POST", fmt.Sprintf("/campaigns/%d/pledges/", open),
		`{"amount": 20, "pledge_meta": {"email": "`+aino+`", "first_name": "Aino", "last_name": "V"}}`, bearer(second)...)
	if pledged.Code/100 != 2 {
		t.Fatalf("a pledge: %d %s", pledged.Code, pledged.Body)
	}
	byFirst := call(t.Context(), p.checked(t), "POST", "/users/verifications/", fmt.Sprintf(`{"token": %q, "merge": true}`, link), bearer(first)...)
	if byFirst.Code != http.StatusConflict || !strings.Contains(byFirst.Body.String(), `"email_link_account"`) {
		t.Errorf("by the first account: %d %s", byFirst.Code, byFirst.Body)
	}
	if got := p.confirm(t, second, link); got != http.StatusConflict {
		t.Errorf("unasked: %d", got)
	}
	if got := p.merge(t, second, link); got != http.StatusOK {
		t.Fatalf("asked: %d", got)
	}
	for what, query := range map[string]string{
		"pledges": `SELECT count(*) FROM pledges WHERE user_id = ?`, "campaigns": `SELECT count(*) FROM campaign_team WHERE user_id = ? AND position = 0`,
	} {
		if had, has := p.number(t, query, secondID), p.number(t, query, firstID); had != 0 || has != 1 {
			t.Errorf("%s: %d stay, %d are there", what, had, has)
		}
	}
	if got := p.merge(t, second, link); got != http.StatusGone {
		t.Errorf("the link again: %d", got)
	}
	if got := p.verified(t); !slices.Equal(got, []int64{firstID}) {
		t.Errorf("confirmed is %v, want %d", got, firstID)
	}
}

// With the password of the first account nobody comes into the second one again: what it has goes to the first from there.
func TestAddress_RegisteredAgainWithTheSamePassword(t *testing.T) {
	p := withMails(t)
	first, firstID := p.registered(t, aino, "one word of mine")
	if got := p.confirm(t, first, p.deliver(t, aino)[0]); got != http.StatusOK {
		t.Fatal(got)
	}
	second, _ := p.registered(t, aino, "one word of mine")
	if made := call(t.Context(), p.checked(t), "POST", "/campaigns/", "", bearer(second)...); made.Code/100 != 2 {
		t.Fatalf("a draft: %d %s", made.Code, made.Body)
	}
	link := p.deliver(t, aino)[1]
	if got := p.confirm(t, first, link); got != http.StatusConflict {
		t.Errorf("unasked: %d", got)
	}
	if got := p.merge(t, first, link); got != http.StatusOK {
		t.Errorf("asked: %d", got)
	}
	if n := p.number(t, `SELECT count(*) FROM campaign_team WHERE user_id = ?`, firstID); n != 1 {
		t.Errorf("%d campaigns have come", n)
	}
}

// Nothing goes to an account that staff have blocked.
func TestAddress_OfABlockedAccountTakesNothingIn(t *testing.T) {
	p := withMails(t)
	_, second, link, firstID, _ := p.two(t)
	p.do(t, `UPDATE users SET blocked_at = now(), block_reason = 'fraud' WHERE id = ?`, firstID)
	if got := p.merge(t, second, link); got != http.StatusConflict {
		t.Error(got)
	}
}

// Anyone may register an address, so it gets few mails at once, whatever becomes of the accounts that ask for them. Each of
// the links is of use to the owner.
func TestAddress_GetsFewMailsHoweverOftenItIsRegistered(t *testing.T) {
	p := withMails(t)
	var last string
	for i := range 4 {
		session, _ := p.registered(t, aino, fmt.Sprintf("word number %d", i))
		for range 3 {
			if a := call(t.Context(), p.checked(t), "POST", "/users/me/verification/", "", bearer(session)...); a.Code != http.StatusAccepted {
				t.Fatal(a.Code)
			}
		}
		if i == 0 {
			p.deliver(t, aino)
			p.erase(t, session, aino, "word number 0")
		}
		last = session
	}
	links := p.deliver(t, aino)
	if len(links) != 4 {
		t.Fatalf("%d mails", len(links))
	}
	p.registered(t, aino, "one more word")
	if got := p.confirm(t, last, links[3]); got != http.StatusGone && got != http.StatusOK {
		t.Errorf("the owner, who has registered last, by another's link: %d", got)
	}
}
